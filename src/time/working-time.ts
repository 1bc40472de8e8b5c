import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
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

/** Working time, in ms, from the beginning of a compiled stretch up to an instant within it. */
export type WorkIndex = (instant: Instant) => number;

/** Sizes of cells: nearly all shifts begin and end on a quarter of an hour, and nearly all offsets are quarters. */
const CELLS_MS = [15 * millisecondsInMinute, 5 * millisecondsInMinute, millisecondsInMinute];
/** 8 MB: sixty years of quarters, four of minutes. */
const MAX_CELLS = 2 ** 21;
const BUCKET_MS = 12 * millisecondsInHour;

/** An index of sorted, disjoint intervals from one midnight UTC until another: a grid where they fit one, else buckets. */
export function indexWork(intervals: readonly Interval[], from: Instant, until: Instant): WorkIndex {
  const grid = gridOf(intervals, from, until);
  return grid === null ? bucketIndex(intervals, from, until) : gridIndex(grid);
}

/**
 * Working time as plain numbers, for loops over many instants: in the cell `c = floor((instant − from) / cellMs)` it is
 * `before[c] × cellMs + (before[c + 1] − before[c]) × (instant − from − c × cellMs)`.
 */
export interface WorkGrid {
  readonly from: Instant;
  readonly until: Instant;
  readonly cellMs: number;
  /** Working cells before each cell. */
  readonly before: Uint32Array;
}

/** The grid of sorted, disjoint intervals from one midnight UTC until another; null where they do not fit one. */
export function gridOf(intervals: readonly Interval[], from: Instant, until: Instant): WorkGrid | null {
  const fits = (cell: number) =>
    (until - from) / cell <= MAX_CELLS &&
    intervals.every(({ start, end }) => start % cell === 0 && end % cell === 0);
  const cellMs = CELLS_MS.find(fits);
  return cellMs === undefined
    ? null
    : { from, until, cellMs, before: countCells(intervals, from, until, cellMs) };
}

/** A cell is work as a whole or not at all, so within it time passes like the clock or stands still: two reads and no search. */
function gridIndex({ from, cellMs, before }: WorkGrid): WorkIndex {
  return (instant) => {
    const passed = instant - from;
    const cell = Math.floor(passed / cellMs);
    const done = before[cell] ?? 0;
    const working = (before[cell + 1] ?? 0) - done;
    return done * cellMs + working * (passed - cell * cellMs);
  };
}

/** The working cells before each cell; `from`, `until` and the intervals begin and end with cells. */
function countCells(
  intervals: readonly Interval[],
  from: Instant,
  until: Instant,
  cellMs: number,
): Uint32Array {
  const cells = (until - from) / cellMs;
  // One more than boundaries, so that the end itself has a cell to lie in.
  const before = new Uint32Array(cells + 2);
  let at = 0;
  let worked = 0;
  for (const { start, end } of intervals) {
    const [first, last] = [(start - from) / cellMs, (end - from) / cellMs];
    before.fill(worked, at, first + 1);
    for (let cell = first; cell < last; cell += 1) {
      worked += 1;
      before[cell + 1] = worked;
    }
    at = last + 1;
  }
  before.fill(worked, at);
  return before;
}

/**
 * Adds up the working time before each interval and notes, for every half day, which interval began last by then; from
 * there it is a step or two to the interval an instant lies in or behind.
 */
function bucketIndex(intervals: readonly Interval[], from: Instant, until: Instant): WorkIndex {
  // An interval of no length comes first, so that every instant has one before it.
  const all = [{ start: from, end: from }, ...intervals];
  const starts = Float64Array.from(all, ({ start }) => start);
  const ends = Float64Array.from(all, ({ end }) => end);
  const before = new Float64Array(all.length);
  for (let i = 1; i < all.length; i += 1) {
    before[i] = (before[i - 1] ?? 0) + (ends[i - 1] ?? 0) - (starts[i - 1] ?? 0);
  }
  const latest = new Uint32Array(Math.floor((until - from) / BUCKET_MS) + 1);
  let last = 0;
  for (let bucket = 0; bucket < latest.length; bucket += 1) {
    while ((starts[last + 1] ?? until) < from + bucket * BUCKET_MS) last += 1;
    latest[bucket] = last;
  }
  return (instant) => {
    let i = latest[Math.floor((instant - from) / BUCKET_MS)] ?? 0;
    while ((starts[i + 1] ?? Number.POSITIVE_INFINITY) <= instant) i += 1;
    const start = starts[i] ?? 0;
    return (before[i] ?? 0) + Math.min(instant, ends[i] ?? 0) - start;
  };
}
