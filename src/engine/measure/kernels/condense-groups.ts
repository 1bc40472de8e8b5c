import { type InTurns, rangesOf } from '../../../concurrency/cooperative-yield.ts';
import type { Issue } from '../../../model/issue.ts';
import type { Statistic } from '../../../model/request.ts';
import { type Cell, type Cells, cellOf } from '../../../model/table.ts';
import type { Measured } from '../../reports/measuring/report-type.ts';
import type { Layout } from '../build-table.ts';
import {
  assertFewRepeats,
  type CondensedGroup,
  countCombinations,
  eachCombination,
  groupIdentity,
  MAX_REPEATS,
} from '../collect-groups.ts';
import { deviationOf, percentOf, rankOf, SQUARE_PARTS, squaresOf } from '../statistics.ts';
import type { RowGroups } from './group-rows.ts';
import type { KernelAmounts, KernelFigures } from './join-cells.ts';
import { addExactly, type KernelCells } from './kernel-cells.ts';
import type { CondenseTask } from './kernel-worker.ts';
import { condenseAmounts, type KernelOptions } from './run-kernel.ts';

/** An issue that is measured itself, because columns lack some of its figures. */
export interface FallbackIssue {
  readonly position: number;
  /** The only part of the issue that is needed after measuring; there may be many issues. */
  readonly issue: Pick<Issue, 'status'>;
  readonly measured: Measured;
  readonly own: Cells;
}

/** The figures of all rows of one group. */
interface GroupFigures {
  own: Cells;
  first: number;
  issues: number;
  unknown: number;
  /** Indexes of the group's cells in the kernel's result, in the order in which they came up. */
  readonly cells: Uint32Array;
  /** Amounts of fallback issues by column id; null if the group has none. */
  fallback: Map<string, FallbackFigures> | null;
}

interface FallbackFigures {
  readonly amounts: number[];
  visits: number | null;
  uncertain: number;
}

/** The groups of some rows in the order of the rows, with the figures of the kernel and of the fallback issues. */
export async function groupsOf(
  found: KernelCells,
  {
    width,
    groups,
    fallback,
    layout,
    limit,
  }: {
    /** Number of keys per group. */
    readonly width: number;
    readonly groups: RowGroups;
    readonly fallback: readonly FallbackIssue[];
    readonly layout: Layout;
    /** Fails if this number of groups is too many. */
    readonly limit: (groups: number) => void;
  },
  turns: InTurns,
): Promise<readonly GroupFigures[]> {
  const { cells, at } = await cellsByGroup(found.cells, width, groups.own.length, turns);
  const all = [
    ...(await turns.map(
      groups.own.entries(),
      ([group, own]): GroupFigures => ({
        own,
        first: groups.first[group] ?? 0,
        issues: found.issues[group] ?? 0,
        unknown: found.unknown[group] ?? 0,
        cells: cells.subarray(at[group], at[group + 1]),
        fallback: null,
      }),
    )),
  ];
  if (fallback.length > 0) {
    const identities = await turns.map(all, ({ own }) => groupIdentity(own, layout.groupBy));
    const byIdentity = new Map(all.map((group, i) => [identities[i] ?? '', group]));
    let repeats = 0;
    for (const { position, own: cells, measured } of fallback) {
      const count = countCombinations(cells, layout.groupBy);
      repeats += count - 1;
      limit(Math.max(all.length, count));
      assertFewRepeats(repeats, MAX_REPEATS, layout.groupBy);
      await turns.map(eachCombination(cells, layout.groupBy), (own) => {
        const identity = groupIdentity(own, layout.groupBy);
        let group = byIdentity.get(identity);
        if (group === undefined) {
          group = { own, first: position, issues: 0, unknown: 0, cells: new Uint32Array(), fallback: null };
          all.push(group);
          byIdentity.set(identity, group);
        }
        if (position < group.first) {
          group.first = position;
          group.own = own;
        }
        addFallback(group, measured);
      });
    }
  }
  return turns.sort(
    all.filter(({ issues }) => issues > 0),
    (a, b) => a.first - b.first,
  );
}

/** The kernel's cells sorted by group, and the index at which each group begins. */
async function cellsByGroup(numbers: Float64Array, width: number, groups: number, turns: InTurns) {
  const at = new Uint32Array(groups + 2);
  const groupOf = new Uint32Array(numbers.length);
  await turns.map(rangesOf(numbers.length, CELLS_AT_ONCE), ([from, to]) => {
    for (let cell = from; cell < to; cell += 1) {
      const group = Math.floor((numbers[cell] ?? 0) / width);
      groupOf[cell] = group;
      at[group + 2] = (at[group + 2] ?? 0) + 1;
    }
  });
  for (let group = 2; group < at.length; group += 1) at[group] = (at[group] ?? 0) + (at[group - 1] ?? 0);
  const cells = new Uint32Array(numbers.length);
  await turns.map(rangesOf(numbers.length, CELLS_AT_ONCE), ([from, to]) => {
    for (let cell = from; cell < to; cell += 1) {
      const next = (groupOf[cell] ?? 0) + 1;
      cells[at[next] ?? 0] = cell;
      at[next] = (at[next] ?? 0) + 1;
    }
  });
  return { cells, at };
}

