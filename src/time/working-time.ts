import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { type CalendarDefinition, type Holiday, type WorkingTime, weekdays } from '../model/settings.ts';
import { instantOf, isSkippedDay, wallOf, weekdayOf } from './wall-clock.ts';

/** A stretch of working time. */
export interface Interval {
  readonly start: Instant;
  readonly end: Instant;
}

/** A shift in ms after the midnight of the day it belongs to; the end of a night shift is more than a day. */
interface WallShift {
  readonly start: number;
  readonly end: number;
}

/**
 * All working time between two instants, sorted and disjoint. Shifts belong to the local day they start on, and a
 * holiday removes those, as does a date that the place skipped. They are joined on the wall clock, so the end of one
 * within another has no effect; both ends of a joined stretch are wall times of their own days, so that a night is an
 * hour shorter or longer when clocks change.
 */
export function shiftsBetween(definition: CalendarDefinition, from: Instant, until: Instant): Interval[] {
  const { timeZone } = definition;
  const intervals = wallShifts(definition, wallOf(from, timeZone), wallOf(until, timeZone)).flatMap(
    (wall) => {
      const start = Math.max(from, instantOf(wall.start, timeZone));
      const end = Math.min(until, instantOf(wall.end, timeZone));
      // The end may even come before the start in a shift within the hour that the clocks skip.
      return start < end ? [{ start, end }] : [];
    },
  );
  return union(intervals.sort((a, b) => a.start - b.start));
}

/** The working time between two wall times and some days around them, on the wall clock. */
function wallShifts(definition: CalendarDefinition, from: number, until: number): Interval[] {
  const week = weeklyShifts(definition.workingTimes);
  const isHoliday = holidayCheck(definition.holidays);
  // A shift reaches two days, and the date of a place may have moved by one.
  const first = Math.floor(from / millisecondsInDay) - 3;
  const last = Math.floor(until / millisecondsInDay) + 3;
  const shifts: Interval[] = [];
  for (let date = first; date <= last; date += 1) {
    const day = date * millisecondsInDay;
    const own = week[weekdayOf(day)] ?? [];
    if (own.length === 0 || isHoliday(day) || isSkippedDay(day, definition.timeZone)) continue;
    for (const { start, end } of own) shifts.push({ start: day + start, end: day + end });
  }
  return union(shifts);
}

/** The shifts that start on each day, Monday first, in the order they start. A shift of no length is a whole day. */
export function weeklyShifts(workingTimes: readonly WorkingTime[]): WallShift[][] {
  return weekdays.map((day) =>
    workingTimes
      .filter(({ weekday }) => weekday === day)
      .map(({ start, end }) => ({ start, end: end > start ? end : end + millisecondsInDay }))
      .sort((a, b) => a.start - b.start),
  );
}

/**
 * Makes a test that is true for a wall day that is a holiday. A recurring one is kept every year, before its date as
 * well; one on February 29 in leap years only.
 */
function holidayCheck(holidays: readonly Holiday[]): (day: number) => boolean {
  const single = new Set(holidays.filter(({ recurring }) => !recurring).map(({ date }) => Date.parse(date)));
  const yearly = new Set(
    holidays.filter(({ recurring }) => recurring).map(({ date }) => yearDay(new Date(date))),
  );
  return (day) => single.has(day) || (yearly.size > 0 && yearly.has(yearDay(new Date(day))));
}

function yearDay(date: Date): number {
  return date.getUTCMonth() * 31 + date.getUTCDate();
}

/** Joins intervals that overlap or touch; they are sorted by their start. */
function union(intervals: readonly Interval[]): Interval[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of intervals) {
    const before = joined.at(-1);
    if (before !== undefined && start <= before.end) before.end = Math.max(before.end, end);
    else joined.push({ start, end });
  }
  return joined;
}
