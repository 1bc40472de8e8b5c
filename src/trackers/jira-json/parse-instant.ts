import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { readInstant } from '../../time/date-text.ts';

/** The furthest instant from 1970 that a date can hold, either way. */
const FURTHEST_MS = 8.64e15;

/** Numbers below are seconds: as milliseconds they would be before March 1973, and as seconds they reach to 5138. */
const SECONDS_BELOW = 1e11;

/**
 * Jira's instants: text with an offset, which may lack its colon (`+0000`), or a number of epoch milliseconds, or of
 * seconds, as the bulk changelog sends them. Null for anything else, a day or a time of day that does not exist included.
 */
export function parseInstant(value: unknown): Instant | null {
  if (typeof value === 'number') {
    const ms = Math.abs(value) < SECONDS_BELOW ? value * 1000 : value;
    return Math.abs(ms) <= FURTHEST_MS ? Math.trunc(ms) : null;
  }
  if (typeof value !== 'string') return null;
  // Jira writes no blanks.
  return usualInstant(value) ?? (value.includes(' ') ? null : (readInstant(value)?.instant ?? null));
}

const LENGTH = '2021-08-27T05:45:36.123+0000'.length;
const UTC_LENGTH = '2021-08-27T05:45:36.123Z'.length;
const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const daysBefore = daysInMonth.map((_, month) =>
  daysInMonth.slice(0, month).reduce((sum, days) => sum + days, 0),
);

/**
 * The way in which Jira writes nearly all of them, read without a pattern: an import reads some fifty an issue. Null for
 * any other way, and for what may not exist.
 */
function usualInstant(text: string): Instant | null {
  if (
    (text.length !== LENGTH && text.length !== UTC_LENGTH) ||
    text[4] !== '-' ||
    text[7] !== '-' ||
    text[10] !== 'T' ||
    text[13] !== ':' ||
    text[16] !== ':' ||
    text[19] !== '.'
  ) {
    return null;
  }
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const ms = digits(text, 20, 23);
  const ahead = aheadOf(text);
  // A character that is no digit makes the sum NaN, and every comparison with NaN is false.
  const isTime = hour < 24 && minute < 60 && second < 60 && ms >= 0;
  const isDay = year >= 1 && month >= 1 && day >= 1 && day <= (daysInMonth[month - 1] ?? 0);
  if (!isTime || !isDay || Number.isNaN(ahead)) return null;
  const leapDays = leapYearsBefore(month > 2 ? year + 1 : year) - leapYearsBefore(1970);
  const days = (year - 1970) * 365 + leapDays + (daysBefore[month - 1] ?? 0) + day - 1;
  const minutes = hour * 60 + minute - ahead;
  return days * millisecondsInDay + minutes * millisecondsInMinute + second * 1000 + ms;
}

/** Minutes the clock of a usual instant is ahead of UTC; NaN where the offset has no usual form. */
function aheadOf(text: string): number {
  const sign = text[23];
  if (text.length === UTC_LENGTH) return sign === 'Z' ? 0 : Number.NaN;
  const hours = digits(text, 24, 26);
  const minutes = digits(text, 26, 28);
  if (!(hours < 24 && minutes < 60)) return Number.NaN;
  if (sign === '+') return hours * 60 + minutes;
  return sign === '-' ? -hours * 60 - minutes : Number.NaN;
}

function leapYearsBefore(year: number): number {
  const last = year - 1;
  return Math.floor(last / 4) - Math.floor(last / 100) + Math.floor(last / 400);
}

/** NaN where there is anything but digits. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let i = from; i < to; i += 1) {
    const digit = text.charCodeAt(i) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}
