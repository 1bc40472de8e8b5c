import { compareIds, compareText } from '../model/compare-ids.ts';
import type { FieldValue, Status } from '../model/issue.ts';
import type { ConsolidatedStatus } from '../model/request.ts';
import type { Column, MetStatuses } from '../model/table.ts';
import type { Level, ReportType, ValueColumn } from './report-type.ts';

/** The asker's choice among status columns. `statuses` null: every status met. */
export interface ColumnChoice {
  readonly statuses: readonly string[] | null;
  readonly consolidated: readonly ConsolidatedStatus[];
  readonly includeDeletedStatuses: boolean;
  /** Every status the tracker knows or ever told about, by id, in the tracker's order. */
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

/** Value columns in order of first meeting → what the asker wants to see of them; `met` holds each id once. */
export function selectColumns(
  met: readonly ValueColumn[],
  report: ReportType,
  choice: ColumnChoice,
): SelectedColumns {
  const statusOf = describeStatus(choice);
  const columns = [...met, ...askedFor(met, report, choice)];
  const merged = new Set(choice.consolidated.flatMap((one) => one.statuses));
  const isChosen = (column: ValueColumn) => {
    if (column.statuses.length === 0) return true;
    const ids = column.statuses.map((status) => status.id);
    if (choice.statuses !== null) return ids.some((id) => choice.statuses?.includes(id));
    return report.levels.length > 1 || !ids.some((id) => merged.has(id));
  };
  const isGone = (column: ValueColumn) => column.statuses.some((status) => statusOf(status).deleted);
  // Who names a deleted status wants to see it.
  const isAlive = (column: ValueColumn) =>
    choice.statuses !== null || choice.includeDeletedStatuses || !isGone(column);
  const shown = columns.filter((column) => isChosen(column) && isAlive(column));
  const all = distinct(columns.flatMap((column) => column.statuses)).map(statusOf);
  const visible = new Set([
    ...shown.flatMap((column) => column.statuses.map((status) => status.id)),
    ...shown.flatMap((column) => (column.consolidated ? [...merged] : [])),
  ]);
  const gone = (status: Status) =>
    status.deleted && choice.statuses === null && !choice.includeDeletedStatuses;
  return {
    columns: shown.map((column) => scoped(column, statusOf)),
    hidden: new Set(columns.filter((column) => !shown.includes(column)).map((column) => column.id)),
    leftOut: columns.filter((column) => !isAlive(column)),
    statuses: {
      included: all.filter((status) => visible.has(status.id) && !gone(status)),
      excluded: all.filter((status) => !visible.has(status.id) && !gone(status)),
      deleted: all.filter((status) => status.deleted),
    },
  };
}

/** What is known of a status: what no list vouches for is called as the issues themselves call it. */
export function describeStatus(
  choice: Pick<ColumnChoice, 'knownStatuses' | 'strange'>,
): (value: FieldValue) => Status {
  return ({ id, name }) => {
    const known = choice.knownStatuses.get(id);
    if (known === undefined) return { id, name, category: 'Undefined', deleted: false };
    const deleted = known.deleted && !choice.strange.has(id);
    return { ...known, deleted, name: known.listed && !choice.strange.has(id) ? known.name : name };
  };
}

/** Columns of statuses that were asked for and that no issue met. */
function askedFor(
  met: readonly ValueColumn[],
  report: ReportType,
  choice: ColumnChoice,
): readonly ValueColumn[] {
  if (report.levels.length !== 1 || report.levels[0] !== 'status' || report.shape !== 'issue') return [];
  const ids = new Set(met.map((column) => column.id));
  return (choice.statuses ?? []).flatMap((id): ValueColumn[] => {
    const status = choice.knownStatuses.get(id);
    if (status === undefined || ids.has(id)) return [];
    const value = { id, name: status.name };
    return [{ id, title: status.name, kind: report.kind, part: 'value', ids: [id], statuses: [value] }];
  });
}

function distinct(values: readonly FieldValue[]): FieldValue[] {
  return [...new Map(values.map((value) => [value.id, value])).values()];
}

/** A status of a team-managed project reads "Doing (PRJ)", as people see it in the product we are compatible with. */
function scoped(column: ValueColumn, statusOf: (value: FieldValue) => Status): Column {
  const [status] = column.statuses;
  const { ids: _ids, statuses: _statuses, ...plain } = column;
  const scope = status === undefined || column.statuses.length > 1 ? undefined : statusOf(status).scope;
  if (scope === undefined) return plain;
  const named = (level: { readonly id: string; readonly title: string } | undefined) =>
    level === undefined || level.id !== status?.id ? level : { ...level, title: `${level.title} (${scope})` };
  const [parent, child] = [named(column.parent), named(column.child)];
  if (parent === undefined || child === undefined) return { ...plain, title: `${plain.title} (${scope})` };
  return { ...plain, parent, child, title: `${parent.title}: ${child.title}` };
}

/**
 * The columns of a list in the order people read them: statuses as asked for, else as the tracker lists them, people
 * and values by name, periods by time.
 */
export function orderColumns(
  met: readonly ValueColumn[],
  report: ReportType,
  { statuses, knownStatuses }: Pick<ColumnChoice, 'statuses' | 'knownStatuses'>,
): ValueColumn[] {
  const rank = new Map([...(statuses ?? []), ...knownStatuses.keys()].map((id, i) => [id, i]));
  if (statuses !== null) for (const [i, id] of statuses.entries()) rank.set(id, i - statuses.length);
  const compareLevel = (level: Level, a: LevelKey, b: LevelKey): number => {
    switch (level) {
      case 'status':
        return (
          (rank.get(a.id) ?? Number.MAX_SAFE_INTEGER) - (rank.get(b.id) ?? Number.MAX_SAFE_INTEGER) ||
          compareIds(a.id, b.id)
        );
      case 'period':
        return compareText(a.id, b.id);
      case 'metric':
        return 0;
      default:
        return compareText(a.title.toLowerCase(), b.title.toLowerCase()) || compareIds(a.id, b.id);
    }
  };
  return met.toSorted((a, b) => {
    for (const [i, level] of report.levels.entries()) {
      const order = compareLevel(level, levelKey(a, i), levelKey(b, i));
      if (order !== 0) return order;
    }
    return 0;
  });
}

interface LevelKey {
  readonly id: string;
  readonly title: string;
}

function levelKey(column: ValueColumn, level: number): LevelKey {
  const titled = level === 0 ? column.parent : column.child;
  return { id: column.ids[level] ?? column.id, title: titled?.title ?? column.title };
}

/** Outputs keyed by title must not lose a column, so a title that stands already gets its id behind it. */
export function withDistinctTitles(columns: readonly Column[]): Column[] {
  const count = new Map<string, number>();
  for (const { title } of columns) count.set(title, (count.get(title) ?? 0) + 1);
  return columns.map((column) =>
    column.part !== 'header' && (count.get(column.title) ?? 0) > 1
      ? { ...column, title: `${column.title} (${column.id})` }
      : column,
  );
}
