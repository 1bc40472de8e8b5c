import { z } from 'zod';

/** The id of a calendar that is kept. */
export const calendarId = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'is not a calendar id. Try: a whole number' })
  .transform(Number)
  .meta({ type: 'integer', description: 'Id of the calendar.' });

/** The same, or `normalHours` (null), which has no id. */
export const anyCalendarId = z
  .string()
  .regex(/^(\d{1,15}|normalHours)$/i, {
    error: 'is not a calendar id. Try: a whole number, or normalHours',
  })
  .transform((text) => (/^\d/.test(text) ? Number(text) : null))
  .meta({ type: 'string', description: 'Id of the calendar, or normalHours.' });
