import type { Logger } from 'pino';
import type { Message } from '../../block-kit/message.ts';
import type { Mine, WeeklyAggregates } from '../../model/answer.ts';
import type { Coverage } from '../../model/delegation.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { SyncStatus } from '../../model/sync.ts';
import type { Watch } from '../../model/watch.ts';
import type { Names } from '../app/message-texts.ts';
import { failureMessage } from '../app/show-failure.ts';

/** A part of the Home tab: it is still being counted, known, or could not be told: why, and whether that may pass. */
export type Section<Value> =
  | { readonly state: 'counting' }
  | { readonly state: 'known'; readonly value: Value }
  | { readonly state: 'failed'; readonly why: Message; readonly isPassingFailure: boolean };

/** Who somebody is in the tracker; else how they can say it. */
export type Who =
  | { readonly kind: 'known'; readonly name: string; readonly login: string; readonly admin: boolean }
  | { readonly kind: 'unknown'; readonly invitation: Message };

/** Whom somebody (user id) covers and who covers them; names are not escaped. */
export interface Cover {
  readonly person: string;
  readonly coverage: Coverage;
  readonly names: Names;
}

/** The last whole week of a project, or why it cannot be told. */
export type ProjectWeek = { readonly project: string } & (
  | { readonly weekly: WeeklyAggregates }
  | { readonly why: Message }
);

/** Weeks of somebody's projects. `chosen`: by themselves, else where their issues are; `more` are not told. */
export interface Weeks {
  readonly weeks: readonly ProjectWeek[];
  readonly chosen: boolean;
  readonly more: number;
}

/** What somebody is told by itself. */
export interface Scheduled {
  readonly digests: readonly Digest[];
  readonly watches: readonly Watch[];
}

/** An export of somebody's; `title` in plain words. */
export interface HomeFile {
  readonly title: string;
  readonly record: Pick<ExportRecord, 'id' | 'state' | 'createdAt' | 'completed' | 'total' | 'message'>;
}

/** Their last exports, the newest first. */
export interface Files {
  readonly files: readonly HomeFile[];
  readonly more: number;
}

/** What figures rest on. `dataAsOf` null: computed on the spot. */
export interface Ground {
  readonly tracker: string;
  readonly dataAsOf: Instant | null;
}

/** What counts for somebody here, and what there is to try. */
export interface Facts {
  /** Its name; null where every hour counts. */
  readonly calendar: string | null;
  readonly timeZone: string;
  /** Keys of issues they may see, lately moved ones. */
  readonly exampleKeys: readonly string[];
  /** Null while there is no issue to tell of. */
  readonly ground: Ground | null;
}

/** What the Home tab is made from. Null: there is nothing to tell of who nobody knows in the tracker. */
export interface HomeContent {
  readonly at: Instant;
  readonly who: Section<Who>;
  readonly waiting: Section<Mine | null>;
  /** Whether what waits is held against what is usual yet. */
  readonly usual: 'counting' | 'known' | 'failed';
  /** A message where a register tells no lists, or nothing to this person. */
  readonly cover: Section<Cover | Message | null>;
  readonly weeks: Section<Weeks>;
  readonly telling: Section<Scheduled>;
  readonly files: Section<Files>;
  readonly facts: Section<Facts>;
  /** Null: nothing is kept fresh. */
  readonly sync: Section<SyncStatus | null>;
}

/** Of which nothing is known yet. */
export function emptyHome(at: Instant): HomeContent {
  const counting = { state: 'counting' } as const;
  return {
    at,
    who: counting,
    waiting: counting,
    usual: 'counting',
    cover: counting,
    weeks: counting,
    telling: counting,
    files: counting,
    facts: counting,
    sync: counting,
  };
}

/** Why a part of the tab cannot be told. Its sentences say what is wrong; a heading above them would say nothing. */
export function partFailure(error: unknown, failed: Readonly<Record<string, string>>, log: Logger): Message {
  if (error instanceof AppError && error.code === 'bad-request') {
    const [first, ...others] = error.details;
    if (first !== undefined) return failureMessage(new AppError(error.reason, first, others), failed, log);
  }
  return failureMessage(error, failed, log);
}
