import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { CalendarDefinition, WorkingTime } from '../../src/model/settings.ts';

const office: readonly WorkingTime['weekday'][] = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'];

/** Milliseconds after midnight of `9:30`. */
function timeOfDay(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return hour * millisecondsInHour + minute * millisecondsInMinute;
}

/** Shifts like `22:00-06:00` on each of some days. */
export function shifts(times: readonly string[], days = office): WorkingTime[] {
  return days.flatMap((weekday) =>
    times.map((time) => {
      const [start = '', end = ''] = time.split('-');
      return { weekday, start: timeOfDay(start), end: timeOfDay(end) };
    }),
  );
}

/** A calendar of Berlin, nine to five without holidays where nothing else is said. */
export function aCalendar(parts: Partial<CalendarDefinition> = {}): CalendarDefinition {
  return {
    id: 7,
    name: 'Office',
    timeZone: 'Europe/Berlin',
    workingTimes: shifts(['9:00-17:00']),
    holidays: [],
    ...parts,
  };
}
