import type { Answer } from '../model/answer.ts';
import type { Digest, DigestInput, DigestRun } from '../model/digest.ts';
import type { Instant } from '../model/issue.ts';
import type { Principal } from '../model/principal.ts';

/**
 * The port of digests. Owners and admins read and change them (others get `not-found`); a channel's are readable to
 * whoever asks in it. A wrong value is `bad-request`.
 */
export interface DigestsApi {
  /** `too-many` while the account has 50 already. */
  create(owner: Principal, wish: DigestInput): Promise<Digest>;
  get(principal: Principal, id: string): Promise<Digest>;
  /** The principal's own, and with a channel all of that channel; an admin without a channel gets all. By title. */
  list(principal: Principal, channel: string | null): Promise<readonly Digest[]>;
  change(principal: Principal, id: string, changes: Partial<DigestInput>): Promise<Digest>;
  pause(principal: Principal, id: string): Promise<Digest>;
  resume(principal: Principal, id: string): Promise<Digest>;
  /** Another account becomes the owner: from then on it asks with that one's rights. */
  handOver(principal: Principal, id: string, account: string): Promise<Digest>;
  /**
   * Who asks becomes the owner in place of one who is gone; `not-found` when somebody else than `gone` owns it. That
   * the owner is gone, and that the principal may read where it is told, the door has made sure of.
   */
  takeOver(principal: Principal, id: string, gone: string): Promise<Digest>;
  remove(principal: Principal, id: string): Promise<void>;
  /**
   * When what falls due after an instant is told, the next so many times: on working days where that is wished.
   * `bad-request` for what is no schedule.
   */
  nextPosts(
    wish: Pick<DigestInput, 'schedule' | 'workingDays'>,
    after: Instant,
    count: number,
  ): Promise<readonly Instant[]>;
  /** Of a period that failed, that it was told after all, and how; false when that was known. */
  markPosted(principal: Principal, id: string, due: Instant, note: DigestRun['note']): Promise<boolean>;
  /** The newest periods of a digest, newest first. */
  runs(principal: Principal, id: string, count: number): Promise<readonly DigestRun[]>;
}

/** A period that is to be posted. */
export interface DueDigest {
  readonly digest: Digest;
  readonly run: DigestRun;
  readonly answer: Answer;
  /** It comes later than it was due, by so much (ms) beside what Slack had it wait; null when it is on time. */
  readonly lateMs: number | null;
  /** Periods directly before it that were not posted. */
  readonly missed: readonly Instant[];
}

/**
 * Brings digests to where they are told. Each call may be repeated after a crash: it finds out by the run's note, and
 * by asking, what was done already. `keep` makes a changed note durable, and fails with an AppError when somebody else
 * has taken the period over: the notifier must stop then.
 */
export interface DigestNotifier {
  /** With which rights an account asks; null: it is gone, or nobody knows whose it is. */
  principalOf(account: string): Promise<Principal | null>;
  /** Whether the message of a period stands where it is told, by its note. */
  standing(run: DigestRun): 'no' | 'perhaps' | 'yes';
  /**
   * Posts the message, then what belongs into its thread; null when that is done, else until when Slack wants to be left
   * alone. An AppError `unavailable` means: try again later; any other failure gives the period up, with its sentence.
   */
  deliver(due: DueDigest, keep: (note: DigestRun['note']) => Promise<void>): Promise<Instant | null>;
  /**
   * Tells the owner that a period was given up and what to do; where the owner is gone, those who read it. False: they
   * may not know yet. `triedAt` is when that was tried first, null the first time.
   */
  notifyOwner(digest: Digest, run: DigestRun, triedAt: Instant | null): Promise<boolean>;
}
