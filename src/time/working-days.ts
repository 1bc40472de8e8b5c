import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import { type CalendarDefinition, type WorkingTime, weekdays } from '../model/settings.ts';
import { type Calendar, calendarOf } from './calendar.ts';
import { weekdays as names } from './date-text.ts';
import { dayOf, firstInstantFrom, isWeekday, wallOf } from './wall-clock.ts';

const MAX_DAYS = 366;
const WORKING_DAYS = 5;
const [BEGIN_HOUR, END_HOUR] = [8, 18];

/**
 * True if a calendar has work on a day: the date that the clocks of `timeZone` show at an instant, as that date is in
 * the calendar's own zone. So Friday evening stays a Friday for a person whose calendar is of a zone where it is
 * Saturday already. The rest of a night shift is work too.
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
  for (let days = 1; days <= MAX_DAYS; days += 1) {
    const date = dateAt(at, timeZone) + days;
    const later = firstInstantFrom(wall + days * millisecondsInDay, timeZone);
    // A place that moved over the date line left out a whole day.
    if (dateAt(later, timeZone) === date && hasWork(calendar, date)) return later;
  }
  return null;
}

/** The same time of day a number of days later, however the clocks change in between. */
export function daysLater(days: number, at: Instant, timeZone: string): Instant {
  return firstInstantFrom(wallOf(at, timeZone) + days * millisecondsInDay, timeZone);
}

/** The same time of day a number of days from Monday to Friday later. */
export function weekdaysLater(count: number, at: Instant, timeZone: string): Instant {
  const wall = wallOf(at, timeZone);
  let days = 0;
  for (let left = count; left > 0; ) {
    days += 1;
    if (isWeekday(wall + days * millisecondsInDay)) left -= 1;
  }
  return daysLater(days, at, timeZone);
}

/**
 * True if people are at work: in the working hours of a calendar; with a 24/7 one from 8:00 to 18:00 on weekdays of the
 * zone, so that no one is woken.
 */
export function isAtWork(calendar: Calendar, timeZone: string, now: Instant): boolean {
  if (!calendar.continuous) return calendar.between(now, now + millisecondsInMinute) > 0;
  const wall = wallOf(now, timeZone);
  const hour = Math.floor((wall - dayOf(wall)) / millisecondsInHour);
  return isWeekday(wall) && hour >= BEGIN_HOUR && hour < END_HOUR;
}

/** Every hour from Monday to Friday, by the clocks of a zone. */
export function weekdayHours(timeZone: string): CalendarDefinition {
  return {
    id: null,
    name: 'weekdays',
    timeZone,
    workingTimes: weekdays
      .slice(0, WORKING_DAYS)
      .map((weekday) => ({ weekday, start: 0, end: millisecondsInDay })),
    holidays: [],
  };
}

/** Days since 1970 on the wall. */
function dateAt(at: Instant, timeZone: string): number {
  return Math.floor(wallOf(at, timeZone) / millisecondsInDay);
}

function hasWork({ timeZone, between }: Calendar, date: number): boolean {
  const midnight = (day: number) => firstInstantFrom(day * millisecondsInDay, timeZone);
  return between(midnight(date), midnight(date + 1)) > 0;
}

/** The working hours of a week: `Mon–Thu 09:00–17:00, Fri 09:00–15:00`. */
export function hoursText({ id, workingTimes }: Pick<CalendarDefinition, 'id' | 'workingTimes'>): string {
  if (id === null) return 'All hours of all days';
  const days = weekdays.map((weekday) => shiftsText(workingTimes.filter((one) => one.weekday === weekday)));
  const runs: { readonly first: number; readonly last: number; readonly shifts: string }[] = [];
  for (const [day, shifts] of days.entries()) {
    const open = runs.at(-1);
    if (open?.shifts === shifts) runs[runs.length - 1] = { ...open, last: day };
    else runs.push({ first: day, last: day, shifts });
  }
  return runs
    .filter(({ shifts }) => shifts !== '')
    .map(({ first, last, shifts }) => `${daysText(first, last)} ${shifts}`)
    .join(', ');
}

function daysText(first: number, last: number): string {
  const short = (day: number) => names[day]?.slice(0, 3) ?? '';
  return first === last ? short(first) : `${short(first)}–${short(last)}`;
}

function shiftsText(shifts: readonly WorkingTime[]): string {
  return shifts
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => `${timeText(start)}–${timeText(end)}`)
    .join(' and ');
}

/** A time of the wall clock to the minute; `24:00` is the end of the day. */
function timeText(ms: number): string {
  const minutes = Math.floor(ms / millisecondsInMinute);
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The name of a calendar in lists. */
export function calendarName({ id, name }: Pick<CalendarDefinition, 'id' | 'name'>): string {
  return id === null ? '24/7' : name;
}
