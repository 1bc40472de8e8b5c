import type { MultiVisitBehavior, ReportRequest, Statistic } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';

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
