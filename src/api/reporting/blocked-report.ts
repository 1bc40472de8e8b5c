import type { ColumnArrays, HistoryArrays } from '../../engine/columns/column-arrays.ts';
import { withBlocked } from '../../engine/measure/kernels/row-kernels.ts';
import type { Flows } from '../../model/flow.ts';
import type { AudienceScope, ReportRequest } from '../../model/request.ts';
import { classesOf, scopeOfClasses, scopeOfLinks } from '../../selection/access/audience-scope.ts';
import {
  type BlockedContext,
  blockedInColumns,
  flagFields,
  linkedRows,
} from '../../selection/access/blocked-issues.ts';
import type { QueryContext, QueryWorld } from '../../selection/access/query-context.ts';
import type { ResolvedSelection } from '../../selection/access/select-issues.ts';
import {
  FEW_ISSUES,
  rowIssues,
  type SelectedIssues,
  withColumns,
} from '../../selection/access/selected-issues.ts';
import { addScopes } from '../outcomes/read-table.ts';
import type { ResolvedRequest } from './resolve-request.ts';

/** The facts that decide what blocked the issues of a report. */
export interface BlockedReport {
  readonly context: BlockedContext;
  /** All issues that the principal can see; null where those of the report are chosen by their keys. */
  readonly world: QueryWorld | null;
}

/** Finds the facts; null for a report that is not about what blocked issues. */
export async function blockedReport(
  request: Pick<ReportRequest, 'linksWithin'>,
  { report, selection }: Pick<ResolvedRequest, 'report' | 'selection'>,
  queryContext: QueryContext,
): Promise<BlockedReport | null> {
  if (report.fields !== 'blocked') return null;
  const flows = selection.visible === null ? await queryContext.flows() : (await queryContext.world()).flows;
  return blockedFacts(request, selection, { ...queryContext, flows });
}

/** Finds the facts that decide what blocked some issues, by these flows. */
export async function blockedFacts(
  { linksWithin }: Pick<ReportRequest, 'linksWithin'>,
  { visible, fieldsKnown: { contents, changed } }: Pick<ResolvedSelection, 'visible' | 'fieldsKnown'>,
  queryContext: Omit<QueryContext, 'flows'> & { readonly flows: Flows },
): Promise<BlockedReport> {
  const flags = flagFields(queryContext.directory, [...contents, ...changed]);
  return {
    world: visible === null ? null : await queryContext.world(),
    context: { ...queryContext, flags, linksWithin },
  };
}

/** Returns true where columns are the shorter way to what blocked some issues: what they lack is found for all issues. */
export function isInColumns(blocked: BlockedReport | null, { count }: SelectedIssues): boolean {
  if (blocked === null) return true;
  const { world } = blocked;
  return world !== null && (count > FEW_ISSUES || world.table.columns.size <= FEW_ISSUES);
}

/** The arrays of columns with the history of what blocked some issues, where columns are the shorter way to it. */
export async function arraysWith(
  blocked: BlockedReport | null,
  issues: SelectedIssues,
  arrays: ColumnArrays,
): Promise<ColumnArrays> {
  if (blocked === null || !isInColumns(blocked, issues)) return arrays;
  const history = await blockedHistory(blocked);
  return history === null ? arrays : withBlocked(arrays, history);
}

/** The history of what blocked the issues in columns; null where these cannot show it. */
export async function blockedHistory({ world, context }: BlockedReport): Promise<HistoryArrays | null> {
  return (world && (await blockedInColumns(world, context)))?.history ?? null;
}

/** The scope of issues, with that of the issues at the other ends of their links. */
export async function withLinks(
  scope: AudienceScope,
  issues: SelectedIssues,
  blocked: BlockedReport | null,
): Promise<AudienceScope> {
  if (blocked === null) return scope;
  const { world, context } = blocked;
  const { rowSelection } = issues;
  const linkedOf = (some: SelectedIssues) => scopeOfLinks(some, context);
  if (world === null || rowSelection === null || !isInColumns(blocked, issues)) {
    return addScopes(scope, await linkedOf(issues)) ?? scope;
  }
  const { table } = world;
  const { columns } = table;
  const found = await withColumns(table, () =>
    columns.reading(async () => {
      const inColumns = await blockedInColumns(world, context);
      return inColumns && linkedRows(world, rowSelection.rows, inColumns, context);
    }),
  );
  // Columns may be unable to show what blocked these rows, or some of them.
  if (found === null) return addScopes(scope, await linkedOf(issues)) ?? scope;
  const linked = scopeOfClasses(classesOf(found.linked, columns), columns);
  const others = await linkedOf(rowIssues(found.needIssue, world, 0));
  return addScopes(scope, addScopes(linked, others)) ?? scope;
}
