import type { PeopleApi } from '../people/people-api.ts';

/** Returns what gives the names of accounts and users for sentences of the audit log; ids of unknown ones stay as they are. */
export async function auditNames({
  users,
  links,
}: Pick<PeopleApi, 'users' | 'links'>): Promise<(account: string) => string> {
  const known = await users();
  const userOf = new Map((await links()).map(({ account, user }) => [account, user]));
  return (account) => known.get(userOf.get(account) ?? account)?.name ?? account;
}