function addFallback(group: GroupFigures, { lines, unknown }: Measured): void {
  const uncertain = Number(unknown !== null);
  group.issues += 1;
  group.unknown += uncertain;
  const fallback = group.fallback ?? new Map<string, FallbackFigures>();
  group.fallback = fallback;
  for (const line of lines) {
    for (const id of Object.keys(line)) {
      const { value, visits } = cellOf(line, id) ?? {};
      if (typeof value !== 'number') continue;
      const column = fallback.get(id) ?? { amounts: [], visits: null, uncertain: 0 };
      fallback.set(id, column);
      column.amounts.push(value);
      if (visits !== undefined) column.visits = (column.visits ?? 0) + visits;
      column.uncertain += uncertain;
    }
  }
}

/** Column ids by key (null for a hidden column), the key of each kernel cell, and the ids of shown columns. */
interface NamedCells {
  readonly ids: readonly (string | null)[];
  readonly keyOf: Uint32Array;
  readonly shown: ReadonlySet<string>;
}

/**
 * Calls `take` for each shown figure of a group, with the kernel's cell (-1 if there is none) and the amounts of
 * fallback issues.
 */
function eachFigure(
  { cells, fallback }: GroupFigures,
  { ids, keyOf, shown }: NamedCells,
  take: (id: string, cell: number, added: FallbackFigures | null) => void,
): void {
  const known = new Set<string>();
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i] ?? 0;
    const id = ids[keyOf[cell] ?? 0] ?? null;
    if (id === null) continue;
    take(id, cell, fallback?.get(id) ?? null);
    if (fallback !== null) known.add(id);
  }
  for (const [id, added] of fallback ?? []) if (shown.has(id) && !known.has(id)) take(id, -1, added);
}

/** Condenses each group to a figure per shown column, with the same result as `collectGroups`. */
export async function condenseGroups(
  groups: readonly GroupFigures[],
  { found, amounts }: KernelFigures,
  {
    statistic,
    named,
    hasVisits,
    areInexact,
    workersFrom,
  }: {
    readonly statistic: Statistic;
    readonly named: NamedCells;
    readonly hasVisits: boolean;
    /** Amounts may not add up exactly, so every statistic reads the single amounts in their order. */
    readonly areInexact: boolean;
  } & KernelOptions,
  turns: InTurns,
): Promise<readonly CondensedGroup[]> {
  const { counts, uncertain, visits } = found;
  // A column that an issue with unknown time lacks may have been in that time, so the issue does not count as a zero.
  const zerosOf = (group: GroupFigures, cell: number, added: FallbackFigures | null) =>
    statistic.denominator === 'all'
      ? group.issues -
        (group.unknown - (uncertain[cell] ?? 0) - (added?.uncertain ?? 0)) -
        ((counts[cell] ?? 0) + (added?.amounts.length ?? 0))
      : 0;
  const looksAtEach = areInexact || percentOf(statistic) !== null;
  const values =
    amounts !== null && looksAtEach
      ? await condenseEach(groups, { found, amounts }, { statistic, named, zerosOf, workersFrom }, turns)
      : null;
  const sumOf =
    statistic.type === 'standardDeviation' && amounts !== null
      ? createDeviationOf(found, amounts, statistic)
      : createSumOf(found, statistic);
  let next = 0;
  return turns.map(groups, (group) => {
    const cells: Record<string, Cell> = {};
    eachFigure(group, named, (id, cell, added) => {
      const value =
        values === null ? sumOf(cell, added, zerosOf(group, cell, added)) : (values[next] ?? Number.NaN);
      next += 1;
      if (Number.isNaN(value)) return;
      const count = hasVisits && cell >= 0 ? (visits[cell] ?? 0) + (added?.visits ?? 0) : added?.visits;
      cells[id] = hasVisits && typeof count === 'number' ? { value, visits: count } : { value };
    });
    return { own: group.own, cells, issueCount: group.issues };
  });
}

/** Returns the sum or average of a cell from the kernel's sums; NaN if there is none. */
function createSumOf({ counts, sums, lostSums }: KernelCells, { type }: Statistic) {
  const [sum, lost] = [new Float64Array(1), new Float64Array(1)];
  return (cell: number, added: FallbackFigures | null, zeros: number) => {
    const count = (counts[cell] ?? 0) + (added?.amounts.length ?? 0);
    if (count === 0) return Number.NaN;
    sum[0] = sums[cell] ?? 0;
    lost[0] = lostSums[cell] ?? 0;
    for (const amount of added?.amounts ?? []) addExactly(sum, lost, 0, amount);
    const total = (sum[0] ?? 0) + (lost[0] ?? 0);
    return type === 'sum' ? total : total / (count + zeros);
  };
}

