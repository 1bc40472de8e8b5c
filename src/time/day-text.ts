import { tz } from '@date-fns/tz/tz';
import { millisecondsInDay } from 'date-fns/constants';
import { format } from 'date-fns/format';
import type { TypedDay } from './day-words.ts';
import { timeOfDayText } from './iso-dates.ts';
import { yearOf } from './wall-clock.ts';

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

/** Days that are nearer than this need no year. */
const NEAR_MS = 300 * millisecondsInDay;

/** A wall day: `Fri, Dec 24`, or without its weekday `Dec 24`; with the year where it is far from another wall time. */
export function nearDayText(day: number, near: number, weekday = true): string {
  const year = Math.abs(day - near) < NEAR_MS ? '' : ', y';
  return format(day, `${weekday ? 'EEE, ' : ''}MMM d${year}`, utc);
}

/** The time of day of a wall time: `2:00 PM`. */
export function hourText(wall: number): string {
  return format(wall, 'h:mm a', utc);
}
