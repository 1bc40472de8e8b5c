import { about, badRequest } from '../../../model/error.ts';
import type { Page, ReportRequest } from '../../../model/request.ts';
import type { Table } from '../../../model/table.ts';
import { countIssues } from './count-issues.ts';
import { listOfKeys, plainKeys } from './list-of-keys.ts';
import { listPages, SMALLEST_PAGE } from './list-pages.ts';
import { mergeTables } from './merge-tables.ts';
import { selectionParameters } from './report-parameters.ts';
import type { TableSource } from './table-source.ts';
import { isNotThere, TookTooLong } from './tis-failures.ts';

type IndexPage = Extract<Page, { by: 'index' }>;
type TokenPage = Extract<Page, { by: 'token' }>;

/** One page of a list. */
export async function pagedList(source: TableSource, request: ReportRequest, page: Page): Promise<Table> {
  if (request.selection.by === 'keys') return pageOfKeys(source, request, page, request.selection.keys);
  return page.by === 'token' ? pageByToken(source, request, page) : pageByIndex(source, request, page);
}

/** The token is that of the service, which tells neither where the page is nor how many issues there are. */
async function pageByToken(
  source: TableSource,
  request: ReportRequest,
  { token, size }: TokenPage,
): Promise<Table> {
  const tables: Table[] = [];
  let next: string | null = token;
  let read = 0;
  for await (const page of listPages(source, request, { token, size })) {
    tables.push(page.table);
    next = page.next;
    read += page.table.issues.length;
    // A page that took too long has come in smaller ones; another one might be more than was asked for.
    if (read + page.table.issues.length > size || page.table.issues.length === 0) break;
  }
  const table = merged(source, tables);
  return { ...table, page: { start: 0, end: read, size, total: read, next } };
}

/** Where the service has no pages by index any more, the pages before are skipped. */
async function pageByIndex(source: TableSource, request: ReportRequest, page: IndexPage): Promise<Table> {
  try {
    return await indexedPage(source, request, page);
  } catch (failure) {
    if (isNotThere(failure)) return skippingTo(source, request, page);
    if (!(failure instanceof TookTooLong) || page.size <= SMALLEST_PAGE) throw failure;
  }
  const { start, size } = page;
  const half = Math.ceil(size / 2);
  const first = await pageByIndex(source, request, { by: 'index', start, size: half });
  const facts = first.page;
  const rest = Math.min(size - half, (facts?.total ?? 0) - (start + half));
  const second =
    rest > 0 ? await pageByIndex(source, request, { by: 'index', start: start + half, size: rest }) : null;
  const table = merged(source, second === null ? [first] : [first, second]);
  const total = facts?.total ?? table.issues.length;
  return { ...table, page: { start, end: start + table.issues.length, size, total, next: null } };
}

async function indexedPage(source: TableSource, request: ReportRequest, page: IndexPage): Promise<Table> {
  const { start, size } = page;
  const { asked, table } = await source.list(request, {
    place: 'list',
    beside: ({ selection, dateRange }, timeZone) => ({
      ...(selection.by === 'keys' ? {} : selectionParameters(selection, dateRange, timeZone)),
      startIssueIndex: String(start),
      pageSize: String(size),
    }),
  });
  const { startIssueIndex, total } = asked.answer;
  const from = startIssueIndex ?? start;
  const end = from + table.issues.length;
  return { ...table, page: { start: from, end, size, total: total ?? end, next: null } };
}

async function skippingTo(
  source: TableSource,
  request: ReportRequest,
  { start, size }: IndexPage,
): Promise<Table> {
  const tables: Table[] = [];
  let read = 0;
  let last: string | null = null;
  for await (const { table, next } of listPages(source, request)) {
    const from = Math.max(0, start - read);
    const until = start + size - read;
    tables.push(partOf(table, from, until));
    read += table.issues.length;
    last = next;
    if (read >= start + size) break;
  }
  const table = merged(source, tables);
  // Only who has read to the end knows how many there are.
  const total = last === null ? read : await countIssues(source, request);
  const end = Math.max(start, Math.min(start + size, read));
  return { ...table, page: { start, end, size, total, next: null } };
}

async function pageOfKeys(
  source: TableSource,
  request: ReportRequest,
  page: Page,
  given: readonly string[],
): Promise<Table> {
  const keys = plainKeys(given);
  const start = page.by === 'index' ? page.start : placeOf(page.token);
  const { size } = page;
  const end = Math.min(keys.length, start + size);
  const table = await listOfKeys(source, request, keys.slice(start, end));
  const next = page.by === 'token' && end < keys.length ? String(end) : null;
  return { ...table, page: { start, end: Math.max(start, end), size, total: keys.length, next } };
}

function placeOf(token: string | null): number {
  const place = Number(token ?? 0);
  if (Number.isInteger(place) && place >= 0) return place;
  throw badRequest(about('nextPageToken', `'${token}' is not known; allowed: the one the page before gave.`));
}

function partOf(table: Table, from: number, until: number): Table {
  const issues = table.issues.slice(from, until);
  const keys = new Set(issues.map(({ key }) => key));
  return {
    ...table,
    issues,
    rows: table.rows.filter(({ issueKey }) => keys.has(issueKey ?? '')),
    provenance: { ...table.provenance, issues: issues.length },
  };
}

function merged(source: TableSource, tables: readonly Table[]): Table {
  const table = mergeTables(tables);
  if (table === null) throw source.client.failure('tells no page at all.');
  return table;
}
