import { AppError, badRequest, reasonOf } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/principal.ts';
import { ask, type DateRange, type ReportRequest, type Statistic } from '../../model/request.ts';
import { checkParameters } from '../../parameters/check-parameters.ts';
import { chooseReportType } from '../../parameters/columns-by.ts';
import { creditingReport } from '../../parameters/credit-delegates.ts';
import type { AskedReport } from '../../parameters/report.ts';
import {
  parametersOf,
  requestSelection,
  savedKinds,
  savedNames,
  savedTexts,
} from '../../parameters/saved-report.ts';
import { readDateRange, readSelection } from '../../parameters/selection.ts';
import { readWindow } from '../../parameters/window.ts';
import { calendarOf } from '../../time/calendar.ts';
import type { ReportingApi } from '../reporting.ts';
import type { SettingsApi } from './settings-api.ts';

/** What a saved report is read with; `now` is the instant that its words for dates mean. */
interface SavedParts {
  readonly reporting: Pick<ReportingApi, 'reportTypes' | 'timeZoneOf'>;
  readonly settings: SettingsApi;
  readonly now: () => Instant;
}

/**
 * The request behind a saved report, without a page; null where only the issue is missing. What is missing, cannot be read or
 * does not go together is `bad-request`, in the words of REST.
 */
export async function requestOfSaved(
  report: SavedReport,
  principal: Principal,
  { reporting, settings, now }: SavedParts,
): Promise<ReportRequest | null> {
  const { reportTypes } = reporting;
  const { issueKey, look, trim, calendar = 'normalHours' } = report;
  const wanted = report.reportType?.toLowerCase();
  const shape = reportTypes.find(({ id }) => id.toLowerCase() === wanted)?.shape ?? 'issue';
  const texts = savedTexts(parametersOf(report), savedNames);
  const isOfIssue = shape === 'visit' || issueKey !== undefined;
  const isCondensed = !isOfIssue && texts.has('aggregationType');
  const kind = shape === 'visit' ? 'visits' : isOfIssue ? 'single' : isCondensed ? 'aggregation' : 'list';
  checkParameters(savedKinds[kind], texts);
  await checkDayLength({ dayLength: look?.dayLength ?? '24HourDays', calendar }, principal, settings);
  const reportType = chooseReportType(report.reportType ?? '', shape, reportTypes);
  const timeZone = await reporting.timeZoneOf(principal);
  const window = readWindow(
    { trimHistoryStartDate: trim?.from, trimHistoryEndDate: trim?.to, asOf: report.asOf },
    { now: now(), timeZone },
  );
  const common = {
    ...{ principal, reportType, calendar, ...window },
    fields: report.fields ?? [],
    historyFields: report.historyFields ?? [],
  };
  const columns = {
    statuses: report.statuses ?? null,
    consolidated: report.consolidated ?? [],
    includeDeletedStatuses: report.includeDeletedStatuses ?? false,
    multiVisitBehavior: report.multiVisitBehavior ?? 'total',
    groups: report.groups ?? null,
    timePeriod: report.timePeriod ?? 'Month',
    metrics: report.metrics ?? [],
    creditDelegates:
      reportType === creditingReport && report.creditDelegates !== undefined ? report.creditDelegates : null,
  };
  if (isOfIssue) {
    if (issueKey === undefined) return null;
    const selection = { by: 'keys', keys: [issueKey] } as const;
    return ask({ ...common, ...(shape === 'visit' ? {} : columns), selection });
  }
  return ask({
    ...common,
    ...columns,
    selection: requestSelection(report) ?? readSelection(checkParameters(savedKinds.list, texts)),
    dateRange: dateRangeOf(report, timeZone),
    groupBy: report.groupBy ?? [],
    statistic: isCondensed ? statisticOf(report) : null,
  });
}

function dateRangeOf({ range }: SavedReport, timeZone: string): DateRange | null {
  // What moves is in the query.
  if (range === undefined || 'when' in range) return null;
  const { field = 'created', from, to } = range;
  return readDateRange({ dateRangeField: field, startDate: from, endDate: to }, timeZone);
}

function statisticOf({ statistic }: SavedReport): Statistic | null {
  const { type, denominator = 'nonNull', deviation = 'population', percentile = 85 } = statistic ?? {};
  return type === undefined ? null : { type, denominator, deviation, percentile };
}

/**
 * Days of different lengths are no unit. A calendar that is not known is left to the report, which names those that
 * are. Where the calendars cannot be read it is said that this is not known.
 */
export async function checkDayLength(
  { dayLength, calendar: asked }: Pick<AskedReport, 'dayLength' | 'calendar'>,
  principal: Principal,
  settings: SettingsApi,
): Promise<readonly string[]> {
  if (dayLength !== 'businessDays') return [];
  const wanted = asked.toLowerCase();
  const calendars = await settings.calendars(principal).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  if (calendars instanceof AppError) {
    const reason = reasonOf(calendars);
    return [`Whether the working days of the calendar are equally long is unknown (${reason}).`];
  }
  const definition =
    calendars.find(({ id }) => String(id) === wanted) ??
    calendars.find(({ name }) => name.toLowerCase() === wanted);
  if (definition === undefined || calendarOf(definition).equalDays) return [];
  throw badRequest(
    `dayLength 'businessDays' cannot be used with calendar '${definition.name}', whose working days differ in length; allowed: 24HourDays.`,
  );
}
