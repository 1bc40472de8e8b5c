import { badRequest } from '../../model/error.ts';
import type { AggregationType, Statistic } from '../../model/request.ts';

/** What `readStatistic` takes. */
export const allowedStatistics = 'average, median, sum, p85 (any percentile), standard deviation, list';

const names: ReadonlyMap<string, AggregationType> = new Map([
  ['average', 'average'],
  ['mean', 'average'],
  ['median', 'median'],
  ['sum', 'sum'],
  ['total', 'sum'],
  ['spread', 'standardDeviation'],
  ['deviation', 'standardDeviation'],
  ['standard deviation', 'standardDeviation'],
]);

/** Those of one word that are no percentile. */
export const statisticWords = ['average', 'mean', 'median', 'sum', 'total', 'deviation', 'list'];

/** What an average of a filter's issues is made of where nothing is said. */
export const defaultStatistic: Statistic = {
  type: 'average',
  denominator: 'nonNull',
  deviation: 'population',
  percentile: 85,
};

/** A statistic in words, or that none is wanted; null for any other text. */
export function readStatistic(words: readonly string[]): Statistic | 'list' | null {
  const text = words.join(' ').toLowerCase();
  if (text === 'list') return 'list';
  const type = names.get(text);
  if (type !== undefined) return { ...defaultStatistic, type };
  const [, short, before, after] =
    /^(?:p(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)(?:st|nd|rd|th)? percentile|percentile (\d+(?:\.\d+)?))$/.exec(
      text,
    ) ?? [];
  const written = short ?? before ?? after;
  if (written === undefined) return null;
  const percentile = Number(written);
  if (percentile > 100) throw badRequest(`"${text}" isn't a percentile. Try: p0 to p100.`);
  return { ...defaultStatistic, type: 'percentile', percentile };
}
