import { createDelegations } from './api/delegations/create-delegations.ts';
import type { DelegationApi, DelegationRecords } from './api/delegations/delegation-api.ts';
import { createLocalRecords } from './api/delegations/local-delegation-records.ts';
import { createPeople } from './api/people/create-people.ts';
import { delegationsByLogin } from './api/people/logins.ts';
import type { PeopleApi } from './api/people/people-api.ts';
import type { Tokens } from './api/people/tokens.ts';
import { memo } from './cache/memo.ts';
import type { DelegationAccess } from './cli/cli-command.ts';
import type { Config } from './config.ts';
import { httpSurroundings } from './http-surroundings.ts';
import type { Mirror } from './mirror/mirror.ts';
import { defaultDelegationPermissions, GENERAL } from './model/delegation.ts';
import { AppError } from './model/error.ts';
import type { Instant, User } from './model/issue.ts';
import type { TenantStore } from './store/store.ts';

/** What delegations are built from; the mirror is read again for every question. */
interface DelegationsParts {
  readonly store: TenantStore;
  readonly mirror: () => Promise<Mirror>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly tokens: Tokens;
  readonly now: () => Instant;
}

/** Who covers for whom, who can see it, and who is who: of the tracker in use. */
interface BuiltDelegations {
  readonly delegations: DelegationApi;
  /** The same where people are named as on the wire. */
  readonly delegationsByLogin: DelegationApi;
  readonly delegationAccess: DelegationAccess;
  readonly people: PeopleApi;
}

/** Puts together everything about delegations, over our own records or the tracker's. */
export async function buildDelegations(config: Config, parts: DelegationsParts): Promise<BuiltDelegations> {
  const { store, mirror, users: told, tokens, now } = parts;
  const kept = async () => store.delegations(await (await mirror()).tracker());
  const groups = async () => (await (await mirror()).directory()).groups;
  const permissions = async () => (await (await kept()).permissions()) ?? defaultDelegationPermissions;
  const linksOf = memo((tracker: string) => store.links(tracker));
  const records = await chooseRecords(config, parts);
  const people = createPeople({
    links: async () => linksOf(await (await mirror()).tracker()),
    users: told,
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
      putPermissions: async (chosen) => (await kept()).putPermissions(chosen),
      groups,
    },
    people,
  };
}

/** Whether nothing that was configured or imported tells who there is: an invented company is nobody's tracker. */
async function hasNoTracker(
  { tracker, jira }: Config,
  { mirror, users }: DelegationsParts,
): Promise<boolean> {
  if (jira !== null) return false;
  const isInvented = tracker === null && (await (await mirror()).tracker()) === 'sample';
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
  { store, mirror, users, now }: DelegationsParts,
): Promise<DelegationRecords> {
  if (delegation !== null) {
    const { createKeychainRecords } = await import('./hosted/create-keychain-records.ts');
    const { withLogins } = await import('./hosted/with-logins.ts');
    return withLogins(createKeychainRecords({ ...delegation, timeZone }, httpSurroundings(now)), users);
  }
  return createLocalRecords({
    store: async () => store.delegations(await (await mirror()).tracker()),
    directory: async () => (await mirror()).directory(),
    users,
    now,
  });
}
