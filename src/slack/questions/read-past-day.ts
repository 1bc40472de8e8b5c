import { millisecondsInDay } from 'date-fns/constants';
import { indexOfName, weekdayOf, weekdays } from '../days/day-names.ts';
import { readDay } from '../days/read-day.ts';

/** What `readPastDay` takes, for who typed something else. */
export const allowedPastDays = 'today, yesterday, monday (the last one), 3 days ago, 24 Dec, 2026-11-01';

/** 29 February may be as far away as that. */
const LEAP_CYCLE_YEARS = 8;

/** `24 Dec`, `24. dec` */
const yearless = /^\d{1,2}\.? [a-z]+$/;

/** A day that has been, counted back from `today` (a midnight of the wall clock), as such a midnight; null for other text. */
export function readPastDay(typed: string, today: number): number | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  if (text === 'yesterday') return today - millisecondsInDay;
  const [, count] = /^(\d{1,4}) days? ago$/.exec(text) ?? [];
  if (count !== undefined) return today - Number(count) * millisecondsInDay;
  const [, name = ''] = /^(?:last )?(\w+)$/.exec(text) ?? [];
  const weekday = indexOfName(weekdays, name);
  if (weekday >= 0)
    return today - millisecondsInDay * ((weekdayOf(today) - weekday + 7) % 7 || (text === name ? 0 : 7));
  if (yearless.test(text)) return dayOfMonth(text, today);
  if (!/^(today|\d{4}-.*|.* \d{4})$/.test(text)) return null;
  const read = readDay(text, today);
  return read === null || read.time !== null ? null : read.day;
}

/**
 * The other end of a span that begins on `first`: a day of the month without a year is the first such day at or after it,
 * and so is a weekday whose last one lies before it. Otherwise as `readPastDay`.
 */
export function readLastDay(typed: string, first: number, today: number): number | null {
  const read = readPastDay(typed, today);
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  const isWeekday = indexOfName(weekdays, text) >= 0 && read !== null && read < first;
  return isWeekday || yearless.test(text) ? (readDay(text, first)?.day ?? read) : read;
}

function dayOfMonth(text: string, today: number): number | null {
  const thisYear = new Date(today).getUTCFullYear();
  for (let year = thisYear; year >= thisYear - LEAP_CYCLE_YEARS; year -= 1) {
    const read = readDay(`${text} ${year}`, today);
    if (read !== null && read.time === null && read.day <= today) return read.day;
  }
  return null;
}
