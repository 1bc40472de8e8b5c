import type { PeopleApi } from '../../api/people/people-api.ts';
import { bringsAdmin } from '../../model/chat.ts';
import { AppError } from '../../model/error.ts';
import { type Principal, principalIn } from '../../model/principal.ts';
import type { PeopleParts, SlackParts } from '../app/parts.ts';
import { strangerProblem } from './accounts.ts';
import { recognize } from './recognize.ts';

/**
 * With which rights an account asks: those of the tracker's user it certainly is. Full members of our workspace who are
 * nobody there ask without any right of their own and see what everybody may see; anybody else is `not-allowed`. A Slack
 * that does not tell at the moment is `unavailable`.
 */
export async function resolvePrincipal(account: string, parts: PeopleParts): Promise<Principal> {
  const known = await knownPrincipal(account, parts);
  if (known !== null) return known;
  const because = strangerProblem(await parts.accounts.profileOf(account));
  if (because === null) return principalIn(parts.people.tenant, account, 'stranger');
  throw new AppError('unknown-person-asks', 'Dwell answers people of this workspace.', [
    because,
    'If the tracker knows you, say who you are with /tis link.',
  ]);
}

/** The same; null for whoever is not certainly a user of the tracker. */
export async function knownPrincipal(account: string, parts: PeopleParts): Promise<Principal | null> {
  const found = await recognize(account, parts);
  if (found.kind !== 'known') return null;
  const { user, link } = found;
  return principalIn(
    parts.people.tenant,
    user.id,
    user.admin === true && (link === undefined || bringsAdmin(link)) ? 'admin' : 'user',
  );
}

/** The same; null for whoever may not ask, and while Slack does not tell who they are. */
export async function principalOrNobody(account: string, parts: PeopleParts): Promise<Principal | null> {
  return resolvePrincipal(account, parts).catch((error: unknown) => {
    if (error instanceof AppError && ['not-allowed', 'unavailable'].includes(error.code)) return null;
    throw error;
  });
}

/** Standings of accounts whose digests go nowhere. */
const gone: readonly (string | null)[] = ['deactivated', 'foreign', 'bot'];
/** Slack's words for an account that never was, or is no more. */
const unknown: readonly (string | null)[] = ['user_not_found', 'user_not_visible'];

/**
 * With which rights the owner of a digest asks; null for who does not work here any more, or is a guest whom the tracker
 * does not know. A full member who is nobody there sees what everybody may see. `unavailable` while Slack is silent: that
 * is no reason to give a period up.
 */
export async function digestPrincipal(account: string, parts: PeopleParts): Promise<Principal | null> {
  const { standing, isGuest, refused } = await parts.accounts.profileOf(account);
  if (gone.includes(standing) || unknown.includes(refused)) return null;
  return isGuest ? knownPrincipal(account, parts) : resolvePrincipal(account, parts);
}

/** With which rights an account reads and changes digests. */
export async function digestPrincipalHere(
  account: string,
  parts: Pick<SlackParts, 'people' | 'accounts' | 'log'>,
): Promise<Principal> {
  return { ...(await resolvePrincipal(account, parts)), account };
}

/**
 * As whom an account may have asked for its exports: as the user it is, or as the account alone. A Slack that cannot be
 * reached is `unavailable`: an export that is not found would be taken for gone.
 */
export async function principalsOf(
  account: string,
  parts: Pick<SlackParts, 'people' | 'accounts' | 'log'>,
): Promise<readonly Principal[]> {
  const principal = await resolvePrincipal(account, parts);
  return principal.account === account ? [principal] : [principal, principalIn(parts.people.tenant, account)];
}

/** Whether anybody is an admin of the tracker; of imported issues nobody is, and then the command line does their work. */
export async function hasAdmins(people: Pick<PeopleApi, 'users'>): Promise<boolean> {
  return (await people.users()).values().some(({ admin }) => admin === true);
}
