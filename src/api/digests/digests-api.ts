import type { Answer } from '../../model/answer.ts';
import type { Digest, DigestInput, DigestRun, StoredDigest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/request.ts';

/** The port of digests. Owners and admins read and change them; to others they are `unknown-digest`. */
export interface DigestsApi {
  /** `too-many-digests` when the account has 50 already. */
  create(owner: Principal, input: DigestInput): Promise<Digest>;
  get(principal: Principal, id: string): Promise<Digest>;
  /** The principal's own, and with a channel all of that channel; an admin without a channel gets all. By title. */
  list(principal: Principal, channel: string | null): Promise<readonly Digest[]>;
  change(principal: Principal, id: string, changes: Partial<DigestInput>): Promise<Digest>;
  pause(principal: Principal, id: string): Promise<Digest>;
  resume(principal: Principal, id: string): Promise<Digest>;
  /** Another account becomes the owner: from then on it is answered with that one's rights. */
  handOver(principal: Principal, id: string, account: string): Promise<Digest>;
  /**
   * The principal becomes the owner in place of one who is gone; `unknown-digest` when it is not `gone` who owns it. The
   * door has made sure that the owner is gone, and that the principal can read where it is posted.
   */
  takeOver(principal: Principal, id: string, gone: string): Promise<Digest>;
  remove(principal: Principal, id: string): Promise<void>;
  /** The next instants at which periods that fall due after an instant are posted: on working days where they are given. */
  nextPosts(
    input: Pick<DigestInput, 'schedule' | 'workingDays'>,
    after: Instant,
    count: number,
  ): Promise<readonly Instant[]>;
  /** Records that a period that failed, or was never planned, was posted after all, as the note shows; false when that was known. */
  markPosted(principal: Principal, id: string, due: Instant, note: DigestRun['note']): Promise<boolean>;
  /** Counts all periods that are due by now as posted: another database may have posted them. */
  startOver(): Promise<void>;
  /** The newest periods of a digest, newest first. */
  runs(principal: Principal, id: string, count: number): Promise<readonly DigestRun[]>;
}

/** A period that is to be posted. */
export interface DueDigest {
  readonly digest: StoredDigest;
  readonly run: DigestRun;
  readonly answer: Answer;
  /** The delay (ms) without the time Slack had it wait; null when it is on time. */
  readonly lateMs: number | null;
  /** Periods directly before it that were not posted. */
  readonly missed: readonly Instant[];
}

/**
 * Posts digests. Each call may be repeated after a crash: the run's note, and a search, show what was done. `storeNote`
 * makes a changed note durable, and fails with an AppError once another process has the period.
 */
export interface DigestNotifier {
  /** The principal of an account; null: it is gone, or its owner is unknown. */
  principalOf(account: string): Promise<Principal | null>;
  /** The state of the message of a period, by its note: not posted, perhaps posted, or posted. */
  posted(run: DigestRun): 'no' | 'perhaps' | 'yes';
  /**
   * Posts the message, then the contents of its thread; null when that is done, `nothing` where there is none that all readers
   * can see, else the instant until which Slack wants no calls. An AppError `unavailable`: again later; any other failure gives the period up, with its sentence.
   */
  deliver(
    due: DueDigest,
    storeNote: (note: DigestRun['note']) => Promise<void>,
  ): Promise<Instant | 'nothing' | null>;
  /**
   * Notifies the owner that a period was given up, or its readers where the owner is gone. False: they may not know yet.
   * `triedAt` is when that was tried first; null the first time.
   */
  notifyOwner(digest: StoredDigest, run: DigestRun, triedAt: Instant | null): Promise<boolean>;
}
