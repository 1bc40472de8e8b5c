import { compareIds, compareText } from '../issues/ids-and-names.ts';
import type { Group } from '../model/directory.ts';
import type { FieldValue, Issue, Status } from '../model/issue.ts';
import type { ConsolidatedStatus } from '../model/request.ts';
import type { Column, ObservedStatuses } from '../model/table.ts';
import type { Level, Measured, ReportType, ValueColumn } from './report-type.ts';
import { columnOf, transitionTitle } from './value-columns.ts';

/** The asker's choice among value columns. `statuses` null: every status met. */
export interface RequestedColumns {
  readonly statuses: readonly string[] | null;
  readonly consolidated: readonly ConsolidatedStatus[];
  readonly includeDeletedStatuses: boolean;
  /** Groups that were asked for by name; null: every group met. */
  readonly groups: readonly Group[] | null;
  /** Every status the tracker knows or ever told about, by id, in the tracker's order. */
  readonly knownStatuses: ReadonlyMap<string, Status>;
}

/** The same with what is known once the issues were seen. */
interface ColumnChoice extends RequestedColumns {
  /** Columns stand in the order in which one issue met them, as long as nothing else is asked for. */
  readonly asMet: boolean;
  /** Ids that some issue has met of whose site no list is known: whether they are gone cannot be told. */
  readonly strange: ReadonlySet<string>;
}

/** The columns to show, those hidden because their status is gone from the tracker, and all the statuses met. */
export interface SelectedColumns {
  readonly columns: readonly Column[];
  readonly hidden: ReadonlySet<string>;
  /** Columns left out unasked, and the name of the status that is gone. */
  readonly leftOut: readonly { readonly columnId: string; readonly status: string }[];
  readonly statuses: ObservedStatuses;
  /** Whether a status is left out unasked because it is gone. */
  readonly isAside: (value: FieldValue) => boolean;
}

/** Notes which columns and statuses come up while one issue after the other is measured. */
interface Meeting {
  meet(issue: Issue, measured: Measured): void;
  /** A column, or a status that counts although no column is about it, that came up with issues of some kind. */
  meetColumn(column: ValueColumn, by: MetBy): void;
  meetStatus(status: FieldValue, by: MetBy): void;
  /** How many columns came up; of these no more are shown. */
  readonly size: () => number;
  /** What is to be shown of all that came up, by so many issues. */
  select(issues: number): SelectedColumns;
}

/** Whether the known lists of statuses speak of the site of one of the issues, and whether of one they do not. */
interface MetBy {
  readonly vouched: boolean;
  readonly strangers: boolean;
}

export function meetColumns(report: ReportType, layout: RequestedColumns): Meeting {
  const met = new Map<string, ValueColumn>();
  const strange = new Set<string>();
  const vouchedFor = new Set<string>();
  const others = new Map<string, FieldValue>();
  const visited = new Map<string, FieldValue>();
  const note = (id: string, { vouched, strangers }: MetBy) => {
    if (vouched) vouchedFor.add(id);
    if (strangers && !vouchedFor.has(id)) strange.add(id);
    else strange.delete(id);
  };
  const meetColumn = (column: ValueColumn, by: MetBy) => {
    if (!met.has(column.id)) met.set(column.id, column);
    for (const { id } of column.statuses) note(id, by);
  };
  const meetStatus = (status: FieldValue, by: MetBy) => {
    others.set(status.id, status);
    note(status.id, by);
  };
  return {
    meetColumn,
    meetStatus,
    meet(issue, { columns, lines, statuses = [] }) {
      const vouched = isVouched(issue, layout.knownStatuses);
      const by = { vouched, strangers: !vouched };
      for (const column of columns) meetColumn(column, by);
      for (const status of statuses) meetStatus(status, by);
      if (report.shape !== 'visit') return;
      for (const { value } of lines) {
        note(value?.id ?? '', by);
        if (value !== undefined)
          visited.set(value.id ?? '', { id: value.id ?? '', name: String(value.value) });
      }
    },
    size: () => met.size,
    select(issues) {
      const choice = { ...layout, strange, asMet: issues === 1 };
      const selected = selectColumns([...met.values()], [...others.values()], report, choice);
      if (report.shape !== 'visit') return selected;
      const statusOf = describeStatus({ ...layout, strange });
      return { ...selected, statuses: visitedStatuses(report, [...visited.values()].map(statusOf)) };
    },
  };
}

