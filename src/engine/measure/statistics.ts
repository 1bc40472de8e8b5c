import type { DurationFigures } from '../../model/answer.ts';
import type { Statistic } from '../../model/request.ts';

/** The values of one column, taken one by one; only what the statistic needs of them is kept. */
export interface Amounts {
  add(value: number): void;
  /**
   * The figure for a group of `issues`; null where there is none. Average and standard deviation divide by the issues
   * with a value, or, asked so, by all issues, those without a value counting as zero. Sum, median and percentiles
   * look at values only.
   */
  condense(issues: number): number | null;
}

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

/** Which percentile a statistic is; null of one that is none. */
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
      if (percent !== null) return percentile(values, percent);
      return deviation(values, denominator === 'all' ? issues - values.length : 0, kind);
    },
  };
}

/** Neumaier's compensated sum: many long durations add up without losing their milliseconds. */
interface RunningSum {
  add(value: number): void;
  readonly total: () => number;
}

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
 * The standard deviation of these values and some zeros: of the population, or with Bessel's correction of a sample.
 * Null of too few. Of whole numbers it comes from exact sums, so that it is the same in whatever order they are added.
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

/** The sum of how far values are from another, or of the squares of that: as `createSum` adds, without a call for each. */
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

/** How many whole numbers there are, zeros included, and what they and their squares add up to. */
interface Moments {
  readonly count: number;
  readonly sum: bigint;
  readonly squares: bigint;
}

/** The standard deviation by exact sums; null of too few. */
export function deviationOf({ count, sum, squares }: Moments, kind: 'population' | 'sample'): number | null {
  const divisor = kind === 'sample' ? count - 1 : count;
  if (divisor < 1) return null;
  return Math.sqrt(Number(BigInt(count) * squares - sum * sum) / (count * divisor));
}

/** Null where a value is no whole number, or too large. */
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
 * Sums of squares of milliseconds are larger than a number holds exactly, so they are four: of a number in two parts, a
 * multiple of 2 ** 20 and the rest, the squares of the rests, the products of both, the squares of the multiples, and what of
 * these is carried to a multiple of 2 ** 60.
 */
export const SQUARE_PARTS = 4;
const PART = 2 ** 20;

/** What is added to it and subtracted again is a multiple of `PART`. */
const ROUNDING = 1.5 * 2 ** 72;

/** The largest whole number whose squares are added up exactly: of milliseconds a thousand years. */
export const MAX_SQUARED = 2 ** 45;

/** Adds the square of a whole number to the parts from an index on. */
export function addSquare(parts: Float64Array, at: number, value: number): void {
  const high = value + ROUNDING - ROUNDING;
  const low = value - high;
  parts[at] = (parts[at] ?? 0) + low * low;
  parts[at + 1] = (parts[at + 1] ?? 0) + low * high;
  parts[at + 2] = (parts[at + 2] ?? 0) + high * high;
}

/** How many squares of numbers up to a largest one are added without a loss before they have to be carried. */
export function squaresAtOnce(largest: number): number {
  const reach = Math.max(PART, largest / PART);
  return Math.max(1, Math.floor(2 ** 52 / reach ** 2));
}

/** Makes room for more squares: what is large goes to the next part. */
export function carrySquares(parts: Float64Array, at: number): void {
  const rests = parts[at] ?? 0;
  const products = parts[at + 1] ?? 0;
  const multiples = parts[at + 2] ?? 0;
  // Products count twice.
  const toProducts = Math.floor(rests / (2 * PART)) * PART;
  const toMultiples = Math.floor((products + toProducts) / (PART ** 2 / 2)) * (PART ** 2 / 2);
  const toHuge = Math.floor((multiples + 2 * toMultiples) / PART ** 3) * PART ** 3;
  parts[at] = rests - 2 * toProducts;
  parts[at + 1] = products + toProducts - toMultiples;
  parts[at + 2] = multiples + 2 * toMultiples - toHuge;
  parts[at + 3] = (parts[at + 3] ?? 0) + toHuge;
}

/** What the parts from an index on add up to. */
export function squaresOf(parts: Float64Array, at: number): bigint {
  const [rests, products, multiples, huge] = [0, 1, 2, 3].map((part) => BigInt(parts[at + part] ?? 0));
  return (rests ?? 0n) + 2n * (products ?? 0n) + (multiples ?? 0n) + (huge ?? 0n);
}

