import type { Priority, Sprint } from '../../model/directory.ts';
import { about, badRequestAs } from '../../model/error.ts';
import { compareIds, compareText, sortableId } from '../../model/issues/ids-and-names.ts';
import type { Statistic } from '../../model/request.ts';
import { type Cell, type Cells, type Column, cellOf } from '../../model/table.ts';
import type { Measured } from '../reports/measuring/report-type.ts';
import { type Amounts, createAmounts } from './statistics.ts';

/** A group of issues: the cells that they have in common, and the amounts of each value column. */
interface Group {
  own: Cells;
  issues: number;
  /** Number of issues with a cut history: part of their time is unknown. */
  uncertain: number;
  readonly columns: Map<string, GroupColumn>;
}

interface GroupColumn {
  readonly amounts: Amounts;
  /** Number of visits; null if the report type does not count visits. */
  visits: number | null;
  uncertain: number;
}

/** One condensed group: the common cells of its issues, a figure per value column, and the number of issues. */
export interface CondensedGroup {
  readonly own: Cells;
  readonly cells: Cells;
  readonly issueCount: number;
}

/** Collects measured issues one by one, and keeps of their amounts only what the statistic needs. */
export interface GroupCollector {
  /** Adds the issue step by step, to one group per step: iterate to the end. */
  add(own: Cells, measured: Measured): Iterable<void>;
  /** Number of groups so far, or that of the groups of the issue being added if it is larger. */
  readonly size: () => number;
  /** Yields one group after the other, with the value columns for which `isShown` is true. */
  condensed(isShown: (columnId: string) => boolean): Iterable<CondensedGroup>;
}

/**
 * Issues with equal group-by cells form a group; without group-by columns, all issues form one. An issue with several
 * values in a column belongs to the group of each value.
 */
export function collectGroups(groupBy: readonly Column[], statistic: Statistic): GroupCollector {
  const groups = new Map<string, Group>();
  const ofAll = JSON.stringify([]);
  let expected = 0;
  let repeats = 0;
  return {
    *add(cells, measured) {
      expected = countCombinations(cells, groupBy);
      repeats += expected - 1;
      for (const own of eachCombination(cells, groupBy)) {
        yield;
        assertFewRepeats(repeats, MAX_REPEATS, groupBy);
        addTo(own, measured);
      }
    },
    size: () => Math.max(groups.size, expected),
    *condensed(isShown) {
      for (const group of groups.values()) {
        const cells: Record<string, Cell> = {};
        for (const [id, { amounts, visits, uncertain }] of group.columns) {
          if (!isShown(id)) continue;
          // A column that an issue with unknown time lacks may have been in that time, so the issue does not count as a
          // zero.
          const value = amounts.condense(group.issues - (group.uncertain - uncertain));
          if (value !== null) cells[id] = visits === null ? { value } : { value, visits };
        }
        yield { own: group.own, cells, issueCount: group.issues };
      }
    },
  };

  function addTo(own: Cells, { lines, unknown }: Measured): void {
    const key = groupBy.length === 0 ? ofAll : groupIdentity(own, groupBy);
    const group = groups.get(key) ?? { own, issues: 0, uncertain: 0, columns: new Map() };
    groups.set(key, group);
    const uncertain = Number(unknown !== null);
    group.issues += 1;
    group.uncertain += uncertain;
    for (const line of lines) {
      for (const id in line) {
        const { value, visits } = line[id] ?? {};
        if (typeof value !== 'number') continue;
        const column = group.columns.get(id) ?? {
          amounts: createAmounts(statistic),
          visits: null,
          uncertain: 0,
        };
        group.columns.set(id, column);
        column.amounts.add(value);
        if (visits !== undefined) column.visits = (column.visits ?? 0) + visits;
        column.uncertain += uncertain;
      }
    }
  }
}

/** Maximum number of additional group memberships (an issue in n groups has n − 1); more would take minutes. */
export const MAX_REPEATS = 2 ** 23;

/** Fails with `too-large` if the number of additional group memberships exceeds `most`. */
export function assertFewRepeats(repeats: number, max: number, groupBy: readonly Column[]): void {
  if (repeats <= max) return;
  const fields = groupBy.map(({ id }) => id).join(',');
  const problem = `'${fields}' puts each issue into too many groups. Try: a field with fewer values in an issue, fewer fields, or fewer issues.`;
  throw badRequestAs('too-large', about('groupByFields', problem), { most: max });
}

/** Number of groups that an issue with these cells belongs to: the product of the numbers of values in each column. */
export function countCombinations(own: Cells, groupBy: readonly Column[]): number {
  return groupBy.reduce((count, { id }) => count * (cellOf(own, id)?.values?.length ?? 1), 1);
}

/** Yields the cells of an issue with one value per column, for each combination of values; there may be millions. */
export function* eachCombination(own: Cells, groupBy: readonly Column[]): Generator<Cells, void> {
  const several = groupBy.flatMap(({ id }) => {
    const values = cellOf(own, id)?.values;
    return values === undefined ? [] : [{ id, values }];
  });
  // The last column changes fastest.
  const fastestFirst = several.toReversed();
  const count = countCombinations(own, groupBy);
  for (let n = 0; n < count; n += 1) {
    let left = n;
    const chosen = fastestFirst.map(({ id, values }): [string, Cell] => {
      const value = values[left % values.length] ?? { value: '' };
      left = Math.floor(left / values.length);
      return [id, value];
    });
    yield chosen.length === 0 ? own : { ...own, ...Object.fromEntries(chosen) };
  }
}

