import type { Compilation } from '../compilation.ts';
import { refuse } from '../refuse.ts';
import { functionCalled } from './call.ts';
import { holds } from './holds.ts';
import { type Asked, type Item, idOf, type Values } from './values.ts';

/** Plain numbers, such as story points. */
export function numberValues(title: string, compilation: Compilation): Values {
  const read = (asked: Asked, inList = false): number => {
    if (asked.kind === 'call') functionCalled(asked, [], { compilation, title, inList });
    const written = asked.kind === 'value' ? numberIn(asked.text) : null;
    if (written !== null) return written;
    throw refuse(
      compilation.name,
      asked,
      `is not a number, as ${title} needs; allowed: a number such as 3 or "2.5".`,
    );
  };
  return {
    equal: (asked, inList) => {
      const wanted = read(asked, inList);
      return (item) => numberOf(item) === wanted;
    },
    compare: (sign, asked) => {
      const bound = read(asked);
      return (item) => holds(sign, numberOf(item) - bound);
    },
    sortKey: numberOf,
  };
}

/** A number as people write it; null if it is none. */
export function numberIn(text: string): number | null {
  return /^[-+]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

/** What is no number compares with nothing. */
function numberOf(item: Item): number {
  return typeof item === 'number' ? item : (numberIn(idOf(item)) ?? Number.NaN);
}
