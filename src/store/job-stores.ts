import type { Lease } from '../concurrency/leased-worker.ts';
import type { Digest, DigestRun, Skipped } from '../model/digest.ts';
import type { Delivery, ExportRecord } from '../model/export.ts';
import type { Instant } from '../model/issue.ts';
import type { BrowseScope, Principal } from '../model/request.ts';
import type { Provenance } from '../model/table.ts';
import type { Snooze, Watch, WatchAlert } from '../model/watch.ts';

/** How an export ended. */
export type ExportOutcome =
  | {
      readonly state: 'Successful';
      readonly fileName: string;
      readonly bytes: number;
      readonly provenance: Provenance;
      readonly scope: BrowseScope;
      readonly expiresAt: Instant;
    }
  | { readonly state: 'Failed'; readonly message: string };

/** Queued exports. Several processes may take work from one store; each export is worked on under a lease. */
export interface ExportStore {
  /** Keeps a new one, unless its owner already has `mostUnfinished` that are queued or running: false then. */
  add(record: ExportRecord, mostUnfinished: number): Promise<boolean>;
  /** No one is told of the end of an export that was asked for by now. */
  dropDeliveries(): Promise<void>;
  get(id: string): Promise<ExportRecord | null>;
  /** Newest first; those asked for by an admin only with `admin`. */
  list(
    owner: Principal,
    page: { readonly start: number; readonly size: number },
  ): Promise<{ readonly records: readonly ExportRecord[]; readonly total: number }>;
  /**
   * Takes up what nobody works on at `now`: an export that is not at its end (it is Running from then on), or one whose
   * delivery by one of these doors is pending. Owners take turns, of one owner's exports the oldest is first. Null:
   * there is nothing to do.
   */
  claim(now: Instant, lease: Lease, doors: readonly Delivery['door'][]): Promise<ExportRecord | null>;
  /** Stores progress and keeps the lease; false when it is lost or the export was aborted. */
  renew(
    id: string,
    lease: Lease,
    progress: { readonly completed: number; readonly total: number },
  ): Promise<boolean>;
  /** Keeps the end and the lease, for the delivery that may follow; false as above, and then nothing has changed. */
  finish(id: string, lease: Lease, at: Instant, outcome: ExportOutcome): Promise<boolean>;
  /** Changes the delivery of an export that is held; false when the lease is lost. */
  putDelivery(id: string, lease: Lease, delivery: Delivery): Promise<boolean>;
  /** Lets go of it. Unfinished work is Queued again, and nobody takes it up before `notBefore`. */
  release(id: string, holder: string, notBefore: Instant): Promise<void>;
  /** Queued or Running becomes Aborted; false when it has ended already. */
  abort(id: string, at: Instant, message: string): Promise<boolean>;
  /**
   * Successful exports past their time become Expired, and of each owner's all but the `most` newest; those that ended
   * before `oldest` are forgotten. Ids of both.
   */
  expire(now: Instant, oldest: Instant, most: number): Promise<readonly string[]>;
}

/** A period that is worked on: the digest, its period, and how often it was taken up before this time. */
export interface HeldRun {
  readonly digest: Digest;
  readonly run: DigestRun;
}

/**
 * Digests and their periods. A period is one row, unique by digest and the instant it is due, written before anything
 * is posted; several processes may take periods from one store, each under a lease.
 */