/**
 * The value below which `percent` per cent of the values lie; between two ranks it is interpolated (Hyndman and Fan,
 * type 7), as spreadsheets do. Null of no values.
 */
export function percentile(values: ArrayLike<number>, percent: number): number | null {
  return percentileOf(Float64Array.from(values), percent);
}

/** The same, without a copy: the values may change their order. */
export function percentileOf(values: Float64Array, percent: number): number | null {
  return values.length === 0 ? null : valueAtRank(values, rankOf(values.length, percent));
}

/** The rank of a percentile among so many values in their order, from 0 on; between two values it is a fraction. */
export function rankOf(count: number, percent: number): number {
  return ((count - 1) * percent) / 100;
}

/** The value at a rank; values may change their order. */
export function valueAtRank(values: Float64Array, rank: number): number {
  const below = Math.floor(rank);
  const { near, skipped } = values.length < MANY ? { near: values, skipped: 0 } : valuesNear(values, below);
  const low = selectRank(near, below - skipped);
  if (rank === below || below + 1 >= values.length) return low;
  // What is greater lies behind.
  let high = Number.POSITIVE_INFINITY;
  for (let i = below + 1 - skipped; i < near.length; i += 1) high = Math.min(high, near[i] ?? high);
  return low + (high - low) * (rank - below);
}

/** From so many values on it is worth counting them first. */
const MANY = 2 ** 14;
/** Of a number that is not negative the first bits, without the sign, are its size: eleven of exponent, five of fraction. */
const SIZES = 2 ** 16;

/**
 * Those of many values among which the ones at a rank and behind it are, and how many smaller ones are left out: found by
 * counting values of about the same size, which takes two looks at each and moves none.
 */
function valuesNear(
  values: Float64Array,
  rank: number,
): { readonly near: Float64Array; readonly skipped: number } {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  const counts = new Uint32Array(SIZES);
  for (let i = 1; i < words.length; i += 2) {
    const size = (words[i] ?? 0) >>> 15;
    counts[size] = (counts[size] ?? 0) + 1;
  }
  const next = Math.min(rank + 1, values.length - 1);
  let [seen, first, last, skipped] = [0, -1, -1, 0];
  for (let size = 0; size < SIZES; size += 1) {
    const before = seen;
    seen += counts[size] ?? 0;
    if (first < 0 && rank < seen) [first, skipped] = [size, before];
    if (last < 0 && next < seen) last = size;
  }
  // Negative ones were not counted.
  if (seen < values.length) return { near: values, skipped: 0 };
  let count = 0;
  for (let size = first; size <= last; size += 1) count += counts[size] ?? 0;
  const near = new Float64Array(count);
  for (let i = 0, at = 0; at < count; i += 1) {
    const size = (words[2 * i + 1] ?? 0) >>> 15;
    if (size < first || size > last) continue;
    near[at] = values[i] ?? 0;
    at += 1;
  }
  return { near, skipped };
}

/** The figures of some durations, which may lie in several lists. */
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
  // Before the values change their order.
  const spread = deviation(values, 0, 'population');
  return {
    count,
    averageMs: count === 0 ? null : sum.total() / count,
    medianMs: percentileOf(values, 50),
    p85Ms: percentileOf(values, 85),
    deviationMs: spread,
  };
}

/** So many rounds of halving are usual; what takes more is sorted. */
const ROUNDS_PER_BIT = 3;
const FEW = 24;

/** The value that would be at an index if the values were sorted; smaller ones lie before it then, greater ones behind. */
function selectRank(values: Float64Array, rank: number): number {
  let [left, right] = [0, values.length - 1];
  let rounds = ROUNDS_PER_BIT * Math.ceil(Math.log2(values.length + 1));
  while (right - left > FEW) {
    if (rounds === 0) break;
    rounds -= 1;
    const pivot = middleOfThree(values[left] ?? 0, values[(left + right) >>> 1] ?? 0, values[right] ?? 0);
    let [low, high] = [left - 1, right + 1];
    for (;;) {
      do low += 1;
      while ((values[low] ?? 0) < pivot);
      do high -= 1;
      while ((values[high] ?? 0) > pivot);
      if (low >= high) break;
      const value = values[low] ?? 0;
      values[low] = values[high] ?? 0;
      values[high] = value;
    }
    if (rank <= high) right = high;
    else left = high + 1;
  }
  values.subarray(left, right + 1).sort();
  return values[rank] ?? 0;
}

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
