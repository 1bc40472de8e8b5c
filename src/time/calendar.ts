import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import type { CalendarDefinition, WorkingTime } from '../model/settings.ts';
import type { CalendarFacts } from '../model/table.ts';
import { firstWhere } from './bisect.ts';
import {
  gridOf,
  indexWork,
  shiftsBetween,
  type WorkGrid,
  type WorkIndex,
  weeklyShifts,
} from './working-time.ts';
import { CYCLE_MS, EARLIEST, foldCycles, LATEST } from './zones.ts';

/** The hours that count as work. `between` is in ms, exact, and additive over adjoining spans. */
export interface Calendar extends CalendarFacts {
  between(from: Instant, until: Instant): number;
}

/** The built-in calendar, 24/7: every millisecond of every day counts. */
export const normalHours: Calendar = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  dailyMs: millisecondsInDay,
  equalDays: true,
  continuous: true,
  between: (from, until) => Math.max(0, until - from),
};

/** A compiled calendar takes a few megabytes. */
const MAX_CALENDARS = 32;
const MAX_YEAR_MS = 366 * millisecondsInDay;

const compiled = new Map<string, Calendar>();

/** The calendar of a definition, compiled once for as long as it is in use; a changed definition is another one. */
export function calendarOf(definition: CalendarDefinition): Calendar {
  const key = JSON.stringify(definition);
  const calendar = compiled.get(key) ?? compileCalendar(definition);
  // The calendar is put last again: the first in the map is the one not used for the longest.
  compiled.delete(key);
  compiled.set(key, calendar);
  const [oldest] = compiled.keys();
  if (compiled.size > MAX_CALENDARS && oldest !== undefined) compiled.delete(oldest);
  return calendar;
}

/**
 * Compiles a definition for the years of the first span, and for more when a span has others. Working time costs two
 * reads of an index, however long its span.
 */
export function compileCalendar(definition: CalendarDefinition): Calendar {
  const { id, name, timeZone, holidays } = definition;
  const { wholeWeek, ...day } = businessDay(definition.workingTimes);
  const continuous = wholeWeek && holidays.length === 0;
  const between = continuous ? (from: Instant, until: Instant) => until - from : counter(definition);
  return {
    id,
    name,
    timeZone,
    ...day,
    continuous,
    between: (from, until) => (from < until ? between(from, until) : 0),
  };
}

function counter(definition: CalendarDefinition): (from: Instant, until: Instant) => number {
  // Nothing is covered yet: from the epoch to the epoch.
  let [start, end] = [0, 0];
  let index: WorkIndex = () => 0;
  const cover = (from: Instant, until: Instant): void => {
    if (from >= start && until <= end) return;
    const fresh = start === end;
    // Some years more than needed, so that a history that grows is not compiled for each of its days.
    const more = Math.max(MAX_YEAR_MS, (end - start) / 4);
    const low = fresh || from < start ? from - more : start;
    const high = fresh || until > end ? until + more : end;
    start = Math.max(EARLIEST, Math.floor(low / millisecondsInDay) * millisecondsInDay);
    end = Math.min(LATEST, Math.ceil(high / millisecondsInDay) * millisecondsInDay);
    index = indexWork(shiftsBetween(definition, start, end), start, end);
  };
  return (from, until) => {
    if (from < EARLIEST || until > LATEST) {
      cover(EARLIEST, LATEST);
      return farAway(index, until) - farAway(index, from);
    }
    cover(from, until);
    return index(until) - index(from);
  };
}

/**
 * The working time of a definition from one instant until another, and some time around them, as plain numbers; null
 * where they do not fit a grid.
 */
export function workGrid(definition: CalendarDefinition, from: Instant, until: Instant): WorkGrid | null {
  if (from < EARLIEST || until > LATEST) return null;
  const start = Math.max(EARLIEST, Math.floor((from - MAX_YEAR_MS) / millisecondsInDay) * millisecondsInDay);
  const end = Math.min(LATEST, Math.ceil((until + MAX_YEAR_MS) / millisecondsInDay) * millisecondsInDay);
  return gridOf(shiftsBetween(definition, start, end), start, end);
}

