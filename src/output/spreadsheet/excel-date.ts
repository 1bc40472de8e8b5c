import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { readIsoDay } from '../../time/iso-dates.ts';
import { offsetAt } from '../../time/zones.ts';

/** Day 0 of the count, which holds a 29 February 1900 that never was: right from 1 March 1900, day 61, on. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST = Date.UTC(1900, 2, 1);
const END = Date.UTC(10000, 0, 1);

/**
 * The wall clock of an IANA zone as a serial number of Excel's 1900 system: days, with the time as a fraction. `unit`
 * (ms) is what the clock is cut to, since spreadsheets round where a Java pattern cuts. Null before 1 March 1900 and
 * after 9999.
 */
export function excelInstant(instant: Instant, timeZone: string, unit: number): number | null {
  return serial(Math.floor((instant + offsetAt(instant, timeZone)) / unit) * unit);
}

/** The serial number of a day written yyyy-MM-dd; null for any other text and outside of 1900-03-01 to 9999-12-31. */
export function excelDay(day: string): number | null {
  const at = readIsoDay(day);
  return at === null ? null : serial(at);
}

function serial(clock: number): number | null {
  return clock >= FIRST && clock < END ? (clock - DAY_ZERO) / millisecondsInDay : null;
}
