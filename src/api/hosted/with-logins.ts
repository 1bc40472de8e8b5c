import type { Delegation } from '../../model/delegation.ts';
import type { User } from '../../model/issue.ts';
import type { DelegationRecords } from '../delegations/delegation-api.ts';
import { knownLogins, type Rename, renamePeople } from '../people/logins.ts';

/**
 * A hosted register, which speaks of people by login, as one that speaks of them by id. A login that nobody has stays as
 * it is told.
 */
export function withLogins(
  register: DelegationRecords,
  users: () => Promise<ReadonlyMap<string, User>>,
): DelegationRecords {
  async function people(): Promise<{ readonly toId: Rename; readonly toLogin: Rename }> {
    const known = await users();
    const { idNamed, nameOf } = knownLogins(known);
    // Inside an id is an id, though it may be somebody else's login.
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
    async add(wish, by) {
      const { toId, toLogin } = await people();
      return renamePeople(await register.add(renamePeople(wish, toLogin), toLogin(by)), toId);
    },
    async change(id, change, by) {
      const { toId, toLogin } = await people();
      const changed = await register.change(
        id,
        (kept) => {
          const asTold = loginsIn(kept, toId);
          const wish = change(renamePeople(kept, toId));
          return renamePeople(wish, (person) => asTold.get(person) ?? toLogin(person));
        },
        toLogin(by),
      );
      return renamePeople(changed, toId);
    },
    own: null,
  };
}

/** By id. Who stays in a delegation is called as the register calls them, whoever else may have that id by now. */
function loginsIn({ delegator, delegates }: Delegation, toId: Rename): ReadonlyMap<string, string> {
  return new Map([delegator, ...delegates].map((login) => [toId(login), login]));
}
