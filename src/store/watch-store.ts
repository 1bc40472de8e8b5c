import type { Instant } from '../model/issue.ts';
import type { Snooze, Watch, WatchAlert } from '../model/watch.ts';

/** A visit as a watch tells of it. */
export type WatchVisit = Pick<WatchAlert, 'watchId' | 'key' | 'since'>;

/** `leftFor` is whom somebody was about to tell who died; null: nobody was. */
export interface ClaimedVisit extends WatchVisit {
  readonly leftFor: string | null;
}

/** Watches, what they told, and what nobody wants to hear of for a while. */
export interface WatchStore {
  /** False when the owner has `most` already. Of the visits in `leftAlone` it never tells anybody. */
  add(watch: Watch, most: number, leftAlone: readonly Omit<WatchVisit, 'watchId'>[]): Promise<boolean>;
  get(id: string): Promise<Watch | null>;
  list(): Promise<readonly Watch[]>;
  change(id: string, change: (kept: Watch) => Watch): Promise<Watch | null>;
  /** Takes it away; whom it told of what is still known. */
  remove(id: string): Promise<boolean>;
  /**
   * Visits an account may be told of now, each given to one process only, once. One claimed at or before `stale` by who
   * died is free; one the account was told of by another watch counts as told. `quiet`: the account was told something
   * after `quietSince`, or is being told.
   */
  claim(
    account: string,
    visits: readonly WatchVisit[],
    at: { readonly now: Instant; readonly stale: Instant; readonly quietSince: Instant },
  ): Promise<readonly ClaimedVisit[] | 'quiet'>;
  /** How the telling of claimed visits ended. `free`: they may be claimed again. */
  settle(
    visits: readonly WatchVisit[],
    end: { readonly state: 'told' | 'free'; readonly account: string; readonly at: Instant },
  ): Promise<void>;
  /** Of the visits told by a watch. */
  alerts(watchId: string): Promise<readonly WatchAlert[]>;
  putSnooze(snooze: Snooze): Promise<void>;
  snoozes(): Promise<readonly Snooze[]>;
  /** Snoozes that ended, and alerts told, before an instant are forgotten. */
  forget(before: Instant): Promise<void>;
}
