import { usersWithEmail } from '../../api/people/find-users.ts';
import { bringsAdmin, type PersonLink } from '../../model/chat.ts';
import type { User } from '../../model/issue.ts';
import { type Principal, principalIn } from '../../model/principal.ts';
import type { PeopleParts } from '../app/parts.ts';
import { readEmail } from './accounts.ts';

/** Which user of the tracker is meant, with the link that says so if any; else the candidates, or why and similar names. */
export type Recognition =
  | { readonly kind: 'known'; readonly user: User; readonly link?: PersonLink }
  | { readonly kind: 'several'; readonly users: readonly User[] }
  | { readonly kind: 'unknown'; readonly because: string; readonly similar?: readonly User[] };

/**
 * By a link, else by the confirmed e-mail address of a member of the workspace, where exactly one user of the tracker has
 * it. Never a guess.
 */
export async function recognize(account: string, { people, accounts }: PeopleParts): Promise<Recognition> {
  const users = await people.users();
  const link = await people.linkOf(account);
  if (link !== null) {
    const user = users.get(link.user);
    return user === undefined
      ? { kind: 'unknown', because: `The account is linked to ${link.user}, who is not in Jira anymore.` }
      : { kind: 'known', user, link };
  }
  const read = readEmail(await accounts.profileOf(account));
  if ('because' in read) return { kind: 'unknown', ...read };
  const [user, ...others] = usersWithEmail(read.email, users);
  if (user === undefined)
    return { kind: 'unknown', because: 'No one in Jira has the e-mail address of this Slack account.' };
  return others.length === 0 ? { kind: 'known', user } : { kind: 'several', users: [user, ...others] };
}

/** The rights of a user; those of an admin only where what links the account brings them. */
export function principalOfUser(
  tenant: string,
  { user, link }: Extract<Recognition, { readonly kind: 'known' }>,
): Principal {
  const isAdmin = user.admin === true && (link === undefined || bringsAdmin(link));
  return principalIn(tenant, user.id, isAdmin ? 'admin' : 'user');
}

/**
 * The Slack accounts of a user: those linked, the last one first, then the one with their e-mail address; none that is not
 * certain. Slack is asked only after the linked ones are used up.
 */
export async function* accountsOf(user: User, { people, accounts }: PeopleParts): AsyncGenerator<string> {
  const linked = (await people.links())
    .filter((link) => link.user === user.id)
    .toSorted((a, b) => b.at - a.at)
    .map(({ account }) => account);
  yield* linked;
  if (user.email === undefined || usersWithEmail(user.email, await people.users()).length > 1) return;
  const account = await accounts.withEmail(user.email);
  // A link of the account to another user counts more than its address.
  if (account !== null && (await people.linkOf(account)) === null) yield account;
}
