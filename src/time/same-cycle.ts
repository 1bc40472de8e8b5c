import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';

/** 400 years, after which the Gregorian calendar repeats with its weekdays, and with it every rule made of them. */
export const CYCLE_MS = 146_097 * millisecondsInDay;

/**
 * The twelve centuries that stand for all others: before 1800 every zone has its local mean time, and from 2200 on the
 * last rule it has.
 */
export const EARLIEST: Instant = Date.UTC(1400, 0);
export const LATEST: Instant = Date.UTC(2600, 0);

/** An instant as one of those centuries that is alike, and how many cycles it was moved: 0 within them. */
export function foldCycles(instant: Instant): { readonly at: Instant; readonly cycles: number } {
  const over = instant < EARLIEST ? instant - EARLIEST : Math.max(0, instant - LATEST);
  const cycles = over === 0 ? 0 : over < 0 ? Math.floor(over / CYCLE_MS) : Math.ceil(over / CYCLE_MS);
  return { at: instant - cycles * CYCLE_MS, cycles };
}