/** The statuses of a visit-by-visit report stand in its lines; all of them are shown. */
function visitedStatuses(report: ReportType, visited: readonly Status[]): ObservedStatuses {
  const included = report.levels.includes('status') ? visited : [];
  return { included, excluded: [], deleted: included.filter((status) => status.deleted) };
}

/**
 * Value columns in order of first meeting, each id once → what the asker wants to see of them. `others` are statuses
 * that counted although no column is about them.
 */
function selectColumns(
  met: readonly ValueColumn[],
  others: readonly FieldValue[],
  report: ReportType,
  choice: ColumnChoice,
): SelectedColumns {
  const statusOf = describeStatus(choice);
  const columns = orderColumns([...met, ...askedFor(met, report, choice)], report, choice);
  const merged = new Set(choice.consolidated.flatMap((one) => one.statuses));
  const stands = (id: string) => choice.statuses?.includes(id) ?? !merged.has(id);
  // A transition is between two statuses, and never one of those that are merged.
  const isChosen = ({ statuses }: ValueColumn) =>
    statuses.length === 0 || (statuses.length > 1 && choice.statuses === null)
      ? true
      : statuses.some(({ id }) => stands(id));
  const isGone = (value: FieldValue) => statusOf(value).deleted;
  // Who names a deleted status wants to see it.
  const goneShown = choice.statuses !== null || choice.includeDeletedStatuses;
  const isAlive = (column: ValueColumn) => goneShown || !column.statuses.some(isGone);
  const shown = new Set(columns.filter((column) => isChosen(column) && isAlive(column)));
  const counts = (id: string) => merged.has(id) || (choice.statuses?.includes(id) ?? true);
  const all = distinct([...columns.flatMap((column) => column.statuses), ...others]);
  const aside = (value: FieldValue) => isGone(value) && !goneShown && !merged.has(value.id);
  return {
    columns: [...shown].map((column) => named(column, statusOf)),
    hidden: new Set(columns.filter((column) => !shown.has(column)).map((column) => column.id)),
    leftOut: columns
      .filter((column) => !isAlive(column))
      .flatMap(({ id, statuses }) =>
        statuses.filter(aside).map((value) => ({ columnId: id, status: statusOf(value).name })),
      ),
    statuses: {
      included: all.filter((value) => counts(value.id) && !aside(value)).map(statusOf),
      excluded: all.filter((value) => !counts(value.id) && !aside(value)).map(statusOf),
      deleted: all.filter(isGone).map(statusOf),
    },
    isAside: aside,
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

/** Columns of statuses and groups that were asked for and that no issue met. */
function askedFor(
  met: readonly ValueColumn[],
  report: ReportType,
  choice: ColumnChoice,
): readonly ValueColumn[] {
  const [level, second] = report.levels;
  if (second !== undefined || report.shape !== 'issue') return [];
  const ids = new Set(met.map((column) => column.id));
  if (level === 'group') {
    const unmet = (choice.groups ?? []).filter(({ id }) => !ids.has(id));
    return unmet.map(({ id, name }) => columnOf({ id, title: name }, report.kind));
  }
  if (level !== 'status') return [];
  return [...new Set(choice.statuses)].flatMap((id): ValueColumn[] => {
    const status = choice.knownStatuses.get(id);
    if (status === undefined || ids.has(id)) return [];
    return [columnOf({ id, title: status.name, status: { id, name: status.name } }, report.kind)];
  });
}

function distinct(values: readonly FieldValue[]): FieldValue[] {
  return [...new Map(values.map((value) => [value.id, value])).values()];
}

/**
 * The column as people know its status today. One of a team-managed project reads "Doing (PRJ)", as in the product we
 * are compatible with.
 */
function named(column: ValueColumn, statusOf: (value: FieldValue) => Status): Column {
  const { ids: _ids, statuses, ...plain } = column;
  const [only, to] = statuses;
  if (only === undefined) return plain;
  const titleOf = (value: FieldValue) => {
    const { name, scope } = statusOf(value);
    return scope === undefined ? name : `${name} (${scope})`;
  };
  const title = titleOf(only);
  if (to !== undefined) return { ...plain, title: transitionTitle(title, titleOf(to)) };
  const { parent, child } = plain;
  if (parent === undefined || child === undefined) return { ...plain, title };
  const levels = [parent, child].map((level) => (level.id === only.id ? { ...level, title } : level));
  const [upper = parent, lower = child] = levels;
  return { ...plain, parent: upper, child: lower, title: `${upper.title}: ${lower.title}` };
}

/**
 * The columns of a list in the order people read them: statuses as asked for, else as the tracker lists them, people
 * and values by name, periods by time. Who stood in for somebody comes behind them.
 */
function orderColumns(
  met: readonly ValueColumn[],
  report: ReportType,
  { statuses, knownStatuses, groups, asMet }: ColumnChoice,
): readonly ValueColumn[] {
  if (asMet && statuses === null && groups === null) return besideOwners(met);
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
        return compareText(a.title, b.title) || compareIds(a.id, b.id);
    }
  };
  return met
    .map((column) => ({ column, keys: report.levels.map((_, i) => levelKey(column, i)) }))
    .sort((a, b) => {
      for (const [i, level] of report.levels.entries()) {
        const [one, other] = [a.keys[i], b.keys[i]];
        const order = one === undefined || other === undefined ? 0 : compareLevel(level, one, other);
        if (order !== 0) return order;
      }
      return compareStandIns(a.column, b.column);
    })
    .map(({ column }) => column);
}

