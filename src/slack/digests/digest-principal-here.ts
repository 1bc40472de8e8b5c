import type { Principal } from '../../model/principal.ts';
import type { SlackParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** With which rights an account reads and changes digests. */
export async function digestAskerHere(
  account: string,
  parts: Pick<SlackParts, 'people' | 'accounts' | 'log'>,
): Promise<Principal> {
  return { ...(await resolvePrincipal(account, parts)), account };
}
