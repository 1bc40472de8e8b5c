import type { Priority, Sprint } from '../../model/directory.ts';
import { about, badRequestAs } from '../../model/error.ts';
import { compareIds, compareText, sortableId } from '../../model/issues/ids-and-names.ts';
import type { Statistic } from '../../model/request.ts';
import { type Cell, type Cells, type Column, cellOf } from '../../model/table.ts';
import type { Measured } from '../reports/measuring/report-type.ts';
import { type Amounts, createAmounts } from './statistics.ts';

/** A group of issues: the values they have in common, and what each value column holds of them. */
interface Group {
  own: Cells;
  issues: number;
  /** Issues of whose time a part is unknown. */
  uncertain: number;
  readonly columns: Map<string, GroupColumn>;
}

interface GroupColumn {
  readonly amounts: Amounts;
  /** Null where the report type counts no visits. */
  visits: number | null;
  uncertain: number;
}

/** One group condensed: what its issues have in common, a figure per value column, and their number. */
export interface CondensedGroup {
  readonly own: Cells;
  readonly cells: Cells;
  readonly issueCount: number;
}

/** Takes one measured issue after the other and keeps only what a statistic needs. */
export interface GroupCollector {
  /** Adds the issue to a group at each step. */
  add(own: Cells, measured: Measured): Iterable<void>;
  /** How many groups there are at least, counting those of the issue that is being added. */
  readonly size: () => number;
  /** One group after the other; of value columns those that are to be shown. */
  condensed(isShown: (columnId: string) => boolean): Iterable<CondensedGroup>;
}

/**
 * Issues whose group-by cells mean the same are one group; without group-by columns all of them are. An issue with several
 * values in a column is in a group of each.
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
          // Whether an issue with unknown time was there nobody can tell: it is no zero.
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

/** How often issues can be added to a group beside their first one: more would take minutes. */
export const MAX_REPEATS = 2 ** 23;

/** Fails where issues are in groups beside their first one too often, however few groups there are. */
export function assertFewRepeats(repeats: number, most: number, groupBy: readonly Column[]): void {
  if (repeats <= most) return;
  const fields = groupBy.map(({ id }) => id).join(',');
  const problem = `'${fields}' puts each issue into too many groups. Try: a field with fewer values in an issue, fewer fields, or fewer issues.`;
  throw badRequestAs('too-large', about('groupByFields', problem), { most });
}

/** In how many groups an issue with these cells is. */
export function countCombinations(own: Cells, groupBy: readonly Column[]): number {
  return groupBy.reduce((count, { id }) => count * (cellOf(own, id)?.values?.length ?? 1), 1);
}

/** The cells of an issue with one value in each column, one combination after the other: there may be millions. */
export function* eachCombination(own: Cells, groupBy: readonly Column[]): Generator<Cells, void> {
  const several = groupBy.flatMap(({ id }) => {
    const values = cellOf(own, id)?.values;
    return values === undefined ? [] : [{ id, values }];
  });
  const count = countCombinations(own, groupBy);
  for (let n = 0; n < count; n += 1) {
    let rest = n;
    // The last column changes first.
    const chosen = several.toReversed().map(({ id, values }): [string, Cell] => {
      const value = values[rest % values.length] ?? { value: '' };
      rest = Math.floor(rest / values.length);
      return [id, value];
    });
    yield chosen.length === 0 ? own : { ...own, ...Object.fromEntries(chosen) };
  }
}

/** The same text for cells that make the same group. */
export function groupIdentity(own: Cells, groupBy: readonly Column[]): string {
  return JSON.stringify(groupBy.map(({ id }) => identityOf(cellOf(own, id))));
}

/** By id where there is one: a person or a value may have been renamed. */
function identityOf(cell: Cell | undefined): unknown {
  return cell === undefined ? null : (cell.id ?? [cell.value]);
}

/** Order of groups: column by column, numbers by value, empty ones last. */
export function compareGroups(a: Cells, b: Cells, groupBy: readonly Column[]): number {
  return compareGroupKeys(groupKeyOf(a, groupBy), groupKeyOf(b, groupBy));
}

/** What a group is ordered by, a part per column; null where the cell is absent. */
type GroupKey = readonly (CellKey | null)[];

interface CellKey {
  /** The place of a status, a priority or a sprint in the tracker's order; null for other values. */
  readonly rank: number | null;
  readonly number: number | null;
  readonly text: string;
  /** The text is a number as well. */
  readonly parsed: number | null;
  /** The text without regard to case. */
  readonly folded: string;
  readonly id: string;
}

/** The places of statuses in workflow order, of priorities in the tracker's, and of sprints from the newest on, by id. */
interface GroupRanks {
  readonly status: ReadonlyMap<string, number>;
  readonly priority: ReadonlyMap<string, number>;
  readonly sprint: ReadonlyMap<string, number>;
  /** The fields that hold sprints. */
  readonly sprintFields: readonly string[];
}

/** Sprints, and the fields that hold them. */
export interface SprintOrder {
  readonly fields: readonly string[];
  readonly sprints: readonly Sprint[];
}

const noRanks = groupRanks(new Map(), []);

/** `statuses` are in workflow order; without priorities their names say which is more important. */
export function groupRanks(
  statuses: ReadonlyMap<string, unknown>,
  priorities: readonly Priority[],
  { fields, sprints }: SprintOrder = { fields: [], sprints: [] },
): GroupRanks {
  // One that has no start yet is in the future.
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

/** For sorting, where each group is compared many times. */
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

/** Priorities as trackers name them, the most important first; of two families, which no tracker has both of. */
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
 * Where the tracker's own list is unknown: trackers number priorities from the most important one on. Where the names are well-known they say it better: those that
 * were added later have the higher numbers.
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
  // One that is gone from the tracker comes after those that are there.
  if (priority.size > 0) return priority.get(id) ?? priority.size;
  const known = priorities.indexOf(String(value).toLowerCase());
  if (known >= 0) return known;
  return /^\d+$/.test(id) ? priorities.length + Number(id) : null;
}

/** The order of `compareGroups`. */
export function compareGroupKeys(a: GroupKey, b: GroupKey): number {
  for (let i = 0; i < a.length; i += 1) {
    const order = compareCells(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Order of cells for people: statuses and priorities by rank, numbers by value, texts without regard to case, absent ones last. A total order. */
function compareCells(a: CellKey | null, b: CellKey | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a.rank !== b.rank) return (a.rank ?? Number.MAX_VALUE) - (b.rank ?? Number.MAX_VALUE);
  if (a.number !== null && b.number !== null) return a.number - b.number;
  if (a.parsed !== null && b.parsed !== null && a.parsed !== b.parsed) return a.parsed - b.parsed;
  return compareText(a.folded, b.folded) || compareText(a.text, b.text) || compareText(a.id, b.id);
}

/** Plain numbers are told as text, too. */
function numberOf(text: string): number | null {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}
