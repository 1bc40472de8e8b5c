import type { Statistic } from '../../../model/request.ts';
import { averageRule, percentileRule } from './rules.ts';

/** How a statistic makes one figure of the values of many issues. */
export function statisticRule({ type, denominator, deviation, percentile }: Statistic): string {
  const zeros =
    denominator === 'all' ? ' Issues without a value count as zero, but for those nobody can tell of.' : '';
  switch (type) {
    case 'sum':
      return 'It is their sum.';
    case 'average':
      return `${averageRule}${zeros}`;
    case 'median':
      return percentileRule(50);
    case 'percentile':
      return percentileRule(percentile);
    case 'standardDeviation':
      return `It is their standard deviation, ${deviation === 'sample' ? 'of a sample: divided by one less than how many they are' : 'of the whole population'}.${zeros}`;
  }
}
