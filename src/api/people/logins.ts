import { memo } from '../../cache/memo.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { Chain, Coverage, DelegateLookup, Delegation, DelegationInput } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { DelegationApi } from '../delegations/delegation-api.ts';

/** The logins of the tracker's people: outside somebody is told by login, inside by id. */
interface Logins {
  /**
   * The id of whoever is named outside: exactly this login, else exactly this id, else the same without regard to case.
   * The name itself where that is nobody, or several.
   */
  idNamed(name: string): string;
  /** What somebody is called outside; the id where no login is known that is theirs alone. */
  nameOf(id: string): string;
  /** The id of whoever a token is for: exactly this id, else exactly this login; the text itself where that is nobody. */
  idOfHolder(user: string): string;
}

/**
 * Reads the logins of all people. A name can be the login of one and the id of another, who was called so before:
 * outside the login counts, as the tracker has it; a token stays that of the id, whose rights it always had. A login that
 * several have, because some were last told of long ago, is nobody's. The same people, asked for several times in one
 * question, are read once.
 */
export const knownLogins = memo((users: ReadonlyMap<string, User>): Logins => {
  const ids = new Map<string, string>();
  const shared = new Set<string>();
  for (const { id, login } of users.values()) {
    if (login === undefined) continue;
    if (ids.has(login)) shared.add(login);
    ids.set(login, id);
  }
  for (const login of shared) ids.delete(login);

  return {
    idNamed(name) {
      const exact = ids.get(name) ?? users.get(name)?.id;
      if (exact !== undefined) return exact;
      const login = storedId(ids, name);
      return (login === null ? storedId(users, name) : ids.get(login)) ?? name;
    },
    nameOf(id) {
      const login = users.get(id)?.login;
      return login !== undefined && ids.has(login) ? login : id;
    },
    idOfHolder: (user) => (users.has(user) ? user : (ids.get(user) ?? user)),
  };
});

/**
 * Everybody whom a user name can mean: whose login or id is exactly this, else the same without regard to case. Several
 * where the login of one is the id of another, who was called so before; then only whoever typed it knows.
 */
export function holdersOf(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const all = [...users.values()];
  const exact = all.filter(({ id, login }) => id === name || login === name);
  if (exact.length > 0) return exact;
  const wanted = foldedName(name);
  return all.filter(({ id, login = id }) => foldedName(id) === wanted || foldedName(login) === wanted);
}

/** The login, else the id, by which somebody and nobody else can be meant; null where others are called by both. */
export function unmistakableName({ id, login = id }: User, users: ReadonlyMap<string, User>): string | null {
  const isTheirs = (name: string) => holdersOf(name, users).every((one) => one.id === id);
  return [login, id].find(isTheirs) ?? null;
}

/** Another word for the same person. */
export type Rename = (person: string) => string;

/** A delegation, or the wish for one, with its people by other names. */
export function renamePeople<Wish extends DelegationInput>(wish: Wish, rename: Rename): Wish {
  return { ...wish, delegator: rename(wish.delegator), delegates: wish.delegates.map(rename) };
}

/** The same of the answer to a look-up. */
export function renameStandIns(told: DelegateLookup, rename: Rename): DelegateLookup {
  return { ...told, person: rename(told.person), others: told.others.map(rename) };
}

/**
 * The delegation port for those who know people by login: they are named and told so, or by id where somebody has no
 * login. Principals are left as they are.
 */
export function peopleByLogin(
  api: DelegationApi,
  users: () => Promise<ReadonlyMap<string, User>>,
): DelegationApi {
  const logins = async () => knownLogins(await users());
  const told = async (delegation: Delegation) => renamePeople(delegation, (await logins()).nameOf);

  return {
    ...api,
    async delegatesOf(question) {
      const { idNamed, nameOf } = await logins();
      const answer = await api.delegatesOf({ ...question, person: idNamed(question.person) });
      return renameStandIns(answer, nameOf);
    },
    async delegatorsOf(question) {
      const { idNamed, nameOf } = await logins();
      const answer = await api.delegatorsOf({ ...question, person: idNamed(question.person) });
      return renameStandIns(answer, nameOf);
    },
    async chainOf(question) {
      const { idNamed, nameOf } = await logins();
      return renameChain(await api.chainOf({ ...question, person: idNamed(question.person) }), nameOf);
    },
    coverage: async (principal, span) =>
      renameCoverage(await api.coverage(principal, span), (await logins()).nameOf),
    delegation: async (principal, id) => told(await api.delegation(principal, id)),
    async delegations(principal, query) {
      const { idNamed, nameOf } = await logins();
      const delegator = query.delegator === null ? null : idNamed(query.delegator);
      const delegate = query.delegate === null ? null : idNamed(query.delegate);
      const { values, total } = await api.delegations(principal, { ...query, delegator, delegate });
      return { values: values.map((one) => renamePeople(one, nameOf)), total };
    },
    create: async (principal, wish) =>
      told(await api.create(principal, renamePeople(wish, (await logins()).idNamed))),
    update: async (principal, id, wish) =>
      told(await api.update(principal, id, renamePeople(wish, (await logins()).idNamed))),
    end: async (principal, id) => told(await api.end(principal, id)),
    async versions(principal, id) {
      const versions = await api.versions(principal, id);
      const { nameOf } = await logins();
      return versions.map((version) => ({
        ...renamePeople(version, nameOf),
        savedBy: version.savedBy === null ? null : nameOf(version.savedBy),
      }));
    },
  };
}

