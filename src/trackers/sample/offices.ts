import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { type WorkingTime, weekdays } from '../../model/settings.ts';
import { weekdayOf } from '../../time/wall-clock.ts';

/** Returns the UTC midnight of a holiday of a year. */
type HolidayRule = (year: number) => Instant;

const fixed =
  (month: number, day: number): HolidayRule =>
  (year) =>
    Date.UTC(year, month - 1, day);

/** The first Monday on or after a day of the year, and `plus` days. */
const monday =
  (month: number, day: number, plus = 0): HolidayRule =>
  (year) => {
    const first = Date.UTC(year, month - 1, day);
    return first + (((7 - weekdayOf(first)) % 7) + plus) * millisecondsInDay;
  };

/** A number of days after Easter Sunday, by Oudin's rules, which count from March 28. */
const easter =
  (plus: number): HolidayRule =>
  (year) => {
    const century = Math.floor(year / 100);
    const leapless = century - Math.floor(century / 4);
    const moon = (leapless - Math.floor((8 * century + 13) / 25) + 19 * (year % 19) + 15) % 30;
    const full = moon - (moon === 29 || (moon === 28 && year % 19 > 10) ? 1 : 0);
    const sunday = full - ((year + Math.floor(year / 4) + full + 2 - leapless) % 7);
    return Date.UTC(year, 2, 28 + sunday + plus);
  };

const christmas = fixed(12, 25);
const ofBerlin: Readonly<Record<string, HolidayRule>> = {
  'New Year': fixed(1, 1),
  "Women's Day": fixed(3, 8),
  'Good Friday': easter(-2),
  'Easter Monday': easter(1),
  'Labour Day': fixed(5, 1),
  'Ascension Day': easter(39),
  'Whit Monday': easter(50),
  'German Unity Day': fixed(10, 3),
  'Christmas Day': christmas,
  "St Stephen's Day": fixed(12, 26),
};
const ofNewYork: Readonly<Record<string, HolidayRule>> = {
  'New Year': fixed(1, 1),
  'Martin Luther King Jr. Day': monday(1, 15),
  "Washington's Birthday": monday(2, 15),
  'Memorial Day': monday(5, 25),
  Juneteenth: fixed(6, 19),
  'Independence Day': fixed(7, 4),
  'Labor Day': monday(9, 1),
  Thanksgiving: monday(11, 19, 3),
  'Day after Thanksgiving': monday(11, 19, 4),
  'Christmas Eve': fixed(12, 24),
  'Christmas Day': christmas,
};

/** Hours after midnight; `until` is the end of a day, on Fridays `friday`. */
interface Day {
  readonly from: number;
  readonly pause?: readonly [start: number, end: number];
  readonly until: number;
  readonly friday: number;
}

/** The shifts of a week from Monday to Friday. */
function week({ from, pause, until, friday }: Day): WorkingTime[] {
  return weekdays.slice(0, 5).flatMap((weekday) => {
    const hours = [from, ...(pause ?? []), weekday === 'FRIDAY' ? friday : until];
    const [start = 0, end = 0, ...second] = hours.map((hour) => hour * millisecondsInHour);
    const [again, close] = second;
    const first = { weekday, start, end };
    return again === undefined || close === undefined
      ? [first]
      : [first, { weekday, start: again, end: close }];
  });
}

/** The offices of the company, each with its calendar; the service desk is in Berlin. */
export const offices = {
  Berlin: {
    id: 1,
    name: 'Berlin',
    timeZone: 'Europe/Berlin',
    workingTimes: week({ from: 9, pause: [12.5, 13.25], until: 17.5, friday: 16 }),
    holidays: ofBerlin,
  },
  'New York': {
    id: 2,
    name: 'New York',
    timeZone: 'America/New_York',
    workingTimes: week({ from: 10, pause: [12.75, 13.5], until: 18.5, friday: 18 }),
    holidays: ofNewYork,
  },
  'Service desk': {
    id: 3,
    name: 'Service desk',
    timeZone: 'Europe/Berlin',
    workingTimes: week({ from: 7, until: 19, friday: 19 }),
    holidays: ofBerlin,
  },
};

export type OfficeName = keyof typeof offices;
