import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';

/** An issue that was just shown needs no second showing. */
const APART_MS = 30 * millisecondsInMinute;
const MOST_KEPT = 5_000;

/** Slack repeats an event within the hour. */
const EVENTS_KEPT_MS = millisecondsInDay;
const MOST_EVENTS = 1_000;

/** What was shown lately, so that links are no firehose. */
export interface RecentUnfurls {
  /** False for an event that came before: Slack repeats them. */
  beginEvent(id: string): Promise<boolean>;
  /** False where the issue was shown in the channel within half an hour. */
  beginIssue(channel: string, key: string): Promise<boolean>;
  /** It was not shown after all. */
  forget(channel: string, key: string): Promise<void>;
}

/** What was shown within half an hour, in the store. */
export function createRecentUnfurls(now: () => Instant, stored: Backing | undefined): RecentUnfurls {
  const events = createNamespace<true>({
    ...{ name: 'unfurl-event', ttlMs: EVENTS_KEPT_MS, most: MOST_EVENTS, now, backing: stored },
  });
  const shown = createNamespace<true>({
    ...{ name: 'unfurl', ttlMs: APART_MS, most: MOST_KEPT, now, backing: stored },
  });
  const keyOf = (channel: string, key: string) => `${channel} ${key}`;
  return {
    beginEvent: (id) => events.add(id, true),
    beginIssue: (channel, key) => shown.add(keyOf(channel, key), true),
    forget: (channel, key) => shown.delete(keyOf(channel, key)),
  };
}
