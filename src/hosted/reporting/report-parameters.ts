import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant, Status } from '../../model/issue.ts';
import type { BetweenMetric, DateRange, ReportRequest, Selection, Statistic } from '../../model/request.ts';
import { isoText } from '../../time/iso-dates.ts';
import { dateText } from '../../time/java-dates.ts';
import { askedFormats, askedWording } from './asked-wording.ts';

/** Parameters of a request to the service, by name. */
export type TisParameters = Readonly<Record<string, string>>;

/**
 * How the points of metrics are spelled. Public clients have two ways: `ids` of statuses, or `value`, their names, which
 * are those of `statuses`.
 */
export type MetricSpelling = 'ids' | 'value';

/** What the parameters of a request depend on beside it. */
interface ParameterWording {
  /** On whose clocks the service reads dates. */
  readonly timeZone: string;
  readonly metricSpelling: MetricSpelling;
  /** Whether the service is one of our own, which takes patterns of dates and an instant to speak of. */
  readonly isOwn: boolean;
  /** Every status the service has named so far. */
  readonly statuses: readonly Status[];
}

/** The minute an instant lies in: dates are told to the minute. */
export function wholeMinute(at: Instant): Instant {
  return Math.floor(at / millisecondsInMinute) * millisecondsInMinute;
}

/** Everything of a request but which issues it is about, in the parameters of the service. */
export function reportParameters(request: ReportRequest, wording: ParameterWording): TisParameters {
  const { timeZone } = wording;
  const { asOf, trim, statuses, consolidated, fields, historyFields, groups, metrics, groupBy } = request;
  const { creditDelegates } = request;
  const list = (name: string, words: readonly string[]) =>
    words.length === 0 ? {} : { [name]: words.join(',') };
  const date = (name: string, at: Instant | null) => (at === null ? {} : { [name]: minute(at, timeZone) });
  return {
    ...askedWording,
    ...(wording.isOwn ? askedFormats : {}),
    columnsBy: request.reportType,
    calendar: request.calendar,
    ...(asOf === null || !wording.isOwn ? {} : { asOf: isoText(asOf) }),
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
    ...(metrics.length === 0
      ? {}
      : { dbsMetrics: JSON.stringify(metrics.map((one) => metricJson(one, wording))) }),
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

function metricJson({ name, from, to, pausedIn }: BetweenMetric, wording: ParameterWording) {
  const { metricSpelling, statuses: known } = wording;
  const nameOf = (id: string) => {
    const name = known.find((one) => one.id === id)?.name;
    // A name that several have would leave it to chance which of them is meant.
    return name === undefined || known.filter((one) => one.name === name).length > 1 ? id : name;
  };
  const place = (ids: readonly string[]) => {
    if (metricSpelling === 'ids') return { type: 'status', ids: ids.map(statusNumber) };
    const [only = '', ...others] = ids.map(nameOf);
    return { type: 'status', value: others.length === 0 ? only : [only, ...others] };
  };
  const point = ({ statuses, visit: visitType }: BetweenMetric['from']) =>
    statuses.length === 0 ? { type: 'issueCreation' } : { ...place(statuses), visitType };
  const pauses =
    metricSpelling === 'ids' ? { pauseAt: place(pausedIn) } : { pausedOn: pausedIn.map((id) => place([id])) };
  return {
    name,
    startAt: point(from),
    stopAt: point(to),
    ...(pausedIn.length === 0 ? {} : pauses),
  };
}

/** Here ids are seen as numbers, as in no other parameter. */
function statusNumber(id: string): string | number {
  return /^\d{1,15}$/.test(id) ? Number(id) : id;
}
