import { months, weekdayOf, weekdays } from './day-names.ts';
import type { TypedDay } from './read-day.ts';

/** A day (midnight as if it were UTC) in full: `Friday 27 November 2026`. */
export function dayText(day: number): string {
  const at = new Date(day);
  return `${weekdays[weekdayOf(day)]} ${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** The same with its time, where it has one: `Friday 27 November 2026 at 14:00`. */
export function typedDayText({ day, time }: TypedDay): string {
  return time === null ? dayText(day) : `${dayText(day)} at ${new Date(time).toISOString().slice(11, 16)}`;
}

/** A wall clock's time in a narrow column: `Fri 27 Nov 14:00`; with its year where that is another than the usual. */
export function shortText(wall: number, usualYear: number): string {
  const at = new Date(wall);
  const weekday = weekdays[weekdayOf(wall)]?.slice(0, 3);
  const month = months[at.getUTCMonth()]?.slice(0, 3);
  const year = yearOf(wall) === usualYear ? '' : ` ${yearOf(wall)}`;
  return `${weekday} ${at.getUTCDate()} ${month}${year} ${at.toISOString().slice(11, 16)}`;
}

/** The year a wall clock shows. */
export function yearOf(wall: number): number {
  return new Date(wall).getUTCFullYear();
}
