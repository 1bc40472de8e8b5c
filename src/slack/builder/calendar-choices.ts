import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import type { Choice } from '../choice-options.ts';

/** Calendars by name; the built-in one says what it is. */
export function calendarChoices(calendars: readonly CalendarDefinition[]): readonly Choice[] {
  return calendars.map((one) => [
    one.id === null ? `${one.name} (every hour counts)` : one.name,
    calendarIdOf(one),
  ]);
}
