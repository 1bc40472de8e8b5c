import type { Holiday } from '../../model/settings.ts';
import { dayInstant } from '../../output/day-instant.ts';

/** A day without work: a midnight of the wall clock as if it were UTC, and what it is called. */
export interface HolidayAhead {
  readonly day: number;
  readonly name: string;
}

/** 29 February comes again after at most so many years. */
const LEAP_CYCLE_YEARS = 8;

/** The next holidays from `today` (a midnight of the wall clock) on, in order. */
export function holidaysAhead(
  holidays: readonly Holiday[],
  today: number,
  count: number,
): readonly HolidayAhead[] {
  return holidays
    .flatMap(({ name, date, recurring }) => {
      const day = recurring ? nextYearly(date, today) : dayInstant(date);
      return day === null || day < today ? [] : [{ day, name }];
    })
    .toSorted((a, b) => a.day - b.day)
    .slice(0, count);
}

function nextYearly(date: string, today: number): number | null {
  const thisYear = new Date(today).getUTCFullYear();
  for (let year = thisYear; year <= thisYear + LEAP_CYCLE_YEARS; year += 1) {
    const day = dayInstant(`${String(year).padStart(4, '0')}${date.slice(4)}`);
    if (day !== null && day >= today) return day;
  }
  return null;
}
