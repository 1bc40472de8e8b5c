import type { DurationFigures } from '../model/answer.ts';
import type { Statistic } from '../model/request.ts';

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

function listedAmounts({ type, denominator, deviation: kind, percentile: percent }: Statistic): Amounts {
  const values: number[] = [];
  return {
    add: (value) => void values.push(value),
    condense(issues) {
      if (type === 'median') return percentile(values, 50);
      if (type === 'percentile') return percentile(values, percent);
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
 * Null of too few.
 */
export function deviation(
  values: ArrayLike<number>,
  zeros: number,
  kind: 'population' | 'sample',
): number | null {
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

/**
 * The value below which `percent` per cent of the values lie; between two ranks it is interpolated (Hyndman and Fan,
 * type 7), as spreadsheets do. Null of no values.
 */
export function percentile(values: ArrayLike<number>, percent: number): number | null {
  return percentileOf(Float64Array.from(values), percent);
}

/** The same, without a copy: the values may change their order. */
export function percentileOf(values: Float64Array, percent: number): number | null {
  if (values.length === 0) return null;
  const rank = ((values.length - 1) * percent) / 100;
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
    average: count === 0 ? null : sum.total() / count,
    median: percentileOf(values, 50),
    p85: percentileOf(values, 85),
    deviation: spread,
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
