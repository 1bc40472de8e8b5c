import { foldedName } from '../../issues/ids-and-names.ts';
import type { User } from '../../model/issue.ts';

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
