import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { createOutcomes } from '../api/outcomes/create-outcomes.ts';
import type { EndedVisits } from '../api/outcomes/outcomes-api.ts';
import type { Reading, ReportingApi, ReportReader } from '../api/reporting/reporting-api.ts';
import { checkReportOptions } from '../api/reporting/resolve-request.ts';
import { createNamespace } from '../cache/namespace.ts';
import { collectGroups, compareGroups } from '../engine/measure/collect-groups.ts';
import { inWorkflowOrder } from '../engine/measure/column-order.ts';
import { reportTypeFacts } from '../engine/reports/index.ts';
import { AppError } from '../model/error.ts';
import { compileFlows, type ProjectFlow, withDraft } from '../model/flow.ts';
import type { Instant, Status } from '../model/issue.ts';
import { projectKeyOf } from '../model/issues/issue-fields.ts';
import { reportIds } from '../model/report-ids.ts';
import {
  ask,
  defaultStatistic,
  type Principal,
  type ReportRequest,
  type Statistic,
} from '../model/request.ts';
import type { Cells, Column, IssueFacts, IssueLines, Table } from '../model/table.ts';
import { allPages, hostedAudienceScope, hostedPage, pageAnswer, wholeList } from './hosted-lists.ts';
import { readGroupsAnswer, readListAnswer } from './read-report.ts';
import { statusAnswer } from './report-answer.ts';
import { namesPrincipal, serviceStatistic } from './report-parameters.ts';
import { createReportSource, hostedReportOf, hostedReports, type ReportSource } from './report-source.ts';
import type { TisClient } from './tis-client.ts';

/** The time for which tables are cached; they may be large. */
const TABLE_MS = 60_000;
const MAX_TABLES = 24;

/** The most projects whose visits are remembered, eight bytes each. */
const MAX_PROJECTS = 100;

/** The number of issues whose lines a reader gets at a time. */
const PART = 200;

/**
 * The reporting port answered by a service elsewhere, with the rights of the user whose token is given: every principal
 * sees what that user may see.
 */
export function createHostedReporting(
  client: TisClient,
  { now, flows }: { readonly now: () => Instant; readonly flows: () => Promise<readonly ProjectFlow[]> },
): ReportingApi {
  const source = createReportSource(client, now);
  const tables = createNamespace<Table>({ name: 'tis-tables', ttlMs: TABLE_MS, maxEntries: MAX_TABLES, now });
  const anHour = { ttlMs: millisecondsInHour, now };
  const observed = createNamespace<readonly Status[]>({
    name: 'tis-observed-statuses',
    ...anHour,
    maxEntries: 1,
    ages: 'answered',
  });
  // Each question about many issues asks for the flows.
  const knownStatuses = createNamespace<readonly Status[]>({
    name: 'tis-statuses',
    ttlMs: TABLE_MS,
    maxEntries: 1,
    now,
  });
  const ended = createNamespace<ReadonlyMap<string, EndedVisits>>({
    name: 'tis-ended-visits',
    ...anHour,
    maxEntries: MAX_PROJECTS,
  });

  /** An answer about now is remembered as of the instant it turned out to be about. */
  async function report(request: ReportRequest): Promise<Table> {
    if (request.asOf !== null) return tables.getOrMake(keyOf(request), () => runReport(source, request));
    const askedAt = now();
    const table = await runReport(source, request);
    await tables.set(keyOf({ ...request, asOf: table.provenance.asOf }), table, askedAt);
    return table;
  }

  async function statuses(principal: Principal): Promise<readonly Status[]> {
    try {
      return inWorkflowOrder(await client.ask({ place: 'statuses' }, z.array(statusAnswer)));
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      return observed.getOrMake('', () => observedStatuses(source, principal));
    }
  }

  const lists = {
    reportTypes: reportTypeFacts.filter(({ id }) => hostedReports.some((one) => one.id === id)),
    report,
    // The service has whole reports alone.
    async *slices({ selection, dateRange }) {
      yield { report: (request) => report({ ...request, selection, dateRange }) };
    },
    statuses,
    async flows(principal, draft) {
      const known = await knownStatuses.getOrMake('', () => statuses(principal));
      // The service has no list of issue types.
      const vocabulary = { statuses: new Map(known.map((one) => [one.id, one])), issueTypes: [] };
      return compileFlows(withDraft(await flows(), draft), vocabulary);
    },
    audienceScope: (request) => hostedAudienceScope(source, request),
  } satisfies Partial<ReportingApi>;
  const outcomes = createOutcomes(lists);
  return {
    open: (request, statistics, reading = {}) => openReport(source, request, statistics, reading),
    ...lists,
    ...outcomes,
    passesOverProjects: false,
    async endedVisits({ projects, ...input }) {
      const { calendar, since, asOf } = input;
      const found = new Map<string, EndedVisits>();
      for (const project of projects) {
        const key = JSON.stringify([project, calendar, since, asOf]);
        const read = () => outcomes.endedVisits({ ...input, projects: [project] });
        for (const one of await ended.getOrMake(key, read)) found.set(...one);
      }
      return found;
    },
    async assignedProjects(principal) {
      const selection = { by: 'jql', jql: 'assignee = currentUser()' } as const;
      const { issues } = await report(ask({ principal, reportType: reportIds.statusCount, selection }));
      const groups = Map.groupBy(issues, projectKeyOf);
      return new Map([...groups].map(([project, { length }]) => [project, length]));
    },
    // Every principal sees the same.
    effectOn: async () => '',
    count: (request) => countIssues(source, request),
    async check(request) {
      // The smallest question that is refused for the same reasons: a page of one issue.
      checkReportOptions(request, hostedReportOf(request), hostedReports);
      const list = { ...request, statistic: null, page: null };
      if (request.selection.by === 'keys') await wholeList(source, list);
      else await firstKeys(source, list, 1);
    },
    async sprints() {
      const what = 'has no list of sprints. Try: a report on the issues of one, such as sprint NAME median.';
      throw client.unavailable(what, 'unsupported-by-service');
    },
    async choices() {
      throw client.unavailable('has no list of projects, filters and people.', 'unsupported-by-service');
    },
    timeZoneOf: async () => (await source.profile()).timeZone,
    browseScope: async () => ({ closedProjects: [], openLevels: [], everything: false }),
    async exampleKeys(principal, count, project) {
      const which = project === undefined ? '' : `project = "${project}" AND `;
      const selection = { by: 'jql', jql: `${which}updated >= -30d ORDER BY updated DESC` } as const;
      const request = ask({ principal, reportType: reportIds.statusCount, selection });
      return (await firstKeys(source, request, count)).slice(0, count);
    },
  };
}

