import { createSum } from '../../engine/statistics.ts';
import type { ExplainedPart, Explanation } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Provenance } from '../../model/table.ts';

/** Nobody reads more. */
const MOST_PARTS = 30;

/** What is to be said of a figure; what is not named is nothing. `adds`: the parts add up, so that the rest is told. */
export interface Reasons {
  readonly title: string;
  readonly value: Explanation['value'];
  readonly unknown?: string;
  readonly rules: readonly string[];
  readonly parts: readonly ExplainedPart[];
  readonly adds: boolean;
  readonly denominator?: Explanation['denominator'];
  readonly excluded?: Explanation['excluded'];
}

/** An explanation of a readable length. */
export function compose(
  { title, value, unknown, rules, parts, adds, denominator = null, excluded = [] }: Reasons,
  { calendar, trim }: Pick<Provenance, 'calendar' | 'trim'>,
  asOf: Instant,
): Explanation {
  return {
    title,
    value,
    ...(unknown === undefined ? {} : { unknown }),
    rules: [
      ...rules,
      calendar.continuous
        ? 'Every hour counts.'
        : `Only the working hours of the calendar '${calendar.name}' count.`,
      ...(trim.from === null && trim.to === null ? [] : ['Only what lies within the window of time counts.']),
    ],
    ...few(parts, adds),
    calendar,
    trim,
    denominator,
    excluded,
    asOf,
  };
}

/** Of parts that add up, those left out are told as one, so that the sum stays what it is. */
function few(parts: readonly ExplainedPart[], adds: boolean): Pick<Explanation, 'parts' | 'more'> {
  if (parts.length <= MOST_PARTS) return { parts, more: 0 };
  if (!adds) return { parts: parts.slice(0, MOST_PARTS), more: parts.length - MOST_PARTS };
  const rest = parts.slice(MOST_PARTS - 1);
  const sum = createSum();
  for (const { countedMs } of rest) sum.add(countedMs ?? 0);
  const together = rest.some(({ countedMs }) => countedMs !== null) ? sum.total() : null;
  const last = partOf({ label: `${rest.length} more together`, countedMs: together });
  return { parts: [...parts.slice(0, MOST_PARTS - 1), last], more: rest.length };
}

/** A part of which nothing is said but what is given. */
export function partOf(part: Pick<ExplainedPart, 'label'> & Partial<ExplainedPart>): ExplainedPart {
  return { link: null, from: null, until: null, wallMs: null, countedMs: null, note: null, ...part };
}

/** The longest first. */
export function longestFirst(parts: readonly ExplainedPart[]): readonly ExplainedPart[] {
  return parts.toSorted((a, b) => (b.countedMs ?? 0) - (a.countedMs ?? 0));
}

/** The sum of some amounts, exact to the millisecond. */
export function sumOf(amounts: Iterable<number>): number {
  const sum = createSum();
  for (const amount of amounts) sum.add(amount);
  return sum.total();
}
