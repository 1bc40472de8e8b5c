import type { AgingIssue } from '../model/aging.ts';
import type { Instant } from '../model/issue.ts';
import type { Asker } from '../model/request.ts';
import type { Snooze, Watch, WatchAlert, WatchWish } from '../model/watch.ts';
import type { DigestAsker } from './digests.ts';

/** The port of watches. Owners and admins read and change them; others get `not-found`. */
export interface WatchesApi {
  /** `too-many` while the account has 50 already. */
  create(owner: DigestAsker, wish: WatchWish): Promise<Watch>;
  /** The asker's own; an admin gets all. */
  list(asker: DigestAsker): Promise<readonly Watch[]>;
  get(asker: DigestAsker, id: string): Promise<Watch>;
  pause(asker: DigestAsker, id: string): Promise<Watch>;
  resume(asker: DigestAsker, id: string): Promise<Watch>;
  remove(asker: DigestAsker, id: string): Promise<void>;
  /** Until then, and no longer than 30 days, the account hears nothing of this visit; it is told then if it still lasts. */
  snooze(snooze: Snooze): Promise<void>;
}

/** Somebody is to be told of an issue that sits too long. */
export interface Nudge {
  readonly watch: Watch;
  readonly issue: AgingIssue;
  /** The threshold in working ms. */
  readonly thresholdMs: number;
  /** User id of who is told; null: the watch's owner. */
  readonly person: string | null;
  /** For whom that person stands in; null: for nobody. */
  readonly standsInFor: { readonly id: string; readonly name: string } | null;
}

/** Tells people of what sits too long. */
export interface WatchPostman {
  askerOf(account: string): Promise<Asker | null>;
  /** The account of a user of the tracker; null where nobody knows it for certain. */
  accountOf(user: string): Promise<string | null>;
  /** At most once. `unknown`: Slack gave no answer; it is not told again. */
  nudge(nudge: Nudge, account: string): Promise<'told' | 'refused' | 'unknown'>;
}

/** A visit that was told, with when. */
export type ToldVisit = Pick<WatchAlert, 'watchId' | 'key' | 'since'> & { readonly at: Instant };
