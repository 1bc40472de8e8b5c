import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import { rankOf, valueAtRank } from '../statistics.ts';
import type { AmountBrackets } from './cell-amounts.ts';
import type { KernelFigures } from './join-cells.ts';
import { type KernelRows, NO_GROUP } from './kernel-plan.ts';

/** How brackets are found. */
export interface Sampling {
  /** Fewer rows keep all amounts. */
  readonly rowsFrom: number;
  /** How many rows the sample has. */
  readonly sampleRows: number;
  /** A cell with fewer amounts in the sample keeps all. */
  readonly minAmounts: number;
  /** How many standard deviations of a rank a bracket reaches to each side. */
  readonly width: number;
}

/** A bracket has about a sixth of the amounts of a cell, and misses its median in one of ten thousand cells. */
export const SAMPLING: Sampling = { rowsFrom: 4_000, sampleRows: 8_192, minAmounts: 64, width: 4 };

/** A sample has no more than this share of the rows. */
const MAX_SAMPLE = 1 / 10;

const noCells = { cells: new Float64Array(), low: new Float64Array(), high: new Float64Array() };

/** Every cell keeps all of its amounts. */
export const keepAll: AmountBrackets = { ...noCells, keepsOthers: true };

/** No cell keeps any. */
export const keepNone: AmountBrackets = { ...noCells, keepsOthers: false };

/** The brackets around some percentiles of cells with many amounts, as `measure` finds them in a sample of the rows. */
export async function sampledBrackets(
  { rows, groups }: KernelRows,
  { percents, sampling }: { readonly percents: readonly number[]; readonly sampling: Sampling },
  measure: (sample: KernelRows) => Promise<KernelFigures>,
): Promise<AmountBrackets> {
  const { rowsFrom, sampleRows, minAmounts, width } = sampling;
  if (rows.length < rowsFrom) return keepAll;
  const step = Math.ceil(rows.length / Math.min(sampleRows, Math.ceil(rows.length * MAX_SAMPLE)));
  const positions = Uint32Array.from({ length: Math.ceil(rows.length / step) }, (_, i) => i * step);
  const { found, amounts } = await measure({
    rows: positions.map((position) => rows[position] ?? 0),
    groups: groups === null ? null : positions.map((position) => groups[position] ?? NO_GROUP),
  });
  const [cells, low, high]: [number[], number[], number[]] = [[], [], []];
  const pace = createYieldIfDue();
  for (let i = 0; amounts !== null && i < found.cells.length; i += 1) {
    const values = amounts.values.subarray(amounts.starts[i], amounts.starts[i + 1]);
    if (values.length < minAmounts) continue;
    await pace();
    const [from, to] = rangeOfRanks(values.length, percents, width);
    cells.push(found.cells[i] ?? 0);
    low.push(from < 0 ? Number.NEGATIVE_INFINITY : valueAtRank(values, from));
    high.push(to >= values.length ? Number.POSITIVE_INFINITY : valueAtRank(values, to));
  }
  amounts?.release();
  return {
    cells: Float64Array.from(cells),
    low: Float64Array.from(low),
    high: Float64Array.from(high),
    keepsOthers: true,
  };
}

/** Between which ranks of a sample the amounts at some percentiles of all are: outside of it where that may be anything. */
function rangeOfRanks(
  count: number,
  percents: readonly number[],
  width: number,
): readonly [from: number, to: number] {
  let [from, to] = [count, -1];
  for (const percent of percents) {
    const rank = rankOf(count, percent);
    // The least of all amounts can be less than the least of a sample.
    const reach = Math.max(1, width * Math.sqrt((count * percent * (100 - percent)) / 100 ** 2));
    from = Math.min(from, Math.floor(rank - reach));
    to = Math.max(to, Math.ceil(rank + reach));
  }
  return [from, to];
}

/** The numbers of cells in whose bracket an amount at a percentile is not, or may not be once other issues are added. */
function cellsMissed({ found, amounts }: KernelFigures, percents: readonly number[]): ReadonlySet<number> {
  const missed = new Set<number>();
  if (amounts === null) return missed;
  const more = found.fallback.length;
  for (let i = 0; i < found.cells.length; i += 1) {
    const [count, below, inside] = [found.counts[i] ?? 0, amounts.below[i] ?? 0, amounts.inside[i] ?? 0];
    const isOpenBelow = amounts.low[i] === Number.NEGATIVE_INFINITY;
    const isOpenAbove = amounts.high[i] === Number.POSITIVE_INFINITY;
    for (const percent of percents) {
      // Each of the others may be less, or greater, than all of these.
      const first = Math.floor(rankOf(count, percent)) - more;
      const last = Math.ceil(rankOf(count + more, percent));
      const isInside = (isOpenBelow || first >= below) && (isOpenAbove || last < below + inside);
      if (!isInside) missed.add(found.cells[i] ?? 0);
    }
  }
  return missed;
}

/** The brackets with which no cell misses a percentile that missed one with these; null where none did. */
export function widerBrackets(
  { cells, low, high, keepsOthers }: AmountBrackets,
  figures: KernelFigures,
  percents: readonly number[],
): AmountBrackets | null {
  const missed = cellsMissed(figures, percents);
  if (missed.size === 0) return null;
  const isMissed = (i: number) => missed.has(cells[i] ?? -1);
  return {
    cells,
    low: low.map((bound, i) => (isMissed(i) ? Number.NEGATIVE_INFINITY : bound)),
    high: high.map((bound, i) => (isMissed(i) ? Number.POSITIVE_INFINITY : bound)),
    keepsOthers,
  };
}
