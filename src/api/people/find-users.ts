import { memo } from '../../cache/memo.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { User } from '../../model/issue.ts';
import { holdersOf, unmistakableName } from './logins.ts';

const SIMILAR_SHOWN = 5;

/** The users a typed name can mean: all with this user name or id, else all with this full name. */
export function usersNamed(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const holders = holdersOf(name, users);
  if (holders.length > 0) return holders;
  const wanted = foldedName(name);
  return [...users.values()].filter((user) => foldedName(user.name) === wanted);
}

/** Some whose id, user name or full name holds a text, or begins as it does. */
export function usersLike(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const wanted = foldedName(name);
  if (wanted === '') return [];
  const start = wanted.slice(0, 3);
  const holding: User[] = [];
  const beginning: User[] = [];
  for (const user of users.values()) {
    const names = [user.id, user.login ?? user.id, user.name].map(foldedName);
    if (names.some((one) => one.includes(wanted))) holding.push(user);
    else if (names.some((one) => one.startsWith(start))) beginning.push(user);
  }
  return [...holding, ...beginning].slice(0, SIMILAR_SHOWN);
}

/**
 * The same text for the same address: without regard to the case of the letters A to Z only. Other letters fold to those
 * and still belong to another address, such as the Kelvin sign.
 */
export function foldedEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Everyone with this e-mail address. */
export function usersWithEmail(email: string, users: ReadonlyMap<string, User>): readonly User[] {
  return byEmail(users).get(foldedEmail(email)) ?? [];
}

/** People are looked up with every command, and seldom change. */
const byEmail = memo((users: ReadonlyMap<string, User>): ReadonlyMap<string, readonly User[]> => {
  const named = [...users.values()].flatMap((user) =>
    user.email === undefined ? [] : [{ email: foldedEmail(user.email), user }],
  );
  return new Map(
    [...Map.groupBy(named, ({ email }) => email)].map(([email, all]) => [email, all.map(({ user }) => user)]),
  );
});

/**
 * How a person is typed on the command line so that no one else is meant: by login, id or e-mail address. Where none of
 * them works, a placeholder.
 */
export function typedAs(user: User, users: ReadonlyMap<string, User>): string {
  const { email } = user;
  const address = email !== undefined && holdersOf(email, users).length === 0 ? email : null;
  return unmistakableName(user, users) ?? address ?? 'USERNAME';
}
