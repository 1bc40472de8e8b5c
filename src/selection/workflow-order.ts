import { detached } from '../concurrency/cooperative-yield.ts';
import { inWorkflowOrder, positionsScan } from '../engine/workflow-order.ts';
import { runScan } from '../kernels/run-kernel.ts';
import type { IssueTable } from '../mirror/issue-table.ts';
import type { Status } from '../model/issue.ts';
import { isValue } from './visible-issues.ts';

/** Statuses by id in workflow order, by the histories of all issues of a table; without one by category alone. */
export type WorkflowOrder = (
  statuses: ReadonlyMap<string, Status>,
  table: IssueTable | null,
) => Promise<ReadonlyMap<string, Status>>;

/**
 * The order depends on no one's permissions and on no selection, so that it is the same in every answer. Histories are looked
 * at once for a version of the columns.
 */
export function createWorkflowOrder(): WorkflowOrder {
  let known: { readonly version: number; readonly positions: Promise<ReadonlyMap<string, number>> } | null =
    null;
  const positionsIn = (table: IssueTable) => {
    const { version } = table.columns;
    if (known?.version === version) return known.positions;
    const entry = { version, positions: detached(() => meanPositions(table)) };
    known = entry;
    entry.positions.catch(() => {
      if (known === entry) known = null;
    });
    return entry.positions;
  };
  return async (statuses, table) => {
    const positions = table === null ? undefined : await positionsIn(table);
    const ordered = inWorkflowOrder(statuses.values(), positions);
    return new Map(ordered.map((status) => [status.id, status]));
  };
}

/** Where each status comes among those an issue entered, on average over the issues that were in it, by id. */
async function meanPositions({ columns }: IssueTable): Promise<ReadonlyMap<string, number>> {
  return columns.reading(async () => {
    const values = columns.values('status');
    const none = new Uint8Array();
    const codes = { slots: new Uint16Array(values.size), categories: none, vouched: none };
    const { issues, positions } = await runScan(columns.arrays(), columns.rowsByCreation(), positionsScan, {
      ...{ asOf: 0, calendar: null, ...codes },
    });
    // A status that was renamed has several codes.
    const sums = new Map<string, { issues: number; positions: number }>();
    for (const [code, count] of issues.entries()) {
      const value = count === 0 ? undefined : values.at(code);
      if (!isValue(value)) continue;
      const sum = sums.get(value.id) ?? { issues: 0, positions: 0 };
      sums.set(value.id, {
        issues: sum.issues + count,
        positions: sum.positions + (positions[code] ?? 0),
      });
    }
    return new Map([...sums].map(([id, sum]) => [id, sum.positions / sum.issues]));
  });
}
