import { holdersOf } from '../../api/people/logins.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { User } from '../../model/issue.ts';

const SIMILAR_SHOWN = 5;

/** Whom a typed name can mean: everybody of this user name or id, else everybody of this full name. */
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
