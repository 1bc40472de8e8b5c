import type { Asker } from '../../model/request.ts';
import type { DoorParts } from '../command.ts';
import { askerOf } from '../people/asker-of.ts';

/**
 * As whom an account may have asked for its exports: as the user it is, or as the account alone. A Slack that cannot be
 * reached is `unavailable`: an export that is not found would be taken for gone.
 */
export async function askersOf(
  account: string,
  parts: Pick<DoorParts, 'people' | 'accounts' | 'log'>,
): Promise<readonly Asker[]> {
  const asker = await askerOf(account, parts);
  return asker.user === account ? [asker] : [asker, { user: account, admin: false }];
}
