import type { Digest, DigestRun } from '../model/digest.ts';
import type { Instant } from '../model/issue.ts';
import type { Lease } from './lease.ts';

/** A period somebody works on: the digest, its period, and how often it was taken up before this time. */
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
    runs: readonly { readonly due: Instant; readonly notBefore: Instant; readonly skipped: string | null }[],
    nextDue: Instant | null,
  ): Promise<boolean>;
  /**
   * Takes up the oldest period that is `claimed`, whose lease is over and whose `notBefore` has come; its attempts rise
   * by one. Periods of paused digests rest, and those told in `busy` places: channels, or owners. Null: there is
   * nothing to do.
   */
  claim(now: Instant, lease: Lease, busy?: readonly string[]): Promise<HeldRun | null>;
  /** Ends every period of a digest that waits and that nobody works on as `skipped`, with why. */
  skipWaiting(digestId: string, message: string, now: Instant): Promise<void>;
  /** Takes away the periods due after `now` that nothing was posted of: a clock that went ahead wrote them. */
  takeBack(digestId: string, now: Instant): Promise<void>;
  /** Periods that failed since an instant and whose note does not say who was `told`, the oldest first. */
  untold(since: Instant): Promise<readonly DigestRun[]>;
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
  /** Of a period that failed, that it was told after all; false when it had not, or was told meanwhile. */
  putTold(digestId: string, due: Instant, note: DigestRun['note']): Promise<boolean>;
  /** Newest first. */
  runs(digestId: string, count: number): Promise<readonly DigestRun[]>;
  /** Periods that ended before an instant are forgotten, but for each digest's newest. */
  forget(before: Instant): Promise<void>;
}
