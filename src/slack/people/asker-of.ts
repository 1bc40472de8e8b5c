import { bringsAdmin } from '../../model/person-link.ts';
import type { Asker } from '../../model/request.ts';
import type { DoorParts } from '../command.ts';
import { recognize } from './recognize.ts';

/**
 * With which rights an account asks: those of the tracker's user it certainly is. Whoever is nobody there, or cannot be
 * told while Slack is silent, asks as somebody without any right of their own and sees what everybody may see.
 */
export async function askerOf(
  account: string,
  parts: Pick<DoorParts, 'people' | 'accounts' | 'log'>,
): Promise<Asker> {
  return (await knownAsker(account, parts)) ?? { user: account, admin: false };
}

/** The same; null for whoever is not certainly a user of the tracker. */
export async function knownAsker(
  account: string,
  parts: Pick<DoorParts, 'people' | 'accounts' | 'log'>,
): Promise<Asker | null> {
  const found = await recognize(account, parts).catch((error: unknown) => {
    parts.log.warn({ err: error, account }, 'who asks could not be told, so they ask without rights');
    return null;
  });
  if (found?.kind !== 'known') return null;
  const { user, link } = found;
  return { user: user.id, admin: user.admin === true && (link === undefined || bringsAdmin(link)) };
}
