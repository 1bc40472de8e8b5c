import { millisecondsInHour } from 'date-fns/constants';
import { createNamespace } from '../../../cache/namespace.ts';
import { AppError, about, badRequest, clauseOf } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { CalendarFacts } from '../../../model/table.ts';
import { calendarOf } from '../../../time/calendar.ts';
import { type CalendarAnswer, calendarsAnswer, definitionOf } from './calendar-answers.ts';
import type { TisClient } from './create-tis-client.ts';
import type { ReportAnswer } from './report-answer.ts';

const KEPT_FOR_MS = 300_000;

/** More often nobody asks again for what is not there. */
const NEW_FOR_MS = 10_000;

/** A calendar, as far as the service tells it. */
interface ToldFacts {
  readonly calendar: CalendarFacts;
  readonly notes: readonly string[];
}

/** What reports need to know of the calendars of the service. */
interface HostedCalendars {
  /** The facts behind an answer, and what is to be said of them. */
  factsOf(answer: ReportAnswer): Promise<ToldFacts>;
  /** The facts of a calendar by the id that reports take, where no answer tells them. */
  factsById(asked: string): Promise<ToldFacts>;
  /** The id of a calendar that is named, as reports take ids. */
  idOf(asked: string): Promise<string>;
}

/** The list of calendars is asked for only where it is needed, and remembered for some minutes. */
export function createHostedCalendars(client: TisClient, now: () => Instant): HostedCalendars {
  const lists = createNamespace<readonly CalendarAnswer[]>({
    ...{ name: 'tis-calendars', ttlMs: KEPT_FOR_MS, most: 1, now },
  });
  const all = (youngerThanMs = KEPT_FOR_MS) =>
    lists.getOrMake('', () => client.ask({ place: 'calendars' }, calendarsAnswer), { youngerThanMs });
  /** One that is not among those remembered may be new. */
  const find = async (isMeant: (calendar: CalendarAnswer) => boolean) =>
    (await all()).find(isMeant) ?? (await all(NEW_FOR_MS)).find(isMeant);

  return {
    async factsOf({ calendar }) {
      if (!calendar) return { calendar: everyHour, notes: [] };
      const { id = null, name, timeZone, dailyWorkingHours, is7x24Calendar } = calendar;
      const continuous = is7x24Calendar ?? id === null;
      const dailyMs = Math.round(dailyWorkingHours * millisecondsInHour);
      const { equalDays, notes } = continuous ? { equalDays: true, notes: [] } : await areEqual(id);
      return { calendar: { id, name, timeZone, dailyMs, equalDays, continuous }, notes };
    },
    async factsById(asked) {
      if (asked.toLowerCase() === everyHour.name.toLowerCase()) return { calendar: everyHour, notes: [] };
      const told = await find(({ id }) => String(id) === asked).catch(failed);
      if (told instanceof AppError) {
        const calendar = {
          ...everyHour,
          id: Number(asked),
          name: asked,
          equalDays: false,
          continuous: false,
        };
        return { calendar, notes: [`Nothing is known of the calendar ${asked} (${clauseOf(told)}).`] };
      }
      const definition = told === undefined ? null : definitionOf(told);
      if (definition === null) return { calendar: everyHour, notes: [] };
      const { id, name, timeZone, dailyMs, equalDays, continuous } = calendarOf(definition);
      return { calendar: { id, name, timeZone, dailyMs, equalDays, continuous }, notes: [] };
    },
    async idOf(asked) {
      if (/^(\d+|normalHours?)$/i.test(asked)) return /^normalHour$/i.test(asked) ? 'normalHours' : asked;
      const wanted = asked.toLowerCase();
      const found = await find(({ name }) => name.toLowerCase() === wanted);
      if (found !== undefined) return found.id === null ? 'normalHours' : String(found.id);
      const calendars = await all();
      const allowed = calendars.map(({ id, name }) => (id === null ? name : `${id} (${name})`)).join(', ');
      throw badRequest(about('calendar', `'${asked}' is not known; allowed: ${allowed}.`));
    },
  };

  /** Unless it is told, nobody shall be offered days as a unit. */
  async function areEqual(id: number | null) {
    const told = await find((one) => one.id === id).catch(failed);
    if (!(told instanceof AppError)) {
      return { equalDays: told?.allWorkingDaysHaveEqualLengths ?? false, notes: [] };
    }
    const unknown = `Whether the working days of the calendar are equally long is unknown (${clauseOf(told)}).`;
    return { equalDays: false, notes: [unknown] };
  }
}

function failed(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

const everyHour: CalendarFacts = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  dailyMs: 24 * millisecondsInHour,
  equalDays: true,
  continuous: true,
};
