import type { Instant } from '../../model/issue.ts';

/** Whoever presses a button once more within this time does not mean it. */
const APART_MS = 60_000;

/** Keeps one answer from being shared in one place twice at once. */
export interface RecentShares {
  /** False where the same was begun within the last minute. */
  begin(run: string, channel: string): boolean;
  /** It stands there, or may. */
  end(run: string, channel: string): void;
  /** Whether it was begun, and nobody knows yet what becomes of it. */
  isUnderWay(run: string, channel: string): boolean;
  /** Nothing was shared after all, so it may be tried again at once. */
  forget(run: string, channel: string): void;
}

/** Nothing shared yet. */
export function createRecentShares(now: () => Instant): RecentShares {
  const begun = new Map<string, { readonly since: Instant; readonly isOver: boolean }>();
  const keyOf = (run: string, channel: string) => `${run} ${channel}`;
  return {
    begin(run, channel) {
      const at = now();
      for (const [key, { since }] of begun) if (at - since >= APART_MS) begun.delete(key);
      const key = keyOf(run, channel);
      if (begun.has(key)) return false;
      begun.set(key, { since: at, isOver: false });
      return true;
    },
    end(run, channel) {
      const share = begun.get(keyOf(run, channel));
      if (share !== undefined) begun.set(keyOf(run, channel), { ...share, isOver: true });
    },
    isUnderWay: (run, channel) => begun.get(keyOf(run, channel))?.isOver === false,
    forget: (run, channel) => void begun.delete(keyOf(run, channel)),
  };
}
