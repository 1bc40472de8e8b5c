import { type InTurns, rangesOf } from '../../concurrency/cooperative-yield.ts';
import type { Group } from '../../model/directory.ts';
import type { FieldValue, Issue, Status } from '../../model/issue.ts';
import type { ConsolidatedStatus } from '../../model/request.ts';
import type { Column, ObservedStatuses } from '../../model/table.ts';
import { columnOf, transitionTitle } from '../reports/measuring/report-keys.ts';
import type { Measured, ReportType, ValueColumn } from '../reports/measuring/report-type.ts';
import { COLUMNS_AT_ONCE, orderColumns } from './column-order.ts';
import { type StatusScopes, scopedName, scopesOf } from './own-cells.ts';

/** The value columns that a request chooses. `statuses` null means every observed status. */
export interface RequestedColumns {
  readonly statuses: readonly string[] | null;
  readonly consolidated: readonly ConsolidatedStatus[];
  readonly includeDeletedStatuses: boolean;
  /** Groups that the request names; null means every observed group. */
  readonly groups: readonly Group[] | null;
  /** Every known status by id, in workflow order. */
  readonly knownStatuses: ReadonlyMap<string, Status>;
  /** Known statuses of all pages, so that a status has the same title on each page; absent without pages. */
  readonly onAllPages?: readonly Status[];
}

/** The request's choice, with what is known after all issues were observed. */
interface ColumnChoice extends RequestedColumns {
  /**
   * True if the table has only one issue: then columns keep the order in which it observed them, unless the request
   * names statuses or groups.
   */
  readonly isOneIssue: boolean;
  /** Ids of statuses observed only in issues of a site without a known status list: listed names may not apply. */
  readonly strange: ReadonlySet<string>;
}

/** The columns to show, those to hide, and all observed statuses. */
export interface SelectedColumns {
  readonly columns: readonly Column[];
  /** Ids of `columns`. */
  readonly shown: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  /** Columns that are hidden although the request did not exclude them, and the name of the deleted status of each. */
  readonly leftOut: readonly { readonly columnId: string; readonly status: string }[];
  readonly statuses: ObservedStatuses;
  /** Project keys of the statuses in the table that share a name. */
  readonly scopes: StatusScopes;
  /** Returns true if a status is hidden because it was deleted, although the request did not exclude it. */
  readonly isAside: (value: FieldValue) => boolean;
}

/** Collects the columns and statuses that come up while issues are measured one by one. */
interface ObservedColumns {
  observe(issue: Pick<Issue, 'status'>, measured: Measured): void;
  /** Notes a column that came up; `by` says in what kind of issues. */
  observeColumn(column: ValueColumn, by: ObservedBy): void;
  observeStatus(status: FieldValue, by: ObservedBy): void;
  /** Number of observed columns. */
  readonly size: () => number;
  /** An upper bound for `shown` that takes no time: observed columns, and all that were requested. */
  readonly maxShown: () => number;
  /** Number of columns that are shown, including requested columns that no issue observed. */
  readonly shown: () => number;
  /** Selects and sorts the columns to show; `issues` is the number of observed issues. */
  select(issues: number, turns: InTurns): Promise<SelectedColumns>;
}

/**
 * The sites of the observing issues: with a known status list (`isOfListed`), without one (`isOfUnlisted`), or both.
 */
interface ObservedBy {
  readonly isOfListed: boolean;
  readonly isOfUnlisted: boolean;
}

