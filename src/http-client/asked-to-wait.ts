import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';

/** Larger numbers are seconds since 1970, smaller ones are seconds from now on. */
const FIRST_EPOCH_SECOND = 1_000_000_000;

/** Nobody means longer, and instants much further off are no dates. */
const LONGEST_WISH_MS = 30 * millisecondsInDay;

/**
 * How many ms the answer asks us to wait, by `Retry-After` (RFC 9110, 10.2.3: seconds or a date) or else by
 * `X-RateLimit-Reset`; null where it does not say. Dates are read on the clock of the server, where it tells it.
 */
export function askedToWait(headers: ReadonlyMap<string, string>, now: Instant): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  const there = Number.isNaN(date) ? now : date;
  return (
    readWish(headers.get('retry-after'), there) ?? readWish(headers.get('x-ratelimit-reset'), there) ?? null
  );
}

function readWish(text: string | undefined, now: Instant): number | null {
  if (text === undefined) return null;
  const isNumber = /^\d+$/.test(text);
  if (isNumber && Number(text) < FIRST_EPOCH_SECOND) return Math.min(LONGEST_WISH_MS, Number(text) * 1000);
  const until = isNumber ? Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(until) ? null : Math.min(LONGEST_WISH_MS, Math.max(0, until - now));
}
