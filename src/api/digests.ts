import type { Digest, DigestRun, DigestWish } from '../model/digest.ts';
import type { Instant } from '../model/issue.ts';
import type { Asker } from '../model/request.ts';
import type { Answer } from './answers.ts';

/** Who wants something of digests: an account, and whether it is an admin's of the tracker. */
export interface DigestAsker {
  readonly account: string;
  readonly admin: boolean;
}

/**
 * The port of digests. Owners and admins read and change them (others get `not-found`); a channel's are readable to
 * whoever asks in it. A wrong value is `bad-request`.
 */
export interface DigestsApi {
  /** `too-many` while the account has 50 already. */
  create(owner: DigestAsker, wish: DigestWish): Promise<Digest>;
  get(asker: DigestAsker, id: string): Promise<Digest>;
  /** The asker's own, and with a channel all of that channel; an admin without a channel gets all. By title. */
  list(asker: DigestAsker, channel: string | null): Promise<readonly Digest[]>;
  change(asker: DigestAsker, id: string, changes: Partial<DigestWish>): Promise<Digest>;
  pause(asker: DigestAsker, id: string): Promise<Digest>;
  resume(asker: DigestAsker, id: string): Promise<Digest>;
  /** Another account becomes the owner: from then on it asks with that one's rights. */
  handOver(asker: DigestAsker, id: string, account: string): Promise<Digest>;
  remove(asker: DigestAsker, id: string): Promise<void>;
  /** The next instants a schedule is due at; `bad-request` for what is no schedule. */
  dueAfter(schedule: DigestWish['schedule'], after: Instant, count: number): readonly Instant[];
  /** The newest periods of a digest, newest first. */
  runs(asker: DigestAsker, id: string, count: number): Promise<readonly DigestRun[]>;
}

/** A period that is to be posted. */
export interface DueDigest {
  readonly digest: Digest;
  readonly run: DigestRun;
  readonly answer: Answer;
  /** It comes later than it was due, by so much (ms); null when it is on time. */
  readonly lateMs: number | null;
  /** Periods before it that were not caught up. */
  readonly missed: readonly Instant[];
}

/**
 * Brings digests to where they are told. Each call may be repeated after a crash: it finds out by the run's note, and
 * by asking, what was done already. `keep` makes a changed note durable, and fails with an AppError when somebody else
 * has taken the period over: the postman must stop then.
 */
export interface DigestPostman {
  /** With which rights an account asks; null: it is gone, or nobody knows whose it is. */
  askerOf(account: string): Promise<Asker | null>;
  /**
   * Posts the message, then what belongs into its thread. An AppError `unavailable` means: try again later; any other
   * failure gives the period up, with its sentence.
   */
  deliver(due: DueDigest, keep: (note: DigestRun['note']) => Promise<void>): Promise<void>;
  /** Tells the owner that a period was given up and what to do; failing is no harm. */
  tellOwner(digest: Digest, run: DigestRun): Promise<void>;
}
