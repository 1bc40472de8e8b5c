import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { calendarJson } from '../wire/calendar-json.ts';
import { calendarSchema } from '../wire/calendar-schema.ts';

/** Every calendar, the built-in one first. */
export const calendars = defineRoute({
  methods: ['get'],
  paths: ['/rest/calendars', '/rest/calendar'],
  guarded: true,
  section: 'Calendars',
  summary: 'Every calendar: ids, names, zones, working times and holidays',
  parameters: z.object({}),
  answers: {
    description: 'A bare list; the built-in 24/7 calendar has no id.',
    content: { 'application/json': z.array(calendarSchema) },
  },
  async answer(_parameters, principal, { settings }) {
    const clientKey = await settings.clientKey();
    return { body: (await settings.calendars(principal)).map((one) => calendarJson(one, clientKey)) };
  },
});
