import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import { holidayCheck } from './holiday-check.ts';
import { weeklyShifts } from './weekly-shifts.ts';
import { instantOf, wallOf } from './zone.ts';

/** A stretch of working time. */
export interface Interval {
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * All working time between two instants, sorted and disjoint. Shifts belong to the local day they start on, and a
 * holiday removes those. They are joined on the wall clock, so where one ends within another nothing happens; the ends
 * of what is joined are wall times of their own days, so that a night is an hour shorter or longer when clocks change.
 */
export function shiftsBetween(definition: CalendarDefinition, from: Instant, until: Instant): Interval[] {
  const { timeZone } = definition;
  const intervals = wallShifts(definition, wallOf(from, timeZone), wallOf(until, timeZone)).flatMap(
    (wall) => {
      const start = Math.max(from, instantOf(wall.start, timeZone));
      const end = Math.min(until, instantOf(wall.end, timeZone));
      // Of a shift within the hour the clocks skip, the end may even come before the start.
      return start < end ? [{ start, end }] : [];
    },
  );
  return union(intervals.sort((a, b) => a.start - b.start));
}

/** The same on the wall clock, and some days around it. */
function wallShifts(definition: CalendarDefinition, from: number, until: number): Interval[] {
  const week = weeklyShifts(definition.workingTimes);
  const isHoliday = holidayCheck(definition.holidays);
  // A shift reaches two days, and the date of a place may have moved by one.
  const first = Math.floor(from / millisecondsInDay) - 3;
  const last = Math.floor(until / millisecondsInDay) + 3;
  const shifts: Interval[] = [];
  for (let day = first; day <= last; day += 1) {
    const own = week[weekdayOf(day)] ?? [];
    if (own.length === 0 || isHoliday(day)) continue;
    for (const { start, end } of own)
      shifts.push({ start: day * millisecondsInDay + start, end: day * millisecondsInDay + end });
  }
  return union(shifts);
}

/** 0 is Monday; the first day of the epoch was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Joins what overlaps or touches; `intervals` are sorted by their start. */
function union(intervals: readonly Interval[]): Interval[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of intervals) {
    const before = joined.at(-1);
    if (before !== undefined && start <= before.end) before.end = Math.max(before.end, end);
    else joined.push({ start, end });
  }
  return joined;
}
