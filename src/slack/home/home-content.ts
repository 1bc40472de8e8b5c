import type { Logger } from 'pino';
import type { Mine } from '../../api/answers/aging/aging-answer.ts';
import type { WeeklyAggregates } from '../../api/answers/weekly/weekly-answer.ts';
import type { CategoryId, Delegation } from '../../model/delegation.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { Watch } from '../../model/watch.ts';
import { shorten } from '../../output/readable-text.ts';
import { failureMessage } from '../app/show-failure.ts';
import type { Message } from '../blocks/message.ts';
import { escapeMrkdwn } from '../blocks/mrkdwn.ts';

/** A part of the Home tab: still counted, known, or failed: why, and whether that passes by itself. */
export type Section<Value> =
  | { readonly state: 'counting' }
  | { readonly state: 'known'; readonly value: Value }
  | { readonly state: 'failed'; readonly why: Message; readonly isPassingFailure: boolean };

/** The person in the tracker; where they are unknown, an invitation to say who they are. */
export type Who =
  | { readonly kind: 'known'; readonly name: string; readonly login: string; readonly admin: boolean }
  | { readonly kind: 'unknown'; readonly invitation: Message };

/** The issues that are assigned to a person and to the people they cover for. */
export interface Assigned {
  readonly mine: Mine;
  /** The number of their own issues that are hidden for a while. */
  readonly snoozed: number;
}

/** The cover of someone (user id) from now on. `person` and `category` write names (mrkdwn). */
export interface Cover {
  readonly self: string;
  /** Zones in which a cover of these people can be of whole days. */
  readonly zonesOf: (people: readonly string[]) => readonly string[];
  readonly delegations: readonly Delegation[];
  /** Part of it has no one who covers. */
  readonly hasGaps: boolean;
  readonly person: (id: string) => string;
  readonly category: (id: CategoryId) => string;
}

/** The last whole week of a project, or why it is not known. */
export type ProjectWeek = { readonly project: string } & (
  | { readonly weekly: WeeklyAggregates }
  | { readonly why: Message }
);

/** Weeks of someone's projects. `chosen`: by themselves, else where their issues are. */
export interface Weeks {
  readonly weeks: readonly ProjectWeek[];
  readonly chosen: boolean;
}

/** The digests and watches that come to a person, or to a channel for them, on a schedule. */
export interface Scheduled {
  readonly digests: readonly Digest[];
  readonly watches: readonly Watch[];
  /** Nothing of it is posted, since the database was restored. */
  readonly isPaused: boolean;
}

/** Which hours count for someone, how fresh the data is, and an issue to try things with. */
export interface Facts {
  /** Null: 24/7. */
  readonly calendar: string | null;
  readonly timeZone: string;
  readonly exampleKey: string | null;
  /** Null while there is no issue. `dataAsOf` null: computed at once. */
  readonly ground: { readonly tracker: string; readonly dataAsOf: Instant | null } | null;
}

/** The content that the Home tab is made from. Null: nothing, for a person the tracker does not know. */
export interface HomeContent {
  readonly at: Instant;
  /** They open it for the first time ever. */
  readonly isFirst: boolean;
  readonly who: Section<Who>;
  readonly assigned: Section<Assigned | null>;
  /** A message where cover cannot be listed, or not for this person. */
  readonly cover: Section<Cover | Message | null>;
  readonly weeks: Section<Weeks>;
  readonly scheduled: Section<Scheduled>;
  readonly facts: Section<Facts>;
  /** Null: nothing is synced. */
  readonly sync: Section<SyncStatus | null>;
}

const NAME_LENGTH = 80;

/** A name as the tab shows it, escaped. */
export function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, NAME_LENGTH));
}

/** Nothing is known yet. */
export function emptyHome(at: Instant, isFirst: boolean): HomeContent {
  const counting = { state: 'counting' } as const;
  return {
    at,
    isFirst,
    who: counting,
    assigned: counting,
    cover: counting,
    weeks: counting,
    scheduled: counting,
    facts: counting,
    sync: counting,
  };
}

/** Why a part of the tab is not known. Its sentences say what is wrong; a heading above them would say nothing. */
export function partFailure(error: unknown, failed: Readonly<Record<string, string>>, log: Logger): Message {
  if (error instanceof AppError && error.code === 'bad-request') {
    const [first, ...others] = error.details;
    if (first !== undefined) return failureMessage(new AppError(error.reason, first, others), failed, log);
  }
  return failureMessage(error, failed, log);
}
