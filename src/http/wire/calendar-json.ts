import { millisecondsInHour } from 'date-fns/constants';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarOf } from '../../time/calendar.ts';

/** A calendar on the wire. The built-in one is the default unless another is known to be. */
export function calendarJson(definition: CalendarDefinition, clientKey: string) {
  const { id, name, timeZone, workingTimes, holidays, isDefault = id === null } = definition;
  const { continuous, equalDays, dailyMs } = calendarOf(definition);
  return {
    id,
    clientKey,
    name,
    isDefault,
    timeZone,
    is7x24Calendar: continuous,
    allWorkingDaysHaveEqualLengths: equalDays,
    calendarSuccessfullyLoaded: true,
    dailyWorkingHours: dailyMs / millisecondsInHour,
    workingTimes,
    holidays,
  };
}
