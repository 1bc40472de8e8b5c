import { tzOffset } from '@date-fns/tz';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Holiday } from '../../model/settings.ts';
import { type OfficeName, officeSeeds } from './seed-data.ts';

/** A half-open stretch of time. */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
}

/** Where people sit, and so when they work; holidays are days in its own zone, in order. */
export type Office = Omit<(typeof officeSeeds)[OfficeName], 'holidays'> & {
  readonly name: string;
  readonly holidays: readonly Holiday[];
};

export type Offices = Readonly<Record<OfficeName, Office>>;

/** Both offices, with the holidays of the years from `firstYear` to `lastYear`, both included. */
export function createOffices(firstYear: number, lastYear: number): Offices {
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, i) => firstYear + i);
  const create = (name: OfficeName): Office => {
    const { holidays, ...seed } = officeSeeds[name];
    const inYear = (year: number) =>
      holidays
        .map((one) => ({ name: one.name, date: isoDate(holidayIn(year, one)), recurring: false }))
        .sort((a, b) => (a.date < b.date ? -1 : 1));
    return { name, ...seed, holidays: years.flatMap(inYear) };
  };
  return { Berlin: create('Berlin'), 'New York': create('New York') };
}

/** The UTC midnight of the date a holiday falls on. */
function holidayIn(year: number, one: (typeof officeSeeds)[OfficeName]['holidays'][number]): Instant {
  if ('easter' in one) return easterSunday(year) + one.easter * millisecondsInDay;
  if ('day' in one) return Date.UTC(year, one.month - 1, one.day);
  const earliest = Date.UTC(year, one.month - 1, one.mondayFrom);
  return earliest + (((8 - isoWeekday(earliest)) % 7) + one.plus) * millisecondsInDay;
}

/** The anonymous Gregorian computation, as printed by Meeus. */
function easterSunday(year: number): Instant {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const leapless = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - leapless + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  return Date.UTC(year, 2, epact + toSunday - 7 * late + 22);
}

/** The office's working hours between two UTC midnights, in order. */
export function officeHours({ holidays, timeZone, shifts }: Office, from: Instant, until: Instant): Span[] {
  const closed = new Set(holidays.map(({ date }) => Date.parse(date)));
  const spans: Span[] = [];
  for (let day = from; day < until; day += millisecondsInDay) {
    if (closed.has(day)) continue;
    const midnight = localMidnight(timeZone, day);
    for (const shift of shifts) {
      if (shift.weekday !== isoWeekday(day)) continue;
      const at = (minutes: number) => midnight + minutes * millisecondsInMinute;
      spans.push({ from: at(shift.from), until: at(shift.until) });
    }
  }
  return spans;
}

/**
 * Where the local day of this date would begin, going by the offset at noon: clocks change at night, and nobody here
 * works across a change.
 */
export function localMidnight(timeZone: string, day: Instant): Instant {
  return day - tzOffset(timeZone, new Date(day + millisecondsInDay / 2)) * millisecondsInMinute;
}

/** 1 is Monday, 7 is Sunday; `day` is a UTC midnight. */
export const isoWeekday = (day: Instant): number => new Date(day).getUTCDay() || 7;

/** The UTC date of an instant, such as 2026-11-23. */
export const isoDate = (at: Instant): string => new Date(at).toISOString().slice(0, 10);

/** One person's own working time, absences left out. */
export interface Clock {
  /** When `work` milliseconds of working time have passed since an instant; Infinity beyond the known time. */
  after(from: Instant, work: number): Instant;
  /** The working milliseconds between two instants. */
  between(from: Instant, until: Instant): number;
  /** The end of the last working stretch that is over at an instant; -Infinity when there is none. */
  lastEnd(at: Instant): Instant;
}

/** Compiles ordered spans into a clock; with running sums every question is one binary search. */
export function createClock(spans: readonly Span[]): Clock {
  const starts = spans.map(({ from }) => from);
  const ends = spans.map(({ until }) => until);
  const worked = [0];
  for (const { from, until } of spans) worked.push((worked.at(-1) ?? 0) + until - from);
  const workedUntil = (at: Instant): number => {
    const i = countBelow(starts, at) - 1;
    return i < 0 ? 0 : (worked[i] ?? 0) + Math.min(at, ends[i] ?? 0) - (starts[i] ?? 0);
  };
  return {
    after: (from, work) => {
      const target = workedUntil(from) + Math.max(work, 1);
      const i = countBelow(worked, target) - 1;
      const start = starts[i];
      return start === undefined ? Infinity : start + target - (worked[i] ?? 0);
    },
    between: (from, until) => workedUntil(until) - workedUntil(from),
    lastEnd: (at) => ends[countBelow(ends, at + 1) - 1] ?? -Infinity,
  };
}

/** How many of the ascending values are below a limit. */
function countBelow(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
