import { z } from 'zod';
import { defineJsonRoute } from '../define-route.ts';
import { calendarJson } from '../wire/calendar-json.ts';
import { calendarInputSchema, calendarSchema } from '../wire/calendar-schema.ts';

/** Keeps a new calendar. */
export const calendarCreate = defineJsonRoute({
  methods: ['post'],
  paths: ['/rest/calendars', '/rest/calendar'],
  guarded: true,
  section: 'Calendars',
  summary: 'Create a calendar (administrators)',
  parameters: z.object({}),
  body: calendarInputSchema,
  answers: {
    description: 'The calendar as it is stored.',
    content: { 'application/json': calendarSchema },
    failures: [403],
  },
  permit: (_parameters, principal, { settings }) => settings.permit(principal, 'calendars'),
  answer: async (_parameters, principal, { settings }, input) => ({
    body: calendarJson(await settings.createCalendar(principal, input), await settings.clientKey()),
  }),
});
