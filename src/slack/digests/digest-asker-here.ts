import type { DigestAsker } from '../../api/digests.ts';
import type { DoorParts } from '../command.ts';
import { askerOf } from '../people/asker-of.ts';

/** With which rights an account reads and changes digests. */
export async function digestAskerHere(
  account: string,
  parts: Pick<DoorParts, 'people' | 'accounts' | 'log'>,
): Promise<DigestAsker> {
  const { admin } = await askerOf(account, parts);
  return { account, admin };
}
