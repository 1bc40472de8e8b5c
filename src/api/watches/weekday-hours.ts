import { millisecondsInDay } from 'date-fns/constants';
import { type CalendarDefinition, weekdays } from '../../model/settings.ts';

const WORKING_DAYS = 5;

/** Every hour from Monday to Friday, by the clocks of a zone. */
export function weekdayHours(timeZone: string): CalendarDefinition {
  return {
    id: null,
    name: 'weekdays',
    timeZone,
    workingTimes: weekdays
      .slice(0, WORKING_DAYS)
      .map((weekday) => ({ weekday, start: 0, end: millisecondsInDay })),
    holidays: [],
  };
}
