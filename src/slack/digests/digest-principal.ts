import type { Principal } from '../../model/principal.ts';
import type { PeopleParts } from '../parts.ts';
import { knownPrincipal, resolvePrincipal } from '../people/resolve-principal.ts';

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
