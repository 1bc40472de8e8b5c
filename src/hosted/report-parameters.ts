import { millisecondsInMinute } from 'date-fns/constants';
import { isClosed, queryOf } from '../api/parameters/rolling-range.ts';
import { selectionParametersOf } from '../api/parameters/saved-report.ts';
import { asLiteral } from '../api/reporting/query-text.ts';
import type { Instant } from '../model/issue.ts';
import { reportIds } from '../model/report-ids.ts';
import type { BetweenMetric, DateRange, ReportRequest, Selection, Statistic } from '../model/request.ts';
import { dateText, isoText } from '../time/date-text.ts';
import type { TisParameters } from './tis-client.ts';

/** Durations come in seconds, whose decimals are the milliseconds. */
const wording = { outputType: 'json', viewFormat: 'seconds', dayLength: '24HourDays' } as const;

/**
 * Patterns in which another Dwell writes days and instants for us, so that they can be read to the millisecond. The product takes no
 * patterns, and says which ones it used.
 */
export const askedFormats = {
  dateFormat: 'yyyy-MM-dd',
  dateTimeFormat: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
} as const;

/** The facts about a service that requests depend on. */
export interface ServiceProfile {
  /** In which zone the service reads and writes dates. */
  readonly timeZone: string;
  /** Another Dwell, which takes `asOf`, patterns of dates and whatever else this one takes. */
  readonly isDwell: boolean;
}

/** A page of one issue of any project: the smallest report there is. */
export const smallestReport: TisParameters = {
  ...wording,
  columnsBy: reportIds.statusCount,
  pageSize: '1',
  ...filterParameters({ by: 'jql', jql: '' }),
};

/** Everything of a request but what a place takes beside it; dates are to the minute. */
export function serviceParameters(
  request: ReportRequest,
  { timeZone, isDwell }: ServiceProfile,
): TisParameters {
  const { asOf, trim, statuses, consolidated, metrics, groups, creditDelegates, dateRange } = request;
  const minute = (name: string, at: Instant | null = null) =>
    at === null ? {} : { [name]: dateText(at, 'yyyy-MM-dd HH:mm', timeZone) };
  const list = (name: string, words: readonly string[]) =>
    words.length === 0 ? {} : { [name]: words.join(',') };
  const consolidatedText = typeof consolidated === 'string' ? consolidated : JSON.stringify(consolidated);
  return {
    ...wording,
    ...(isDwell ? askedFormats : {}),
    columnsBy: request.reportType,
    calendar: request.calendar,
    ...(asOf === null || !isDwell ? {} : { asOf: isoText(asOf) }),
    ...(dateRange?.field === 'finished' && !isDwell
      ? filterParameters({ by: 'jql', jql: finishedWithin(request.selection, dateRange, timeZone) })
      : {
          ...filterParameters(request.selection),
          ...(dateRange === null ? {} : { dateRangeField: dateRange.field }),
          ...minute('startDate', dateRange?.from),
          ...minute('endDate', dateRange?.to),
        }),
    ...minute('trimHistoryStartDate', trim.from),
    ...minute('trimHistoryEndDate', trim.to),
    ...(statuses === null ? {} : { statuses: statuses.join(',') }),
    ...(consolidated.length === 0 ? {} : { consolidatedStatuses: consolidatedText }),
    includeDeletedStatuses: String(request.includeDeletedStatuses),
    multiVisitBehavior: request.multiVisitBehavior,
    timePeriod: request.timePeriod,
    ...list('fields', request.fields),
    ...list('historyFields', request.historyFields),
    ...list('groupByFields', request.groupBy),
    ...list('groups', groups ?? []),
    ...(metrics.length === 0 ? {} : { dbsMetrics: JSON.stringify(metrics.map(metricJson)) }),
    ...(creditDelegates === null ? {} : { creditDelegates: creditDelegates.join(',') || 'true' }),
  };
}

/**
 * The product chooses by no date of finish, and Jira has one under another name: the category Done never changed since. Where
 * a query ends and its order begins is outside of quotes and parentheses.
 */
function finishedWithin(selection: Selection, { from, to }: DateRange, timeZone: string): string {
  const query = queryOf(selection);
  const order = [...query.matchAll(/\border\s+by\b/gi)].find(({ index }) => isClosed(query.slice(0, index)));
  const where = query.slice(0, order?.index).trim();
  const clause = (sign: string, at: Instant | null) =>
    at === null ? [] : [`statusCategoryChangedDate ${sign} "${dateText(at, 'yyyy-MM-dd HH:mm', timeZone)}"`];
  return [
    [
      ...(where === '' ? [] : [`(${where})`]),
      'statusCategory = Done',
      ...clause('>=', from),
      ...clause('<', to),
    ].join(' AND '),
    query.slice(order?.index ?? query.length),
  ]
    .join(' ')
    .trim();
}

/** The parameters of a statistic. */
export function serviceStatistic({ type, denominator, deviation, percentile }: Statistic): TisParameters {
  return {
    aggregationType: type,
    averageDenominator: denominator,
    ...(type === 'standardDeviation' ? { stddevType: deviation } : {}),
    ...(type === 'percentile' ? { percentile: String(percentile) } : {}),
  };
}

/** A text in quotes, whatever it holds, or the function that means the principal. */
const quotesAndUser = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\bcurrentUser\s*\(\s*\)/gi;

/** JQL with the principal in place of `currentUser()`, which to the service is the user of the token. */
export function asPrincipal(jql: string, user: string): string {
  return jql.replaceAll(quotesAndUser, (part) => (/^["']/.test(part) ? part : asLiteral(user)));
}

/** A query selects other issues for other people. */
export function namesPrincipal(jql: string, user: string): boolean {
  return asPrincipal(jql, user) !== jql;
}

/** A query restricts nothing; it may order everything. */
export function isEverything(jql: string): boolean {
  return /^\s*(?:order\s+by\b.*)?$/is.test(jql);
}

/** A filter may not be empty, and Jira refuses a query without a restriction: before 1970 nothing was created. */
function restricted(jql: string): string {
  return isEverything(jql) ? `created >= "1970-01-01" ${jql.trim()}`.trim() : jql;
}

function filterParameters(selection: Selection): TisParameters {
  if (selection.by === 'keys') return {};
  return selectionParametersOf(
    selection.by === 'jql' ? { ...selection, jql: restricted(selection.jql) } : selection,
  );
}

/** The minute that an instant is in. */
export function wholeMinute(at: Instant): Instant {
  return Math.floor(at / millisecondsInMinute) * millisecondsInMinute;
}

/** Points are statuses by `ids`, one of the two spellings of public clients. */
function metricJson({ name, from, to, pausedIn }: BetweenMetric) {
  const place = (ids: readonly string[]) => ({ type: 'status', ids: ids.map(statusNumber) });
  const point = ({ statuses, visit: visitType }: BetweenMetric['from']) =>
    statuses.length === 0 ? { type: 'issueCreation' } : { ...place(statuses), visitType };
  return {
    name,
    startAt: point(from),
    stopAt: point(to),
    ...(pausedIn.length === 0 ? {} : { pauseAt: place(pausedIn) }),
  };
}

/** Here ids are seen as numbers, as in no other parameter. */
function statusNumber(id: string): string | number {
  return /^\d{1,15}$/.test(id) ? Number(id) : id;
}
