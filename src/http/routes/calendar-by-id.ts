import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { defineRoute } from '../define-route.ts';
import { anyCalendarId } from '../parameters/calendar-id.ts';
import { calendarJson } from '../wire/calendar-json.ts';
import { calendarSchema } from '../wire/calendar-schema.ts';

/** One calendar. */
export const calendarById = defineRoute({
  methods: ['get'],
  paths: ['/rest/calendars/:id', '/rest/calendar/:id'],
  guarded: true,
  section: 'Calendars',
  summary: 'One calendar',
  parameters: z.object({ id: anyCalendarId }),
  answers: {
    description: 'The calendar.',
    content: { 'application/json': calendarSchema },
    failures: [404],
  },
  async answer({ id }, principal, { settings }) {
    const found =
      id === null
        ? (await settings.calendars(principal)).find((one) => one.id === null)
        : await settings.calendar(principal, id);
    if (found === undefined) throw new AppError('unknown-calendar', 'The calendar could not be found.');
    return { body: calendarJson(found, await settings.clientKey()) };
  },
});
