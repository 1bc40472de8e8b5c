import { millisecondsInDay } from 'date-fns/constants';
import { dayInstant } from '../../output/day-instant.ts';
import { unitLengths } from '../../output/duration-text.ts';
import { indexOfName, months, weekdayOf, weekdays } from './day-names.ts';

/** A day, and the time of that day where one was named. Both are of the wall clock, in ms as if it were UTC. */
export interface TypedDay {
  readonly day: number;
  readonly time: number | null;
}

/** What `readDay` takes as a day, for who typed something else. */
export const allowedDates =
  '`today`, `tomorrow`, `friday` (the next one, today included), `next friday` (of next week), `in 3 days`, `24 Dec`, `24 Dec 2026`, `2026-12-24`';

/** The same with its time. */
export const allowedDays = `${allowedDates}, each with a time behind it if you like: \`2026-12-24 14:00\``;

const LEAP_CYCLE_YEARS = 8;

/** A day as people type it, counted from `today` (a midnight of the wall clock); null for anything else. */
export function readDay(typed: string, today: number): TypedDay | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, before, hour, minute] =
    /^(.*?\S)(?:(?: at)? |(?<=\d)t)([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const day = dayOf(before ?? text, today);
  if (day === null) return null;
  const time =
    hour === undefined ? null : Number(hour) * unitLengths.hours + Number(minute) * unitLengths.minutes;
  return { day, time };
}

function dayOf(text: string, today: number): number | null {
  if (text === 'today') return today;
  if (text === 'tomorrow') return today + millisecondsInDay;
  return dayInstant(text) ?? weekday(text, today) ?? daysAhead(text, today) ?? dayOfMonth(text, today);
}

/** The next one, today included; `next` is that of the next ISO week. */
function weekday(text: string, today: number): number | null {
  const [, next, name = ''] = /^(next )?(\w+)$/.exec(text) ?? [];
  const wanted = indexOfName(weekdays, name);
  if (wanted < 0) return null;
  const ahead = wanted - weekdayOf(today);
  return today + millisecondsInDay * (next === undefined ? (ahead + 7) % 7 : ahead + 7);
}

function daysAhead(text: string, today: number): number | null {
  const [, count] = /^in (\d{1,4}) days?$/.exec(text) ?? [];
  return count === undefined ? null : today + Number(count) * millisecondsInDay;
}

/** `24 Dec`, the next one, today included, or of the year named. */
function dayOfMonth(text: string, today: number): number | null {
  const [, date, name = '', year] = /^(\d{1,2})\.? ([a-z]+)(?: (\d{4}))?$/.exec(text) ?? [];
  const month = indexOfName(months, name);
  if (date === undefined || month < 0) return null;
  const inYear = (one: number) =>
    dayInstant(
      `${String(one).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}-${date.padStart(2, '0')}`,
    );
  if (year !== undefined) return inYear(Number(year));
  const thisYear = new Date(today).getUTCFullYear();
  // 29 February may be as far away as that.
  for (let one = thisYear; one <= thisYear + LEAP_CYCLE_YEARS; one += 1) {
    const day = inYear(one);
    if (day !== null && day >= today) return day;
  }
  return null;
}
