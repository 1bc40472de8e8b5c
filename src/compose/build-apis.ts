import { randomFillSync, randomUUID } from 'node:crypto';
import { agingKind } from '../api/answers/aging/aging-kind.ts';
import { createAnswers } from '../api/answers/create-answers.ts';
import { createChannels } from '../api/channels/create-channels.ts';
import { createDelegations } from '../api/delegations/create-delegations.ts';
import type { DelegationApi, DelegationRecords } from '../api/delegations/delegation-api.ts';
import { createEndedRemoval, createLocalRecords } from '../api/delegations/local-delegation-records.ts';
import { createDigests } from '../api/digests/create-digests.ts';
import { createFlows, type FlowsApi } from '../api/flows/create-flows.ts';
import { createNudges } from '../api/nudges/create-nudges.ts';
import { createPeople, type PeopleApi } from '../api/people/create-people.ts';
import { delegationsByLogin } from '../api/people/logins.ts';
import type { Tokens } from '../api/people/tokens.ts';
import { createLocalReporting } from '../api/reporting/create-local-reporting.ts';
import { createPageLists } from '../api/reporting/load-page.ts';
import type { ReportingApi } from '../api/reporting/reporting-api.ts';
import { createLocalSettings } from '../api/settings/local-settings.ts';
import { requestOfSaved } from '../api/settings/request-of-saved.ts';
import type { SettingsApi } from '../api/settings/settings-api.ts';
import { createStatusCategories, type StatusCategories } from '../api/settings/status-categories.ts';
import { createWatches } from '../api/watches/create-watches.ts';
import type { DelegationAccess } from '../cli/cli-command.ts';
import type { WorkObserver } from '../concurrency/leased-worker.ts';
import { openTrackerIssues } from '../mirror/lists/tracker-issues.ts';
import { defaultDelegationPermissions, GENERAL } from '../model/delegation.ts';
import { AppError } from '../model/error.ts';
import type { User } from '../model/issue.ts';
import { checkCalendar } from '../time/check-calendar.ts';
import type { BuiltTracker, TrackerParts } from './build-tracker.ts';
import type { Config } from './config.ts';
import { httpSurroundings } from './http-surroundings.ts';

/** The parts to build from; every request asks for the mirror again. */
interface ApisParts
  extends Omit<TrackerParts, 'version' | 'meters'>,
    Pick<BuiltTracker, 'mirror' | 'administers'> {
  readonly tokens: Tokens;
  readonly observer: WorkObserver;
}

/** The same with who there is, and where data comes from (the tracker's name). */
interface KnownParts extends ApisParts {
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly tracker: () => Promise<string>;
}

/** Builds the parts that every door uses: reports, delegations, and answers to questions in words. */
export async function buildApis(config: Config, given: ApisParts) {
  const parts = {
    ...given,
    users: async () => (await given.mirror()).users(),
    tracker: async () => (await given.mirror()).tracker(),
  };
  const people = await buildDelegations(config, parts);
  const issues = await buildReporting(config, parts, people.delegations);
  return { ...people, ...issues, ...buildAnswers({ ...parts, ...people, ...issues }) };
}

/** The delegations, their permissions, and the people, of the tracker in use. */
interface BuiltDelegations {
  readonly delegations: DelegationApi;
  /** The same where people are named as on the wire. */
  readonly delegationsByLogin: DelegationApi;
  readonly delegationAccess: DelegationAccess;
  readonly people: PeopleApi;
  /** To be called by the clock. */
  readonly removeEndedDelegations: () => Promise<void>;
}

/** Everything about delegations, over our own records or those of a service. */
async function buildDelegations(config: Config, parts: KnownParts): Promise<BuiltDelegations> {
  const { store, mirror, tracker, tokens, now } = parts;
  const groups = async () => (await (await mirror()).directory()).groups;
  const { delegationPermissions } = store;
  const permissions = async () =>
    (await delegationPermissions.get(await tracker())) ?? defaultDelegationPermissions;
  const records = await chooseRecords(config, parts);
  const people = createPeople({
    links: async () => store.documents(await tracker()).links,
    users: parts.users,
    tokens,
    now,
    ...(config.delegation === null
      ? {}
      : {
          hosted: {
            counts: async () => hasNoTracker(config, parts),
            nameOf: (name) => nameIn(records, name),
          },
        }),
  });
  const { users } = people;
  const delegations = createDelegations({ records, permissions, groups, users, now });
  return {
    delegations,
    delegationsByLogin: delegationsByLogin(delegations, users),
    delegationAccess: {
      permissions,
      async putPermissions(chosen) {
        await delegationPermissions.change(await tracker(), () => chosen);
      },
      groups,
    },
    people,
    removeEndedDelegations: createEndedRemoval({
      store: async () => store.documents(await tracker()).delegations,
      days: config.delegationDays,
      now,
    }),
  };
}

/** Returns true where neither settings nor imports have people: a fictional company has no real ones. */
async function hasNoTracker(
  { tracker, live }: Config,
  { tracker: name, users }: KnownParts,
): Promise<boolean> {
  if (live !== null) return false;
  const isInvented = tracker === null && (await name()) === 'sample';
  return isInvented || (await users()).size === 0;
}

