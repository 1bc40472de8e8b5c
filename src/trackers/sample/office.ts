import type { Holiday } from '../../model/settings.ts';
import { berlinHolidays, type HolidaysOfYear, newYorkHolidays } from './public-holidays.ts';

/** One stretch of work on one weekday; minutes count from local midnight. */
export interface Shift {
  /** ISO weekday: 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
  readonly from: number;
  readonly until: number;
}

/** Where people sit, and so when they work. */
export interface Office {
  readonly name: string;
  readonly timeZone: string;
  readonly shifts: readonly Shift[];
  /** Days without work in the office's zone, in order. */
  readonly holidays: readonly Holiday[];
}

export type OfficeName = 'Berlin' | 'New York';

export const officeZones: Readonly<Record<OfficeName, string>> = {
  Berlin: 'Europe/Berlin',
  'New York': 'America/New_York',
};

/** Both offices, with the holidays of the years from `firstYear` to `lastYear`, both included. */
export function createOffices(firstYear: number, lastYear: number): Readonly<Record<OfficeName, Office>> {
  return {
    Berlin: {
      name: 'Berlin',
      timeZone: officeZones.Berlin,
      shifts: week(
        [
          [540, 750],
          [795, 1050],
        ],
        [
          [540, 750],
          [795, 960],
        ],
      ),
      holidays: ofYears(firstYear, lastYear, berlinHolidays),
    },
    'New York': {
      name: 'New York',
      timeZone: officeZones['New York'],
      shifts: week(
        [
          [600, 765],
          [810, 1110],
        ],
        [
          [600, 765],
          [810, 1080],
        ],
      ),
      holidays: ofYears(firstYear, lastYear, newYorkHolidays),
    },
  };
}

type Hours = readonly (readonly [from: number, until: number])[];

function week(toThursday: Hours, friday: Hours): Shift[] {
  return [1, 2, 3, 4, 5].flatMap((weekday) =>
    (weekday === 5 ? friday : toThursday).map(([from, until]) => ({ weekday, from, until })),
  );
}

function ofYears(first: number, last: number, holidays: HolidaysOfYear): Holiday[] {
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return years.flatMap((year) => holidays(year).toSorted((a, b) => (a.date < b.date ? -1 : 1)));
}
