import { calendarOf } from '../../../calendar/calendar-of.ts';
import { badRequest } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { CalendarFacts } from '../../../model/table.ts';
import { type CalendarAnswer, calendarsAnswer, definitionOf } from './calendar-answers.ts';
import type { TisClient } from './create-tis-client.ts';
import type { ReportAnswer } from './report-answer.ts';

const KEPT_FOR_MS = 300_000;

/** More often nobody asks again for what is not there. */
const NEW_FOR_MS = 10_000;
const HOUR_MS = 3_600_000;

/** What reports need to know of the calendars of the service. */
export interface HostedCalendars {
  /** The facts behind an answer. */
  factsOf(answer: ReportAnswer): Promise<CalendarFacts>;
  /** The facts of a calendar by the id that reports take, where no answer tells them. */
  factsById(asked: string): Promise<CalendarFacts>;
  /** The id of a calendar that is named, as reports take ids. */
  idOf(asked: string): Promise<string>;
}

/** The list of calendars is asked for only where it is needed, and remembered for some minutes. */
export function createHostedCalendars(client: TisClient, now: () => Instant): HostedCalendars {
  let kept: { readonly at: Instant; readonly calendars: Promise<readonly CalendarAnswer[]> } | null = null;
  const all = (freshFor = KEPT_FOR_MS) => {
    if (kept !== null && now() - kept.at < freshFor) return kept.calendars;
    const calendars = client.ask({ place: 'calendars' }, calendarsAnswer);
    kept = { at: now(), calendars };
    calendars.catch(() => {
      kept = null;
    });
    return calendars;
  };
  /** One that is not among those remembered may be new. */
  const find = async (isMeant: (calendar: CalendarAnswer) => boolean) =>
    (await all()).find(isMeant) ?? (await all(NEW_FOR_MS)).find(isMeant);

  return {
    async factsOf({ calendar }) {
      if (!calendar) return everyHour;
      const { id = null, name, timeZone, dailyWorkingHours, is7x24Calendar } = calendar;
      const continuous = is7x24Calendar ?? id === null;
      return {
        id,
        name,
        timeZone,
        dailyMs: Math.round(dailyWorkingHours * HOUR_MS),
        equalDays: continuous || (await areEqual(id)),
        continuous,
      };
    },
    async factsById(asked) {
      const told = await find(({ id }) => String(id) === asked);
      const definition = told === undefined ? null : definitionOf(told);
      if (definition === null) return everyHour;
      const { id, name, timeZone, dailyMs, equalDays, continuous } = calendarOf(definition);
      return { id, name, timeZone, dailyMs, equalDays, continuous };
    },
    async idOf(asked) {
      if (/^(\d+|normalHours?)$/i.test(asked)) return /^normalHour$/i.test(asked) ? 'normalHours' : asked;
      const wanted = asked.toLowerCase();
      const found = await find(({ name }) => name.toLowerCase() === wanted);
      if (found !== undefined) return found.id === null ? 'normalHours' : String(found.id);
      const calendars = await all();
      const allowed = calendars.map(({ id, name }) => (id === null ? name : `${id} (${name})`)).join(', ');
      throw badRequest(`calendar '${asked}' is not known; allowed: ${allowed}.`);
    },
  };

  /** Unless it is told, nobody shall be offered days as a unit. */
  async function areEqual(id: number | null): Promise<boolean> {
    const told = await find((one) => one.id === id).catch(() => undefined);
    return told?.allWorkingDaysHaveEqualLengths ?? false;
  }
}

const everyHour: CalendarFacts = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  dailyMs: 24 * HOUR_MS,
  equalDays: true,
  continuous: true,
};
