import { memo } from '../../cache/namespace.ts';
import type { Delegation } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { DelegationApi, DelegationRecords } from '../delegations/delegation-api.ts';

/** The logins of the tracker's people: outside a person goes by login, inside by id. */
interface Logins {
  /**
   * The id of the person named outside: exactly this login, else exactly this id, else the same without regard to case.
   * The name itself where that is no one, or several.
   */
  idNamed(name: string): string;
  /** The login of a person; the id where no login is known that is theirs alone. */
  nameOf(id: string): string;
  /** The id of the person a token is for: exactly this id, else exactly this login; the text itself where that is no one. */
  idOfHolder(user: string): string;
}

/**
 * Reads the logins of all people. A name can be the login of one and the id of another, who was called so before:
 * outside the login counts, as the tracker has it; a token remains that of the id, whose rights it always had. A login
 * that several have, because what is known of some is old, is no one's. The same people, asked for several times in one
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

/** The id that a name means: exactly this one, else the only one that equals it without regard to case; null: none. */
export function storedId(
  ids: ReadonlySet<string> | ReadonlyMap<string, unknown>,
  name: string,
): string | null {
  if (ids.has(name)) return name;
  const wanted = foldedName(name);
  const alike = [...ids.keys()].filter((id) => foldedName(id) === wanted);
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

export function unknownUser(name: string): AppError {
  const sentence = `User with name "${name}" could not be found.`;
  return new AppError('unknown-person', sentence, [], { data: { name } });
}

/**
 * Everyone a user name can mean: whose login or id is exactly this, else the same without regard to case. Several where
 * the login of one is the id of another, who was called so before; then only the person who typed it knows.
 */
export function holdersOf(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const holders = byFoldedName(users).logins.get(foldedName(name)) ?? [];
  const exact = holders.filter(({ id, login }) => id === name || login === name);
  return exact.length > 0 ? exact : holders;
}

/** Users by how their ids and logins are compared, and by their full names; made once for the same users. */
export const byFoldedName = memo((users: ReadonlyMap<string, User>) => {
  const logins = new Map<string, User[]>();
  const add = (name: string, user: User) => {
    const some = logins.get(name);
    if (some === undefined) logins.set(name, [user]);
    else if (some.at(-1) !== user) some.push(user);
  };
  for (const user of users.values())
    for (const name of [user.id, user.login ?? user.id]) add(foldedName(name), user);
  return { logins, names: Map.groupBy(users.values(), ({ name }) => foldedName(name)) };
});

/** The login, else the id, by which this person and no other can be meant; null where others are called by both. */
export function unmistakableName({ id, login = id }: User, users: ReadonlyMap<string, User>): string | null {
  const isTheirs = (name: string) => holdersOf(name, users).every((one) => one.id === id);
  return [login, id].find(isTheirs) ?? null;
}

/** Another name of the same person. */
export type Rename = (person: string) => string;

/** The members that are people in all requests and answers about delegations: one, several, or null. */
const peopleMembers = new Set([
  'person',
  'people',
  'others',
  'delegator',
  'delegate',
  'delegates',
  'standIns',
  'backTo',
  'savedBy',
]);

/** A question or an answer about delegations, its people by other names. */
export function renamePeople<Value>(value: Value, rename: Rename): Value;
export function renamePeople(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map((one) => renamePeople(one, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [
      member,
      peopleMembers.has(member) ? renamed(one, rename) : renamePeople(one, rename),
    ]),
  );
}

function renamed(people: unknown, rename: Rename): unknown {
  if (Array.isArray(people)) return people.map(rename);
  return typeof people === 'string' ? rename(people) : people;
}

/**
 * The delegation port for clients that know people by login: all are named so, or by id where someone has no login.
 * Principals remain as they are.
 */
export function delegationsByLogin(
  api: DelegationApi,
  users: () => Promise<ReadonlyMap<string, User>>,
): DelegationApi {
  async function byLogin<Input, Answer>(
    input: Input,
    ask: (input: Input) => Promise<Answer>,
  ): Promise<Answer> {
    const { idNamed, nameOf } = knownLogins(await users());
    return renamePeople(await ask(renamePeople(input, idNamed)), nameOf);
  }

  return {
    ...api,
    delegatesOf: (question) => byLogin(question, api.delegatesOf),
    delegatorsOf: (question) => byLogin(question, api.delegatorsOf),
    chainOf: (question) => byLogin(question, api.chainOf),
    coverage: (principal, span) => byLogin(span, (same) => api.coverage(principal, same)),
    delegation: (principal, id) => byLogin(id, (same) => api.delegation(principal, same)),
    delegations: (principal, query) => byLogin(query, (byId) => api.delegations(principal, byId)),
    create: (principal, input) => byLogin(input, (byId) => api.create(principal, byId)),
    update: (principal, id, input) => byLogin(input, (byId) => api.update(principal, id, byId)),
    end: (principal, id) => byLogin(id, (same) => api.end(principal, same)),
    versions: (principal, id) => byLogin(id, (same) => api.versions(principal, same)),
  };
}

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

  const lookUp =
    (which: 'delegatesOf' | 'delegatorsOf'): DelegationRecords[typeof which] =>
    async (person, category, at) => {
      const { toId, toLogin } = await people();
      return renamePeople(await register[which](toLogin(person), category, at), toId);
    };

  return {
    delegatesOf: lookUp('delegatesOf'),
    delegatorsOf: lookUp('delegatorsOf'),
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
