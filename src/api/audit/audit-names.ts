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

/** Returns the ids of an actor as the sentences call it, or by its id: all of the accounts and users of that name, and the text itself. */
export async function actorsCalled(
  actor: string,
  { users, links }: Pick<PeopleApi, 'users' | 'links'>,
): Promise<readonly string[]> {
  const name = actor.replace(/ \(command line\)$/, '');
  const isNamed = (one: { readonly name: string } | undefined) =>
    one?.name.toLowerCase() === name.toLowerCase();
  const known = await users();
  const named = [...known].flatMap(([id, user]) => (isNamed(user) ? [id] : []));
  const linked = (await links()).filter(({ user }) => isNamed(known.get(user)));
  return [name, ...named, ...linked.map(({ account }) => account)];
}
