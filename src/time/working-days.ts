import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import { type Calendar, calendarOf } from './calendar.ts';
import { firstInstantFrom, wallOf } from './wall-clock.ts';

const FURTHEST_DAYS = 366;

/**
 * Whether a calendar has work on a day: the date that the clocks of `timeZone` show at an instant, as that date is in
 * the calendar's own zone. So Friday evening stays a Friday for somebody whose calendar is kept where it is Saturday
 * already. The rest of a night shift is work too.
 */
export function isWorkingDay(definition: CalendarDefinition, at: Instant, timeZone: string): boolean {
  return hasWork(calendarOf(definition), dateAt(at, timeZone));
}

/**
 * The same time of day on the first later working day, at most 366 days on; null when none is. A time that the clocks
 * skip on that day is the first instant after the gap, of one that comes twice the first is meant.
 */
export function nextWorkingDay(
  definition: CalendarDefinition,
  at: Instant,
  timeZone: string,
): Instant | null {
  const calendar = calendarOf(definition);
  const wall = wallOf(at, timeZone);
  for (let days = 1; days <= FURTHEST_DAYS; days += 1) {
    const date = dateAt(at, timeZone) + days;
    const later = firstInstantFrom(wall + days * millisecondsInDay, timeZone);
    // A place that moved over the date line left out a whole day.
    if (dateAt(later, timeZone) === date && hasWork(calendar, date)) return later;
  }
  return null;
}

/** Days since 1970 on the wall. */
function dateAt(at: Instant, timeZone: string): number {
  return Math.floor(wallOf(at, timeZone) / millisecondsInDay);
}

function hasWork({ timeZone, between }: Calendar, date: number): boolean {
  const midnight = (day: number) => firstInstantFrom(day * millisecondsInDay, timeZone);
  return between(midnight(date), midnight(date + 1)) > 0;
}
