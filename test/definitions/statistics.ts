import type { Statistic } from '../../src/model/request.ts';

/**
 * One figure for the values of a column. Average and standard deviation are of the issues with a value, or with the
 * denominator `all` of `zeros` more that count as 0; sum, median and percentiles are of the values alone. Null of too few.
 */
export function figureFor(values: readonly number[], zeros: number, statistic: Statistic): number | null {
  const { type, denominator, deviation, percentile } = statistic;
  if (values.length === 0) return null;
  const counted = denominator === 'all' ? [...values, ...Array.from({ length: zeros }, () => 0)] : values;
  switch (type) {
    case 'sum':
      return sum(values);
    case 'average':
      return sum(counted) / counted.length;
    case 'standardDeviation': {
      const mean = sum(counted) / counted.length;
      const squares = sum(counted.map((value) => (value - mean) ** 2));
      const divisor = deviation === 'population' ? counted.length : counted.length - 1;
      return divisor === 0 ? null : Math.sqrt(squares / divisor);
    }
    case 'median':
      return valueAtShare(values, 0.5);
    case 'percentile':
      return valueAtShare(values, percentile / 100);
  }
}

/** The value that a share of the values is below, interpolated between the two nearest (Hyndman and Fan, type 7). */
function valueAtShare(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const [below = 0, above = below] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return below + (above - below) * (rank - Math.floor(rank));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
