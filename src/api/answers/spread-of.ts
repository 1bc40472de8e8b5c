import { createSum, deviation, percentile } from '../../engine/statistics.ts';
import type { DurationFigures } from '../../model/answer.ts';

/** The figures of some durations (working ms). */
export function spreadOf(durations: readonly number[]): DurationFigures {
  const count = durations.length;
  const sum = createSum();
  for (const ms of durations) sum.add(ms);
  return {
    count,
    average: count === 0 ? null : sum.total() / count,
    median: percentile(durations, 50),
    p85: percentile(durations, 85),
    deviation: deviation(durations, 0, 'population'),
  };
}
