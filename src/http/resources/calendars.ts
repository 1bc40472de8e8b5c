import { millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import type { SettingsApi } from '../../api/settings/settings-api.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/request.ts';
import { type CalendarDefinition, type CalendarInput, weekdays } from '../../model/settings.ts';
import { mapped } from '../../output/encode.ts';
import { calendarOf } from '../../time/calendar.ts';
import { defineRoute, json } from '../define-route.ts';
import type { RouteParts } from '../route.ts';
import { pageMembers, pagePart, searchByName, searchParameters } from '../search.ts';

const weekday = z
  .string()
  .transform((text) => weekdays.find((one) => one === text.trim().toUpperCase()) ?? text)
  .pipe(z.enum(weekdays))
  .meta({ type: 'string', enum: [...weekdays] });

const name = z.string();
const timeZone = z.string().meta({ description: 'IANA zone.', examples: ['Europe/Berlin'] });
const workingTimes = z.array(
  z.object({
    weekday,
    start: z.number().describe('Milliseconds after midnight.'),
    end: z
      .number()
      .describe('Milliseconds after midnight; not after start: the shift runs into the next day.'),
  }),
);
const holidays = z.array(
  z.object({
    name: z.string(),
    date: z.string().describe('yyyy-MM-dd'),
    recurring: z.boolean().default(false).describe('Every year.'),
  }),
);

const example = {
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: [{ weekday: 'MONDAY', start: 32_400_000, end: 61_200_000 }],
  holidays: [{ name: 'New Year', date: '2026-01-01', recurring: true }],
};

/** A new calendar; further members, as answers hold them, are left alone. */
const calendarInput = z.object({ name, timeZone, workingTimes, holidays: holidays.default([]) }).meta({
  id: 'CalendarInput',
  description: 'A new calendar.',
  examples: [example],
}) satisfies z.ZodType<CalendarInput>;

const calendarChange = z
  .object({
    name: name.exactOptional(),
    timeZone: timeZone.exactOptional(),
    workingTimes: workingTimes.exactOptional(),
    holidays: holidays.exactOptional(),
  })
  .meta({
    id: 'CalendarChange',
    description: 'Members of a calendar to replace.',
    examples: [{ name: 'Head office' }],
  }) satisfies z.ZodType<Partial<CalendarInput>>;

/** A calendar in an answer. The built-in one is the default unless another is known to be. */
const calendar = mapped(
  ({ definition, clientKey }: { readonly definition: CalendarDefinition; readonly clientKey: string }) => {
    const { id, name, timeZone, workingTimes, holidays, isDefault = id === null } = definition;
    const { continuous, equalDays, dailyMs } = calendarOf(definition);
    return {
      id,
      clientKey,
      name,
      isDefault,
      timeZone,
      is7x24Calendar: continuous,
      allWorkingDaysHaveEqualLengths: equalDays,
      calendarSuccessfullyLoaded: true,
      dailyWorkingHours: dailyMs / millisecondsInHour,
      workingTimes,
      holidays,
    };
  },
  z
    .object({
      id: z.int().nullable().describe('Null for the built-in calendar normalHours.'),
      clientKey: z.string(),
      name: z.string(),
      isDefault: z.boolean(),
      timeZone: z.string(),
      is7x24Calendar: z.boolean(),
      allWorkingDaysHaveEqualLengths: z.boolean(),
      calendarSuccessfullyLoaded: z.boolean(),
      dailyWorkingHours: z.number().describe('Hours of one working day.'),
      workingTimes: z.array(z.object({ weekday: z.enum(weekdays), start: z.number(), end: z.number() })),
      holidays: z.array(z.object({ name: z.string(), date: z.string(), recurring: z.boolean() })),
    })
    .meta({ id: 'Calendar', description: 'A working calendar.' }),
);

const calendarId = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'is not a calendar id. Try: a whole number' })
  .transform(Number)
  .meta({ type: 'integer', description: 'Id of the calendar.' });