/** An identity of the group that these cells belong to: equal texts mean the same group. */
export function groupIdentity(own: Cells, groupBy: readonly Column[]): string {
  return JSON.stringify(groupBy.map(({ id }) => identityOf(cellOf(own, id))));
}

/** The cell's id if it has one, since a person or a value may have been renamed; otherwise its value in a list. */
function identityOf(cell: Cell | undefined): unknown {
  return cell === undefined ? null : (cell.id ?? [cell.value]);
}

/** Compares two groups column by column: numbers by value, absent cells last. */
export function compareGroups(a: Cells, b: Cells, groupBy: readonly Column[]): number {
  return compareGroupKeys(groupKeyOf(a, groupBy), groupKeyOf(b, groupBy));
}

/** Sort key of a group, with one part per column; null if the cell is absent. */
type GroupKey = readonly (CellKey | null)[];

interface CellKey {
  /** Index of a status, a priority or a sprint in its order; null for other values. */
  readonly rank: number | null;
  readonly number: number | null;
  readonly text: string;
  /** The text as a number; null if it is none. */
  readonly parsed: number | null;
  /** The text in lower case, in a form in which numbers within it sort by value. */
  readonly folded: string;
  readonly id: string;
}

/** Indexes by id: statuses in workflow order, priorities in the tracker's order, sprints from the newest on. */
interface GroupRanks {
  readonly status: ReadonlyMap<string, number>;
  readonly priority: ReadonlyMap<string, number>;
  readonly sprint: ReadonlyMap<string, number>;
  /** Ids of the fields that contain sprints. */
  readonly sprintFields: readonly string[];
}

/** The tracker's sprints, and the ids of the fields that contain them. */
export interface SprintOrder {
  readonly fields: readonly string[];
  readonly sprints: readonly Sprint[];
}

const noRanks = groupRanks(new Map(), []);

/**
 * Creates the ranks of statuses (given in workflow order), priorities and sprints. Without priorities, `rankOf` ranks
 * them by well-known names or by id.
 */
export function groupRanks(
  statuses: ReadonlyMap<string, unknown>,
  priorities: readonly Priority[],
  { fields, sprints }: SprintOrder = { fields: [], sprints: [] },
): GroupRanks {
  // A sprint without a start is in the future, so it is newer than all others.
  const newestFirst = sprints.toSorted(
    (a, b) =>
      Number(a.start !== null) - Number(b.start !== null) ||
      (b.start ?? 0) - (a.start ?? 0) ||
      compareIds(b.id, a.id),
  );
  return {
    sprint: new Map(newestFirst.map(({ id }, i) => [id, i])),
    sprintFields: fields,
    status: new Map([...statuses.keys()].map((id, i) => [id, i])),
    priority: new Map(priorities.map(({ id, place }) => [id, place])),
  };
}

/** Sort key of a group, built once since sorting compares each group many times. */
export function groupKeyOf(own: Cells, groupBy: readonly Column[], ranks = noRanks): GroupKey {
  return groupBy.map(({ id: column }) => {
    const cell = cellOf(own, column);
    if (cell === undefined) return null;
    const { value, id = '' } = cell;
    const text = String(value);
    const number = typeof value === 'number' ? value : null;
    const folded = sortableId(text.toLowerCase());
    return { rank: rankOf(column, cell, ranks), number, text, parsed: numberOf(text), folded, id };
  });
}

/**
 * Well-known names of priorities, from the most to the least important. They are two families; a tracker uses only one.
 */
const priorities = [
  'blocker',
  'highest',
  'critical',
  'high',
  'major',
  'medium',
  'minor',
  'low',
  'trivial',
  'lowest',
];

/**
 * Rank of a status, a priority or a sprint; null for other values. If the tracker's list of priorities is unknown,
 * well-known names come first, then ids, since trackers number priorities from the most important on. Names are better
 * evidence than ids: priorities that were added later have higher ids.
 */
function rankOf(column: string, cell: Cell, ranks: GroupRanks): number | null {
  const { value, id = '' } = cell;
  const { status, priority, sprint } = ranks;
  if (ranks.sprintFields.includes(column)) {
    const known = (cell.values ?? [cell]).flatMap((one) => sprint.get(one.id ?? '') ?? []);
    return known.length === 0 ? null : Math.min(...known);
  }
  if (column === 'status') return status.get(id) ?? null;
  if (column !== 'priority') return null;
  // A priority that was deleted from the tracker comes last.
  if (priority.size > 0) return priority.get(id) ?? priority.size;
  const known = priorities.indexOf(String(value).toLowerCase());
  if (known >= 0) return known;
  return /^\d+$/.test(id) ? priorities.length + Number(id) : null;
}

/** Compares sort keys in the order of `compareGroups`. */
export function compareGroupKeys(a: GroupKey, b: GroupKey): number {
  for (let i = 0; i < a.length; i += 1) {
    const order = compareCells(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Total order of cells: by rank, numbers by value, texts without regard to case, absent cells last. */
function compareCells(a: CellKey | null, b: CellKey | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a.rank !== b.rank) return (a.rank ?? Number.MAX_VALUE) - (b.rank ?? Number.MAX_VALUE);
  if (a.number !== null && b.number !== null) return a.number - b.number;
  if (a.parsed !== null && b.parsed !== null && a.parsed !== b.parsed) return a.parsed - b.parsed;
  return compareText(a.folded, b.folded) || compareText(a.text, b.text) || compareText(a.id, b.id);
}

/** The number in a text such as "12" or "-1.5"; null for other texts. */
function numberOf(text: string): number | null {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}
