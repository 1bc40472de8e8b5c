import { percentile } from '../../../engine/statistics.ts';
import type { DwellPercentile } from '../../../model/answer.ts';

/** How far back visits tell what is usual. */
export const USUAL_DAYS = 90;

/** Which percentile of the visits that ended is called usual. */
export const USUAL_PERCENT = 85;

/** Of fewer visits nobody can tell what is usual. */
export const FEWEST_VISITS = 5;

/** What is usual where visits of these lengths (working ms) ended; null of too few. */
export function usualStay(durations: readonly number[]): DwellPercentile | null {
  if (durations.length < FEWEST_VISITS) return null;
  const p85 = percentile(durations, USUAL_PERCENT);
  return p85 === null ? null : { p85, visits: durations.length, days: USUAL_DAYS };
}
