import { z } from 'zod';
import { type CalendarInput, weekdays } from '../../model/settings.ts';

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
    start: z.number().meta({ description: 'Milliseconds after midnight.' }),
    end: z.number().meta({
      description: 'Milliseconds after midnight; not after start: the shift runs into the next day.',
    }),
  }),
);
const holidays = z.array(
  z.object({
    name: z.string(),
    date: z.string().meta({ description: 'yyyy-MM-dd' }),
    recurring: z.boolean().default(false).meta({ description: 'Every year.' }),
  }),
);

const example = {
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: [{ weekday: 'MONDAY', start: 32_400_000, end: 61_200_000 }],
  holidays: [{ name: 'New Year', date: '2026-01-01', recurring: true }],
};

/** What is told of a new calendar; further members, as answers hold them, are left alone. */
export const calendarInputSchema = z
  .object({
    name,
    timeZone,
    workingTimes,
    holidays: holidays.default([]),
  })
  .meta({ id: 'CalendarInput', examples: [example] }) satisfies z.ZodType<CalendarInput>;

/** A change replaces the members it has. */
export const calendarChangeSchema = z
  .object({
    name: name.exactOptional(),
    timeZone: timeZone.exactOptional(),
    workingTimes: workingTimes.exactOptional(),
    holidays: holidays.exactOptional(),
  })
  .meta({ id: 'CalendarChange', examples: [{ name: 'Head office' }] }) satisfies z.ZodType<
  Partial<CalendarInput>
>;

/** A calendar as it is answered. */
export const calendarSchema = z
  .object({
    id: z.int().nullable().meta({ description: 'Null of the built-in calendar normalHours.' }),
    clientKey: z.string(),
    name: z.string(),
    isDefault: z.boolean(),
    timeZone: z.string(),
    is7x24Calendar: z.boolean(),
    allWorkingDaysHaveEqualLengths: z.boolean(),
    calendarSuccessfullyLoaded: z.boolean(),
    dailyWorkingHours: z.number().meta({ description: 'Hours of one working day.' }),
    workingTimes: z.array(z.object({ weekday: z.enum(weekdays), start: z.number(), end: z.number() })),
    holidays: z.array(z.object({ name: z.string(), date: z.string(), recurring: z.boolean() })),
  })
  .meta({ id: 'Calendar' });

/** One page of calendars. */
export const calendarPageSchema = z
  .object({
    pageNumber: z.int(),
    pageSize: z.int(),
    total: z.int(),
    last: z.boolean(),
    calendars: z.array(calendarSchema),
    elements: z
      .array(calendarSchema)
      .meta({ description: 'The same list, under the name that some clients read.' }),
  })
  .meta({ id: 'CalendarPage' });
