import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { type HttpAnswer, isFinal, type NoAnswer, TOO_SLOW } from './send-once.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** Larger numbers are seconds since 1970, smaller ones are seconds from now on. */
const FIRST_EPOCH_SECOND = 1_000_000_000;

/** No service means longer, and instants much further off are no dates. */
const MAX_RETRY_AFTER_MS = 30 * millisecondsInDay;

/** The outcome of a try, and so the next step. */
export interface Judgement {
  /**
   * `final`: another try would not better it. `renew`: the credentials were refused, others may not be. `retry`: after a
   * pause of this request. `slowDown`: after a pause of every request to the endpoint.
   */
  readonly next: 'final' | 'renew' | 'retry' | 'slowDown';
  /** The most such outcomes in a row, the first included. */
  readonly tries?: number;
  /** The wait (ms) that the service asks for. */
  readonly waitMs?: number;
  /** `slowDown`: every endpoint pauses. */
  readonly everywhere?: boolean;
}

/** The retries of requests to services without a rate limit. */
export interface RetryPolicy {
  readonly tries: number;
  /** After these nothing was done, so that any request is sent again. */
  readonly statuses: readonly number[];
  /** After these only a request that changes nothing is sent again: a delegation must not be made twice. */
  readonly safeStatuses: readonly number[];
  /** A slow request may be quicker the next time. */
  readonly whenSlow: boolean;
  /** A longer wait than this makes the answer final. */
  readonly longestWaitMs: number;
}

/** Judges a try by a policy; `isSafe`: the request changes nothing. */
export function judgeByPolicy(
  outcome: HttpAnswer | NoAnswer,
  policy: RetryPolicy,
  { isSafe, now }: { readonly isSafe: boolean; readonly now: Instant },
): Judgement {
  const { tries } = policy;
  if (outcome.kind === 'none') {
    const isWorthIt = !outcome.sent || (isSafe && (policy.whenSlow || outcome.code !== TOO_SLOW));
    return isWorthIt && !isFinal(outcome) ? { next: 'retry', tries } : { next: 'final' };
  }
  const { status, headers } = outcome;
  const isWorthIt = policy.statuses.includes(status) || (isSafe && policy.safeStatuses.includes(status));
  const waitMs = retryAfterMs(headers, now) ?? 0;
  return isWorthIt && waitMs <= policy.longestWaitMs ? { next: 'retry', tries, waitMs } : { next: 'final' };
}

/**
 * The wait (ms) after a number of failures: twice as long each time, minus a random half of it, so that clients that
 * failed together do not come back together. `random` gives 0 to 1.
 */
export function backoffMs(failures: number, random: () => number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) * (1 - random() / 2);
}

/**
 * The wait (ms) that an answer asks for, by `Retry-After` (RFC 9110, 10.2.3: seconds or a date) or else by
 * `X-RateLimit-Reset`; null where it has neither. Dates are read on the clock of the server, where it sends it.
 */
export function retryAfterMs(headers: ReadonlyMap<string, string>, now: Instant): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  const there = Number.isNaN(date) ? now : date;
  return readDelay(headers.get('retry-after'), there) ?? readDelay(headers.get('x-ratelimit-reset'), there);
}

function readDelay(text: string | undefined, now: Instant): number | null {
  if (text === undefined) return null;
  const isNumber = /^\d+$/.test(text);
  if (isNumber && Number(text) < FIRST_EPOCH_SECOND) return Math.min(MAX_RETRY_AFTER_MS, Number(text) * 1000);
  const until = isNumber ? Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(until) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, until - now));
}
