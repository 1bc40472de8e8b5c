import type { PeopleApi } from '../../api/people/people-api.ts';
import { AppError } from '../../model/error.ts';
import { type Principal, principalIn } from '../../model/principal.ts';
import type { PeopleParts } from '../app/parts.ts';
import { strangerProblem } from './accounts.ts';
import { principalOfUser, recognize } from './recognize.ts';

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
