import { millisecondsInDay } from 'date-fns/constants';
import type { Holiday } from '../model/settings.ts';

/**
 * Tells whether a day, counted from 1970-01-01, is a holiday. A recurring one is kept every year, before its date as
 * well; one on February 29 in leap years only.
 */
export function holidayCheck(holidays: readonly Holiday[]): (day: number) => boolean {
  const single = new Set(
    holidays.filter(({ recurring }) => !recurring).map(({ date }) => Date.parse(date) / millisecondsInDay),
  );
  const yearly = new Set(
    holidays.filter(({ recurring }) => recurring).map(({ date }) => yearDay(new Date(date))),
  );
  return (day) =>
    single.has(day) || (yearly.size > 0 && yearly.has(yearDay(new Date(day * millisecondsInDay))));
}

function yearDay(date: Date): number {
  return date.getUTCMonth() * 31 + date.getUTCDate();
}
