import { createDelegations } from './api/create-delegations.ts';
import { createPeople } from './api/create-people.ts';
import type { DelegationApi } from './api/delegation.ts';
import { peopleByLogin } from './api/logins/people-by-login.ts';
import { permissionsByLogin } from './api/logins/permissions-by-login.ts';
import { principalsByLogin } from './api/logins/principals-by-login.ts';
import type { PeopleApi } from './api/people.ts';
import { createLocalRegister } from './api/register/create-local-register.ts';
import type { Register } from './api/register.ts';
import type { Tokens } from './api/tokens.ts';
import { memo } from './cache/memo.ts';
import type { DelegationAccess } from './cli/cli-command.ts';
import type { Config } from './config.ts';
import { httpSurroundings } from './http-surroundings.ts';
import type { Mirror } from './mirror/mirror.ts';
import { defaultDelegationPermissions, GENERAL } from './model/delegation.ts';
import { AppError } from './model/error.ts';
import type { Instant, User } from './model/issue.ts';
import type { TenantStore } from './store/store.ts';

/** What delegations are built from; the mirror is asked for anew with every question. */
interface DelegationsParts {
  readonly store: TenantStore;
  readonly mirror: () => Promise<Mirror>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly tokens: Tokens;
  readonly now: () => Instant;
}

/** Who stands in for whom, who may know it, and who is who: of the tracker in use. */
interface BuiltDelegations {
  readonly delegations: DelegationApi;
  /** The same where people are named as on the wire. */
  readonly delegationsByLogin: DelegationApi;
  readonly delegationAccess: DelegationAccess;
  readonly people: PeopleApi;
}

/** Puts together everything about delegations, over our own register or the tracker's. */
export async function buildDelegations(config: Config, parts: DelegationsParts): Promise<BuiltDelegations> {
  const { store, mirror, users: told, tokens, now } = parts;
  const kept = async () => store.delegations(await (await mirror()).tracker());
  const groups = async () => (await (await mirror()).directory()).groups;
  const permissions = async () => (await (await kept()).permissions()) ?? defaultDelegationPermissions;
  const linksOf = memo((tracker: string) => store.links(tracker));
  const register = await chooseRegister(config, parts);
  const people = createPeople({
    links: async () => linksOf(await (await mirror()).tracker()),
    users: told,
    tokens,
    now,
    ...(config.delegation === null
      ? {}
      : {
          register: {
            counts: async () => hasNoTracker(config, parts),
            nameOf: (name) => nameIn(register, name),
          },
        }),
  });
  const { users } = people;
  const byId = async () =>
    permissionsByLogin(await permissions(), { groups: await groups(), users: await users() });
  const delegations = principalsByLogin(
    createDelegations({ register, permissions: byId, groups, users, now }),
    users,
  );
  return {
    delegations,
    delegationsByLogin: peopleByLogin(delegations, users),
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

/** A user name as a register stores it, which lists nobody; null for nobody's. */
async function nameIn(register: Register, name: string): Promise<string | null> {
  try {
    return (await register.delegatesOf(name, GENERAL, null)).person;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

async function chooseRegister(
  { delegation, timeZone }: Config,
  { store, mirror, users, now }: DelegationsParts,
): Promise<Register> {
  if (delegation !== null) {
    const { createKeychainRegister } = await import('./api/hosted/create-keychain-register.ts');
    const { withLogins } = await import('./api/hosted/with-logins.ts');
    return withLogins(createKeychainRegister({ ...delegation, timeZone }, httpSurroundings(now)), users);
  }
  return createLocalRegister({
    store: async () => store.delegations(await (await mirror()).tracker()),
    directory: async () => (await mirror()).directory(),
    users,
    now,
  });
}
