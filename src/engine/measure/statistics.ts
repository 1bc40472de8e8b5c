import type { DurationFigures } from '../../model/answer.ts';
import type { Statistic } from '../../model/request.ts';

/** Collects the values of one column one by one, and keeps only what the statistic needs. */
export interface Amounts {
  add(value: number): void;
  /**
   * The figure for a group of `issues` issues; null if there is none. The average and the standard deviation divide by
   * the number of values or, with the denominator `all`, by `issues`, counting issues without a value as zero. The sum,
   * the median and percentiles use values only.
   */
  condense(issues: number): number | null;
}

/** Creates the collector of a statistic: the sum and the average keep a running sum, others every value. */
export function createAmounts(statistic: Statistic): Amounts {
  const { type, denominator } = statistic;
  return type === 'sum' || type === 'average' ? summedAmounts(type, denominator) : listedAmounts(statistic);
}

function summedAmounts(type: 'sum' | 'average', denominator: Statistic['denominator']): Amounts {
  const sum = createSum();
  let count = 0;
  return {
    add(value) {
      sum.add(value);
      count += 1;
    },
    condense(issues) {
      if (count === 0) return null;
      if (type === 'sum') return sum.total();
      return sum.total() / (denominator === 'all' ? issues : count);
    },
  };
}

/** The percentile that a statistic computes, from 0 to 100; null if it is not a percentile. */
export function percentOf({ type, percentile: percent }: Statistic): number | null {
  return type === 'median' ? 50 : type === 'percentile' ? percent : null;
}

function listedAmounts(statistic: Statistic): Amounts {
  const { denominator, deviation: kind } = statistic;
  const percent = percentOf(statistic);
  const values: number[] = [];
  return {
    add: (value) => void values.push(value),
    condense(issues) {
      if (percent !== null) return percentileOf(Float64Array.from(values), percent);
      return deviation(values, denominator === 'all' ? issues - values.length : 0, kind);
    },
  };
}

/** Neumaier's compensated sum: many long durations add up without losing milliseconds. */
interface RunningSum {
  add(value: number): void;
  readonly total: () => number;
}

/** Creates a sum of 0. */
export function createSum(): RunningSum {
  let [sum, lost] = [0, 0];
  return {
    add(value) {
      const next = sum + value;
      lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sum = next;
    },
    total: () => sum + lost,
  };
}

/**
 * The standard deviation of the values and of `zeros` additional zeros: of the population, or of a sample (with
 * Bessel's correction). Null if there are too few. For whole numbers it is computed from exact sums, so that it does
 * not depend on their order.
 */
export function deviation(
  values: ArrayLike<number>,
  zeros: number,
  kind: 'population' | 'sample',
): number | null {
  const moments = momentsOf(values);
  if (moments !== null) return deviationOf({ ...moments, count: values.length + zeros }, kind);
  const count = values.length + zeros;
  const divisor = kind === 'sample' ? count - 1 : count;
  if (divisor < 1) return null;
  const mean = sumOf(values, 0, 1) / count;
  return Math.sqrt((sumOf(values, mean, 2) + zeros * mean ** 2) / divisor);
}

/**
 * The compensated sum of the distances between values and `from`, or of their squares. The same algorithm as
 * `createSum`, without a function call per value.
 */