/** The id of a stored calendar, or `normalHours` (null), which has no id. */
const anyCalendarId = z
  .string()
  .regex(/^(\d{1,15}|normalHours)$/i, { error: 'is not a calendar id. Try: a whole number, or normalHours' })
  .transform((text) => (/^\d/.test(text) ? Number(text) : null))
  .meta({ type: 'string', description: 'Id of the calendar, or normalHours.' });

/** Calendars as the schema of an answer takes them. */
async function sent(settings: SettingsApi, definitions: readonly CalendarDefinition[]) {
  const clientKey = await settings.clientKey();
  return definitions.map((definition) => ({ definition, clientKey }));
}

async function oneSent(settings: SettingsApi, definition: CalendarDefinition) {
  return { body: { definition, clientKey: await settings.clientKey() } };
}

const permitCalendars = (_parameters: unknown, principal: Principal, { settings }: RouteParts) =>
  settings.permit(principal, 'calendars');

/** Calendars have two names in the product's documents. */
const pathsOf = (below: string): [string, string] => [`/rest/calendars${below}`, `/rest/calendar${below}`];

/** Every route of calendars. */
export const calendarRoutes = [
  defineRoute({
    id: 'listCalendars',
    methods: ['get'],
    paths: pathsOf(''),
    section: 'Calendars',
    summary: 'Every calendar: ids, names, zones, working times and holidays',
    answers: json('A bare list; the built-in 24/7 calendar has no id.', z.array(calendar)),
    answer: async (_parameters, principal, { settings }) => ({
      body: await sent(settings, await settings.calendars(principal)),
    }),
  }),
  defineRoute({
    id: 'searchCalendars',
    methods: ['get'],
    paths: pathsOf('/search'),
    section: 'Calendars',
    summary: 'Calendars by name, in pages',
    parameters: z.object(searchParameters),
    answers: json(
      'One page of the calendars found.',
      z
        .object({
          ...pageMembers,
          calendars: z.array(calendar),
          elements: z.array(calendar).describe('The same list, under the name that some clients read.'),
        })
        .meta({ id: 'CalendarPage', description: 'A page of calendars.' }),
    ),
    async answer(input, principal, { settings }) {
      const { found, ...page } = pagePart(searchByName(await settings.calendars(principal), input), input);
      const list = await sent(settings, found);
      return { body: { ...page, calendars: list, elements: list } };
    },
  }),
  defineRoute({
    id: 'getCalendar',
    methods: ['get'],
    paths: pathsOf('/:id'),
    section: 'Calendars',
    summary: 'One calendar',
    parameters: z.object({ id: anyCalendarId }),
    answers: json('The calendar.', calendar, 404),
    async answer({ id }, principal, { settings }) {
      const found =
        id === null
          ? (await settings.calendars(principal)).find((one) => one.id === null)
          : await settings.calendar(principal, id);
      if (found === undefined) throw new AppError('unknown-calendar', 'The calendar could not be found.');
      return oneSent(settings, found);
    },
  }),
  defineRoute({
    id: 'createCalendar',
    methods: ['post'],
    paths: pathsOf(''),
    section: 'Calendars',
    summary: 'Create a calendar (administrators)',
    body: calendarInput,
    answers: json('The calendar as it is stored.', calendar, 403),
    permit: permitCalendars,
    answer: async (_parameters, principal, { settings }, input) =>
      oneSent(settings, await settings.createCalendar(principal, input)),
  }),
  defineRoute({
    id: 'updateCalendar',
    methods: ['put'],
    paths: pathsOf('/:id'),
    section: 'Calendars',
    summary: 'Change a calendar (administrators); members left out stay as they are',
    parameters: z.object({ id: calendarId }),
    body: calendarChange,
    answers: json('The calendar as it is stored now.', calendar, 403, 404),
    permit: permitCalendars,
    answer: async ({ id }, principal, { settings }, changes) =>
      oneSent(settings, await settings.updateCalendar(principal, id, changes)),
  }),
];