/** Returns the standard deviation of a cell from the kernel's sums of squares; NaN if there is none. */
function createDeviationOf(
  { counts, sums, lostSums }: KernelCells,
  amounts: KernelAmounts,
  { deviation: kind }: Statistic,
) {
  return (cell: number, added: FallbackFigures | null, zeros: number) => {
    const more = added?.amounts ?? [];
    const own = counts[cell] ?? 0;
    if (own + more.length === 0) return Number.NaN;
    let sum = own === 0 ? 0n : BigInt(sums[cell] ?? 0) + BigInt(lostSums[cell] ?? 0);
    let squares = own === 0 ? 0n : squaresOf(amounts.squares, cell * SQUARE_PARTS);
    for (const amount of more) {
      sum += BigInt(amount);
      squares += BigInt(amount) ** 2n;
    }
    return deviationOf({ count: own + more.length + zeros, sum, squares }, kind) ?? Number.NaN;
  };
}

/** The figures of a statistic that reads single amounts, in the order of the groups and of their shown figures. */
async function condenseEach(
  groups: readonly GroupFigures[],
  { found, amounts }: { readonly found: KernelCells; readonly amounts: KernelAmounts },
  {
    statistic,
    named,
    zerosOf,
    workersFrom,
  }: {
    readonly statistic: Statistic;
    readonly named: NamedCells;
    readonly zerosOf: (group: GroupFigures, cell: number, added: FallbackFigures | null) => number;
  } & KernelOptions,
  turns: InTurns,
): Promise<Float64Array> {
  const figures: CellFigure[] = [];
  const percent = percentOf(statistic) ?? 0;
  await turns.map(groups, (group) => {
    eachFigure(group, named, (_id, cell, added) => {
      const zeros = zerosOf(group, cell, added);
      const [low, high] = cell < 0 ? everyAmount : [amounts.low[cell] ?? 0, amounts.high[cell] ?? 0];
      const more = added?.amounts ?? [];
      const count = (found.counts[cell] ?? 0) + more.length;
      const below = (amounts.below[cell] ?? 0) + more.filter((amount) => amount < low).length;
      const inside = more.filter((amount) => amount >= low && amount <= high);
      const rank = rankOf(count, percent) - below;
      figures.push({ cell, zeros, rank, more: inside, only: low === high ? low : null });
    });
  });
  const placed = await placedAmounts(figures, amounts, turns);
  const zeros = Float64Array.from(figures, (figure) => figure.zeros);
  const ranks = Float64Array.from(figures, ({ rank }) => rank);
  const values = await condenseAmounts({ ...placed, zeros, ranks, statistic }, { workersFrom });
  for (const [i, { only }] of figures.entries()) if (only !== null) values[i] = only;
  return values;
}

const everyAmount = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** A figure to be computed from single amounts. */
interface CellFigure {
  readonly cell: number;
  readonly zeros: number;
  /** Rank of the percentile among the kept amounts of the cell. */
  readonly rank: number;
  /** Amounts of fallback issues within the bracket. */
  readonly more: readonly number[];
  /** The amount, if the bracket consists of a single one; otherwise null. */
  readonly only: number | null;
}

/** Amounts, and the range of each figure's own amounts: from index `from` until before `to`. */
type PlacedAmounts = Pick<CondenseTask, 'values' | 'from' | 'to'>;

async function placedAmounts(
  figures: readonly CellFigure[],
  { values, starts }: KernelAmounts,
  turns: InTurns,
): Promise<PlacedAmounts> {
  if (figures.every(({ more }) => more.length === 0)) {
    const from = Float64Array.from(figures, ({ cell }) => starts[cell] ?? 0);
    const to = Float64Array.from(figures, ({ cell }) => starts[cell + 1] ?? 0);
    return { values, from, to };
  }
  const bounds = new Float64Array(figures.length + 1);
  for (const [i, { cell, more }] of figures.entries()) {
    const count = cell < 0 ? 0 : (starts[cell + 1] ?? 0) - (starts[cell] ?? 0);
    bounds[i + 1] = (bounds[i] ?? 0) + count + more.length;
  }
  const all = new Float64Array(new SharedArrayBuffer((bounds.at(-1) ?? 0) * Float64Array.BYTES_PER_ELEMENT));
  await turns.map(figures.entries(), ([i, { cell, more }]) => {
    const at = bounds[i] ?? 0;
    const own = cell < 0 ? [] : values.subarray(starts[cell], starts[cell + 1]);
    all.set(own, at);
    all.set(more, at + own.length);
  });
  return { values: all, from: bounds.subarray(0, -1), to: bounds.subarray(1) };
}

/** Number of cells processed between two yields. */
export const CELLS_AT_ONCE = 4096;
