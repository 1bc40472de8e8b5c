import type { User } from '../../model/issue.ts';

const SIMILAR_SHOWN = 5;

/** Whom a typed name can mean: the id as it is, else the id or user name in any case, else everybody of this full name. */
export function usersNamed(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const exact = users.get(name);
  if (exact !== undefined) return [exact];
  const wanted = folded(name);
  const all = [...users.values()];
  const byId = all.filter(({ id, login = id }) => folded(id) === wanted || folded(login) === wanted);
  return byId.length > 0 ? byId : all.filter((user) => folded(user.name) === wanted);
}

/** Some whose id, user name or full name holds a text, or begins as it does. */
export function usersLike(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const wanted = folded(name);
  if (wanted === '') return [];
  const start = wanted.slice(0, 3);
  const holding: User[] = [];
  const beginning: User[] = [];
  for (const user of users.values()) {
    const names = [user.id, user.login ?? user.id, user.name].map(folded);
    if (names.some((one) => one.includes(wanted))) holding.push(user);
    else if (names.some((one) => one.startsWith(start))) beginning.push(user);
  }
  return [...holding, ...beginning].slice(0, SIMILAR_SHOWN);
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
