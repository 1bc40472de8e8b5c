import type { Statistic } from '../model/request.ts';
import { createSum, deviation, percentile } from './statistics.ts';

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
