import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import { rankOf, valueAtRank } from '../statistics.ts';
import type { AmountBrackets } from './cell-amounts.ts';
import type { KernelFigures } from './join-cells.ts';
import { type KernelRows, NO_GROUP } from './kernel-plan.ts';

/** The parameters by which brackets are found in a sample of the rows. */
export interface Sampling {
  /** Number of rows from which a sample is taken; with fewer rows all amounts are kept. */
  readonly rowsFrom: number;
  /** Number of rows in the sample. */
  readonly sampleRows: number;
  /** Minimum number of sampled amounts for a bracket; a cell with fewer keeps all of its amounts. */
  readonly minAmounts: number;
  /** Number of standard deviations of a rank by which a bracket extends to each side. */
  readonly width: number;
}

/** The defaults: a bracket contains about a sixth of a cell's amounts, and misses the median in one of 10,000 cells. */
export const SAMPLING: Sampling = { rowsFrom: 4_000, sampleRows: 8_192, minAmounts: 64, width: 4 };

/** Maximum share of the rows in a sample. */
const MAX_SAMPLE = 1 / 10;

const noCells = { cells: new Float64Array(), low: new Float64Array(), high: new Float64Array() };

/** Every cell keeps all of its amounts. */
export const keepAll: AmountBrackets = { ...noCells, keepsOthers: true };

/** No cell keeps any amount. */
export const keepNone: AmountBrackets = { ...noCells, keepsOthers: false };

/** Finds brackets around some percentiles for cells with many amounts; `measure` measures the sample of the rows. */
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
    rows: positions.map((position) => rows[position]),
    groups: groups === null ? null : positions.map((position) => groups[position] ?? NO_GROUP),
  });
  const [cells, low, high]: [number[], number[], number[]] = [[], [], []];
  const pace = createYieldIfDue();
  for (let i = 0; amounts !== null && i < found.cells.length; i += 1) {
    const values = amounts.values.subarray(amounts.starts[i], amounts.starts[i + 1]);
    if (values.length < minAmounts) continue;
    await pace();
    const [from, to] = rangeOfRanks(values.length, percents, width);
    cells.push(found.cells[i]);
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

/**
 * The range of ranks in a sample of `count` amounts between which the percentiles of all amounts probably are. A rank
 * below 0 or from `count` on leaves that side open.
 */
function rangeOfRanks(
  count: number,
  percents: readonly number[],
  width: number,
): readonly [from: number, to: number] {
  let [from, to] = [count, -1];
  for (const percent of percents) {
    const rank = rankOf(count, percent);
    // The smallest of all amounts can be smaller than the smallest in the sample.
    const reach = Math.max(1, width * Math.sqrt((count * percent * (100 - percent)) / 100 ** 2));
    from = Math.min(from, Math.floor(rank - reach));
    to = Math.max(to, Math.ceil(rank + reach));
  }
  return [from, to];
}

/** Numbers of the cells whose bracket does not contain a percentile, or may not once the fallback issues are added. */
function cellsMissed({ found, amounts }: KernelFigures, percents: readonly number[]): ReadonlySet<number> {
  const missed = new Set<number>();
  if (amounts === null) return missed;
  const more = found.fallback.length;
  for (let i = 0; i < found.cells.length; i += 1) {
    const [count, below, inside] = [found.counts[i], amounts.below[i], amounts.inside[i]];
    const isOpenBelow = amounts.low[i] === Number.NEGATIVE_INFINITY;
    const isOpenAbove = amounts.high[i] === Number.POSITIVE_INFINITY;
    for (const percent of percents) {
      // Each fallback issue may have a smaller, or a larger, amount than all others.
      const first = Math.floor(rankOf(count, percent)) - more;
      const last = Math.ceil(rankOf(count + more, percent));
      const isInside = (isOpenBelow || first >= below) && (isOpenAbove || last < below + inside);
      if (!isInside) missed.add(found.cells[i]);
    }
  }
  return missed;
}

/** Opens the bracket of each cell that missed a percentile, so that it keeps all amounts; null if none did. */
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