function renameChain(chain: Chain, rename: Rename): Chain {
  return {
    ...chain,
    person: rename(chain.person),
    paths: chain.paths.map(({ people, backTo }) => ({
      people: people.map(rename),
      backTo: backTo === null ? null : rename(backTo),
    })),
  };
}

function renameCoverage(coverage: Coverage, rename: Rename): Coverage {
  const { delegations, uncovered, awayToo, ending } = coverage;
  return {
    ...coverage,
    delegations: delegations.map((one) => renamePeople(one, rename)),
    uncovered: uncovered.map((one) => ({ ...one, person: rename(one.person) })),
    awayToo: awayToo.map((one) => ({
      ...one,
      person: rename(one.person),
      delegate: rename(one.delegate),
      standIns: one.standIns?.map(rename) ?? null,
    })),
    ending: ending.map((one) => renamePeople(one, rename)),
  };
}

/** Lets whoever asks with a token for their login be the person of that login, with the rights and records of theirs. */
export function principalsByLogin(
  api: DelegationApi,
  users: () => Promise<ReadonlyMap<string, User>>,
): DelegationApi {
  const known = async (principal: Principal): Promise<Principal> => ({
    ...principal,
    account: knownLogins(await users()).idOfHolder(principal.account),
  });

  return {
    rightOf: async (principal) => api.rightOf(await known(principal)),
    delegatesOf: async (question) =>
      api.delegatesOf({ ...question, principal: await known(question.principal) }),
    delegatorsOf: async (question) =>
      api.delegatorsOf({ ...question, principal: await known(question.principal) }),
    chainOf: async (question) => api.chainOf({ ...question, principal: await known(question.principal) }),
    coverage: async (principal, span) => api.coverage(await known(principal), span),
    categories: async (principal) => api.categories(await known(principal)),
    delegation: async (principal, id) => api.delegation(await known(principal), id),
    delegations: async (principal, query) => api.delegations(await known(principal), query),
    create: async (principal, wish) => api.create(await known(principal), wish),
    update: async (principal, id, wish) => api.update(await known(principal), id, wish),
    end: async (principal, id) => api.end(await known(principal), id),
    versions: async (principal, id) => api.versions(await known(principal), id),
    permitCategories: async (principal) => api.permitCategories(await known(principal)),
    createCategory: async (principal, wish) => api.createCategory(await known(principal), wish),
    updateCategory: async (principal, id, wish) => api.updateCategory(await known(principal), id, wish),
    deleteCategory: async (principal, id) => api.deleteCategory(await known(principal), id),
    delegateTimes: async (principal, categories) => api.delegateTimes(await known(principal), categories),
  };
}

/** The id somebody means: exactly this one, else the only one that equals it without regard to case; null: none. */
export function storedId(
  ids: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  name: string,
): string | null {
  if (ids.has(name)) return name;
  const wanted = foldedName(name);
  const alike = [...ids.keys()].filter((id) => foldedName(id) === wanted);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

/** Nobody of this name is known. */
export function unknownUser(name: string): AppError {
  return new AppError('not-found', `User with name "${name}" could not be found.`);
}

export function unknownCategory(name: string): AppError {
  return new AppError('not-found', `Category with name "${name}" could not be found.`);
}

export function unknownCategoryId(id: number): AppError {
  return new AppError('not-found', `Category with id "${id}" could not be found.`);
}

export function unknownDelegation(id: number): AppError {
  return new AppError('not-found', `Delegation with id "${id}" could not be found.`);
}
