import { usersWithEmail } from '../../api/people/create-people.ts';
import type { PeopleApi } from '../../api/people/people-api.ts';
import { bringsAdmin, type PersonLink } from '../../model/chat.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { type Principal, principalIn } from '../../model/permissions.ts';
import type { PeopleParts } from '../app/parts.ts';
import { readEmail, strangerProblem } from './accounts.ts';

/**
 * The rights of an account: those of the tracker's user it certainly is. Full members of our workspace who are not in the
 * tracker see what every user sees; anyone else is `not-allowed`. A Slack that does not answer is `unavailable`.
 */
export async function resolvePrincipal(account: string, parts: PeopleParts): Promise<Principal> {
  const known = await knownPrincipal(account, parts);
  if (known !== null) return known;
  const because = strangerProblem(await parts.accounts.profileOf(account));
  if (because === null) return principalIn(parts.people.tenant, account, 'stranger');
  throw new AppError('unknown-person-asks', 'Dwell answers people of this workspace.', [
    because,
    'If you have a Jira account, link it with /tis link.',
  ]);
}

/** The same; null where it is not certain which user of the tracker an account is. */
export async function knownPrincipal(account: string, parts: PeopleParts): Promise<Principal | null> {
  const found = await recognize(account, parts);
  return found.kind === 'known' ? principalOfUser(parts.people.tenant, found) : null;
}

/** The same as `resolvePrincipal`; null where that is not allowed, or unavailable. */
export async function principalOrNobody(account: string, parts: PeopleParts): Promise<Principal | null> {
  return resolvePrincipal(account, parts).catch((error: unknown) => {
    if (error instanceof AppError && ['not-allowed', 'unavailable'].includes(error.code)) return null;
    throw error;
  });
}

/** Accounts that get no digests, by their standing or by what Slack refuses. */
const gone = new Set<string | null>(['deactivated', 'foreign', 'bot', 'user_not_found', 'user_not_visible']);

/**
 * The rights of the owner of a digest; null for people who have left, and for guests who are not in the tracker.
 * `unavailable` while Slack does not answer: that is no reason to give a period up.
 */
export async function digestPrincipal(account: string, parts: PeopleParts): Promise<Principal | null> {
  const { standing, isGuest, refused } = await parts.accounts.profileOf(account);
  if (gone.has(standing) || gone.has(refused)) return null;
  return isGuest ? knownPrincipal(account, parts) : resolvePrincipal(account, parts);
}

/** The rights with which an account reads and changes digests. */
export async function digestPrincipalHere(account: string, parts: PeopleParts): Promise<Principal> {
  return { ...(await resolvePrincipal(account, parts)), account };
}

/**
 * The principals an account's exports can belong to: the user it is, and the account alone. A Slack that cannot be reached
 * is `unavailable`: an export that is not found would be taken for gone.
 */
export async function principalsOf(account: string, parts: PeopleParts): Promise<readonly Principal[]> {
  const principal = await resolvePrincipal(account, parts);
  return principal.account === account ? [principal] : [principal, principalIn(parts.people.tenant, account)];
}

/** Whether the tracker has admins; without any, the command line does their work. */
export async function hasAdmins(people: Pick<PeopleApi, 'users'>): Promise<boolean> {
  return (await people.users()).values().some(({ admin }) => admin === true);
}

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
