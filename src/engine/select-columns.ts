import type { Status } from '../model/issue.ts';
import type { Column, MetStatuses } from '../model/table.ts';
import type { Measured, ReportType } from './report-type.ts';

/** The asker's choice among status columns. `statuses` null: every status met. */
export interface ColumnChoice {
  readonly statuses: readonly string[] | null;
  readonly includeDeletedStatuses: boolean;
  /** Every status the tracker knows or ever told about, by id. */
  readonly knownStatuses: ReadonlyMap<string, Status>;
  /** Ids that some issue has met of whose site no list is known: whether they are gone cannot be told. */
  readonly strange: ReadonlySet<string>;
}

/** The columns to show, those hidden because their status is gone from the tracker, and all the statuses met. */
export interface SelectedColumns {
  readonly columns: readonly Column[];
  readonly hidden: ReadonlySet<string>;
  readonly leftOut: readonly Column[];
  readonly statuses: MetStatuses;
}

/** Value columns → what the asker wants to see of them. */
export function selectColumns(
  measured: readonly Measured[],
  report: ReportType,
  choice: ColumnChoice,
): SelectedColumns {
  const met = meet(measured, report, choice);
  // What no list vouches for is called here as the issues themselves call it.
  const statusOf = (id: string, name: string): Status => {
    const known = choice.knownStatuses.get(id);
    if (known === undefined) return { id, name, category: 'Undefined', deleted: false };
    const deleted = known.deleted && !choice.strange.has(id);
    return { ...known, deleted, name: known.listed && !choice.strange.has(id) ? known.name : name };
  };
  const none = { hidden: new Set<string>(), leftOut: [] };
  if (!report.byStatus)
    return { columns: met, ...none, statuses: { included: [], excluded: [], deleted: [] } };
  if (report.shape === 'visit') {
    const visited = measured.flatMap((one) => one.lines).flatMap((line) => line.value ?? []);
    const byId = new Map(visited.map(({ id = '', value }) => [id, statusOf(id, String(value))]));
    const included = [...byId.values()];
    const deleted = included.filter((status) => status.deleted);
    return { columns: met, ...none, statuses: { included, excluded: [], deleted } };
  }
  const of = (column: Column) => statusOf(column.id, column.title);
  const chosen = (column: Column) => choice.statuses === null || choice.statuses.includes(column.id);
  // Who names a deleted status wants to see it.
  const alive = (column: Column) =>
    choice.statuses !== null || choice.includeDeletedStatuses || !of(column).deleted;
  const columns = met.filter((column) => chosen(column) && alive(column));
  return {
    columns: columns.map((column) => scoped(column, of(column))),
    hidden: new Set(met.filter((column) => !columns.includes(column)).map((column) => column.id)),
    leftOut: met.filter((column) => !alive(column)),
    statuses: {
      included: columns.map(of),
      excluded: met.filter((column) => !chosen(column)).map(of),
      deleted: met.map(of).filter((status) => status.deleted),
    },
  };
}

/** The value columns of all issues, each once, in order of first meeting; asked-for statuses nobody met included. */
function meet(measured: readonly Measured[], report: ReportType, choice: ColumnChoice): Column[] {
  const byId = new Map<string, Column>();
  for (const column of measured.flatMap((one) => one.columns)) {
    if (!byId.has(column.id)) byId.set(column.id, column);
  }
  if (report.byStatus && report.shape === 'issue') {
    for (const id of choice.statuses ?? []) {
      const status = choice.knownStatuses.get(id);
      if (status !== undefined && !byId.has(id)) {
        byId.set(id, { id, title: status.name, kind: 'duration', part: 'value' });
      }
    }
  }
  return [...byId.values()];
}

/** A status of a team-managed project reads "Doing (PRJ)", as people see it in the product we are compatible with. */
function scoped(column: Column, status: Status): Column {
  return status.scope === undefined ? column : { ...column, title: `${column.title} (${status.scope})` };
}

/** Outputs keyed by title must not lose a column, so a title that stands already gets its id behind it. */
export function withDistinctTitles(columns: readonly Column[]): Column[] {
  const count = new Map<string, number>();
  for (const { title } of columns) count.set(title, (count.get(title) ?? 0) + 1);
  return columns.map((column) =>
    column.part === 'value' && (count.get(column.title) ?? 0) > 1
      ? { ...column, title: `${column.title} (${column.id})` }
      : column,
  );
}