/** Principals share an answer unless the query means who asks. */
function keyOf({ principal, ...request }: ReportRequest): string {
  const { selection } = request;
  const isPersonal = selection.by === 'jql' && namesPrincipal(selection.jql, principal.account);
  const members = Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([isPersonal ? principal.account : null, members]);
}

async function runReport(source: ReportSource, request: ReportRequest): Promise<Table> {
  checkReportOptions(request, hostedReportOf(request), hostedReports);
  const { statistic, page } = request;
  if (statistic !== null) return aggregate(source, request, statistic);
  if (page !== null) return hostedPage(source, request, page);
  const { trim, fields, reportType } = request;
  const table = await wholeList(source, request);
  const isOfStatus = fields.includes('status') && reportType.toLowerCase() === 'statusduration';
  if (!isOfStatus || trim.from !== null || trim.to !== null) return table;
  return (await source.profile()).isDwell ? table : withSince(source, request, table);
}

/**
 * One figure per group of issues. What the product's documents leave open (percentiles, the formula of the deviation, a
 * denominator of all issues), and figures of issues by their keys, are condensed here from the list.
 */
async function aggregate(source: ReportSource, request: ReportRequest, statistic: Statistic): Promise<Table> {
  const { type, denominator } = statistic;
  const isDocumented =
    type === 'sum' || type === 'median' || (type === 'average' && denominator === 'nonNull');
  const { isDwell } = await source.profile();
  if (request.selection.by !== 'keys' && (isDwell || isDocumented)) {
    const query = { place: 'aggregation', parameters: serviceStatistic(statistic) } as const;
    return readGroupsAnswer(await source.answer(request, query), statistic);
  }
  // Groups are requested as fields, which every list has.
  const list = { ...request, statistic: null, page: null, groupBy: [], fields: request.groupBy };
  return condense(await wholeList(source, list), request.groupBy, statistic);
}

/** A list condensed by the rules of our own engine. `groupBy` are fields that it shows, as columns or as groups. */
function condense(list: Table, groupBy: readonly string[], statistic: Statistic): Table {
  const grouping = groupBy.flatMap((id): Column[] => {
    const column = list.columns.find((one) => one.id === id && one.part !== 'value');
    return column === undefined ? [] : [{ ...column, part: 'group' }];
  });
  const isGroup = ([id]: readonly [string, unknown]) => grouping.some((column) => column.id === id);
  const values = list.columns.filter(({ part }) => part === 'value');
  const unknown = new Map(list.issues.map((issue) => [issue.key, issue.unknown]));
  const groups = collectGroups(grouping, statistic);
  for (const { issueKey, own, cells } of list.rows) {
    const none = { columns: [], current: [], states: null, statuses: [], contradictions: 0 };
    const measured = { ...none, unknown: unknown.get(issueKey ?? '') ?? null, lines: [cells] };
    Array.from(groups.add(Object.fromEntries(Object.entries(own).filter(isGroup)), measured));
  }
  const rows = [...groups.condensed((id) => values.some((column) => column.id === id))]
    .sort((a, b) => compareGroups(a.own, b.own, grouping))
    .map((group) => ({ issueKey: null, ...group }));
  return { ...list, columns: [...grouping, ...values], issues: [], rows, statistic, page: null };
}

