import { compareGroups } from '../engine/measure/collect-groups.ts';
import { mapLimited } from '../http-client/map-limited.ts';
import { AppError, about } from '../model/error.ts';
import { RESTRICTION } from '../model/issue.ts';
import { projectKeyOf } from '../model/issues/issue-fields.ts';
import { reportIds } from '../model/report-ids.ts';
import type { AudienceScope, Page, ReportRequest } from '../model/request.ts';
import { cellOf, type Table } from '../model/table.ts';
import { issueKeysIn, mayHoldKeys } from '../selection/access/hide-closed-keys.ts';
import { type ReportReading, readListAnswer } from './read-report.ts';
import { mergeAnswers } from './report-answer.ts';
import { hostedReportOf, type ReportSource } from './report-source.ts';

/** The service takes a thousand issues on a page, and has a minute for it; a busy Jira makes that long. */
const PAGE_SIZE = 500;

const AT_A_TIME = 4;

/** More keys than this are asked for in queries instead of one by one. */
const FEW_KEYS = 10;

/** The most keys in a query that every tracker takes. */
const KEYS_PER_QUERY = 200;

const issueKey = /^[A-Z][A-Z0-9_]*-\d+$/;

/** A whole list as one table, with the issues of a group together. */
export async function wholeList(
  source: ReportSource,
  request: ReportRequest,
  signal?: AbortSignal,
): Promise<Table> {
  const { selection } = request;
  if (selection.by === 'keys') return listOfKeys(source, request, plainKeys(selection.keys), signal);
  return byGroup(readMerged(await allPages(source, request, signal)));
}

/** Every page of a list. */
export async function allPages(
  source: ReportSource,
  request: ReportRequest,
  signal?: AbortSignal,
): Promise<ReportReading[]> {
  const pages: ReportReading[] = [];
  for (let token: string | null = null; ; ) {
    const page = await pageAnswer(source, request, { by: 'token', token, size: PAGE_SIZE }, signal);
    pages.push(page);
    const { nextPageToken: next = null } = page.answer;
    if (next === null) return pages;
    if (next === token) throw source.client.unavailable('returns the same page again and again.');
    token = next;
  }
}

/** One page of a list. A page by token does not say where it is, nor how many issues there are. */
export async function hostedPage(source: ReportSource, request: ReportRequest, page: Page): Promise<Table> {
  const { size } = page;
  const { selection } = request;
  if (selection.by === 'keys') {
    const keys = plainKeys(selection.keys);
    const start = page.by === 'index' ? page.start : Number(page.token ?? 0);
    const end = Math.max(start, Math.min(keys.length, start + size));
    const table = await listOfKeys(source, request, keys.slice(start, end));
    const next = page.by === 'token' && end < keys.length ? String(end) : null;
    return { ...table, page: { start, end, size, total: keys.length, next } };
  }
  const reading = await pageAnswer(source, request, page);
  const table = readListAnswer(reading);
  const start = page.by === 'index' ? page.start : 0;
  const end = start + table.issues.length;
  const { total, nextPageToken } = reading.answer;
  return { ...table, page: { start, end, size, total: total ?? end, next: nextPageToken ?? null } };
}

/** A page by the token that the page before handed out, or by the index of its first issue, which says how many there are. */
export function pageAnswer(
  source: ReportSource,
  request: ReportRequest,
  page: Page,
  signal?: AbortSignal,
): Promise<ReportReading> {
  const pageSize = String(page.size);
  if (page.by === 'index') {
    const parameters = { startIssueIndex: String(page.start), pageSize };
    return source.answer(request, { place: 'list', parameters, signal });
  }
  const parameters = { pageSize, ...(page.token === null ? {} : { nextPageToken: page.token }) };
  return source.answer(request, { place: 'pages', parameters, signal });
}

/** The keys as they are looked up, each once. */
const plainKeys = (keys: readonly string[]) => [...new Set(keys.map((key) => key.trim().toUpperCase()))];

/**
 * The report of issues by their keys, in that order; one that cannot be seen is `unknown-issue`. Visits and a few issues
 * are asked for one by one, more of them by queries; one that has moved is only found by itself.
 */
