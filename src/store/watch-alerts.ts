import type { Instant } from '../model/issue.ts';
import type { WatchAlert } from '../model/watch.ts';

/** A visit as a watch posts it. */
export type WatchVisit = Pick<WatchAlert, 'watchId' | 'key' | 'since'>;

/** `leftFor` is whom a process that died was about to notify; null: no one. */
export interface ClaimedVisit extends WatchVisit {
  readonly leftFor: string | null;
}

/** The instants by which a claim is judged; those from the future were left by a clock that was set back since. */
export interface ClaimInstants {
  readonly now: Instant;
  /** A claim that was made at or before this instant and is not settled is of a process that died. */
  readonly stale: Instant;
  /** An account that was notified of something after it is left in peace. */
  readonly quietSince: Instant;
}

/** The visits that people were notified of by watches, or are about to be: each once, across all processes. */
export interface WatchAlerts {
  /**
   * Visits an account may be notified of now, each given to one process only. A visit is free if the process that
   * claimed it died; it is settled if the account was notified of it by another watch. `quiet`: the account was
   * notified recently, or is being notified.
   */
  claim(
    account: string,
    visits: readonly WatchVisit[],
    at: ClaimInstants,
  ): Promise<readonly ClaimedVisit[] | 'quiet'>;
  /** Records the end of claimed visits. `free`: they may be claimed again. */
  settle(
    visits: readonly WatchVisit[],
    end: { readonly state: 'told' | 'free'; readonly account: string; readonly at: Instant },
  ): Promise<void>;
  /** No one is ever notified of these visits, also where an alert was begun whose end is not known. */
  leaveAlone(visits: readonly WatchVisit[], at: Instant): Promise<void>;
  /** Those of a watch. */
  of(watchId: string): Promise<readonly WatchAlert[]>;
  /** To be called once a watch is gone: whom it notified of what is still known, nothing else. */
  removeOf(watchId: string): Promise<void>;
  /** Alerts that were settled before an instant are forgotten. */
  forget(before: Instant): Promise<void>;
}
