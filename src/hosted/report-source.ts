import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { z } from 'zod';
import { choose } from '../api/reporting/resolve-request.ts';
import { createNamespace } from '../cache/namespace.ts';
import { reports } from '../engine/reports/index.ts';
import type { ReportType } from '../engine/reports/measuring/report-type.ts';
import { AppError, about, badRequestAs, clauseOf } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { BetweenMetric, ReportRequest } from '../model/request.ts';
import type { CalendarFacts } from '../model/table.ts';
import type { ReportReading } from './read-report.ts';
import { calendarsAnswer, type ReportAnswer, reportAnswer } from './report-answer.ts';
import {
  asPrincipal,
  namesPrincipal,
  type ServiceProfile,
  serviceParameters,
  smallestReport,
  wholeMinute,
} from './report-parameters.ts';
import type { TisClient, TisParameters, TisPlace } from './tis-client.ts';

/** The place of a report, and the parameters of that place beside the report's own. */
interface ReportQuery {
  readonly place: TisPlace;
  readonly parameters: TisParameters;
  readonly signal?: AbortSignal | undefined;
}

/** Answers of the service. */
export interface ReportSource {
  readonly client: TisClient;
  /** The kind of service: read once, from the smallest report there is. */
  profile(): Promise<ServiceProfile>;
  /** One answer, ready to be read as a table. */
  answer(request: ReportRequest, query: ReportQuery): Promise<ReportReading>;
}

/** The report types of the service: its contract has none about blocked time. */
export const hostedReports = reports.filter(({ fields }) => fields !== 'blocked');

/** The report type of a request; an unknown one is refused. */
export function hostedReportOf({ reportType }: Pick<ReportRequest, 'reportType'>): ReportType {
  return choose('columnsBy', reportType, hostedReports, ({ id }) => [id]);
}

/** Reports in the words of the service. */
export function createReportSource(client: TisClient, now: () => Instant): ReportSource {
  const calendars = createHostedCalendars(client, now);
  let known: Promise<ServiceProfile> | null = null;

  function profile(): Promise<ServiceProfile> {
    known ??= client.ask({ place: 'pages', parameters: smallestReport }, reportAnswer).then(
      (answer) => profileOf(answer),
      (error: unknown) => {
        known = null;
        throw error;
      },
    );
    return known;
  }

  async function answer(given: ReportRequest, query: ReportQuery): Promise<ReportReading> {
    assertLinked(given);
    const report = hostedReportOf(given);
    const calendar = await calendars.idOf(given.calendar);
    const request = inMinutes({ ...given, reportType: report.id, calendar });
    // A service that has become another one since, or changed its zone, is asked a second time.
    for (let tries = 0; tries < 2; tries += 1) {
      const expected = await profile();
      const { stoppedAt, sent } = requestFor(expected, request, query.place);
      const parameters = { ...serviceParameters(sent, expected), ...query.parameters };
      const found = await client.ask({ ...query, parameters }, reportAnswer);
      const seen = profileOf(found);
      if (seen.isDwell === expected.isDwell && seen.timeZone === expected.timeZone) {
        const answer = withMetricNames(found, request.metrics);
        const facts = { ...(await calendars.factsOf(found)), now: now(), unreadable: client.unavailable };
        return { ...facts, answer, request, stoppedAt, report };
      }
      known = Promise.resolve(seen);
    }
    throw client.unavailable('returns another time zone with every answer.');
  }

  /** Only another Dwell takes another instant than now: for others the history ends at that minute. */
  function requestFor({ isDwell }: ServiceProfile, request: ReportRequest, place: TisPlace) {
    const { asOf, selection, principal, fields } = request;
    const hasCreated = fields.some((id) => id.toLowerCase() === 'created');
    const jql = selection.by === 'jql' ? { jql: asPrincipal(selection.jql, principal.account) } : {};
    // Every list says when its issues were created.
    const shown = place === 'aggregation' ? [] : hasCreated ? fields : [...fields, 'created'];
    const sent = { ...request, selection: { ...selection, ...jql }, fields: shown };
    if (!isDwell) assertSupported(request);
    const isPast = asOf !== null && now() - asOf > millisecondsInMinute;
    if (isDwell || !isPast) return { stoppedAt: null, sent };
    const stoppedAt = wholeMinute(asOf);
    return { stoppedAt, sent: endedAt(sent, stoppedAt) };
  }

  return { client, profile, answer };
}

/** Only a Dwell returns the time of the request. */
function profileOf({ timeZone, askedAt }: ReportAnswer): ServiceProfile {
  return { timeZone, isDwell: askedAt !== null && askedAt !== undefined };
}

/** No account of the tracker has the name that a door gives to a person without one. */
function assertLinked({ selection, principal }: ReportRequest): void {
  if (principal.rights !== 'stranger' || selection.by !== 'jql') return;
  if (!namesPrincipal(selection.jql, principal.account)) return;
  throw new AppError('invalid-query', 'Bad request', [
    'currentUser() is unknown because your account is not linked to a Jira user. Try: a query without it, or link your account with `/tis link`.',
  ]);
}

