import type { Watch } from '../../model/watch.ts';
import type { WatchPostman } from '../watches.ts';
import type { WatchesParts } from './watches-parts.ts';

/** Pauses a watch that cannot work, and tells its owner; of several processes that notice, one does. */
export async function pauseBroken(
  { id }: Watch,
  trouble: string,
  { store, postman }: Pick<WatchesParts, 'store'> & { readonly postman: WatchPostman },
): Promise<void> {
  let isOurs = false;
  const paused = await store.change(id, (kept) => {
    isOurs = !kept.paused;
    return kept.paused ? kept : { ...kept, paused: true, trouble };
  });
  if (isOurs && paused !== null) await postman.tellOwner(paused);
}
