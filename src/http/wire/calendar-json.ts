import { calendarOf } from '../../calendar/calendar-of.ts';
import type { CalendarDefinition } from '../../model/settings.ts';

/** A calendar on the wire. The built-in one, which reports take unless told otherwise, is the default. */
export function calendarJson(definition: CalendarDefinition, clientKey: string) {
  const { id, name, timeZone, workingTimes, holidays } = definition;
  const { continuous, equalDays, dailyMs } = calendarOf(definition);
  return {
    id,
    clientKey,
    name,
    isDefault: id === null,
    timeZone,
    is7x24Calendar: continuous,
    allWorkingDaysHaveEqualLengths: equalDays,
    calendarSuccessfullyLoaded: true,
    dailyWorkingHours: dailyMs / 3_600_000,
    workingTimes,
    holidays,
  };
}
