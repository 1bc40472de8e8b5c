import { z } from 'zod';
import { parametersOf, readParameters } from '../api/parameters/saved-report.ts';
import { normalHoursDefinition } from '../api/settings/local-settings.ts';
import {
  adminsOnly,
  canSeeSet,
  compareSets,
  ownerFor,
  ownersOnly,
  permitSetting,
  type SettingsApi,
  unknownSet,
} from '../api/settings/settings-api.ts';
import { createNamespace } from '../cache/namespace.ts';
import { AppError } from '../model/error.ts';
import type { User } from '../model/issue.ts';
import type { ParameterSet } from '../model/parameter-set.ts';
import type { Principal } from '../model/request.ts';
import { calendarAnswer, calendarsAnswer } from './report-answer.ts';
import type { TisClient } from './tis-client.ts';

/** The most the product puts on a page. */
const PAGE = 100;
const MAX_PAGES = 100;

/** The time for which the default calendar is cached. */
const DEFAULT_MS = 300_000;

const formats = z.object({ dateFormat: z.string(), dateTimeFormat: z.string() });

const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .nullish();

/** A set; the product calls its owner so in lists, and gives no times. */
const parameterSetAnswer = z
  .object({
    id: z.union([z.string(), z.number()]).transform(String),
    name: z.string(),
    ownerId: z.string().nullish(),
    owner: z.string().nullish().catch(null),
    public: z.boolean().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    createdAt: instant,
    updatedAt: instant,
  })
  .transform(
    ({ id, name, ...set }): ParameterSet => ({
      id,
      name,
      ownerId: set.ownerId ?? set.owner ?? '',
      public: set.public ?? false,
      report: readParameters(set.parameters ?? {}),
      createdAt: set.createdAt ?? 0,
      updatedAt: set.updatedAt ?? set.createdAt ?? 0,
    }),
  );

const parameterSetList = z.array(parameterSetAnswer);

/** A bare list, or a page of it. */
const parameterSetsAnswer = z.union([
  parameterSetList.transform((sets) => ({ sets, total: sets.length })),
  z
    .object({ total: z.number().nullish(), parameterSets: parameterSetList })
    .transform(({ parameterSets: sets, total }) => ({ sets, total: total ?? sets.length })),
]);

/**
 * The settings of the service. It is asked as the user whose token is given, so what a principal may do is decided here,
 * by the rules of our own settings; `local` has what the service has not: the identity of this installation.
 */
export function createHostedSettings(
  client: TisClient,
  local: Pick<SettingsApi, 'clientKey'>,
  users: () => Promise<ReadonlyMap<string, User>>,
): SettingsApi {
  const defaults = createNamespace<string>({
    name: 'tis-default-calendar',
    ttlMs: DEFAULT_MS,
    maxEntries: 1,
    now: () => client.now(),
    ages: 'answered',
  });
  let lastDefault: string = normalHoursDefinition.name;
  type Request = Omit<Parameters<TisClient['ask']>[0], 'place'>;
  const calendarAt = async (request: Request) =>
    (await client.ask({ ...request, place: 'calendars' }, calendarAnswer)).definition;
  const setAt = (request: Request) => client.ask({ ...request, place: 'parameterSets' }, parameterSetAnswer);
  const pathOf = (id: string) => `/${encodeURIComponent(id)}`;
  const calendars = async () =>
    (await client.ask({ place: 'calendars' }, calendarsAnswer)).map(({ definition }) => definition);

  async function visible(principal: Principal, id: string): Promise<ParameterSet> {
    const found = await setAt({ below: pathOf(id) });
    if (!canSeeSet(principal, found)) throw unknownSet(id);
    return found;
  }

  return {
    permit: (principal, setting) => permitSetting(principal, setting, visible),
    async calendars() {
      const all = await calendars();
      const builtIn = all.find(({ id }) => id === null) ?? normalHoursDefinition;
      const others = all.filter(({ id }) => id !== null).toSorted((a, b) => Number(a.id) - Number(b.id));
      return [builtIn, ...others];
    },
    async defaultCalendar() {
      try {
        lastDefault = await defaults.getOrMake('', async () => {
          const { id = null } = (await calendars()).find(({ isDefault }) => isDefault) ?? {};
          return id === null ? normalHoursDefinition.name : String(id);
        });
      } catch {
        // No report fails because the service does not say its default: the last one it said still counts.
      }
      return lastDefault;
    },
    calendar: (_principal, id) => calendarAt({ below: `/${id}` }),
    async createCalendar(principal, input) {
      adminsOnly(principal, 'calendars');
      return calendarAt({ method: 'POST', json: { ...input } });
    },
    async updateCalendar(principal, id, changes) {
      adminsOnly(principal, 'calendars');
      return calendarAt({ below: `/${id}`, method: 'PUT', json: { ...changes } });
    },

    async parameterSets(principal) {
      const sets = new Map<string, ParameterSet>();
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const parameters = { pageNumber: String(page), maxResults: String(PAGE) };
        const answer = await client.ask({ place: 'parameterSets', parameters }, parameterSetsAnswer);
        const known = sets.size;
        for (const set of answer.sets) sets.set(set.id, set);
        // A service without pages repeats itself.
        if (sets.size >= answer.total || sets.size === known) break;
      }
      return [...sets.values()].filter((set) => canSeeSet(principal, set)).toSorted(compareSets);
    },
    parameterSet: visible,
    async createParameterSet(principal, { report, ...input }) {
      assertLinked(principal);
      // If not given, the user of the token would own it.
      const ownerId = await ownerFor(principal, input.ownerId, users);
      return setAt({ method: 'POST', json: { ...input, ownerId, parameters: parametersOf(report) } });
    },
    async updateParameterSet(principal, id, { ownerId, report, ...changes }) {
      assertLinked(principal);
      const found = await visible(principal, id);
      ownersOnly(principal, found);
      const isSame = ownerId === undefined || ownerId === found.ownerId;
      const owner = isSame ? {} : { ownerId: await ownerFor(principal, ownerId, users) };
      const parameters = report && { parameters: parametersOf(report) };
      return setAt({ below: pathOf(id), method: 'PUT', json: { ...changes, ...parameters, ...owner } });
    },
    async deleteParameterSet(principal, id) {
      ownersOnly(principal, await visible(principal, id));
      // The product's documents have no such request.
      const withoutPath = 'does not delete parameter sets; delete it there.';
      const request = { place: 'parameterSets', below: pathOf(id), method: 'DELETE', withoutPath } as const;
      await client.ask(request, z.unknown());
    },

    formats: () => client.ask({ place: 'formats' }, formats),
    async putFormats(principal, input) {
      adminsOnly(principal, 'formats');
      return client.ask({ place: 'formats', method: 'PUT', json: { ...input } }, formats);
    },
    clientKey: () => local.clientKey(),
  };
}

/** A person without an account of the tracker could not own what is saved. */
function assertLinked({ rights }: Principal): void {
  if (rights !== 'stranger') return;
  throw new AppError('unknown-person-asks', 'Forbidden', [
    'Only Jira users can save reports. Link your account with `/tis link`.',
  ]);
}
