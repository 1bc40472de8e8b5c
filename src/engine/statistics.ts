import type { Statistic } from '../model/request.ts';

/**
 * One figure for a column of values, of a group of `issues`; null where there is none.
 *
 * Average: arithmetic mean. Standard deviation: of the population, or with Bessel's correction of the sample. Both
 * divide by the issues with a value, or, asked so, by all issues, those without a value counting as zero. Median and
 * percentiles look at values only; between two ranks a percentile is interpolated (Hyndman and Fan, type 7).
 */
export function condense(values: readonly number[], issues: number, statistic: Statistic): number | null {
  const zeros = statistic.denominator === 'all' ? issues - values.length : 0;
  const count = values.length + zeros;
  switch (statistic.type) {
    case 'sum':
      return values.length === 0 ? null : exactSum(values);
    case 'average':
      return count === 0 ? null : exactSum(values) / count;
    case 'standardDeviation':
      return deviation(values, zeros, statistic.deviation);
    case 'median':
      return percentile(values, 50);
    case 'percentile':
      return percentile(values, statistic.percentile);
  }
}

/** Neumaier's compensated sum: many long durations add up without losing their milliseconds. */
export function exactSum(values: readonly number[]): number {
  let [sum, lost] = [0, 0];
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

function deviation(values: readonly number[], zeros: number, kind: Statistic['deviation']): number | null {
  const count = values.length + zeros;
  const divisor = kind === 'sample' ? count - 1 : count;
  if (divisor < 1) return null;
  const mean = exactSum(values) / count;
  const squares = exactSum(values.map((value) => (value - mean) ** 2)) + zeros * mean ** 2;
  return Math.sqrt(squares / divisor);
}

/** The value below which `percent` per cent of the values lie; null of none. */
export function percentile(values: readonly number[], percent: number): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = Math.floor(rank);
  const [low = 0, high = low] = [sorted[below], sorted[below + 1]];
  return low + (high - low) * (rank - below);
}
