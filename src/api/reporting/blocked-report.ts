import type { ColumnArrays, HistoryArrays } from '../../engine/columns/column-arrays.ts';
import { withBlocked } from '../../engine/measure/kernels/column-cursor.ts';
import { blockedAuthors } from '../../engine/visits/blocked-visits.ts';
import type { Flows } from '../../model/flow.ts';
import type { User } from '../../model/issue.ts';
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

/** The people who began and ended what blocked some issues: those of other issues are not among the people of these. */
export async function blockedPeople(
  blocked: BlockedReport | null,
  issues: SelectedIssues,
  { people }: Pick<QueryContext, 'people'>,
): Promise<ReadonlyMap<string, User> | undefined> {
  return blocked === null ? undefined : people(blockedAuthors(await issues.load(0, issues.count)));
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
  const of = (some: SelectedIssues) => scopeOfLinks(some, context);
  const found = rowSelection && isInColumns(blocked, issues) && (await linkedIn(blocked, rowSelection.rows));
  if (!found || world === null) return addScopes(scope, await of(issues)) ?? scope;
  const { columns } = world.table;
  const linked = scopeOfClasses(classesOf(found.linked, columns), columns);
  const rest = await of(rowIssues(found.needIssue, world, 0));
  return addScopes(scope, addScopes(linked, rest)) ?? scope;
}

/** The issues at the other ends of the links that blocked rows; null where columns cannot show what did. */
async function linkedIn({ world, context }: BlockedReport, rows: Uint32Array) {
  if (world === null) return null;
  const { columns } = world.table;
  return withColumns(world.table, () =>
    columns.reading(async () => {
      const found = await blockedInColumns(world, context);
      return found && linkedRows(world, rows, found, context);
    }),
  );
}
