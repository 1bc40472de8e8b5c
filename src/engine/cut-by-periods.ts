import type { Instant } from '../model/issue.ts';
import type { Period } from '../time/periods.ts';

/** The part of a span that lies in one period. */
interface PeriodPiece {
  readonly period: Period;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * A span cut where periods begin; `periods` adjoin each other and reach over the span. A span of 0 ms lies in the
 * period that begins last at or before it.
 */
export function cutByPeriods(start: Instant, end: Instant, periods: readonly Period[]): PeriodPiece[] {
  const pieces: PeriodPiece[] = [];
  for (let at = lastBeginningBy(start, periods); ; at += 1) {
    const period = periods[at];
    if (period === undefined || (pieces.length > 0 && period.start >= end)) return pieces;
    pieces.push({ period, start: Math.max(start, period.start), end: Math.min(end, period.end) });
  }
}

function lastBeginningBy(instant: Instant, periods: readonly Period[]): number {
  let [low, high] = [0, periods.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((periods[middle]?.start ?? 0) <= instant) low = middle;
    else high = middle - 1;
  }
  return low;
}
