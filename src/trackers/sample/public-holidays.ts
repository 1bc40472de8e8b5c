import { millisecondsInDay } from 'date-fns/constants';
import type { Holiday } from '../../model/settings.ts';

/** Days of one year on which an office is closed, in the office's own zone. */
export type HolidaysOfYear = (year: number) => readonly Holiday[];

export const berlinHolidays: HolidaysOfYear = (year) => {
  const easter = easterSunday(year);
  return [
    holiday('New Year', date(year, 1, 1)),
    holiday("Women's Day", date(year, 3, 8)),
    holiday('Good Friday', shifted(easter, -2)),
    holiday('Easter Monday', shifted(easter, 1)),
    holiday('Labour Day', date(year, 5, 1)),
    holiday('Ascension Day', shifted(easter, 39)),
    holiday('Whit Monday', shifted(easter, 50)),
    holiday('German Unity Day', date(year, 10, 3)),
    holiday('Christmas Day', date(year, 12, 25)),
    holiday("St Stephen's Day", date(year, 12, 26)),
  ];
};

export const newYorkHolidays: HolidaysOfYear = (year) => [
  holiday('New Year', date(year, 1, 1)),
  holiday('Martin Luther King Jr. Day', monday(year, 1, 15)),
  holiday("Washington's Birthday", monday(year, 2, 15)),
  holiday('Memorial Day', monday(year, 5, 25)),
  holiday('Juneteenth', date(year, 6, 19)),
  holiday('Independence Day', date(year, 7, 4)),
  holiday('Labor Day', monday(year, 9, 1)),
  holiday('Thanksgiving', thanksgiving(year)),
  holiday('Day after Thanksgiving', shifted(thanksgiving(year), 1)),
  holiday('Christmas Eve', date(year, 12, 24)),
  holiday('Christmas Day', date(year, 12, 25)),
];

/** Told for each year anew, for most of them move. */
function holiday(name: string, on: string): Holiday {
  return { name, date: on, recurring: false };
}

function date(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

function shifted(from: string, days: number): string {
  return new Date(Date.parse(from) + days * millisecondsInDay).toISOString().slice(0, 10);
}

/** The first Monday on or after a day of a month. */
function monday(year: number, month: number, earliest: number): string {
  const weekday = new Date(Date.UTC(year, month - 1, earliest)).getUTCDay();
  return date(year, month, earliest + ((8 - weekday) % 7));
}

/** Three days after the Monday that lies between 19 and 25 November: the fourth Thursday. */
function thanksgiving(year: number): string {
  return shifted(monday(year, 11, 19), 3);
}

/** The anonymous Gregorian computation, as printed by Meeus. */
function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const leapless = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - leapless + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const dayOfMarch = epact + toSunday - 7 * late + 22;
  return date(year, 3, dayOfMarch);
}