/** Creates a collector of the columns and statuses of a report. */
export function observeColumns(report: ReportType, layout: RequestedColumns): ObservedColumns {
  const observed = new Map<string, ValueColumn>();
  const strange = new Set<string>();
  const listedIds = new Set<string>();
  const others = new Map<string, FieldValue>();
  const visited = new Map<string, FieldValue>();
  const note = (id: string, { isOfListed, isOfUnlisted }: ObservedBy) => {
    if (isOfListed) listedIds.add(id);
    if (isOfUnlisted && !listedIds.has(id)) strange.add(id);
    else strange.delete(id);
  };
  const observeColumn = (column: ValueColumn, by: ObservedBy) => {
    if (!observed.has(column.id)) observed.set(column.id, column);
    for (const { id } of column.statuses) note(id, by);
  };
  const observeStatus = (status: FieldValue, by: ObservedBy) => {
    others.set(status.id, status);
    note(status.id, by);
  };
  return {
    observeColumn,
    observeStatus,
    observe(issue, { columns, lines, statuses }) {
      const isOfListed = isListed(issue, layout.knownStatuses);
      const by = { isOfListed, isOfUnlisted: !isOfListed };
      for (const column of columns) observeColumn(column, by);
      for (const status of statuses) observeStatus(status, by);
      if (report.shape !== 'visit') return;
      for (const { value } of lines) {
        note(value?.id ?? '', by);
        if (value !== undefined)
          visited.set(value.id ?? '', { id: value.id ?? '', name: String(value.value) });
      }
    },
    size: () => observed.size,
    maxShown: () => observed.size + (layout.statuses?.length ?? 0) + (layout.groups?.length ?? 0),
    shown() {
      const columns = [...observed.values()];
      const { isChosen, isAlive } = choosing({ ...layout, strange });
      return [...columns, ...requestedColumns(columns, report, layout)].filter(
        (one) => isChosen(one) && isAlive(one),
      ).length;
    },
    async select(issues, turns) {
      const choice = { ...layout, strange, isOneIssue: issues === 1 };
      const all = { observed: [...observed.values()], others: [...others.values()] };
      const selected = await selectColumns(all, report, choice, turns);
      if (report.shape !== 'visit') return selected;
      const seen = [...visited.values()].map(describeStatus({ ...layout, strange }));
      return {
        ...selected,
        scopes: scopesOf([...(layout.onAllPages ?? []), ...seen]),
        statuses: visitedStatuses(report, seen),
      };
    },
  };
}

/** In a visit-by-visit report, statuses are in the lines; all of them are shown. */
function visitedStatuses(report: ReportType, visited: readonly Status[]): ObservedStatuses {
  const included = report.levels.includes('status') ? visited : [];
  return { included, excluded: [], deleted: included.filter((status) => status.deleted) };
}

/** The rules for whether a column is shown, and for the names and counting of statuses. */
function choosing(choice: Omit<ColumnChoice, 'isOneIssue'>) {
  const statusOf = remembered(describeStatus(choice));
  const merged = new Set(choice.consolidated.flatMap((one) => one.statuses));
  const chosen = choice.statuses === null ? null : new Set(choice.statuses);
  const stands = (id: string) => chosen?.has(id) ?? !merged.has(id);
  const isGone = (value: FieldValue) => statusOf(value).deleted;
  // A request that names statuses also shows those that were deleted.
  const goneShown = chosen !== null || choice.includeDeletedStatuses;
  return {
    statusOf,
    isGone,
    // A transition has two statuses; it is shown unless the request names statuses and neither is among them.
    isChosen: ({ statuses }: ValueColumn) =>
      statuses.length === 0 || (statuses.length > 1 && chosen === null)
        ? true
        : statuses.some(({ id }) => stands(id)),
    isAlive: ({ statuses }: ValueColumn) => goneShown || !statuses.some(isGone),
    isCounted: (id: string) => merged.has(id) || (chosen?.has(id) ?? true),
    isAside: (value: FieldValue) => isGone(value) && !goneShown && !merged.has(value.id),
  };
}

/** Caches the description of each status, since many columns share one. */
function remembered(describe: (value: FieldValue) => Status): (value: FieldValue) => Status {
  const known = new Map<string, { readonly name: string; readonly status: Status }>();
  return (value) => {
    const { id, name } = value;
    const last = known.get(id);
    if (last?.name === name) return last.status;
    const status = describe(value);
    known.set(id, { name, status });
    return status;
  };
}

/**
 * Turns observed columns (each id once, in order of observation) into the columns to show. `others` are statuses that
 * count although no column is about them.
 */
async function selectColumns(
  { observed, others }: { readonly observed: readonly ValueColumn[]; readonly others: readonly FieldValue[] },
  report: ReportType,
  choice: ColumnChoice,
  turns: InTurns,
): Promise<SelectedColumns> {
  const { statusOf, isGone, isChosen, isAlive, isCounted, isAside } = choosing(choice);
  const columns = await orderColumns(
    [...observed, ...requestedColumns(observed, report, choice)],
    report,
    choice,
    turns,
  );
  const shown: Column[] = [];
  const hidden = new Set<string>();
  const leftOut: { readonly columnId: string; readonly status: string }[] = [];
  const statuses = new Map<string, FieldValue>();
  const inRanges = (use: (column: ValueColumn) => void) =>
    turns.map(rangesOf(columns.length, COLUMNS_AT_ONCE), ([from, to]) => {
      for (const column of columns.slice(from, to)) use(column);
    });
  await inRanges((column) => {
    for (const value of column.statuses) statuses.set(value.id, value);
  });
  for (const value of others) statuses.set(value.id, value);
  const all = [...statuses.values()];
  const scopes = scopesOf([...(choice.onAllPages ?? []), ...all.map(statusOf)]);
  await inRanges((column) => {
    const isThere = isAlive(column);
    if (isThere && isChosen(column)) shown.push(named(column, report, statusOf, scopes));
    else hidden.add(column.id);
    for (const value of column.statuses) {
      if (!isThere && isAside(value)) leftOut.push({ columnId: column.id, status: statusOf(value).name });
    }
  });
  return {
    columns: shown,
    shown: new Set(shown.map(({ id }) => id)),
    hidden,
    leftOut,
    scopes,
    statuses: {
      included: all.filter((value) => isCounted(value.id) && !isAside(value)).map(statusOf),
      excluded: all.filter((value) => !isCounted(value.id) && !isAside(value)).map(statusOf),
      deleted: all.filter(isGone).map(statusOf),
    },
    isAside,
  };
}