/** The product passes over parameters it does not know: its answer would be one to another question. */
function assertSupported({ creditDelegates, consolidated }: ReportRequest): void {
  const service = 'the time-in-status service';
  const fields: Record<string, string> = {};
  if (creditDelegates !== null) {
    fields.creditDelegates = `creditDelegates is not known to ${service}. Try: leave it out.`;
  }
  if (consolidated.length > 0) {
    fields.consolidatedStatuses = `consolidatedStatuses are not known to ${service}. Try: leave them out.`;
  }
  const sentences = Object.values(fields);
  if (sentences.length === 0) return;
  const data = { fields: Object.keys(fields) };
  throw new AppError('unknown-parameter', 'Bad request', sentences, { fields, data });
}

/** As if everything had ended then. Issues created later are left out where no other dates are asked for. */
function endedAt(request: ReportRequest, at: Instant): ReportRequest {
  const { trim, dateRange } = request;
  return {
    ...request,
    trim: { from: trim.from, to: Math.min(trim.to ?? at, at) },
    dateRange: dateRange ?? { field: 'created', from: null, to: at },
  };
}

/** Dates are sent to the minute. */
function inMinutes(request: ReportRequest): ReportRequest {
  const minutes = ({ from, to }: ReportRequest['trim']) => ({
    from: from === null ? null : wholeMinute(from),
    to: to === null ? null : wholeMinute(to),
  });
  const { trim, dateRange: range } = request;
  return { ...request, trim: minutes(trim), dateRange: range && { ...range, ...minutes(range) } };
}

/** Columns between statuses by the metrics' names, which to a Dwell are their ids and to the product their titles. */
function withMetricNames(answer: ReportAnswer, metrics: readonly BetweenMetric[]): ReportAnswer {
  if (metrics.length === 0) return answer;
  const { header, body } = answer.table;
  const titles = new Map(header.valueColumns.map(({ id, title }) => [id, title.trim()]));
  const named = <Column extends { readonly id: string }>(columns: readonly Column[]) =>
    columns.map((column) => {
      const metric = metrics.find(({ name }) => name === column.id || name === titles.get(column.id));
      return { ...column, id: metric?.name ?? column.id };
    });
  const rows = body.rows.map((row) => {
    return { ...row, valueColumns: named(row.valueColumns), currentState: named(row.currentState) };
  });
  const valueColumns = named(header.valueColumns);
  return { ...answer, table: { header: { ...header, valueColumns }, body: { rows } } };
}

const everyHour: CalendarFacts = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  dailyMs: millisecondsInDay,
  equalDays: true,
  continuous: true,
};

/** The calendars of reports. Their list is read only where it is needed, and remembered for a minute. */
function createHostedCalendars(client: TisClient, now: () => Instant) {
  const lists = createNamespace<z.output<typeof calendarsAnswer>>({
    name: 'tis-calendars',
    ttlMs: millisecondsInMinute,
    maxEntries: 1,
    now,
  });
  const all = () => lists.getOrMake('', () => client.ask({ place: 'calendars' }, calendarsAnswer));

  return {
    /** The calendar of an answer, and what is to be said of it. */
    async factsOf({
      calendar,
    }: ReportAnswer): Promise<{ readonly calendar: CalendarFacts; readonly notes: readonly string[] }> {
      if (!calendar) return { calendar: everyHour, notes: [] };
      const { id = null, name, timeZone, dailyWorkingHours, is7x24Calendar } = calendar;
      const continuous = is7x24Calendar ?? id === null;
      const dailyMs = Math.round(dailyWorkingHours * millisecondsInHour);
      const facts = { id, name, timeZone, dailyMs, continuous, equalDays: continuous };
      if (continuous) return { calendar: facts, notes: [] };
      try {
        // Unless the service says that they are equal, days are not offered as a unit.
        const equalDays = (await all()).find(({ definition }) => definition.id === id)?.hasEqualDays ?? false;
        return { calendar: { ...facts, equalDays }, notes: [] };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const note = `Whether the working days of the calendar are equally long is unknown (${clauseOf(error)}).`;
        return { calendar: facts, notes: [note] };
      }
    },
    /** The id of a calendar that may be given by name. */
    async idOf(idOrName: string): Promise<string> {
      const wanted = idOrName.toLowerCase();
      // One page of the product writes the built-in calendar without its s.
      if (wanted === 'normalhours' || wanted === 'normalhour') return everyHour.name;
      if (/^\d+$/.test(wanted)) return wanted;
      const calendars = (await all()).map(({ definition: { id, name } }) => ({ id, name }));
      const found = calendars.find(({ name }) => name.toLowerCase() === wanted);
      if (found !== undefined) return String(found.id ?? everyHour.name);
      const known = calendars.map(({ id, name }) => (id === null ? name : `${id} (${name})`));
      const problem = about('calendar', `'${idOrName}' is not known. Try: ${known.join(', ')}.`);
      throw badRequestAs('unknown-name', problem, { field: 'calendar', value: idOrName, known });
    },
  };
}
