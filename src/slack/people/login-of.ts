import type { User } from '../../model/issue.ts';

/** The user name by which people know somebody of the tracker; the id where there is no other. */
export function loginOf({ id, login = id }: Pick<User, 'id' | 'login'>): string {
  return login;
}