/** A user name as a hosted service stores it, which lists no users; null for no one's. */
async function nameIn(records: DelegationRecords, name: string): Promise<string | null> {
  try {
    return (await records.delegatesOf(name, GENERAL, null)).person;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

async function chooseRecords(
  { delegation, timeZone }: Config,
  { store, mirror, users, tracker, now, onCall }: KnownParts,
): Promise<DelegationRecords> {
  if (delegation !== null) {
    const { createKeychainRecords } = await import('../hosted/create-keychain-records.ts');
    const { withLogins } = await import('../api/people/logins.ts');
    return withLogins(
      createKeychainRecords({ ...delegation, timeZone }, httpSurroundings(now, onCall)),
      users,
    );
  }
  return createLocalRecords({
    store: async () => store.documents(await tracker()).delegations,
    directory: async () => (await mirror()).directory(),
    users,
    now,
  });
}

/** The reports about issues, and their settings. */
interface BuiltReporting {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly statusCategories: StatusCategories;
  readonly flows: FlowsApi;
  closeReporting(): Promise<void>;
}

/** Our own engine, or the client of a service that answers in its place. */
async function buildReporting(
  { hostedReporting, timeZone, defaultCalendar }: Config,
  { store, stored, mirror, users, tracker, administers, now, onCall }: KnownParts,
  { delegateTimes }: Pick<DelegationApi, 'delegateTimes'>,
): Promise<BuiltReporting> {
  const newId = randomUUID;
  const flows = async () => (await storedFlows()).list();
  const own = createLocalSettings({
    store,
    stored,
    directory: async () => (await mirror()).directory(),
    users,
    now,
    newId,
    checkCalendar,
    defaultCalendar,
  });
  const storedFlows = async () => store.documents(await tracker()).flows;
  const flowsOver = (reporting: ReportingApi) =>
    createFlows({
      reporting,
      store: storedFlows,
      defaultCalendar: own.defaultCalendar,
      administers: ({ account }, project) => administers(account, project),
      now,
    });
  const statusCategoriesOver = (reporting: ReportingApi) =>
    createStatusCategories({
      reporting,
      store: async () => openTrackerIssues(store, await tracker()),
      isHosted: hostedReporting !== null,
      now,
    });
  if (hostedReporting !== null) {
    const { createTisClient } = await import('../hosted/tis-client.ts');
    const { createHostedReporting } = await import('../hosted/create-hosted-reporting.ts');
    const { createHostedSettings } = await import('../hosted/create-hosted-settings.ts');
    const client = createTisClient(hostedReporting, httpSurroundings(now, onCall));
    const hosted = createHostedReporting(client, { now, flows });
    return {
      reporting: hosted,
      settings: createHostedSettings(client, own, users),
      statusCategories: statusCategoriesOver(hosted),
      flows: flowsOver(hosted),
      closeReporting: () => client.close(),
    };
  }
  const reporting = createLocalReporting({
    mirror,
    calendars: own.calendars,
    flows,
    pages: createPageLists({ stored, now }),
    delegateTimes,
    now,
    newId,
    timeZone,
  });
  return {
    reporting,
    settings: own,
    statusCategories: statusCategoriesOver(reporting),
    flows: flowsOver(reporting),
    closeReporting: async () => {},
  };
}

/** The answers to questions in words, and the digests and watches that are posted again and again. */
function buildAnswers(parts: KnownParts & BuiltReporting & Pick<BuiltDelegations, 'delegations'>) {
  const { store, stored, users, reporting, settings, now } = parts;
  const { tenant } = store;
  // Chance by the hundred takes no longer than for one.
  const chance = new BigUint64Array(128);
  let left = 0;
  // Ten characters of 62 bits: short enough to read out, too many to guess.
  const newId = () => {
    if (left === 0) left = randomFillSync(chance).length;
    left -= 1;
    return (chance[left] ?? 0n).toString(36).padStart(10, '0').slice(-10);
  };
  const nudges = createNudges({ ...parts, tenant, store, newId });
  const answers = createAnswers({
    ...parts,
    reasonsFor: nudges.reasonsFor,
    userName: async (id) => (await users()).get(id)?.name ?? null,
    userZone: async (id) => (await users()).get(id)?.timeZone ?? null,
    knowsUsers: async () => (await users()).size > 0,
    calendars: settings.calendars,
    readSaved: async (principal, { setId, timeZone }, asOf) => {
      const { name, report } = await settings.parameterSet(principal, setId);
      const onClocks = { ...reporting, timeZoneOf: async () => timeZone };
      const request = await requestOfSaved(report, principal, {
        reporting: onClocks,
        settings,
        now: () => asOf,
      });
      if (request !== null) return request;
      throw new AppError('missing-value', `The saved report '${name}' is about one issue and names none.`);
    },
    newId,
  });
  return {
    answers,
    nudges,
    channels: createChannels({ stored, settings, tenant, now }),
    digests: createDigests({ ...parts, tenant, store, answers, newId }),
    watches: createWatches({
      ...parts,
      tenant,
      store,
      ages: (principal, input) =>
        answers.ask(agingKind, principal, { kind: 'aging', ...input, backlog: true }, null, {
          start: 0,
          size: Infinity,
        }),
      newId,
    }),
  };
}
