import { bringsAdmin } from '../../model/chat.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { principalIn } from '../../model/principal.ts';
import type { PeopleParts } from '../parts.ts';
import { recognize } from './recognize.ts';
import { whyStranger } from './why-stranger.ts';

/**
 * With which rights an account asks: those of the tracker's user it certainly is. Full members of our workspace who are
 * nobody there ask without any right of their own and see what everybody may see; anybody else is `not-allowed`. A Slack
 * that does not tell at the moment is `unavailable`.
 */
export async function resolvePrincipal(account: string, parts: PeopleParts): Promise<Principal> {
  const known = await knownPrincipal(account, parts);
  if (known !== null) return known;
  const because = whyStranger(await parts.accounts.profileOf(account));
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
