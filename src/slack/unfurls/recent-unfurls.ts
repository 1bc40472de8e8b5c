import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';

/** An issue that was just shown needs no second showing. */
const APART_MS = 30 * millisecondsInMinute;
const MOST_KEPT = 5_000;
const MOST_EVENTS = 1_000;

/** What was shown lately, so that links are no firehose. */
export interface RecentUnfurls {
  /** False for an event that came before: Slack repeats them. */
  beginEvent(id: string): boolean;
  /** False where the issue was shown in the channel within half an hour. */
  beginIssue(channel: string, key: string): boolean;
  /** It was not shown after all. */
  forget(channel: string, key: string): void;
}

/** Nothing shown yet. */
export function createRecentUnfurls(now: () => Instant): RecentUnfurls {
  const events = new Set<string>();
  const shown = new Map<string, Instant>();
  const keyOf = (channel: string, key: string) => `${channel} ${key}`;
  return {
    beginEvent(id) {
      if (events.has(id)) return false;
      events.add(id);
      if (events.size > MOST_EVENTS) for (const oldest of events.values().take(1)) events.delete(oldest);
      return true;
    },
    beginIssue(channel, key) {
      const name = keyOf(channel, key);
      const at = shown.get(name);
      if (at !== undefined && now() - at < APART_MS) return false;
      shown.delete(name);
      shown.set(name, now());
      if (shown.size > MOST_KEPT) for (const oldest of shown.keys().take(1)) shown.delete(oldest);
      return true;
    },
    forget: (channel, key) => void shown.delete(keyOf(channel, key)),
  };
}
