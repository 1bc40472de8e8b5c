import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';

/** Whoever presses a button once more within this time does not mean it. */
const APART_MS = 60_000;

/** Keeps one answer from being shared in one place twice at once, also by another process. */
export interface RecentShares {
  /** False where the same was begun within the last minute. */
  begin(run: string, channel: string): Promise<boolean>;
  /** It stands there, or may. */
  end(run: string, channel: string): Promise<void>;
  /** Whether it was begun, and nobody knows yet what becomes of it. */
  isUnderWay(run: string, channel: string): Promise<boolean>;
  /** Nothing was shared after all, so it may be tried again at once. */
  forget(run: string, channel: string): Promise<void>;
}

/** The shares of the last minute, in the store. */
export function createRecentShares(now: () => Instant, stored: Backing): RecentShares {
  const shares = createNamespace<'begun' | 'over'>({
    ...{ name: 'share', ttlMs: APART_MS, most: null, now, backing: stored },
    // A minute that lasts longer is better than an answer that stands there twice.
    fromFuture: 'good',
  });
  const keyOf = (run: string, channel: string) => `${run} ${channel}`;
  return {
    begin: (run, channel) => shares.add(keyOf(run, channel), 'begun'),
    end: (run, channel) => shares.replace(keyOf(run, channel), 'over'),
    isUnderWay: async (run, channel) => (await shares.get(keyOf(run, channel))) === 'begun',
    forget: (run, channel) => shares.delete(keyOf(run, channel)),
  };
}