export interface DigestStore {
  /** False when the owner has `most` already. */
  add(digest: Digest, most: number): Promise<boolean>;
  get(id: string): Promise<Digest | null>;
  /** All, by title and id. */
  list(): Promise<readonly Digest[]>;
  /** Replaces a digest by what `change` makes of it, nobody writing in between; null when there is none. */
  change(id: string, change: (kept: Digest) => Digest): Promise<Digest | null>;
  /** Takes it away with its periods; false when there was none. */
  remove(id: string): Promise<boolean>;
  /** Digests not paused whose `nextDue` has come. */
  due(now: Instant): Promise<readonly Digest[]>;
  /**
   * Writes the periods that fell due, those that are known already left alone, and sets `nextDue`; nothing, and false,
   * when the digest's `nextDue` is not `expected` any more or it is paused. Skipped ones are at their end at once.
   */
  addRuns(
    id: string,
    expected: Instant,
    runs: readonly { readonly due: Instant; readonly notBefore: Instant; readonly skipped: Skipped | null }[],
    nextDue: Instant | null,
  ): Promise<boolean>;
  /**
   * Takes up the oldest period that is `claimed`, whose lease is over and whose `notBefore` has come; its attempts rise
   * by one. Periods of paused digests rest, and those told in `busy` places: channels, or owners. Null: there is
   * nothing to do.
   */
  claim(now: Instant, lease: Lease, busy?: readonly string[]): Promise<HeldRun | null>;
  /**
   * Ends every period of a digest that waits as `skipped`, with why; one that another process works on only where
   * `evenHeld`, as the processes of another database do not exist here.
   */
  skipWaiting(digestId: string, why: Skipped, now: Instant, evenHeld?: boolean): Promise<void>;
  /** Takes away the periods due after `now` that nothing was posted of: a clock that went ahead wrote them. */
  takeBack(digestId: string, now: Instant): Promise<void>;
  /** Periods that failed since an instant and whose note does not say who was `told`, the oldest first. */
  unreported(since: Instant): Promise<readonly DigestRun[]>;
  /** Whoever is to know of periods that failed counts as notified. */
  forgetUnreported(): Promise<void>;
  /** Replaces the note of a period that ended; false when it is not `expected` any more. */
  changeNote(
    digestId: string,
    due: Instant,
    expected: DigestRun['note'],
    note: DigestRun['note'],
  ): Promise<boolean>;
  /** Keeps the lease; false when it is lost. */
  renew(digestId: string, due: Instant, lease: Lease): Promise<boolean>;
  /** Keeps a changed note and the lease; false when it is lost. */
  putNote(digestId: string, due: Instant, lease: Lease, note: DigestRun['note']): Promise<boolean>;
  /** Ends a period that is held; false when the lease is lost. */
  finish(
    digestId: string,
    due: Instant,
    holder: string,
    end: {
      readonly state: 'sent' | 'silent' | 'skipped' | 'failed';
      readonly message: string | null;
      readonly skipReason?: Skipped['skipReason'];
      readonly at: Instant;
    },
  ): Promise<boolean>;
  /** Lets go of a period, which nobody takes up before `notBefore`; `isAttempt` false: it does not count as one. */
  release(
    digestId: string,
    due: Instant,
    holder: string,
    notBefore: Instant,
    isAttempt: boolean,
  ): Promise<void>;
  /** Of a period that failed, or is not known, that it was posted after all; false when it is there and did not fail. */
  putTold(digestId: string, due: Instant, note: DigestRun['note']): Promise<boolean>;
  /** Newest first. */
  runs(digestId: string, count: number): Promise<readonly DigestRun[]>;
  /** Periods that ended before an instant are forgotten, but for each digest's newest. */
  forget(before: Instant): Promise<void>;
}

/** A visit as a watch posts it. */
export type WatchVisit = Pick<WatchAlert, 'watchId' | 'key' | 'since'>;

/** `leftFor` is whom a process that died was about to notify; null: no one. */
export interface ClaimedVisit extends WatchVisit {
  readonly leftFor: string | null;
}

/** Watches, what they told, and what nobody wants to hear of for a while. */
export interface WatchStore {
  /** False when the owner has `most` already. It never notifies anyone of the visits in `leftAlone`. */
  add(watch: Watch, most: number, leftAlone: readonly Omit<WatchVisit, 'watchId'>[]): Promise<boolean>;
  /** It never notifies anyone of these visits, also where an alert was begun whose end is not known. */
  leaveAlone(id: string, visits: readonly Omit<WatchVisit, 'watchId'>[], at: Instant): Promise<void>;
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
