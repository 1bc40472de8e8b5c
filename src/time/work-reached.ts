import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { firstWhere } from './bisect.ts';
import type { Calendar } from './calendar.ts';

/** A calendar that has no work for a century has none. */
const MAX_SPAN_MS = 36_525 * millisecondsInDay;

/**
 * The first instant by which `ms` of working time have passed since another one, which it is itself where `ms` is 0 or less;
 * null where that takes more than a century.
 */
export function workedBy({ between }: Calendar, since: Instant, ms: number): Instant | null {
  if (ms <= 0) return since;
  const span = spanWith((length) => between(since, since + length) >= ms);
  return span === null ? null : firstWhere(since, since + span, (at) => between(since, at) >= ms);
}

/**
 * The first instant from which on no more than `ms` of working time have passed until another one; null where these took
 * more than a century.
 */
export function workedSince({ between }: Calendar, until: Instant, ms: number): Instant | null {
  const span = spanWith((length) => between(until - length, until) > ms);
  return span === null ? null : firstWhere(until - span, until, (at) => between(at, until) <= ms);
}

/** A span (ms) that is long enough, at most twice the shortest one of at least a day; null where a century is not. */
function spanWith(isEnough: (length: number) => boolean): number | null {
  for (let length = millisecondsInDay; length <= MAX_SPAN_MS; length *= 2)
    if (isEnough(length)) return length;
  return null;
}
