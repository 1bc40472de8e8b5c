import type { Instant } from '../../../model/issue.ts';
import type { ReportRequest } from '../../../model/request.ts';
import type { Table } from '../../../model/table.ts';
import { dependsOnAsker } from './as-asker.ts';

const KEPT_FOR_MS = 60_000;

/** Tables may be large. */
const MOST_KEPT = 24;

/** Answers a request, or tells what an equal one as of the same instant was told within the minute. */
export type RememberedTables = (request: ReportRequest, run: () => Promise<Table>) => Promise<Table>;

/**
 * Tables by request. All askers see what the user of the token sees, so they share them unless the query means who asks.
 * What was asked of now is remembered as of the instant it turned out to be. What failed is not remembered.
 */
export function createRememberedTables(now: () => Instant): RememberedTables {
  const kept = new Map<string, { readonly at: Instant; readonly table: Promise<Table> }>();
  const keep = (key: string, entry: { readonly at: Instant; readonly table: Promise<Table> }) => {
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  };
  return async (request, run) => {
    if (request.asOf === null) {
      const at = now();
      const table = await run();
      keep(keyOf({ ...request, asOf: table.provenance.asOf }), { at, table: Promise.resolve(table) });
      return table;
    }
    const key = keyOf(request);
    const known = kept.get(key);
    if (known !== undefined && now() - known.at < KEPT_FOR_MS) return known.table;
    const entry = { at: now(), table: run() };
    keep(key, entry);
    entry.table.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    return entry.table;
  };
}

function keyOf({ asker, ...request }: ReportRequest): string {
  const { selection } = request;
  const isPersonal = selection.by === 'jql' && dependsOnAsker(selection.jql, asker.user);
  const members = Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([isPersonal ? asker.user : null, members]);
}
