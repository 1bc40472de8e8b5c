import type { Instant } from '../model/issue.ts';
import type { TimePeriod } from '../model/request.ts';
import { type Period, periodAt } from './periods.ts';

/** The part of a span that lies in one period. */
export interface PeriodPart {
  readonly period: Period;
  readonly from: Instant;
  readonly until: Instant;
}

/** Cuts a span where periods begin. A span of 0 ms is one part of 0 ms, in the period it lies in. */
export function cutByPeriod(
  from: Instant,
  until: Instant,
  period: TimePeriod,
  timeZone: string,
): PeriodPart[] {
  const parts: PeriodPart[] = [];
  let at = from;
  do {
    const own = periodAt(at, period, timeZone);
    const end = Math.max(at, Math.min(until, own.end));
    parts.push({ period: own, from: at, until: end });
    at = end;
  } while (at < until);
  return parts;
}
