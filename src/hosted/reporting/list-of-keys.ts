import { mapLimited } from '../../http-client/map-limited.ts';
import { AppError } from '../../model/error.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import { wholeList } from './list-pages.ts';
import { mergeTables } from './merge-tables.ts';
import { reportOf, type TableSource } from './table-source.ts';

const AT_A_TIME = 4;

/** So many keys are still a query that every tracker takes. */
const KEYS_PER_QUERY = 200;

const issueKey = /^[A-Z][A-Z0-9_]*-\d+$/;

/** The keys as they are looked for, each once. */
export function plainKeys(keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => key.trim().toUpperCase()))];
}

/** The query that chooses issues by their keys. */
export function keyQuery(keys: readonly string[]): string {
  return `key in (${keys.map((key) => `"${key}"`).join(', ')})`;
}

/**
 * The report of issues by their keys, in that order; one that cannot be seen is `not-found`. The visits of an issue, and
 * a single one, are asked for by key; several are chosen by a query.
 */
export async function listOfKeys(
  source: TableSource,
  request: ReportRequest,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<Table> {
  const strange = keys.filter((key) => !issueKey.test(key));
  if (strange.length > 0) throw notFound(strange);
  const byVisits = reportOf(request).shape === 'visit';
  if (byVisits || (keys.length === 1 && request.groupBy.length === 0)) {
    return inOrder(await oneByOne(source, request, keys, signal), keys);
  }
  const chunks = Array.from({ length: Math.ceil(keys.length / KEYS_PER_QUERY) }, (_, i) =>
    keys.slice(i * KEYS_PER_QUERY, (i + 1) * KEYS_PER_QUERY),
  );
  const tables: Table[] = [];
  for (const chunk of chunks) {
    const selection = { by: 'jql', jql: keyQuery(chunk) } as const;
    const table = await wholeList(source, { ...request, selection }, { signal }).catch(async (failure) => {
      if (failure instanceof AppError && failure.code === 'bad-request') {
        // A tracker refuses a query about a key that it does not know.
        await refuseMissing(source, request, chunk, signal);
      }
      throw failure;
    });
    tables.push(table);
  }
  const table = inOrder(merged(tables), keys);
  const found = new Set(table.issues.map(({ key }) => key.toUpperCase()));
  const missing = keys.filter((key) => !found.has(key));
  if (missing.length === 0) return table;
  // One that has moved is told under its new key, in a place that nothing but a question about it tells.
  await refuseMissing(source, request, missing, signal);
  const moved = await oneByOne(source, request, missing, signal);
  return merged([table, { ...moved, columns: table.columns }]);
}

/** Fails for the keys that lead nowhere, where there are any. */
export async function refuseMissing(
  source: TableSource,
  request: ReportRequest,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const cheap = { ...request, groupBy: [], statistic: null, page: null };
  await oneByOne(source, cheap, keys, signal);
}

async function oneByOne(
  source: TableSource,
  request: ReportRequest,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Table> {
  const place = reportOf(request).shape === 'visit' ? 'expanded' : 'issue';
  const found = await mapLimited(AT_A_TIME, keys, async (key) => {
    const asking = { place, signal, beside: () => ({ issueKey: key }) } as const;
    const told = await source
      .list({ ...request, selection: { by: 'keys', keys: [key] } }, asking)
      .catch((failure: unknown) => {
        if (failure instanceof AppError && failure.code === 'not-found') return null;
        throw failure;
      });
    return { key, table: told?.table ?? null };
  });
  const missing = found.filter(({ table }) => table === null || table.issues.length === 0);
  if (missing.length > 0) throw notFound(missing.map(({ key }) => key));
  return merged(found.flatMap(({ table }) => table ?? []));
}

function merged(tables: readonly Table[]): Table {
  const table = mergeTables(tables);
  if (table === null) throw notFound([]);
  return { ...table, provenance: { ...table.provenance, query: null } };
}

function inOrder(table: Table, keys: readonly string[]): Table {
  const ranks = new Map(keys.map((key, i) => [key, i]));
  const rank = (key: string | null) => ranks.get(key?.toUpperCase() ?? '') ?? keys.length;
  return {
    ...table,
    issues: table.issues.toSorted((a, b) => rank(a.key) - rank(b.key)),
    rows: table.rows.toSorted((a, b) => rank(a.issueKey) - rank(b.issueKey)),
    provenance: { ...table.provenance, query: null },
  };
}

function notFound(keys: readonly string[]): AppError {
  return new AppError(
    'not-found',
    'The issue could not be found or you do not have permission to view it.',
    keys.map((key) => `issueKey '${key}' could not be found.`),
  );
}
