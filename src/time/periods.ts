import { tz } from '@date-fns/tz/tz';
import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { addQuarters } from 'date-fns/addQuarters';
import { addWeeks } from 'date-fns/addWeeks';
import { addYears } from 'date-fns/addYears';
import { millisecondsInDay, millisecondsInWeek } from 'date-fns/constants';
import { getISOWeeksInYear } from 'date-fns/getISOWeeksInYear';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfYear } from 'date-fns/startOfYear';
import type { Instant } from '../model/issue.ts';
import type { TimePeriod } from '../model/request.ts';
import { isoDay } from './date-text.ts';
import { dayOf, firstInstantFrom, wallOf } from './wall-clock.ts';

/** A day, week, month, quarter or year of a zone: from its first local midnight to the next period's. */
export interface Period {
  readonly id: string;
  readonly title: string;
  readonly start: Instant;
  readonly end: Instant;
}

/** A period on the wall clock. */
interface WallPeriod {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Wall times are computed as if they were UTC, so that the machine's zone and its changes play no part. */
const utc = { in: tz('UTC') };

/** The library's functions for the start of a period and for moving a time by a number of them. */
const units = {
  Day: { startOf: startOfDay, add: addDays },
  Week: { startOf: startOfISOWeek, add: addWeeks },
  Month: { startOf: startOfMonth, add: addMonths },
  Quarter: { startOf: startOfQuarter, add: addQuarters },
  Year: { startOf: startOfYear, add: addYears },
} as const;

/** The days remembered per kind of period: more than a century. */
const MAX_DAYS = 50_000;

/** The periods found so far by their wall days: the library takes a hundred times as long as the rest of a request. */
const found: Readonly<Record<TimePeriod, Map<number, WallPeriod>>> = {
  Day: new Map(),
  Week: new Map(),
  Month: new Map(),
  Quarter: new Map(),
  Year: new Map(),
};

/** The period an instant lies in. Weeks are those of ISO 8601: they begin on Monday and are numbered by their Thursday. */
export function periodAt(instant: Instant, period: TimePeriod, timeZone: string): Period {
  let wall = wallPeriod(dayOf(wallOf(instant, timeZone)), period);
  let end = firstInstantFrom(wall.end, timeZone);
  // Clocks put back over midnight show the evening before once more, when the new period has already begun.
  while (end <= instant) {
    wall = wallPeriod(wall.end, period);
    end = firstInstantFrom(wall.end, timeZone);
  }
  return { id: wall.id, title: wall.id, start: firstInstantFrom(wall.start, timeZone), end };
}

/** The period that is `back` periods before the one an instant lies in. */
export function periodBack(at: Instant, period: TimePeriod, timeZone: string, back: number): Period {
  let before = periodAt(at, period, timeZone);
  for (let i = 0; i < back; i += 1) before = periodAt(before.start - 1, period, timeZone);
  return before;
}

/** The Monday (a wall day) of an ISO week; null where the year has no such week. */
export function isoMonday(year: number, number: number): number | null {
  // The fourth of January is in the first week of its year.
  const monday = startOfPeriod(Date.UTC(year, 0, 4), 'Week') + (number - 1) * millisecondsInWeek;
  return idOf(monday, 'Week') === weekId(year, number) ? monday : null;
}

/** An ISO week by its year and number; null where the year has no such week. */
export function isoWeek(year: number, number: number, timeZone: string): Period | null {
  const monday = isoMonday(year, number);
  // The noon of a day exists in every zone.
  return monday === null
    ? null
    : periodAt(firstInstantFrom(monday + millisecondsInDay / 2, timeZone), 'Week', timeZone);
}

/** The id of the last ISO week of a year, such as 2026-W53. */
export function lastWeekOf(year: number): string {
  return weekId(year, getISOWeeksInYear(Date.UTC(year, 6), utc));
}

/** The wall time at which the period of a wall time begins. */
export function startOfPeriod(wall: number, period: TimePeriod): number {
  return units[period].startOf(wall, utc).getTime();
}

/** A wall time moved by a number of periods; the last day of a shorter month stands for those it lacks. */
export function addPeriods(wall: number, period: TimePeriod, count: number): number {
  return units[period].add(wall, count, utc).getTime();
}

function wallPeriod(day: number, period: TimePeriod): WallPeriod {
  const periods = found[period];
  const known = periods.get(day);
  if (known !== undefined) return known;
  const start = startOfPeriod(day, period);
  const wall = { id: idOf(start, period), start, end: addPeriods(start, period, 1) };
  if (periods.size >= MAX_DAYS) periods.clear();
  for (let one = start; one < wall.end; one += millisecondsInDay) periods.set(one, wall);
  return wall;
}

function idOf(start: number, period: TimePeriod): string {
  const [day, year] = [isoDay(start), new Date(start).getUTCFullYear()];
  switch (period) {
    case 'Day':
      return day;
    case 'Week': {
      const thursday = start + 3 * millisecondsInDay;
      const week = Math.floor((thursday - startOfPeriod(thursday, 'Year')) / millisecondsInWeek) + 1;
      return weekId(new Date(thursday).getUTCFullYear(), week);
    }
    case 'Month':
      return day.slice(0, -'-01'.length);
    case 'Quarter':
      return `${year}-Q${Math.floor(new Date(start).getUTCMonth() / 3) + 1}`;
    case 'Year':
      return String(year);
  }
}

function weekId(year: number, week: number): string {
  return `${year}-W${String(week).padStart(2, '0')}`;
}
