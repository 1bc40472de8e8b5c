import type { Statistic } from '../../model/request.ts';
import { numberText } from '../../output/duration-text.ts';

/** What a figure of a statistic is, to follow it: `2d 3h on average`. */
export function afterFigure({ type, denominator, percentile }: Statistic): string {
  switch (type) {
    case 'average':
      return denominator === 'all' ? ' on average over all issues' : ' on average';
    case 'sum':
      return ' in all';
    case 'median':
      return ' at the median (half took less)';
    case 'standardDeviation':
      return ' standard deviation';
    case 'percentile':
      return ` or less in ${numberText(percentile)} % of the issues`;
  }
}

/** The same as the title of a column. */
export function figureTitle({ type, percentile }: Statistic): string {
  switch (type) {
    case 'average':
      return 'Average';
    case 'sum':
      return 'In all';
    case 'median':
      return 'Median';
    case 'standardDeviation':
      return 'Spread';
    case 'percentile':
      return `${numberText(percentile)} % within`;
  }
}
