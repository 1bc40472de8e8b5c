import { type InTurns, rangesOf } from '../../concurrency/cooperative-yield.ts';
import type { Group } from '../../model/directory.ts';
import type { FieldValue, Issue, Status } from '../../model/issue.ts';
import type { ConsolidatedStatus } from '../../model/request.ts';
import type { Column, ObservedStatuses } from '../../model/table.ts';
import { columnOf, transitionTitle } from '../reports/measuring/report-keys.ts';
import type { Measured, ReportType, ValueColumn } from '../reports/measuring/report-type.ts';
import { COLUMNS_AT_ONCE, orderColumns } from './column-order.ts';
import { type StatusScopes, scopedName, scopesOf } from './own-cells.ts';

/** The principal's choice among value columns. `statuses` null: every status observed. */
export interface RequestedColumns {
  readonly statuses: readonly string[] | null;
  readonly consolidated: readonly ConsolidatedStatus[];
  readonly includeDeletedStatuses: boolean;
  /** Groups that were asked for by name; null: every group observed. */
  readonly groups: readonly Group[] | null;
  /** Every status that is known, by id, in workflow order. */
  readonly knownStatuses: ReadonlyMap<string, Status>;
  /** Of a page: the statuses on all pages, as far as they are known, so that each has the same title on every page. */
  readonly onAllPages?: readonly Status[];
}

/** The same with what is known once the issues were seen. */
interface ColumnChoice extends RequestedColumns {
  /** Columns stand in the order in which one issue observed them, as long as nothing else is asked for. */
  readonly isOneIssue: boolean;
  /** Ids that only issues have observed of whose site no list is known: what lists call them need not be so. */
  readonly strange: ReadonlySet<string>;
}

/** The columns to show, those hidden because their status is gone from the tracker, and all the statuses observed. */
export interface SelectedColumns {
  readonly columns: readonly Column[];
  /** Their ids. */
  readonly shown: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  /** Columns left out unasked, and the name of the status that is gone. */
  readonly leftOut: readonly { readonly columnId: string; readonly status: string }[];
  readonly statuses: ObservedStatuses;
  /** Of the statuses of the answer that share a name. */
  readonly scopes: StatusScopes;
  /** Whether a status is left out unasked because it is gone. */
  readonly isAside: (value: FieldValue) => boolean;
}

/** Notes which columns and statuses come up while one issue after the other is measured. */
interface ObservedColumns {
  observe(issue: Pick<Issue, 'status'>, measured: Measured): void;
  /** A column, or a status that counts although no column is about it, that came up with issues of some kind. */
  observeColumn(column: ValueColumn, by: ObservedBy): void;
  observeStatus(status: FieldValue, by: ObservedBy): void;
  /** How many columns came up; of these no more are shown. */
  readonly size: () => number;
  /** How many of all that came up, and of those that were asked for, are to be shown. */
  readonly shown: () => number;
  /** What is to be shown of all that came up, by so many issues. */
  select(issues: number, turns: InTurns): Promise<SelectedColumns>;
}

/** Whether the known lists of statuses speak of the site of one of the issues, and whether of one they do not. */
interface ObservedBy {
  readonly isOfListed: boolean;
  readonly isOfUnlisted: boolean;
}

/** Notes columns and statuses for a report of these requested columns. */
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

/** The statuses of a visit-by-visit report stand in its lines; all of them are shown. */
function visitedStatuses(report: ReportType, visited: readonly Status[]): ObservedStatuses {
  const included = report.levels.includes('status') ? visited : [];
  return { included, excluded: [], deleted: included.filter((status) => status.deleted) };
}

/** Which columns are to be shown, and how statuses are called and counted. */
function choosing(choice: Omit<ColumnChoice, 'isOneIssue'>) {
  const statusOf = remembered(describeStatus(choice));
  const merged = new Set(choice.consolidated.flatMap((one) => one.statuses));
  const chosen = choice.statuses === null ? null : new Set(choice.statuses);
  const stands = (id: string) => chosen?.has(id) ?? !merged.has(id);
  const isGone = (value: FieldValue) => statusOf(value).deleted;
  // Who names a deleted status wants to see it.
  const goneShown = chosen !== null || choice.includeDeletedStatuses;
  return {
    statusOf,
    isGone,
    // A transition is between two statuses, and never one of those that are merged.
    isChosen: ({ statuses }: ValueColumn) =>
      statuses.length === 0 || (statuses.length > 1 && chosen === null)
        ? true
        : statuses.some(({ id }) => stands(id)),
    isAlive: ({ statuses }: ValueColumn) => goneShown || !statuses.some(isGone),
    isCounted: (id: string) => merged.has(id) || (chosen?.has(id) ?? true),
    isAside: (value: FieldValue) => isGone(value) && !goneShown && !merged.has(value.id),
  };
}

/** The same, found out once of a status that many columns in a row are about. */
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
 * Value columns in order of first meeting, each id once → what the principal wants to see of them. `others` are statuses
 * that counted although no column is about them.
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

/** What is known of a status: what no list vouches for is called as the issues themselves call it. */
export function describeStatus(
  choice: Pick<ColumnChoice, 'knownStatuses' | 'strange'>,
): (value: FieldValue) => Status {
  return ({ id, name }) => {
    const known = choice.knownStatuses.get(id);
    if (known === undefined) return { id, name, category: 'Undefined', deleted: false };
    return { ...known, name: known.listed && !choice.strange.has(id) ? known.name : name };
  };
}

/** Columns of statuses and groups that were asked for and that no issue observed. */
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

/** The column as people know its status today. */
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
  // Most are called as they were observed.
  if (upper === parent && lower === child) return plain;
  return { ...plain, parent: upper, child: lower, title: `${upper.title}: ${lower.title}` };
}

/** What people see of a column. Of two levels there may be many: member by member is quicker than all but some. */
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
 * Outputs keyed by title must not lose a column: of several with one title those that are not the issue's own get
 * their id behind it, and a number where that is the same as well.
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
 * Whether the known lists of statuses speak of this issue's site: they call the status it is in as it does. What
 * they rename or miss concerns no other issue, for ids of statuses are unique within a site only.
 */
export function isListed({ status }: Pick<Issue, 'status'>, statuses: ReadonlyMap<string, Status>): boolean {
  const known = statuses.get(status.id);
  return known !== undefined && known.unlisted !== true && known.name === status.name;
}
