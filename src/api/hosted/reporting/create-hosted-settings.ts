import { z } from 'zod';
import { createNamespace } from '../../../cache/namespace.ts';
import { AppError } from '../../../model/error.ts';
import type { User } from '../../../model/issue.ts';
import type { ParameterSet } from '../../../model/parameter-set.ts';
import type { Principal } from '../../../model/principal.ts';
import type { CalendarDefinition, DateFormats } from '../../../model/settings.ts';
import { parametersOf } from '../../../parameters/saved-report.ts';
import { normalHoursDefinition } from '../../settings/local-settings.ts';
import {
  adminsOnly,
  byName,
  CALENDARS,
  FORMATS,
  maySee,
  ownerFor,
  ownersOnly,
  permitSetting,
  type SettingsApi,
  unknownSet,
} from '../../settings/settings-api.ts';
import { type CalendarAnswer, calendarAnswer, calendarsAnswer, definitionOf } from './calendar-answers.ts';
import type { TisClient } from './create-tis-client.ts';
import { parameterSetAnswer, parameterSetsAnswer } from './parameter-set-answers.ts';
import { UnknownPlace } from './tis-failures.ts';

/** The most the product puts on a page. */
const PAGE = 100;
const MOST_PAGES = 100;

/** Which calendar is the default is asked for once in so many ms. */
const USUAL_FOR_MS = 300_000;

const formats = z.object({ dateFormat: z.string(), dateTimeFormat: z.string() });

/**
 * The settings of the service elsewhere. It is asked as the user whose token is given, so what a principal may is decided
 * here, by the rules of our own settings; `local` keeps what the service does not tell: the identity of this installation.
 */
export function createHostedSettings(
  client: TisClient,
  local: SettingsApi,
  users: () => Promise<ReadonlyMap<string, User>>,
): SettingsApi {
  const usual = createNamespace<string>({
    ...{ name: 'tis-usual-calendar', ttlMs: USUAL_FOR_MS, most: 1 },
    ...{ now: () => client.now(), ages: 'answered' },
  });
  let lastUsual: string = normalHoursDefinition.name;
  const calendarAt = async (question: Parameters<TisClient['ask']>[0]) =>
    definition(await client.ask(question, calendarAnswer));
  const setAt = (question: Parameters<TisClient['ask']>[0]): Promise<ParameterSet> =>
    client.ask(question, parameterSetAnswer);
  const visible = async (principal: Principal, id: string): Promise<ParameterSet> => {
    const found = await setAt({ place: 'parameterSets', below: `/${encodeURIComponent(id)}` });
    if (!maySee(principal, found)) throw unknownSet(id);
    return found;
  };

  return {
    permit: (principal, setting) => permitSetting(principal, setting, visible),
    async calendars() {
      const told = (await client.ask({ place: 'calendars' }, calendarsAnswer)).map(definition);
      const numbered = told.filter(({ id }) => id !== null);
      const builtIn = told.find(({ id }) => id === null) ?? normalHoursDefinition;
      return [builtIn, ...numbered.toSorted((a, b) => Number(a.id) - Number(b.id))];
    },
    async defaultCalendar() {
      try {
        lastUsual = await usual.getOrMake('', async () => {
          const told = await client.ask({ place: 'calendars' }, calendarsAnswer);
          const { id = null } = told.find(({ isDefault }) => isDefault) ?? {};
          return id === null ? normalHoursDefinition.name : String(id);
        });
        return lastUsual;
      } catch {
        // No report fails because the service does not say what is usual; what it said last is believed as long.
        return lastUsual;
      }
    },
    calendar: (_principal, id) => calendarAt({ place: 'calendars', below: `/${id}` }),
    async createCalendar(principal, wish) {
      adminsOnly(principal, CALENDARS);
      return calendarAt({ place: 'calendars', method: 'POST', json: { ...wish } });
    },
    async updateCalendar(principal, id, changes) {
      adminsOnly(principal, CALENDARS);
      return calendarAt({ place: 'calendars', below: `/${id}`, method: 'PUT', json: { ...changes } });
    },

    async parameterSets(principal) {
      const sets = new Map<string, ParameterSet>();
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const parameters = { pageNumber: String(page), maxResults: String(PAGE) };
        const told = await client.ask({ place: 'parameterSets', parameters }, parameterSetsAnswer);
        const known = sets.size;
        for (const set of told.sets) sets.set(set.id, set);
        // A service without pages tells the same again.
        if (sets.size >= told.total || sets.size === known) break;
      }
      return [...sets.values()].filter((set) => maySee(principal, set)).toSorted(byName);
    },
    parameterSet: visible,
    async createParameterSet(principal, { report, ...input }) {
      refuseStranger(principal);
      // Unsaid, it would be owned by the user of the token.
      const ownerId = await ownerFor(principal, input.ownerId, users);
      return setAt({
        place: 'parameterSets',
        method: 'POST',
        json: { ...input, ownerId, parameters: parametersOf(report) },
      });
    },
    async updateParameterSet(principal, id, changes) {
      refuseStranger(principal);
      const found = await visible(principal, id);
      ownersOnly(principal, found);
      const { ownerId, report, ...others } = changes;
      const given =
        ownerId === undefined || ownerId === found.ownerId
          ? {}
          : { ownerId: await ownerFor(principal, ownerId, users) };
      return setAt({
        place: 'parameterSets',
        below: `/${encodeURIComponent(id)}`,
        method: 'PUT',
        json: { ...others, ...(report && { parameters: parametersOf(report) }), ...given },
      });
    },

    async deleteParameterSet(principal, id) {
      ownersOnly(principal, await visible(principal, id));
      const below = `/${encodeURIComponent(id)}`;
      await client.fetch({ place: 'parameterSets', below, method: 'DELETE' }).catch((failure: unknown) => {
        // The product's documents tell of no such request.
        const isUnknown = failure instanceof UnknownPlace;
        throw isUnknown ? client.failure('does not delete parameter sets; delete it there.') : failure;
      });
    },

    formats: (): Promise<DateFormats> => client.ask({ place: 'formats' }, formats),
    async putFormats(principal, wish): Promise<DateFormats> {
      adminsOnly(principal, FORMATS);
      return client.ask({ place: 'formats', method: 'PUT', json: { ...wish } }, formats);
    },
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

/** Nobody in the tracker, so nobody who could own what is saved. */
function refuseStranger({ rights }: Principal): void {
  if (rights !== 'stranger') return;
  throw new AppError('unknown-person-asks', 'Forbidden', [
    'Only a user of the tracker saves parameter sets; say who you are with `/tis link`.',
  ]);
}
