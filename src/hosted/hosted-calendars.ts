import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { createNamespace } from '../cache/namespace.ts';
import { AppError, reasonOf } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { type CalendarDefinition, weekdays } from '../model/settings.ts';
import type { CalendarFacts } from '../model/table.ts';
import { isoDay } from '../time/iso-dates.ts';
import { readJavaDate } from '../time/read-java-dates.ts';
import type { ReportAnswer } from './report-answer.ts';
import type { TisClient } from './tis-client.ts';

const REMEMBERED_MS = 300_000;

/** A calendar that is not in the list is looked up again, but not more often than this. */
const NEW_LIST_MS = 10_000;

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
    const definition: CalendarDefinition = {
      id,
      name,
      timeZone,
      workingTimes: isContinuous ? allDay : (workingTimes ?? []),
      holidays: holidays ?? [],
      isDefault: answer.isDefault ?? id === null,
    };
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

/** What reports need to know of the calendars of the service. */
interface HostedCalendars {
  /** The calendar of an answer, and what is to be said of it. */
  factsOf(
    answer: ReportAnswer,
  ): Promise<{ readonly calendar: CalendarFacts; readonly notes: readonly string[] }>;
  /** The id of a calendar that may be given by name. */
  idOf(idOrName: string): Promise<string>;
}

/** The list of calendars is asked for only where it is needed, and remembered for some minutes. */
export function createHostedCalendars(client: TisClient, now: () => Instant): HostedCalendars {
  const lists = createNamespace<z.output<typeof calendarsAnswer>>({
    name: 'tis-calendars',
    ttlMs: REMEMBERED_MS,
    most: 1,
    now,
  });
  const all = (youngerThanMs = REMEMBERED_MS) =>
    lists.getOrMake('', () => client.ask({ place: 'calendars' }, calendarsAnswer), { youngerThanMs });
  const find = async (isMeant: (calendar: CalendarDefinition) => boolean) => {
    const meant = ({ definition }: z.output<typeof calendarAnswer>) => isMeant(definition);
    return (await all()).find(meant) ?? (await all(NEW_LIST_MS)).find(meant);
  };

  /** Unless the service says so, days are not offered as a unit. */
  async function equalDays(id: number | null) {
    try {
      const found = await find((calendar) => calendar.id === id);
      return { equalDays: found?.hasEqualDays ?? false, notes: [] };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const note = `Whether the working days of the calendar are equally long is unknown (${reasonOf(error)}).`;
      return { equalDays: false, notes: [note] };
    }
  }

  return {
    async factsOf({ calendar }) {
      if (!calendar) return { calendar: everyHour, notes: [] };
      const { id = null, name, timeZone, dailyWorkingHours, is7x24Calendar } = calendar;
      const continuous = is7x24Calendar ?? id === null;
      const dailyMs = Math.round(dailyWorkingHours * millisecondsInHour);
      const { notes, ...equal } = continuous ? { equalDays: true, notes: [] } : await equalDays(id);
      return { calendar: { id, name, timeZone, dailyMs, continuous, ...equal }, notes };
    },
    async idOf(idOrName) {
      if (/^(\d+|normalHours?)$/i.test(idOrName))
        return /^normalHour$/i.test(idOrName) ? 'normalHours' : idOrName;
      const wanted = idOrName.toLowerCase();
      const found = await find(({ name }) => name.toLowerCase() === wanted);
      if (found !== undefined) return String(found.definition.id ?? 'normalHours');
      const known = (await all()).map(({ definition: { id, name } }) =>
        id === null ? name : `${id} (${name})`,
      );
      throw new AppError(
        'unknown-name',
        'Bad request',
        [`calendar '${idOrName}' is not known; allowed: ${known.join(', ')}.`],
        { data: { field: 'calendar', value: idOrName, known } },
      );
    },
  };
}
