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
  values: readonly number[],
  zeros: number,
  kind: 'population' | 'sample',
): number | null {
  const count = values.length + zeros;
  const divisor = kind === 'sample' ? count - 1 : count;
  if (divisor < 1) return null;
  const sum = createSum();
  for (const value of values) sum.add(value);
  const mean = sum.total() / count;
  const squares = createSum();
  for (const value of values) squares.add((value - mean) ** 2);
  return Math.sqrt((squares.total() + zeros * mean ** 2) / divisor);
}

/**
 * The value below which `percent` per cent of the values lie; between two ranks it is interpolated (Hyndman and Fan,
 * type 7), as spreadsheets do. Null of no values.
 */
export function percentile(values: readonly number[], percent: number): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = Math.floor(rank);
  const [low = 0, high = low] = [sorted[below], sorted[below + 1]];
  return low + (high - low) * (rank - below);
}