function sumOf(values: ArrayLike<number>, from: number, power: 1 | 2): number {
  let [sum, lost] = [0, 0];
  for (let i = 0; i < values.length; i += 1) {
    const distance = (values[i] ?? 0) - from;
    const value = power === 1 ? distance : distance * distance;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** The number of whole numbers (zeros included), their sum, and the sum of their squares. */
interface Moments {
  readonly count: number;
  readonly sum: bigint;
  readonly squares: bigint;
}

/** The standard deviation from exact sums; null if there are too few values. */
export function deviationOf({ count, sum, squares }: Moments, kind: 'population' | 'sample'): number | null {
  const divisor = kind === 'sample' ? count - 1 : count;
  if (divisor < 1) return null;
  return Math.sqrt(Number(BigInt(count) * squares - sum * sum) / (count * divisor));
}

/** Sum and squares of whole numbers; null if a value is not a whole number or exceeds `MAX_SQUARED`. */
function momentsOf(values: ArrayLike<number>): Pick<Moments, 'sum' | 'squares'> | null {
  let largest = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0;
    if (!Number.isInteger(value)) return null;
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest > MAX_SQUARED) return null;
  const block = squaresAtOnce(largest);
  const parts = new Float64Array(SQUARE_PARTS);
  let sum = 0n;
  for (let start = 0; start < values.length; start += block) {
    let part = 0;
    for (let i = start; i < Math.min(values.length, start + block); i += 1) {
      const value = values[i] ?? 0;
      part += value;
      addSquare(parts, 0, value);
    }
    sum += BigInt(part);
    carrySquares(parts, 0);
  }
  return { sum, squares: squaresOf(parts, 0) };
}

/**
 * A sum of squares of milliseconds exceeds the integers that a number represents exactly, so it is kept in four parts.
 * Each value is split into a multiple of 2 ** 20 and a remainder; the parts are the sum of squared remainders, of
 * products of both, of squared multiples, and the multiples of 2 ** 60 that were carried from the third part.
 */
export const SQUARE_PARTS = 4;
const PART = 2 ** 20;

/** Adding this number and subtracting it again rounds a value to a multiple of `PART`. */
const ROUNDING = 1.5 * 2 ** 72;

/** The largest whole number whose squares are added exactly: in milliseconds, about a thousand years. */
export const MAX_SQUARED = 2 ** 45;

/** Adds the square of a whole number to the parts that begin at an index. */
export function addSquare(parts: Float64Array, at: number, value: number): void {
  const high = value + ROUNDING - ROUNDING;
  const low = value - high;
  parts[at] += low * low;
  parts[at + 1] += low * high;
  parts[at + 2] += high * high;
}

/** Number of squares, of values up to `largest`, that can be added exactly before `carrySquares` is needed. */
export function squaresAtOnce(largest: number): number {
  const reach = Math.max(PART, largest / PART);
  return Math.max(1, Math.floor(2 ** 52 / reach ** 2));
}

/** Carries the large multiples of each part to the next one, so that more squares can be added exactly. */
export function carrySquares(parts: Float64Array, at: number): void {
  const rests = parts[at];
  const products = parts[at + 1];
  const multiples = parts[at + 2];
  // The square of a sum contains the product twice.
  const toProducts = Math.floor(rests / (2 * PART)) * PART;
  const toMultiples = Math.floor((products + toProducts) / (PART ** 2 / 2)) * (PART ** 2 / 2);
  const toHuge = Math.floor((multiples + 2 * toMultiples) / PART ** 3) * PART ** 3;
  parts[at] = rests - 2 * toProducts;
  parts[at + 1] = products + toProducts - toMultiples;
  parts[at + 2] = multiples + 2 * toMultiples - toHuge;
  parts[at + 3] += toHuge;
}

/** The sum of squares in the parts that begin at an index. */
export function squaresOf(parts: Float64Array, at: number): bigint {
  const [rests, products, multiples, huge] = [0, 1, 2, 3].map((part) => BigInt(parts[at + part]));
  return (rests ?? 0n) + 2n * (products ?? 0n) + (multiples ?? 0n) + (huge ?? 0n);
}

/**
 * The percentile of the values, from 0 to 100, interpolated between two ranks (Hyndman and Fan, type 7) as spreadsheets
 * do; null without values. The order of `values` may change.
 */
export function percentileOf(values: Float64Array, percent: number): number | null {
  return values.length === 0 ? null : valueAtRank(values, rankOf(values.length, percent));
}

/** The rank, from 0, of a percentile among `count` sorted values; a fraction is a position between two values. */
export function rankOf(count: number, percent: number): number {
  return ((count - 1) * percent) / 100;
}

/** The value at a rank among the sorted values, interpolated; the order of `values` may change. */
export function valueAtRank(values: Float64Array, rank: number): number {
  const below = Math.floor(rank);
  const { near, skipped } = values.length < MANY ? { near: values, skipped: 0 } : valuesNear(values, below);
  const low = selectRank(near, below - skipped);
  if (rank === below || below + 1 >= values.length) return low;
  // After `selectRank`, all larger values follow the selected one.
  let high = Number.POSITIVE_INFINITY;
  for (let i = below + 1 - skipped; i < near.length; i += 1) high = Math.min(high, near[i] ?? high);
  return low + (high - low) * (rank - below);
}

/** Number of values from which it is faster to narrow them down by counting first. */
const MANY = 2 ** 14;
/**
 * Number of size classes: the first 16 bits of a non-negative number after its sign (11 of the exponent, 5 of the
 * fraction) are its class.
 */
const SIZES = 2 ** 16;
/** The number of values in each size class: one array for all calls, because a new one takes longer than the counting. */
const counts = new Uint32Array(SIZES);

/**
 * The values whose size class contains those at a rank and the next one, and the number of smaller values that are left
 * out. It counts values by size class in two passes, and moves none of them.
 */
function valuesNear(
  values: Float64Array,
  rank: number,
): { readonly near: Float64Array; readonly skipped: number } {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  counts.fill(0);
  for (let i = 1; i < words.length; i += 2) {
    const size = words[i] >>> 15;
    counts[size] += 1;
  }
  const next = Math.min(rank + 1, values.length - 1);
  let [seen, first, last, skipped] = [0, -1, -1, 0];
  for (let size = 0; size < SIZES; size += 1) {
    const before = seen;
    seen += counts[size];
    if (first < 0 && rank < seen) [first, skipped] = [size, before];
    if (last < 0 && next < seen) last = size;
  }
  // Negative values were not counted.
  if (seen < values.length) return { near: values, skipped: 0 };
  let count = 0;
  for (let size = first; size <= last; size += 1) count += counts[size];
  const near = new Float64Array(count);
  for (let i = 0, at = 0; at < count; i += 1) {
    const size = words[2 * i + 1] >>> 15;
    if (size < first || size > last) continue;
    near[at] = values[i];
    at += 1;
  }
  return { near, skipped };
}

/** The statistics of durations (ms) that are spread over several lists. */
export function durationFigures(lists: readonly (readonly number[] | Float64Array)[]): DurationFigures {
  const count = lists.reduce((all, { length }) => all + length, 0);
  const values = new Float64Array(count);
  const sum = createSum();
  let at = 0;
  for (const list of lists) {
    values.set(list, at);
    at += list.length;
  }
  for (const value of values) sum.add(value);
  // The deviation is computed first, before `percentileOf` changes the order of values.
  const spread = deviation(values, 0, 'population');
  return {
    count,
    averageMs: count === 0 ? null : sum.total() / count,
    medianMs: percentileOf(values, 50),
    p85Ms: percentileOf(values, 85),
    deviationMs: spread,
  };
}

/** Rounds of quickselect per bit of the number of values; after that many, the remaining range is sorted. */
const ROUNDS_PER_BIT = 3;
const FEW = 24;

/**
 * The value at an index if the values were sorted, by quickselect; afterwards no value before it is larger, and none
 * after it is smaller.
 */
function selectRank(values: Float64Array, rank: number): number {
  let [left, right] = [0, values.length - 1];
  let rounds = ROUNDS_PER_BIT * Math.ceil(Math.log2(values.length + 1));
  while (right - left > FEW) {
    if (rounds === 0) break;
    rounds -= 1;
    const pivot = middleOfThree(values[left], values[(left + right) >>> 1], values[right]);
    let [low, high] = [left - 1, right + 1];
    for (;;) {
      do low += 1;
      while (values[low] < pivot);
      do high -= 1;
      while (values[high] > pivot);
      if (low >= high) break;
      const value = values[low];
      values[low] = values[high];
      values[high] = value;
    }
    if (rank <= high) right = high;
    else left = high + 1;
  }
  values.subarray(left, right + 1).sort();
  return values[rank];
}

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
