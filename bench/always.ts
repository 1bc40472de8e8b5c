import type { CalendarDefinition } from '../src/model/settings.ts';

/** The built-in calendar, in which every hour counts. */
export const always: CalendarDefinition = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  workingTimes: [],
  holidays: [],
};
