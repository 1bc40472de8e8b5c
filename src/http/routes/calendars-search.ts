import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { pageOf, searchByName } from '../search/search-by-name.ts';
import { searchParameters } from '../search/search-parameters.ts';
import { calendarJson } from '../wire/calendar-json.ts';
import { calendarPageSchema } from '../wire/calendar-schema.ts';

/** Calendars by name. */
export const calendarsSearch = defineRoute({
  methods: ['get'],
  paths: ['/rest/calendars/search', '/rest/calendar/search'],
  guarded: true,
  section: 'Calendars',
  summary: 'Calendars by name, in pages',
  parameters: z.object(searchParameters),
  answers: {
    description: 'One page of the calendars found.',
    content: { 'application/json': calendarPageSchema },
  },
  async answer(asked, principal, { settings }) {
    const clientKey = await settings.clientKey();
    const { found, ...page } = pageOf(searchByName(await settings.calendars(principal), asked), asked);
    const list = found.map((one) => calendarJson(one, clientKey));
    return { body: { ...page, calendars: list, elements: list } };
  },
});
