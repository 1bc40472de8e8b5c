import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { createNamespace } from '../cache/namespace.ts';
import { AppError, about, badRequestAs, clauseOf } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { type CalendarDefinition, weekdays } from '../model/settings.ts';
import type { CalendarFacts } from '../model/table.ts';
import { isoDay } from '../time/date-text.ts';
import { readJavaDate } from '../time/read-java-dates.ts';
import type { ReportAnswer } from './report-answer.ts';
import type { TisClient } from './tis-client.ts';

const weekday = z
  .string()
  .transform((text) => weekdays.find((one) => one === text.toUpperCase()) ?? text)
  .pipe(z.enum(weekdays));

/** Days are yyyy-MM-dd by the documents, and in live answers as the format settings have them by default. */
const day = z.string().transform((text, context) => {
  const at = ['yyyy-MM-dd', 'dd/MMM/yy']
    .map((pattern) => readJavaDate(text, { timeZone: 'UTC', locale: 'en_US', pattern }))
    .find((one) => one !== null);
  if (at !== undefined && at !== null) return isoDay(at);
  context.addIssue({ code: 'custom', message: 'no day' });
  return z.NEVER;
});

const holiday = z
  .object({ name: z.string().nullish(), date: day, recurring: z.boolean().nullish() })
  .transform(({ name, date, recurring }) => ({ name: name ?? '', date, recurring: recurring ?? false }));

/** A calendar; the built-in one in which every hour counts comes without id and hours. */
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
  .transform((answer, context) => {
    const { id = null, name, timeZone, workingTimes, holidays } = answer;
    const isContinuous = answer.is7x24Calendar ?? (id === null && !workingTimes?.length);
    // Before July 2023 calendars had another shape.
    if (!isContinuous && !workingTimes) {
      context.addIssue({ code: 'custom', message: 'no hours', path: ['workingTimes'] });
      return z.NEVER;
    }
    const allDay = weekdays.map((one) => ({ weekday: one, start: 0, end: millisecondsInDay }));
    const hours = { workingTimes: isContinuous ? allDay : (workingTimes ?? []), holidays: holidays ?? [] };
    const isDefault = answer.isDefault ?? id === null;
    const definition: CalendarDefinition = { id, name, timeZone, isDefault, ...hours };
    return { definition, hasEqualDays: answer.allWorkingDaysHaveEqualLengths ?? false };
  });

/** All of them. */
export const calendarsAnswer = z.array(calendarAnswer);

const everyHour: CalendarFacts = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  dailyMs: millisecondsInDay,
  equalDays: true,
  continuous: true,
};

/** The calendars of reports. Their list is read only where it is needed, and remembered for a minute. */
export function createHostedCalendars(client: TisClient, now: () => Instant) {
  const lists = createNamespace<z.output<typeof calendarsAnswer>>({
    name: 'tis-calendars',
    ttlMs: millisecondsInMinute,
    most: 1,
    now,
  });
  const all = () => lists.getOrMake('', () => client.ask({ place: 'calendars' }, calendarsAnswer));

  return {
    /** The calendar of an answer, and what is to be said of it. */
    async factsOf({
      calendar,
    }: ReportAnswer): Promise<{ readonly calendar: CalendarFacts; readonly notes: readonly string[] }> {
      if (!calendar) return { calendar: everyHour, notes: [] };
      const { id = null, name, timeZone, dailyWorkingHours, is7x24Calendar } = calendar;
      const continuous = is7x24Calendar ?? id === null;
      const dailyMs = Math.round(dailyWorkingHours * millisecondsInHour);
      const facts = { id, name, timeZone, dailyMs, continuous, equalDays: continuous };
      if (continuous) return { calendar: facts, notes: [] };
      try {
        // Unless the service says that they are equal, days are not offered as a unit.
        const equalDays = (await all()).find(({ definition }) => definition.id === id)?.hasEqualDays ?? false;
        return { calendar: { ...facts, equalDays }, notes: [] };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const note = `Whether the working days of the calendar are equally long is unknown (${clauseOf(error)}).`;
        return { calendar: facts, notes: [note] };
      }
    },
    /** The id of a calendar that may be given by name. */
    async idOf(idOrName: string): Promise<string> {
      const wanted = idOrName.toLowerCase();
      // One page of the product writes the built-in calendar without its s.
      if (wanted === 'normalhours' || wanted === 'normalhour') return everyHour.name;
      if (/^\d+$/.test(wanted)) return wanted;
      const calendars = (await all()).map(({ definition: { id, name } }) => ({ id, name }));
      const found = calendars.find(({ name }) => name.toLowerCase() === wanted);
      if (found !== undefined) return String(found.id ?? everyHour.name);
      const known = calendars.map(({ id, name }) => (id === null ? name : `${id} (${name})`));
      const problem = about('calendar', `'${idOrName}' is not known. Try: ${known.join(', ')}.`);
      throw badRequestAs('unknown-name', problem, { field: 'calendar', value: idOrName, known });
    },
  };
}
