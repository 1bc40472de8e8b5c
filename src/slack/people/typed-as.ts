import { holdersOf, unmistakableName } from '../../api/people/logins.ts';
import type { User } from '../../model/issue.ts';

/**
 * How somebody is typed on the command line so that nobody else is meant: by login, id or e-mail address. Where none of
 * them will do, the word that stands for a user name.
 */
export function typedAs(user: User, users: ReadonlyMap<string, User>): string {
  const { email } = user;
  const address = email !== undefined && holdersOf(email, users).length === 0 ? email : null;
  return unmistakableName(user, users) ?? address ?? 'USERNAME';
}
