import { tz } from '@date-fns/tz/tz';
import { format } from 'date-fns/format';
import { shownDay, type TypedDay } from '../../time/day-words.ts';
import { timeOfDayText } from '../../time/iso-dates.ts';
import { yearOf } from '../../time/wall-clock.ts';

/** What `readDay` takes as a day, for who typed something else. */
const allowedDates =
  '`today`, `tomorrow`, `friday` (the next one, today included), `next friday` (of next week), `in 3 days`, `24 Dec`, `24 Dec 2026`, `2026-12-24`';

/** The same with its time. */
export const allowedDays = `${allowedDates}, each with a time behind it if you like: \`2026-12-24 14:00\``;

/** What `readDayOfWeek` takes. */
export const allowedDaysOfWeek = `\`this week\`, \`next week\`, \`last week\`, or a day of the week: ${allowedDates}`;

/** What `readPastDay` takes. */
export const allowedPastDays = 'today, yesterday, monday (the last one), 3 days ago, 24 Dec, 2026-11-01';

/** Wall times are written as if they were UTC. */
const utc = { in: tz('UTC') };

/** A wall day in full: `Friday 27 November 2026`. */
export function fullDayText(wall: number): string {
  return format(wall, 'EEEE d MMMM y', utc);
}

/** The same with its time, where it has one: `Friday 27 November 2026 at 14:00`. */
export function typedDayText({ day, time }: TypedDay): string {
  return time === null ? fullDayText(day) : `${fullDayText(day)} at ${timeOfDayText(time)}`;
}

/** A wall time in a narrow column: `Fri 27 Nov 14:00`; with its year where that is another than the usual. */
export function shortText(wall: number, usualYear: number): string {
  return format(wall, yearOf(wall) === usualYear ? 'EEE d MMM HH:mm' : 'EEE d MMM y HH:mm', utc);
}

/** What a question is about, in words: now, a day, or a time as the clocks of the zone show it. */
export function whenText(typed: TypedDay | null, today: number, timeZone: string): string {
  return typed === null ? `now (${fullDayText(today)})` : `on ${typedDayText(shownDay(typed, timeZone))}`;
}
