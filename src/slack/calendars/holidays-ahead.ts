import type { Holiday } from '../../model/settings.ts';
import { nextYearly } from '../../time/day-words.ts';
import { readIsoDay } from '../../time/iso-dates.ts';

/** A day without work: a midnight of the wall clock as if it were UTC, and what it is called. */
interface HolidayAhead {
  readonly day: number;
  readonly name: string;
}

/** The next holidays from `today` (a midnight of the wall clock) on, in order. */
export function holidaysAhead(
  holidays: readonly Holiday[],
  today: number,
  count: number,
): readonly HolidayAhead[] {
  return holidays
    .flatMap(({ name, date, recurring }) => {
      const day = recurring ? nextYearly(date, today) : readIsoDay(date);
      return day === null || day < today ? [] : [{ day, name }];
    })
    .toSorted((a, b) => a.day - b.day)
    .slice(0, count);
}
