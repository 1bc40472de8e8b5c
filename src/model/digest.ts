import type { Instant } from './issue.ts';
import type { Question } from './question.ts';

/** The times at which a digest is due: a cron expression of five fields, read on the clocks of an IANA zone. */
export interface Schedule {
  readonly cron: string;
  readonly timeZone: string;
}

/** The place a digest is posted: in a channel, or to its owner alone. */
export type DigestPlace = { readonly kind: 'channel'; readonly channel: string } | { readonly kind: 'owner' };

export const digestFiles = ['xlsx', 'xls', 'csv'] as const;

/** The content of a digest and its schedule. */
export interface DigestInput {
  readonly title: string;
  readonly question: Question;
  readonly place: DigestPlace;
  readonly schedule: Schedule;
  /** Id of the calendar on whose working days it is delivered; null: on any day. */
  readonly workingDays: string | null;
  /** A file of the same issues, put into the thread. */
  readonly file: (typeof digestFiles)[number] | null;
}

/** The end of the last period of a digest. `silent`: there was nothing to post. */
const digestRunStates = ['claimed', 'sent', 'silent', 'skipped', 'failed'] as const;
type DigestRunState = (typeof digestRunStates)[number];

/**
 * The reasons for skipping a period: it was due on a `day-off`, Dwell was `away`, newer ones were `waiting` by the time it could be
 * posted, its digest was `changed` or `paused` meanwhile, or the database was `restored`.
 */
const skipReasons = ['day-off', 'away', 'waiting', 'changed', 'paused', 'restored'] as const;

/** The reason a period was skipped, for code and for people. */
export interface Skipped {
  readonly skipReason: (typeof skipReasons)[number];
  readonly message: string;
}

/**
 * One period of a digest, known by the instant it was due. Only the door that posts it knows the content of the note;
 * `message` says why it was skipped or failed.
 */
export interface DigestRun {
  readonly digestId: string;
  readonly due: Instant;
  readonly state: DigestRunState;
  readonly note: Readonly<Record<string, string>>;
  readonly attempts: number;
  readonly message: string | null;
  /** Null unless it was skipped. */
  readonly skipReason: Skipped['skipReason'] | null;
  readonly finishedAt: Instant | null;
}

/** A stored digest. `owner` is an account, and the digest sees with the owner's rights. */
export interface Digest extends DigestInput {
  readonly id: string;
  readonly owner: string;
  readonly paused: boolean;
  readonly createdAt: Instant;
  /** The instant it is due next; null while it is paused. */
  readonly nextDue: Instant | null;
  readonly lastRun: DigestRun | null;
}

/** A digest as it is stored, without the facts of its periods. */
export type StoredDigest = Omit<Digest, 'lastRun'>;

/** A period as it is stored; `plannedFor` is the instant it is to be posted, which may be a working day months away. */
export interface DigestPeriod {
  readonly run: DigestRun;
  readonly plannedFor: Instant;
}

/** The command for an operator once a restored copy is the database that posts. */
export const resumeCommand = 'npx dwell resume';

/** The reason nothing is posted on a schedule, and the remedy, in sentences. */
export const pausedText = `Digests and alerts are paused: this database was restored, and another Dwell may still post them. If none does, resume them with ${resumeCommand}.`;
