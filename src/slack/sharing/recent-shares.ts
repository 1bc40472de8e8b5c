import type { Instant } from '../../model/issue.ts';

/** Whoever presses a button once more within this time does not mean it. */
const APART_MS = 60_000;

/** Keeps one answer from being shared in one place twice at once. */
export interface RecentShares {
  /** False where the same was begun within the last minute. */
  begin(run: string, channel: string): boolean;
  /** Nothing was shared after all, so it may be tried again at once. */
  forget(run: string, channel: string): void;
}

/** Nothing shared yet. */
export function createRecentShares(now: () => Instant): RecentShares {
  const begun = new Map<string, Instant>();
  const keyOf = (run: string, channel: string) => `${run} ${channel}`;
  return {
    begin(run, channel) {
      const at = now();
      for (const [key, since] of begun) if (at - since >= APART_MS) begun.delete(key);
      const key = keyOf(run, channel);
      if (begun.has(key)) return false;
      begun.set(key, at);
      return true;
    },
    forget: (run, channel) => void begun.delete(keyOf(run, channel)),
  };
}
