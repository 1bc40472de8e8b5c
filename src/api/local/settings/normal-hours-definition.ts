import { millisecondsInDay } from 'date-fns/constants';
import { type CalendarDefinition, weekdays } from '../../../model/settings.ts';

/** The built-in calendar as it is shown: every hour of every day counts. */
export const normalHoursDefinition: CalendarDefinition = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  workingTimes: weekdays.map((weekday) => ({ weekday, start: 0, end: millisecondsInDay })),
  holidays: [],
};