/** A list to be read from front to back, which is read whole before: its last page may bring further columns. */
async function openReport(
  source: ReportSource,
  request: ReportRequest,
  statistics: readonly Statistic[],
  { onProgress, signal }: Reading,
): Promise<ReportReader> {
  const report = hostedReportOf(request);
  checkReportOptions(request, report, hostedReports);
  const wanted = report.kind === 'instant' || report.shape === 'visit' ? [] : statistics;
  const { issues, rows, ...list } = await wholeList(source, request, signal);
  const table = { ...list, issues, rows };
  return {
    list: { ...list, hasUnknown: issues.some(({ unknown }) => unknown !== null) },
    statistics: wanted.map((statistic) => condense(table, request.groupBy, statistic)),
    async *lines() {
      const byKey = Map.groupBy(rows, ({ issueKey }) => issueKey);
      for (let start = 0; start < issues.length; start += PART) {
        signal?.throwIfAborted();
        const part = issues.slice(start, start + PART);
        yield part.map((facts): IssueLines => ({ facts, rows: byKey.get(facts.key) ?? [] }));
        onProgress?.(start + part.length, issues.length);
      }
    },
  };
}

/** A page by index says how many issues there are; where the service has none any more, they are counted. */
async function countIssues(source: ReportSource, request: ReportRequest): Promise<number> {
  const list = { ...request, statistic: null, page: null };
  if (request.selection.by === 'keys') return (await wholeList(source, list)).issues.length;
  try {
    const { total } = (await pageAnswer(source, list, { by: 'index', start: 0, size: 1 })).answer;
    if (total !== null && total !== undefined) return total;
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
  const pages = await allPages(source, list);
  return pages.reduce((count, { answer }) => count + answer.table.body.rows.length, 0);
}

/** Those that issues updated in the last ninety days have been in, of a service that has no list of statuses. */
async function observedStatuses(source: ReportSource, principal: Principal): Promise<readonly Status[]> {
  const request = ask({
    principal,
    reportType: reportIds.statusCount,
    selection: { by: 'jql', jql: 'updated >= -90d' },
    includeDeletedStatuses: true,
  });
  const { statuses } = await aggregate(source, request, { ...defaultStatistic, type: 'sum' });
  const { included, excluded, deleted } = statuses;
  return inWorkflowOrder([...included, ...excluded, ...deleted]);
}

async function firstKeys(source: ReportSource, request: ReportRequest, size: number): Promise<string[]> {
  const { issues } = readListAnswer(await pageAnswer(source, request, { by: 'token', token: null, size }));
  return issues.map(({ key }) => key);
}

function isUnsupported(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'unsupported-by-service';
}

/**
 * The product says where an issue is now, and not since when; of a past instant not even where. Both follow from when it
 * last came into each status, to the minute. Where those dates do not fit, neither is given.
 */
async function withSince(source: ReportSource, request: ReportRequest, table: Table): Promise<Table> {
  if (table.issues.length === 0) return table;
  const none = { fields: [], groupBy: [], statuses: null, consolidated: [], includeDeletedStatuses: true };
  const dates = await wholeList(source, {
    ...request,
    ...none,
    reportType: reportIds.lastTransitionToStatusDate,
  });
  const entered = new Map(dates.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  const spent = new Map(table.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  const titles = new Map([...table.columns, ...dates.columns].map(({ id, title }) => [id, title]));
  const { asOf, askedAt } = table.provenance;
  const isPast = askedAt - asOf > millisecondsInMinute;
  const issues = table.issues.map((issue): IssueFacts => {
    // The tracker shows the status of today.
    const { status, ...cells } = issue.cells;
    const shown = isPast ? undefined : status;
    const [dates = {}, times = {}] = [entered.get(issue.key), spent.get(issue.key)];
    const found = currentStatus(issue, shown?.id, asOf, dates, times);
    const id = found?.id ?? shown?.id;
    if (id === undefined) return isPast ? { ...issue, cells, current: [] } : issue;
    const title = titles.get(id) ?? String(status?.value ?? id);
    const current = [{ columnId: id, title, since: found?.since ?? null }];
    return { ...issue, current, cells: isPast ? { ...cells, status: { value: title, id } } : issue.cells };
  });
  const cells = new Map(issues.map((issue) => [issue.key, issue.cells]));
  const rows = table.rows.map((row) => ({ ...row, own: cells.get(row.issueKey ?? '') ?? row.own }));
  return { ...table, issues, rows };
}

/** In which status an issue is, and since when; null where the dates leave that open. `shown`: what the tracker shows. */
function currentStatus(
  { created }: IssueFacts,
  shown: string | undefined,
  asOf: Instant,
  entered: Cells,
  spent: Cells,
): { readonly id: string; readonly since: Instant } | null {
  const dates = Object.entries(entered).map(([id, { value }]) => ({ id, since: Number(value) }));
  const [first, ...others] = Object.keys(spent);
  if (dates.length === 0) {
    const isFirst = first !== undefined && others.length === 0 && (shown ?? first) === first;
    return isFirst ? { id: first, since: created } : null;
  }
  const latest = Math.max(...dates.map(({ since }) => since));
  const last = dates.filter(({ id, since }) => since === latest && id === (shown ?? id));
  // An entry after the instant hides earlier ones of that status.
  return latest > asOf || last.length !== 1 ? null : (last[0] ?? null);
}
