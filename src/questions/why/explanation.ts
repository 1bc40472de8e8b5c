import { createHash } from 'node:crypto';
import { createSum } from '../../engine/statistics.ts';
import type { ExplainedPart, Explanation } from '../../model/answer.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { MultiVisitBehavior, ReportRequest, Statistic } from '../../model/request.ts';
import type { Provenance, Table } from '../../model/table.ts';

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

/** How a percentile is made. */
export function percentileRule(percent: number): string {
  return percent === 50
    ? 'It is the median: half of them are not longer. Between two in the middle it is halfway.'
    : `It is their ${percent}th percentile: ${percent} % of them are not longer. Between two of them it is interpolated (Hyndman and Fan, type 7), as spreadsheets do.`;
}

/** How an average is made. */
export const averageRule = 'It is their average: their sum, divided by how many they are.';

/** How a statistic makes one figure of the values of many issues. */
export function statisticRule({ type, denominator, deviation, percentile }: Statistic): string {
  const zeros =
    denominator === 'all' ? ' Issues without a value count as zero, but for those nobody can tell of.' : '';
  switch (type) {
    case 'sum':
      return 'It is their sum.';
    case 'average':
      return `${averageRule}${zeros}`;
    case 'median':
      return percentileRule(50);
    case 'percentile':
      return percentileRule(percentile);
    case 'standardDeviation':
      return `It is their standard deviation, ${deviation === 'sample' ? 'of a sample: divided by one less than how many they are' : 'of the whole population'}.${zeros}`;
  }
}

/** Which of several visits of a status count. */
const visitRules: Readonly<Record<MultiVisitBehavior, string>> = {
  total: 'Where an issue was in a status several times, all of its visits are added up.',
  first: 'Where an issue was in a status several times, only the first visit counts.',
  last: 'Where an issue was in a status several times, only the last visit counts.',
  average: 'Where an issue was in a status several times, the average of its visits counts.',
};

/** What counts in a report and what is left out, beside the calendar and the window. */
export function reportRules(
  { multiVisitBehavior, statuses, includeDeletedStatuses, creditDelegates }: ReportRequest,
  { statuses: met, provenance }: Table,
): readonly string[] {
  const { reportType, cutHistories, undecided, unasked = 0 } = provenance;
  const gone = statuses === null && !includeDeletedStatuses ? met.deleted.map(({ name }) => name) : [];
  return [
    ...(reportType === 'statusDuration' ? [visitRules[multiVisitBehavior]] : []),
    ...(statuses === null ? [] : ['Only the statuses that were chosen count.']),
    ...(creditDelegates === null ? [] : ['Time in which somebody stood in for the assignee is told apart.']),
    ...(gone.length === 0
      ? []
      : [`Statuses that are gone from the tracker are left out: ${gone.slice(0, 10).join(', ')}.`]),
    ...(cutHistories === 0
      ? []
      : [
          `The history of ${cutHistories} ${cutHistories === 1 ? 'issue is' : 'issues is'} not complete; time of which nothing is known is left out.`,
        ]),
    ...(undecided === 0
      ? []
      : [`Of ${undecided} further issues nobody can tell whether they belong here; they are left out.`]),
    ...(unasked === 0
      ? []
      : [`Of ${unasked} issues the tracker could not be asked whether you may see them; they are left out.`]),
  ];
}

/** Which figure it is: its kind, which the answer that has it knows, and the texts that tell it from others. */
export interface FigureName {
  readonly kind: string;
  readonly words: readonly string[];
}

/** The short stable text of a figure. No word holds a colon but the last, which may be any text. */
export function figureId(kind: string, ...words: readonly string[]): string {
  return [kind, ...words].join(':');
}

/** Reads it back; whether an answer has such a figure shows when it is explained. */
export function readFigureId(id: string): FigureName {
  const [kind = '', ...words] = id.split(':');
  return { kind, words };
}

/** A short text in place of one that may be long and hold anything, such as the id of a column. */
export function shortName(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** The answer has no such figure, or has it no more. */
export function unknownFigure(): AppError {
  return new AppError('unknown-figure', 'This figure is not in the answer', [
    'The answer has no such figure, or has it no more. Ask the question again and choose one of its figures.',
  ]);
}
