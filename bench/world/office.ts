import { millisecondsInHour } from 'date-fns/constants';
import type { CalendarInput } from '../../src/model/settings.ts';

/** A working week of two shifts a day, Friday a shorter one, and two holidays that come every year. */
export const office: CalendarInput = {
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const).flatMap((weekday) => [
    { weekday, start: 9 * millisecondsInHour, end: 12.5 * millisecondsInHour },
    {
      weekday,
      start: 13.25 * millisecondsInHour,
      end: (weekday === 'FRIDAY' ? 16 : 17.75) * millisecondsInHour,
    },
  ]),
  holidays: [
    { name: 'New Year', date: '2026-01-01', recurring: true },
    { name: 'Christmas', date: '2026-12-25', recurring: true },
  ],
};
