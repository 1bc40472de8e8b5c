import type { DelegationRecords } from '../api/delegations/delegation-api.ts';
import { knownLogins, type Rename, renamePeople } from '../api/people/logins.ts';
import type { Delegation } from '../model/delegation.ts';
import type { User } from '../model/issue.ts';

/** Hosted delegations, which name people by login, as ones that name them by id. A login that no user has is passed on. */
export function withLogins(
  register: DelegationRecords,
  users: () => Promise<ReadonlyMap<string, User>>,
): DelegationRecords {
  async function people(): Promise<{ readonly toId: Rename; readonly toLogin: Rename }> {
    const known = await users();
    const { idNamed, nameOf } = knownLogins(known);
    // An id is an id, though it may be another person's login.
    return { toId: idNamed, toLogin: (person) => nameOf(known.has(person) ? person : idNamed(person)) };
  }

  return {
    async delegatesOf(person, category, at) {
      const { toId, toLogin } = await people();
      return renamePeople(await register.delegatesOf(toLogin(person), category, at), toId);
    },
    async delegatorsOf(person, category, at) {
      const { toId, toLogin } = await people();
      return renamePeople(await register.delegatorsOf(toLogin(person), category, at), toId);
    },
    categories: register.categories,
    async delegations() {
      const [delegations, { toId }] = await Promise.all([register.delegations(), people()]);
      return delegations.map((one) => renamePeople(one, toId));
    },
    delegation: async (id) => renamePeople(await register.delegation(id), (await people()).toId),
    async add(input, by) {
      const { toId, toLogin } = await people();
      return renamePeople(await register.add(renamePeople(input, toLogin), toLogin(by)), toId);
    },
    async change(id, change, by) {
      const { toId, toLogin } = await people();
      const changed = await register.change(
        id,
        (stored) => {
          const logins = loginsIn(stored, toId);
          const input = change(renamePeople(stored, toId));
          return renamePeople(input, (person) => logins.get(person) ?? toLogin(person));
        },
        toLogin(by),
      );
      return renamePeople(changed, toId);
    },
    own: null,
  };
}

/** By id: people who remain in a delegation keep the register's name for them, though others may have that id by now. */
function loginsIn({ delegator, delegates }: Delegation, toId: Rename): ReadonlyMap<string, string> {
  return new Map([delegator, ...delegates].map((login) => [toId(login), login]));
}
