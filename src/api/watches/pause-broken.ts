import { millisecondsInHour } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Watch } from '../../model/watch.ts';
import type { WatchPostman } from '../watches.ts';
import type { WatchesParts } from './watches-parts.ts';

/** How long after an owner could not be told they are to be told again. */
const AGAIN_MS = millisecondsInHour;

/** What telling an owner takes. */
type OwnerParts = Pick<WatchesParts, 'store' | 'now'> & { readonly postman: Pick<WatchPostman, 'tellOwner'> };

/** Pauses a watch that cannot work, and tells its owner. */
export async function pauseBroken({ id }: Watch, trouble: string, parts: OwnerParts): Promise<void> {
  const paused = await parts.store.change(id, (kept) =>
    kept.paused ? kept : { ...kept, paused: true, trouble },
  );
  if (paused !== null) await tellTrouble(paused, parts);
}

/** Tells the owner of a watch that paused itself, once, if nobody has; of several processes one does. */
export async function tellTrouble(watch: Watch, { store, now, postman }: OwnerParts): Promise<void> {
  if (!isUntold(watch, now())) return;
  let isOurs = false;
  const claimed = await store.change(watch.id, (kept) => {
    isOurs = isUntold(kept, now());
    return isOurs ? { ...kept, ownerTold: { at: now(), done: false } } : kept;
  });
  if (!isOurs || claimed === null || (await postman.tellOwner(claimed)) === 'later') return;
  await store.change(watch.id, (kept) =>
    kept.trouble === undefined ? kept : { ...kept, ownerTold: { at: now(), done: true } },
  );
}

function isUntold({ paused, trouble, ownerTold }: Watch, now: Instant): boolean {
  if (!paused || trouble === undefined) return false;
  return ownerTold === undefined || (!ownerTold.done && Math.abs(now - ownerTold.at) >= AGAIN_MS);
}
