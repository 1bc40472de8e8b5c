import type { WatchesApi } from '../../api/watches.ts';
import type { WatchWish } from '../../model/watch.ts';
import type { DoorParts } from '../command.ts';
import type { Message } from '../message.ts';
import { askerOf } from '../people/asker-of.ts';
import { begunMessage } from './begun-message.ts';

/** Creates a watch of an account, and says what sits too long already. */
export async function beginWatch(
  wish: WatchWish,
  remarks: readonly string[],
  account: string,
  parts: Pick<DoorParts, 'people' | 'accounts' | 'log'> & { readonly watches: Pick<WatchesApi, 'create'> },
): Promise<Message> {
  const asker = await askerOf(account, parts);
  const begun = await parts.watches.create({ account, admin: asker.admin, asker }, wish);
  return begunMessage(begun, remarks);
}
