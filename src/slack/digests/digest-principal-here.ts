import type { Principal } from '../../model/principal.ts';
import type { DoorParts } from '../command.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** With which rights an account reads and changes digests. */
export async function digestAskerHere(
  account: string,
  parts: Pick<DoorParts, 'people' | 'accounts' | 'log'>,
): Promise<Principal> {
  return { ...(await resolvePrincipal(account, parts)), account };
}
