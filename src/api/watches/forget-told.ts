import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Watch } from '../../model/watch.ts';
import type { WatchesParts } from './watches-parts.ts';

/** How long what was told is remembered at least. */
const REMEMBERED_MS = 90 * millisecondsInDay;

/** Forgets what was told long ago, of visits that are over. Of a watch nobody has looked at all is `needed`. */
export async function forgetTold(
  watches: readonly Watch[],
  needed: ReadonlyMap<string, Instant>,
  { store, now }: Pick<WatchesParts, 'store' | 'now'>,
): Promise<void> {
  const since = watches.map(({ id, createdAt, paused }) =>
    paused ? createdAt : (needed.get(id) ?? createdAt),
  );
  await store.forget(Math.min(now() - REMEMBERED_MS, ...since));
}