/** What a column is ordered by at one level; the title in lower case. */
interface LevelKey {
  readonly id: string;
  readonly title: string;
}

function levelKey(column: ValueColumn, level: number): LevelKey {
  const titled = level === 0 ? (column.parent ?? column.standIn?.owner) : column.child;
  return { id: column.ids[level] ?? column.id, title: (titled?.title ?? column.title).toLowerCase() };
}

/**
 * Outputs keyed by title must not lose a column: of several with one title those that are not the issue's own get
 * their id behind it, and a number where that is the same as well.
 */
export function withDistinctTitles(columns: readonly Column[]): Column[] {
  const count = Map.groupBy(columns, ({ title }) => title);
  const given = new Set<string>();
  return columns.map((column) => {
    const alone = column.part === 'header' || count.get(column.title)?.length === 1;
    const wanted = alone ? column.title : `${column.title} (${column.id})`;
    let title = wanted;
    for (let number = 2; given.has(title); number += 1) title = `${wanted} (${number})`;
    given.add(title);
    return title === column.title ? column : { ...column, title };
  });
}

/** Of columns about the same person: their own, then those of who stood in for them, by title. */
function compareStandIns(a: ValueColumn, b: ValueColumn): number {
  if (a.standIn === undefined && b.standIn === undefined) return 0;
  return (
    Number(a.standIn !== undefined) - Number(b.standIn !== undefined) ||
    compareText(a.title.toLowerCase(), b.title.toLowerCase()) ||
    compareIds(a.id, b.id)
  );
}

/** Columns as they were met, but everybody's together with those of who stood in for them. */
function besideOwners(met: readonly ValueColumn[]): readonly ValueColumn[] {
  if (met.every(({ standIn }) => standIn === undefined)) return met;
  const owners = new Map<string, number>();
  for (const [i, column] of met.entries()) if (!owners.has(ownerOf(column))) owners.set(ownerOf(column), i);
  const rank = (column: ValueColumn) => owners.get(ownerOf(column)) ?? met.length;
  return met.toSorted((a, b) => rank(a) - rank(b) || compareStandIns(a, b));
}

function ownerOf({ id, standIn }: ValueColumn): string {
  return standIn?.owner.id ?? id;
}

/**
 * Whether the known lists of statuses speak of this issue's site: they call the status it is in as it does. What
 * they rename or miss concerns no other issue, for ids of statuses are unique within a site only.
 */
export function isVouched({ status }: Issue, statuses: ReadonlyMap<string, Status>): boolean {
  const known = statuses.get(status.id);
  return known !== undefined && !known.deleted && known.name === status.name;
}
