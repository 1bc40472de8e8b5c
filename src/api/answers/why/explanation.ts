import { createHash } from 'node:crypto';
import { createSum } from '../../../engine/measure/statistics.ts';
import type { ExplainedPart, Explanation } from '../../../model/answer.ts';
import { AppError } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import type { MultiVisitBehavior, ReportRequest, Statistic } from '../../../model/request.ts';
import type { Provenance, Table } from '../../../model/table.ts';
import { assumedText } from '../../../output/assumed-categories.ts';

/** The most parts of an explanation that are still read. */
export const MAX_PARTS = 30;

/** The explanation of a figure. `adds`: the parts add up, so that those left out are one part as well. */
export interface Reasons {
  readonly title: string;
  readonly value: Explanation['value'];
  readonly unknown?: string;
  readonly rules: readonly string[];
  readonly parts: readonly ExplainedPart[];
  readonly adds: boolean;
  readonly denominator?: Explanation['denominator'];
  readonly excluded?: Explanation['excluded'];
  readonly provenance: Pick<Provenance, 'calendar' | 'trim' | 'assumedCategories' | 'asOf'>;
  /** By default that of the provenance. */
  readonly asOf?: Instant;
}

/** An explanation of a readable length. */
export function compose({
  provenance,
  unknown,
  rules,
  parts,
  denominator = null,
  excluded = [],
  asOf = provenance.asOf,
  ...own
}: Reasons): Explanation {
  const { calendar, trim } = provenance;
  const assumed = assumedText(provenance);
  return {
    ...own,
    ...(unknown === undefined ? {} : { unknown }),
    rules: [
      ...rules,
      ...(calendar.continuous ? [] : [`Only the working hours of ${calendar.name} count.`]),
      ...(trim.from === null && trim.to === null ? [] : ['Only time within the chosen window counts.']),
      ...(assumed === null ? [] : [assumed.replaceAll('`', '')]),
    ],
    ...few(parts, own.adds),
    calendar,
    trim,
    denominator,
    excluded,
    asOf,
  };
}

/** The parts that are shown. If the parts add up, those left out form one part, so that the sum remains the same. */
function few(parts: readonly ExplainedPart[], adds: boolean): Pick<Explanation, 'parts' | 'more'> {
  if (parts.length <= MAX_PARTS) return { parts, more: 0 };
  if (!adds) return { parts: parts.slice(0, MAX_PARTS), more: parts.length - MAX_PARTS };
  const others = parts.slice(MAX_PARTS - 1);
  const amounts = others.flatMap(({ countedMs }) => countedMs ?? []);
  const together = amounts.length === 0 ? null : sumOf(amounts);
  const last = partOf({ label: `${others.length} more together`, countedMs: together });
  return { parts: [...parts.slice(0, MAX_PARTS - 1), last], more: others.length };
}

/** A part with nothing but what is given. */
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

/** The sentence about a percentile. */
export function percentileRule(percent: number): string {
  return percent === 50
    ? 'Median of these values: half took this long or less.'
    : `${ordinal(percent)} percentile (p${percent}) of these values, interpolated as in spreadsheets: ${percent}% took this long or less.`;
}

/** `85th`, `1st`, `22nd`. */
function ordinal(count: number): string {
  const forms = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${count}${forms[ordinals.select(count)]}`;
}

const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' });

/** The sentence about cycle times. */
export const cycleRule = 'Cycle time: from the first started status until finished.';

/** The sentence about an average. */
export const averageRule = 'Average of these values: their sum divided by their count.';

/** The sentence about a statistic of the values of many issues. */
export function statisticRule({ type, denominator, deviation, percentile }: Statistic): string {
  const zeros =
    denominator === 'all' ? ' Issues without a value count as 0, unless their history is cut.' : '';
  switch (type) {
    case 'sum':
      return 'Sum of these values.';
    case 'average':
      return `${averageRule}${zeros}`;
    case 'median':
      return percentileRule(50);
    case 'percentile':
      return percentileRule(percentile);
    case 'standardDeviation':
      return `Standard deviation of ${deviation === 'sample' ? 'a sample (divided by the count minus one)' : 'the whole population'}.${zeros}`;
  }
}

/** Sentences about the visits of a status that count, where there are several. */
const visitRules: Readonly<Record<MultiVisitBehavior, string>> = {
  total: 'All stays of an issue in a status count together.',
  first: 'Of several stays of an issue in a status, only the first counts.',
  last: 'Of several stays of an issue in a status, only the last counts.',
  average: 'Of several stays of an issue in a status, their average counts.',
};

/** Sentences about what counts in a report and what is left out, beside the calendar and the window. */
export function reportRules(
  { multiVisitBehavior, statuses, includeDeletedStatuses, creditDelegates }: ReportRequest,
  { statuses: observed, provenance }: Table,
): readonly string[] {
  const { reportType, cutHistories, undecided, unasked = 0 } = provenance;
  const gone = statuses === null && !includeDeletedStatuses ? observed.deleted.map(({ name }) => name) : [];
  return [
    ...(reportType === reportIds.statusDuration ? [visitRules[multiVisitBehavior]] : []),
    ...(statuses === null ? [] : ['Only the chosen statuses count.']),
    ...(creditDelegates === null
      ? []
      : ['Time in which another person covered for the assignee is shown separately.']),
    ...(gone.length === 0 ? [] : [`Deleted statuses are left out: ${gone.slice(0, 10).join(', ')}.`]),
    ...(cutHistories === 0
      ? []
      : [
          `${cutHistories} ${cutHistories === 1 ? 'history is' : 'histories are'} cut; the missing time is left out.`,
        ]),
    ...(undecided === 0
      ? []
      : [
          `${undecided} more ${undecided === 1 ? 'issue is' : 'issues are'} left out: it is unknown whether ${undecided === 1 ? 'it belongs' : 'they belong'} here.`,
        ]),
    ...(unasked === 0
      ? []
      : [
          `${unasked} more ${unasked === 1 ? 'issue is' : 'issues are'} left out: the tracker did not say whether you can see ${unasked === 1 ? 'it' : 'them'}.`,
        ]),
  ];
}

/**
 * The name of a figure: the member of the answer's JSON that holds it, or the part of a table it is in, and the texts that
 * set it apart from others.
 */
export interface FigureName {
  readonly kind: string;
  readonly words: readonly string[];
}

/** The short stable text of a figure, such as `cycleTime:medianMs`. No word holds a colon but the last, which may be any text. */
export function figureId(kind: string, ...words: readonly string[]): string {
  return [kind, ...words].join(':');
}

/** Reads a figure id; an answer may have no such figure, which shows when it is explained. */
export function readFigureId(id: string): FigureName {
  const [kind = '', ...words] = id.split(':');
  return { kind, words };
}

/** A short text in place of one that may be long and hold anything, such as the id of a column. */
export function shortName(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** The answer does not have such a figure, or no longer. */
export function unknownFigure(): AppError {
  return new AppError('unknown-figure', 'This figure is not in the answer.', [
    'The answer may have changed. Ask again and choose one of its figures.',
  ]);
}
