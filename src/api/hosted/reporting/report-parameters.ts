import { dateText } from '../../../formats/date-text.ts';
import type { Instant } from '../../../model/issue.ts';
import type {
  BetweenMetric,
  DateRange,
  ReportRequest,
  Selection,
  Statistic,
} from '../../../model/request.ts';
import { askedWording } from './asked-wording.ts';

/** Parameters of a request to the service, by name. */
export type TisParameters = Readonly<Record<string, string>>;

const MINUTE_MS = 60_000;

/** The minute an instant lies in: dates are told to the minute. */
export function wholeMinute(at: Instant): Instant {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/**
 * Everything of a request but which issues it is about, in the parameters of the service. Dates are written on the
 * clocks of `timeZone`, on which the service reads them.
 */
export function reportParameters(request: ReportRequest, timeZone: string): TisParameters {
  const { asOf, trim, statuses, consolidated, fields, historyFields, groups, metrics, groupBy } = request;
  const { creditDelegates } = request;
  const list = (name: string, words: readonly string[]) =>
    words.length === 0 ? {} : { [name]: words.join(',') };
  const date = (name: string, at: Instant | null) => (at === null ? {} : { [name]: minute(at, timeZone) });
  return {
    ...askedWording,
    columnsBy: request.reportType,
    calendar: request.calendar,
    ...(asOf === null ? {} : { asOf: new Date(asOf).toISOString() }),
    ...date('trimHistoryStartDate', trim.from),
    ...date('trimHistoryEndDate', trim.to),
    ...(statuses === null ? {} : { statuses: statuses.join(',') }),
    ...(consolidated.length === 0 ? {} : { consolidatedStatuses: JSON.stringify(consolidated) }),
    includeDeletedStatuses: String(request.includeDeletedStatuses),
    multiVisitBehavior: request.multiVisitBehavior,
    timePeriod: request.timePeriod,
    ...list('fields', fields),
    ...list('historyFields', historyFields),
    ...list('groupByFields', groupBy),
    ...(groups === null ? {} : list('groups', groups)),
    ...(metrics.length === 0 ? {} : { dbsMetrics: JSON.stringify(metrics.map(metricJson)) }),
    ...(creditDelegates === null
      ? {}
      : { creditDelegates: creditDelegates.length === 0 ? 'true' : creditDelegates.join(',') }),
  };
}

/** Which issues a list is about. */
export function selectionParameters(
  selection: Exclude<Selection, { by: 'keys' }>,
  dateRange: DateRange | null,
  timeZone: string,
): TisParameters {
  return { ...filterParameters(selection), ...rangeParameters(dateRange, timeZone) };
}

/** How issues are condensed. */
export function statisticParameters({ type, denominator, deviation, percentile }: Statistic): TisParameters {
  return {
    aggregationType: type,
    averageDenominator: denominator,
    ...(type === 'standardDeviation' ? { stddevType: deviation } : {}),
    ...(type === 'percentile' ? { percentile: String(percentile) } : {}),
  };
}

function filterParameters(selection: Exclude<Selection, { by: 'keys' }>): TisParameters {
  switch (selection.by) {
    case 'project':
      return { filterType: 'project', projectKey: selection.project };
    case 'user':
      return { filterType: 'user', user: selection.user };
    case 'savedFilter':
      return { filterType: 'jqlfilter', jqlFilterID: selection.id };
    case 'sprint':
      return { filterType: 'sprint', sprintID: selection.id };
    case 'jql':
      return { filterType: 'customjql', customjql: selection.jql };
  }
}

function rangeParameters(range: DateRange | null, timeZone: string): TisParameters {
  if (range === null) return {};
  return {
    dateRangeField: range.field,
    ...(range.from === null ? {} : { startDate: minute(range.from, timeZone) }),
    ...(range.to === null ? {} : { endDate: minute(range.to, timeZone) }),
  };
}

function minute(at: Instant, timeZone: string): string {
  return dateText(at, 'yyyy-MM-dd HH:mm', timeZone);
}

/** In the spelling that names the type of every point; the other one of public clients means the same. */
function metricJson({ name, from, to, pausedIn }: BetweenMetric) {
  const point = ({ statuses, visit }: BetweenMetric['from']) =>
    statuses.length === 0 ? { type: 'issueCreation' } : { type: 'status', ids: statuses, visitType: visit };
  return {
    name,
    startAt: point(from),
    stopAt: point(to),
    ...(pausedIn.length === 0 ? {} : { pauseAt: { type: 'status', ids: pausedIn } }),
  };
}
