import { z } from 'zod';
import type { CalendarDefinition, DateFormats, ParameterSet } from '../../../model/settings.ts';
import { normalHoursDefinition } from '../../local/settings/normal-hours-definition.ts';
import type { SettingsApi } from '../../settings.ts';
import { type CalendarAnswer, calendarAnswer, calendarsAnswer, definitionOf } from './calendar-answers.ts';
import type { TisClient } from './create-tis-client.ts';
import { parameterSetAnswer, parameterSetsAnswer } from './parameter-set-answers.ts';

/** The most the product puts on a page. */
const PAGE = 100;
const MOST_PAGES = 100;

const formats = z.object({ dateFormat: z.string(), dateTimeFormat: z.string() });

/**
 * The settings of the service elsewhere, read and changed with the rights of the user whose token is given; `local` keeps
 * what it does not tell: the identity of this installation.
 */
export function createHostedSettings(client: TisClient, local: SettingsApi): SettingsApi {
  const calendarAt = async (question: Parameters<TisClient['ask']>[0]) =>
    definition(await client.ask(question, calendarAnswer));
  const setAt = (question: Parameters<TisClient['ask']>[0]): Promise<ParameterSet> =>
    client.ask(question, parameterSetAnswer);

  return {
    async calendars() {
      const told = (await client.ask({ place: 'calendars' }, calendarsAnswer)).map(definition);
      const numbered = told.filter(({ id }) => id !== null);
      const builtIn = told.find(({ id }) => id === null) ?? normalHoursDefinition;
      return [builtIn, ...numbered.toSorted((a, b) => Number(a.id) - Number(b.id))];
    },
    calendar: (_asker, id) => calendarAt({ place: 'calendars', below: `/${id}` }),
    createCalendar: (_asker, wish) => calendarAt({ place: 'calendars', method: 'POST', json: { ...wish } }),
    updateCalendar: (_asker, id, changes) =>
      calendarAt({ place: 'calendars', below: `/${id}`, method: 'PUT', json: { ...changes } }),

    async parameterSets() {
      const sets = new Map<string, ParameterSet>();
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const parameters = { pageNumber: String(page), maxResults: String(PAGE) };
        const told = await client.ask({ place: 'parameterSets', parameters }, parameterSetsAnswer);
        const known = sets.size;
        for (const set of told.sets) sets.set(set.id, set);
        // A service without pages tells the same again.
        if (sets.size >= told.total || sets.size === known) break;
      }
      return [...sets.values()].toSorted((a, b) => a.name.localeCompare(b.name));
    },
    parameterSet: (_asker, id) => setAt({ place: 'parameterSets', below: `/${encodeURIComponent(id)}` }),
    createParameterSet: (_asker, wish) =>
      setAt({ place: 'parameterSets', method: 'POST', json: { ...wish } }),
    updateParameterSet: (_asker, id, changes) =>
      setAt({
        place: 'parameterSets',
        below: `/${encodeURIComponent(id)}`,
        method: 'PUT',
        json: { ...changes },
      }),

    formats: (): Promise<DateFormats> => client.ask({ place: 'formats' }, formats),
    putFormats: (_asker, wish): Promise<DateFormats> =>
      client.ask({ place: 'formats', method: 'PUT', json: { ...wish } }, formats),
    clientKey: () => local.clientKey(),
  };

  function definition(told: CalendarAnswer): CalendarDefinition {
    const found = definitionOf(told);
    if (found !== null) return found;
    throw client.failure(
      `tells the calendar '${told.name}' in the shape it had before July 2023, without workingTimes.`,
    );
  }
}