/** The index continued before and after the centuries it covers, by repeating its first or last four. */
function farAway(index: WorkIndex, instant: Instant): number {
  const { at, cycles } = foldCycles(instant);
  const edge = cycles < 0 ? EARLIEST : LATEST - CYCLE_MS;
  return index(at) + cycles * (index(edge + CYCLE_MS) - index(edge));
}

/** The length of a business day on the wall clock. */
interface BusinessDay {
  /** Ms; the mean where working days differ. */
  readonly dailyMs: number;
  readonly equalDays: boolean;
  /** All seven days are business days of 24 hours. */
  readonly wholeWeek: boolean;
}

/**
 * The length of the days on which shifts start. A shift that runs into the next day belongs to the day it starts, and
 * overlapping time is counted once, for the shift that started first.
 */
function businessDay(workingTimes: readonly WorkingTime[]): BusinessDay {
  const lengths = dayLengths(workingTimes);
  const working = lengths.filter((length) => length > 0);
  const sum = working.reduce((total, length) => total + length, 0);
  return {
    dailyMs: working.length === 0 ? 0 : Math.round(sum / working.length),
    equalDays: working.every((length) => length === working[0]),
    wholeWeek: sum === 7 * millisecondsInDay,
  };
}

/** The facts about a calendar's days that the length of a day follows from. */
interface CalendarDays extends Pick<BusinessDay, 'dailyMs'> {
  /** It is 24/7. */
  readonly continuous: boolean;
}

/**
 * The length in ms of a day where durations are written in days: 24 hours, or a working day of the calendar, which is the
 * mean of its working days, so that a shorter Friday does not turn days into hours. Without a working day nothing counts,
 * whatever a day is.
 */
export function dayLengthMs(
  { continuous, dailyMs }: CalendarDays,
  dayLength: '24HourDays' | 'businessDays',
): number {
  if (dayLength === '24HourDays' || continuous) return millisecondsInDay;
  return dailyMs > 0 ? dailyMs : millisecondsInDay;
}

/** The working time of each weekday in ms: of the second of two weeks, so that Monday has what Sunday left running. */
function dayLengths(workingTimes: readonly WorkingTime[]): number[] {
  const week = weeklyShifts(workingTimes);
  let covered = 0;
  return [...week, ...week]
    .map((shifts, day) => {
      let length = 0;
      for (const shift of shifts) {
        const [start, end] = [day * millisecondsInDay + shift.start, day * millisecondsInDay + shift.end];
        length += Math.max(0, end - Math.max(start, covered));
        covered = Math.max(covered, end);
      }
      return length;
    })
    .slice(7);
}

/** A calendar that has no work for a century has none. */
const MAX_SPAN_MS = 36_525 * millisecondsInDay;

/**
 * The first instant by which `ms` of working time have passed since another one, which it is itself where `ms` is 0 or less;
 * null where that takes more than a century.
 */
export function workedBy({ between }: Calendar, since: Instant, ms: number): Instant | null {
  if (ms <= 0) return since;
  const span = spanWith((length) => between(since, since + length) >= ms);
  return span === null ? null : firstWhere(since, since + span, (at) => between(since, at) >= ms);
}

/**
 * The first instant from which on no more than `ms` of working time have passed until another one; null where these took
 * more than a century.
 */
export function workedSince({ between }: Calendar, until: Instant, ms: number): Instant | null {
  const span = spanWith((length) => between(until - length, until) > ms);
  return span === null ? null : firstWhere(until - span, until, (at) => between(at, until) <= ms);
}

/** A span (ms) that is long enough, at most twice the shortest one of at least a day; null where a century is not. */
function spanWith(isEnough: (length: number) => boolean): number | null {
  for (let length = millisecondsInDay; length <= MAX_SPAN_MS; length *= 2)
    if (isEnough(length)) return length;
  return null;
}
