import type { CalendarDefinition } from '../model/settings.ts';
import type { Calendar } from './calendar.ts';
import { compileCalendar } from './compile-calendar.ts';

/** A few megabytes each. */
const MOST_CALENDARS = 32;

const compiled = new Map<string, Calendar>();

/** The calendar behind a definition, compiled once for as long as it is in use; a changed definition is another one. */
export function calendarOf(definition: CalendarDefinition): Calendar {
  const key = JSON.stringify(definition);
  const calendar = compiled.get(key) ?? compileCalendar(definition);
  // Put last again: the first in the map is the one not asked for the longest.
  compiled.delete(key);
  compiled.set(key, calendar);
  const [oldest] = compiled.keys();
  if (compiled.size > MOST_CALENDARS && oldest !== undefined) compiled.delete(oldest);
  return calendar;
}
