import { z } from 'zod';
import { defineJsonRoute } from '../define-route.ts';
import { calendarId } from '../parameters/calendar-id.ts';
import { calendarJson } from '../wire/calendar-json.ts';
import { calendarChangeSchema, calendarSchema } from '../wire/calendar-schema.ts';

/** Changes a calendar. */
export const calendarUpdate = defineJsonRoute({
  methods: ['put'],
  paths: ['/rest/calendars/:id', '/rest/calendar/:id'],
  guarded: true,
  section: 'Calendars',
  summary: 'Change a calendar (administrators); members left out stay as they are',
  parameters: z.object({ id: calendarId }),
  body: calendarChangeSchema,
  answers: {
    description: 'The calendar as it is stored now.',
    content: { 'application/json': calendarSchema },
    failures: [403, 404],
  },
  permit: (_parameters, principal, { settings }) => settings.permit(principal, 'calendars'),
  answer: async ({ id }, principal, { settings }, changes) => ({
    body: calendarJson(await settings.updateCalendar(principal, id, changes), await settings.clientKey()),
  }),
});
