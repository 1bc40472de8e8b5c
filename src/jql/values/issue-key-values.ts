import { compareIds } from '../../issues/ids-and-names.ts';
import { findIssue, rememberByChunk } from '../../issues/issue-chunks.ts';
import type { Issue } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import type { JqlWorld } from '../jql.ts';
import { refuse } from '../refuse.ts';
import { functionCalled } from './call.ts';
import { holds } from './holds.ts';
import { metIn } from './met.ts';
import { idsFor } from './naming.ts';
import { type Asked, type Item, idOf, textOf, type Values } from './values.ts';

/** Keys of issues, those they had before as well; greater and less compare the numbers of issues of the same project, as in Jira. */
export function issueKeyValues(compilation: Compilation): Values {
  const read = (asked: Asked, inList: boolean): string => {
    if (asked.kind === 'call') functionCalled(asked, [], { compilation, title: 'key', inList });
    const key = asked.kind === 'value' ? keyAsked(asked.text, compilation.world) : null;
    if (key !== null) return key;
    throw refuse(
      compilation.name,
      asked,
      'is not an issue that is known here; allowed: the key of an issue.',
    );
  };
  return {
    equal: (asked, inList) => {
      const wanted = read(asked, inList);
      return (item) => item === wanted;
    },
    compare: (sign, asked) => {
      const [project, number] = keyParts(read(asked, false));
      return (item) => {
        const [itsProject, itsNumber] = keyParts(textOf(item));
        return itsProject === project && holds(sign, compareIds(itsNumber, number));
      };
    },
    sortKey: textOf,
  };
}

/** Parents by key or id: any issue may be asked for, and whatever an issue names as its parent. */
export function parentValues(compilation: Compilation): Values {
  const { issues } = compilation.world;
  return {
    equal: (asked, inList) => {
      if (asked.kind === 'call') functionCalled(asked, [], { compilation, title: 'parent', inList });
      const met = metIn(issues, 'parent');
      const key = asked.kind === 'value' ? keyAsked(asked.text, compilation.world) : null;
      const text = asked.kind === 'value' ? (key ?? asked.text.trim()) : '';
      const wanted = text.toLowerCase();
      const ids = asked.kind === 'value' ? idsFor({ ...asked, text }, [met.today], [met.former]) : null;
      const known = key !== null || [...met.texts].some((one) => one.toLowerCase() === wanted);
      if (ids === null && !known) {
        throw refuse(
          compilation.name,
          asked,
          'is not an issue that is known here; allowed: the key of an issue.',
        );
      }
      return (item: Item) => ids?.has(idOf(item)) === true || idOf(item).toLowerCase() === wanted;
    },
    sortKey: textOf,
  };
}

/** Project and number of a key. */
export function keyParts(key: string): readonly [project: string, number: string] {
  const dash = key.lastIndexOf('-');
  return [key.slice(0, dash), key.slice(dash + 1)];
}

/** The key (upper case) of the issue here that has it, or had it before; null where there is none. */
function keyAsked(text: string, { issues, formerKeys }: JqlWorld): string | null {
  const key = text.trim().toUpperCase();
  if (isKnown(key, issues)) return key;
  const now = formerKeys?.get(key);
  return now !== undefined && isKnown(now, issues) ? now : null;
}

/** By a key in capitals; hardly any is spelled otherwise. */
function isKnown(key: string, issues: readonly Issue[]): boolean {
  return findIssue(issues, key) !== null || otherwiseSpelled(issues).has(key);
}

const otherwiseSpelled = rememberByChunk(
  (chunk) => chunk.map(({ key }) => key).filter((key) => key !== key.toUpperCase()),
  (parts): ReadonlySet<string> => new Set(parts.flat().map((key) => key.toUpperCase())),
);