async function listOfKeys(
  source: ReportSource,
  request: ReportRequest,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<Table> {
  const malformed = keys.filter((key) => !issueKey.test(key));
  if (malformed.length > 0 || keys.length === 0) throw notFound(malformed);
  // The groups of single issues are their fields.
  const { groupBy } = request;
  const list = { ...request, groupBy: [], fields: [...new Set([...groupBy, ...request.fields])] };
  const readings: ReportReading[] = [];
  if (keys.length > FEW_KEYS && hostedReportOf(request).shape === 'issue') {
    for (let start = 0; start < keys.length; start += KEYS_PER_QUERY) {
      const quotedKeys = keys.slice(start, start + KEYS_PER_QUERY).map((key) => `"${key}"`);
      const selection = { by: 'jql', jql: `key in (${quotedKeys.join(', ')})` } as const;
      readings.push(...(await allPages(source, { ...list, selection }, signal).catch(noneIfRefused)));
    }
  }
  const found = new Set(readings.flatMap((reading) => readListAnswer(reading).issues.map(({ key }) => key)));
  const missing = keys.filter((key) => !found.has(key));
  const table = readMerged([...readings, ...(await oneByOne(source, list, missing, signal))]);
  const columns = table.columns.map((column) =>
    column.part === 'field' && groupBy.includes(column.id) ? { ...column, part: 'group' as const } : column,
  );
  const ranks = new Map(keys.map((key, i) => [key, i]));
  const rank = (key: string | null) => ranks.get(key?.toUpperCase() ?? '') ?? keys.length;
  return byGroup({
    ...table,
    columns,
    issues: table.issues.toSorted((a, b) => rank(a.key) - rank(b.key)),
    rows: table.rows.toSorted((a, b) => rank(a.issueKey) - rank(b.issueKey)),
    provenance: { ...table.provenance, query: null },
  });
}

/** A tracker refuses a query about a key that it does not know; which one that is shows where they are asked for one by one. */
function noneIfRefused(error: unknown): ReportReading[] {
  if (error instanceof AppError && error.code === 'bad-request') return [];
  throw error;
}

async function oneByOne(
  source: ReportSource,
  request: ReportRequest,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReportReading[]> {
  const place = hostedReportOf(request).shape === 'visit' ? 'expanded' : 'issue';
  const readings = await mapLimited(AT_A_TIME, keys, async (issueKey) => {
    const single = { ...request, selection: { by: 'keys', keys: [issueKey] } } as const;
    try {
      const reading = await source.answer(single, { place, signal, parameters: { issueKey } });
      return reading.answer.table.body.rows.length === 0 ? null : reading;
    } catch (error) {
      if (error instanceof AppError && error.code === 'not-found') return null;
      throw error;
    }
  });
  const missing = keys.filter((_, i) => readings[i] === null);
  if (missing.length > 0) throw notFound(missing);
  return readings.flatMap((reading) => reading ?? []);
}

/** The parts of a list, at least one, as one table. */
function readMerged(readings: readonly ReportReading[]): Table {
  const [first, ...others] = readings;
  if (first === undefined) throw notFound([]);
  const notes = [first, ...others].flatMap((reading) => reading.notes);
  return readListAnswer({ ...first, notes, answer: mergeAnswers(readings.map(({ answer }) => answer)) });
}

/** Not every service has the issues of a group together. */
function byGroup(table: Table): Table {
  const groupBy = table.columns.filter(({ part }) => part === 'group');
  return {
    ...table,
    issues: table.issues.toSorted((a, b) => compareGroups(a.cells, b.cells, groupBy)),
    rows: table.rows.toSorted((a, b) => compareGroups(a.own, b.own, groupBy)),
  };
}

function notFound(keys: readonly string[]): AppError {
  const details = keys.map((key) => about('issueKey', `'${key}' could not be found.`));
  const message = 'The issue could not be found or you do not have permission to view it.';
  return new AppError('unknown-issue', message, details, { data: { keys } });
}

/** The fields that close an issue to people who may see its project. */
const CLOSING = ['security', RESTRICTION] as const;

/**
 * The scope of a request, by the keys of its issues and the keys in their fields; by their security levels and the roles they
 * are restricted to only where another Dwell answers, as the product is not known to have these fields. Null where the
 * answer would hold what fields held long ago.
 */
export async function hostedAudienceScope(
  source: ReportSource,
  request: ReportRequest,
): Promise<AudienceScope | null> {
  if (request.historyFields.some(mayHoldKeys)) return null;
  const fields = [...new Set([...request.fields, ...request.groupBy])];
  const none = { statistic: null, page: null, groupBy: [], metrics: [], creditDelegates: null };
  const list: ReportRequest = { ...request, ...none, reportType: reportIds.statusCount, fields };
  const { isDwell } = await source.profile();
  if (!isDwell) return { ...scopeOf(await wholeList(source, list), fields), withLevel: null };
  // A Dwell refuses a field that none of these issues has.
  const withFields = async (more: readonly string[]) => {
    const table = wholeList(source, { ...list, fields: [...fields, ...more] });
    return table.catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      return null;
    });
  };
  const both = await withFields(CLOSING);
  const tables = both === null ? await Promise.all(CLOSING.map((id) => withFields([id]))) : [both];
  const issues = tables.flatMap((table) => table?.issues ?? []);
  const closedBy = (ids: readonly string[]) =>
    new Set(issues.filter(({ cells }) => ids.some((id) => cellOf(cells, id))).map(({ key }) => key)).size;
  const [withLevel, withRoles] = [closedBy(CLOSING), closedBy([RESTRICTION])];
  const table = tables.find((one) => one !== null) ?? (await wholeList(source, list));
  return { ...scopeOf(table, fields), withLevel, ...(withRoles > 0 ? { withRoles } : {}) };
}

function scopeOf({ issues }: Table, fields: readonly string[]): Pick<AudienceScope, 'projects' | 'issues'> {
  const texts = fields.filter(mayHoldKeys);
  // A word that only looks like a key closes more than it must, and never less.
  const keys = issues.flatMap(({ key, cells }) => [
    key.toUpperCase(),
    ...texts.flatMap((id) => issueKeysIn({ id: '', name: String(cellOf(cells, id)?.value ?? '') })),
  ]);
  const projects = [...new Set(keys.map((key) => projectKeyOf({ key })))].sort();
  return { projects, issues: issues.length };
}
