import { createNamespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import { dependsOnPrincipal } from './as-principal.ts';

const KEPT_FOR_MS = 60_000;

/** Tables may be large. */
const MOST_KEPT = 24;

/** Answers a request, or tells what an equal one as of the same instant was told within the minute. */
type RememberedTables = (request: ReportRequest, run: () => Promise<Table>) => Promise<Table>;

/**
 * Tables by request. All principals see what the user of the token sees, so they share them unless the query means who asks.
 * What was asked of now is remembered as of the instant it turned out to be. What failed is not remembered.
 */
export function createRememberedTables(now: () => Instant): RememberedTables {
  const tables = createNamespace<Table>({ name: 'tis-tables', ttlMs: KEPT_FOR_MS, most: MOST_KEPT, now });
  return async (request, run) => {
    if (request.asOf !== null) return tables.getOrMake(keyOf(request), run);
    const askedAt = now();
    const table = await run();
    await tables.set(keyOf({ ...request, asOf: table.provenance.asOf }), table, askedAt);
    return table;
  };
}

function keyOf({ principal, ...request }: ReportRequest): string {
  const { selection } = request;
  const isPersonal = selection.by === 'jql' && dependsOnPrincipal(selection.jql, principal.account);
  const members = Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([isPersonal ? principal.account : null, members]);
}
