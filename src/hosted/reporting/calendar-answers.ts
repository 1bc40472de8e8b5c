import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import { type CalendarDefinition, weekdays } from '../../model/settings.ts';
import { isoDay } from '../../time/iso-dates.ts';
import { readJavaDate } from '../../time/read-java-dates.ts';

const weekday = z
  .string()
  .transform((told) => weekdays.find((one) => one === told.toUpperCase()) ?? told)
  .pipe(z.enum(weekdays));

/** Days are told as yyyy-MM-dd, and by some versions as the format settings have it by default. */
const day = z.string().transform((told, context) => {
  const writing = { timeZone: 'UTC', locale: 'en_US' };
  const patterns = ['yyyy-MM-dd', 'dd/MMM/yy', 'dd/MM/yyyy'];
  const at = patterns
    .map((pattern) => readJavaDate(told, { ...writing, pattern }))
    .find((one) => one !== null);
  if (at !== undefined && at !== null) return isoDay(at);
  context.addIssue({ code: 'custom', message: 'no day' });
  return z.NEVER;
});

const holiday = z
  .object({ name: z.string().nullish(), date: day, recurring: z.boolean().nullish() })
  .transform(({ name, date, recurring }) => ({ name: name ?? '', date, recurring: recurring ?? false }));

/** A calendar as it is told since July 2023; before, it had a flag per weekday and one time for all of them. */
export const calendarAnswer = z
  .object({
    id: z.number().nullish(),
    name: z.string(),
    timeZone: z.string(),
    isDefault: z.boolean().nullish(),
    is7x24Calendar: z.boolean().nullish(),
    allWorkingDaysHaveEqualLengths: z.boolean().nullish(),
    workingTimes: z.array(z.object({ weekday, start: z.number(), end: z.number() })).nullish(),
    holidays: z.array(holiday).nullish(),
  })
  .transform((told) => ({ ...told, id: told.id ?? null, holidays: told.holidays ?? [] }));

/** What is told of a calendar. */
export type CalendarAnswer = z.output<typeof calendarAnswer>;

/** All of them: a bare list, or one within a page. */
export const calendarsAnswer = z.union([
  z.array(calendarAnswer),
  z.object({ calendars: z.array(calendarAnswer) }).transform(({ calendars }) => calendars),
]);

/** The calendar behind an answer; null for one of the older shape, which does not tell its shifts. */
export function definitionOf({
  id,
  name,
  timeZone,
  workingTimes,
  holidays,
  isDefault,
  is7x24Calendar,
}: CalendarAnswer): CalendarDefinition | null {
  const shifts = workingTimes ?? [];
  // A calendar in which every hour counts is told without hours.
  const isContinuous = is7x24Calendar ?? (id === null && shifts.length === 0);
  if (!isContinuous && !workingTimes) return null;
  const allDay = weekdays.map((one) => ({ weekday: one, start: 0, end: millisecondsInDay }));
  return {
    id,
    name,
    timeZone,
    workingTimes: isContinuous ? allDay : shifts,
    holidays,
    isDefault: isDefault ?? id === null,
  };
}
