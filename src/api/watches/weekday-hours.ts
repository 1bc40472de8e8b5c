import { type CalendarDefinition, weekdays } from '../../model/settings.ts';

const DAY_MS = 86_400_000;
const WORKING_DAYS = 5;

/** Every hour from Monday to Friday, by the clocks of a zone. */
export function weekdayHours(timeZone: string): CalendarDefinition {
  return {
    id: null,
    name: 'weekdays',
    timeZone,
    workingTimes: weekdays.slice(0, WORKING_DAYS).map((weekday) => ({ weekday, start: 0, end: DAY_MS })),
    holidays: [],
  };
}
