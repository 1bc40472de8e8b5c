import { AppError, about, badRequestAs, clauseOf } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import type { Principal, ReportRequest } from '../../model/request.ts';
import { calendarOf, normalHours } from '../../time/calendar.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { shown } from '../parameters/parameter.ts';
import { type ReportInput, requestOfReport } from '../parameters/report.ts';
import {
  parametersOf,
  present,
  requestSelection,
  savedKinds,
  savedNames,
  savedTexts,
  unknownNames,
} from '../parameters/saved-report.ts';
import { readSelection } from '../parameters/selection.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { SettingsApi } from './settings-api.ts';

/** The parts to read a saved report; its relative dates are counted from `now`. */
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
  const { issueKey, look, fields, historyFields, trim, asOf, calendar = normalHours.name } = report;
  const wanted = report.reportType?.toLowerCase();
  const { shape = 'issue', options = [] } = reportTypes.find(({ id }) => id.toLowerCase() === wanted) ?? {};
  const texts = savedTexts(parametersOf(report), savedNames);
  const isOfIssue = shape === 'visit' || issueKey !== undefined;
  const listed = texts.has('aggregationType') ? 'aggregation' : 'list';
  checkParameters(savedKinds[shape === 'visit' ? 'visits' : isOfIssue ? 'single' : listed], texts);
  await checkDayLength({ dayLength: look?.dayLength ?? '24HourDays', calendar }, principal, settings);
  const ofVisits = present({ reportType: report.reportType, fields, historyFields, trim, asOf, calendar });
  // The rest is about more issues than one, or has no use in other reports.
  const { range, groupBy, statistic, creditDelegates, ...ofIssue } = report;
  const credited = options.includes('creditDelegates') ? present({ creditDelegates }) : {};
  const ofList = present({ range, groupBy, statistic });
  const request = await requestOfReport(
    shape === 'visit' ? ofVisits : { ...ofIssue, ...credited, ...(isOfIssue ? {} : ofList) },
    shape,
    () =>
      isOfIssue
        ? { by: 'keys', keys: issueKey === undefined ? [] : [issueKey] }
        : (requestSelection(report) ?? readSelection(checkParameters(savedKinds.list, texts))),
    { principal, reporting, now },
  );
  return isOfIssue && issueKey === undefined ? null : request;
}

/**
 * The reasons why a saved report would be refused, in sentences; none where it would run. A report about one issue need
 * not name it: a request that uses it does.
 */
export async function problemsOfSaved(
  report: SavedReport,
  principal: Principal,
  parts: SavedParts & { readonly reporting: Pick<ReportingApi, 'check'> },
): Promise<readonly string[]> {
  const unknown = unknownNames(report);
  if (unknown.length > 0) {
    return unknown.slice(0, 20).map((name) => `'${shown(name)}' is not a parameter that a report takes.`);
  }
  try {
    const request = await requestOfSaved(report, principal, parts);
    if (request !== null) await parts.reporting.check(request);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
    return error.details.length === 0 ? [error.message] : error.details;
  }
}

/**
 * Days of different lengths are no unit. A calendar that is not known is left to the report, which names those that
 * are. Where the calendars cannot be read it is said that this is not known.
 */
export async function checkDayLength(
  { dayLength, calendar }: Pick<ReportInput, 'dayLength' | 'calendar'>,
  principal: Principal,
  settings: SettingsApi,
): Promise<readonly string[]> {
  if (dayLength !== 'businessDays') return [];
  const wanted = calendar.toLowerCase();
  const calendars = await settings.calendars(principal).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  if (calendars instanceof AppError) {
    const reason = clauseOf(calendars);
    return [`Whether the working days of the calendar are equally long is unknown (${reason}).`];
  }
  const definition =
    calendars.find(({ id }) => String(id) === wanted) ??
    calendars.find(({ name }) => name.toLowerCase() === wanted);
  if (definition === undefined || calendarOf(definition).equalDays) return [];
  const problem = `'businessDays' cannot be used with calendar '${definition.name}', whose working days differ in length. Try: 24HourDays.`;
  throw badRequestAs('conflicting-values', about('dayLength', problem));
}