/** Describes a status; unless a list is known to name it, its name is the one that the issues show. */
export function describeStatus(
  choice: Pick<ColumnChoice, 'knownStatuses' | 'strange'>,
): (value: FieldValue) => Status {
  return ({ id, name }) => {
    const known = choice.knownStatuses.get(id);
    if (known === undefined) return { id, name, category: 'Undefined', deleted: false };
    return { ...known, name: known.listed && !choice.strange.has(id) ? known.name : name };
  };
}

/** Columns of requested statuses and groups that no issue observed. */
function requestedColumns(
  observed: readonly ValueColumn[],
  report: ReportType,
  choice: RequestedColumns,
): readonly ValueColumn[] {
  const [level, second] = report.levels;
  if (second !== undefined || report.shape !== 'issue') return [];
  const ids = new Set(observed.map((column) => column.id));
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

/** The column with the current names of its statuses. */
function named(
  column: ValueColumn,
  { levels }: ReportType,
  statusOf: (value: FieldValue) => Status,
  scopes: StatusScopes,
): Column {
  const plain = shownOf(column);
  const only = column.statuses[0];
  const to = column.statuses[1];
  if (only === undefined) return plain;
  const titleOf = (value: FieldValue) => scopedName(statusOf(value).name, scopes.get(value.id));
  const title = titleOf(only);
  if (to !== undefined) return { ...plain, title: transitionTitle(title, titleOf(to)) };
  const { parent, child } = plain;
  if (parent === undefined || child === undefined) return { ...plain, title };
  const upper = levels[0] === 'status' ? withTitle(parent, title) : parent;
  const lower = levels[1] === 'status' ? withTitle(child, title) : child;
  // Most columns have their current names already.
  if (upper === parent && lower === child) return plain;
  return { ...plain, parent: upper, child: lower, title: `${upper.title}: ${lower.title}` };
}

/**
 * The part of a value column that people see. For many two-level columns, listing the members is faster than a rest
 * pattern.
 */
function shownOf(column: ValueColumn): Column {
  const { id, title, kind, part, parent, child, consolidated, standIn } = column;
  const isPlain = consolidated === undefined && standIn === undefined;
  if (isPlain && parent !== undefined && child !== undefined) return { id, title, kind, part, parent, child };
  const { ids: _ids, statuses: _statuses, ...shown } = column;
  return shown;
}

function withTitle<Named extends { readonly title: string }>(level: Named, title: string): Named {
  return level.title === title ? level : { ...level, title };
}

/**
 * Makes titles unique, so that outputs keyed by title lose no column: columns with the same title, except for header
 * columns, get their id as a suffix, and a number if the result is still not unique.
 */
export function withDistinctTitles(columns: readonly Column[]): Column[] {
  const titles = new Set(columns.map(({ title }) => title));
  if (titles.size === columns.length) return [...columns];
  const count = new Map<string, number>();
  for (const { title } of columns) count.set(title, (count.get(title) ?? 0) + 1);
  const given = new Set<string>();
  return columns.map((column) => {
    const alone = column.part === 'header' || count.get(column.title) === 1;
    const wanted = alone ? column.title : `${column.title} (${column.id})`;
    let title = wanted;
    for (let number = 2; given.has(title); number += 1) title = `${wanted} (${number})`;
    given.add(title);
    return title === column.title ? column : { ...column, title };
  });
}

/**
 * True if the known status lists cover this issue's site: they have its current status under the same name. If they do
 * not, none of their names applies to the issue, since ids of statuses are unique only within a site.
 */
export function isListed({ status }: Pick<Issue, 'status'>, statuses: ReadonlyMap<string, Status>): boolean {
  const known = statuses.get(status.id);
  return known !== undefined && known.unlisted !== true && known.name === status.name;
}
