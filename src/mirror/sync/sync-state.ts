import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { noRequests, type SyncProblem, type SyncProgress } from '../../model/sync.ts';
import type { RejectedIssue } from '../../store/tracker-documents.ts';
import type { UnreadIssue } from '../mirror.ts';
import type { SyncRecords } from './sync-records.ts';

const instant = z.number();
const place = z.string().nullable();
const problem = z.object({ at: instant, message: z.string() }).nullable();

const schema = z.object({
  site: z.string(),
  /** The configured address at which the site answered last. */
  address: z.string(),
  /** The tracker's query for the stored issues; null: all that the account may see. */
  wish: z.string().nullable(),
  /** The query has changed, and nothing was compared since. */
  wishChanged: z.boolean(),
  step: z.enum(['rests', 'lists', 'fill', 'follow', 'compare']),
  startedAt: instant,
  /** The first fill under way: null before it begins and after its end. */
  fill: z
    .object({
      /** The start of the search that `place` belongs to, on the tracker's clock. */
      from: instant.nullable(),
      place,
      /** The instant of the place, on our clock. */
      placeAt: instant,
      /** The minute of the last stored issue, on the tracker's clock, and how many of `done` are of that minute. */
      minute: instant.nullable(),
      inMinute: z.number(),
      done: z.number(),
      total: z.number().nullable(),
    })
    .nullable(),
  /** The counts of the last fill. */
  done: z.number(),
  total: z.number().nullable(),
  /** The instant at which every issue of the first fill was stored. */
  searchedAt: instant.nullable(),
  /** The instant at which that had been compared as well, so that no issue is lacking. */
  filledAt: instant.nullable(),
  /** Updates before this instant of the tracker's clock are stored. */
  followedUntil: instant.nullable(),
  /** The instant of our clock at which that was so, which limits how far it may go on. */
  followedAt: instant.nullable(),
  /** The time (ms) by which the tracker's clock was ahead of ours then. */
  followedAheadMs: z.number().nullable(),
  /** The instant of the last look back at the updates of a day, for a search may find them late. */
  lookedBackAt: instant.nullable(),
  lookBackEveryMs: z.number(),
  /** The same as `followedUntil` on our clock. */
  asOf: instant.nullable(),
  /** Lists and comparisons that cost much are due more rarely. */
  listsAt: instant.nullable(),
  listsTriedAt: instant.nullable(),
  listsEveryMs: z.number(),
  /** The number of times in turn that some list could not be taken. */
  listsFailures: z.number(),
  /** Lists that are being read; `slices` is the number of stored slices, and `sent` that of the requests they have cost. */
  lists: z
    .object({ place, startedAt: instant, slices: z.number(), sent: z.number() })
    .nullable()
    .default(null),
  /** A pass through who can browse projects, with the last project it has read. */
  access: z
    .object({ after: z.string().nullable(), startedAt: instant, sent: z.number() })
    .nullable()
    .default(null),
  /** The instant at which the last whole pass began. */
  accessAt: instant.nullable().default(null),
  /** The pause until the next one; null: no pass has shown yet what it costs. */
  accessEveryMs: z.number().nullable().default(null),
  comparedAt: instant.nullable(),
  compareTriedAt: instant.nullable(),
  compareEveryMs: z.number(),
  /** The same of thorough comparisons. */
  thoroughAt: instant.nullable(),
  thoroughEveryMs: z.number(),
  /** A comparison under way; `sent` is the number of requests it has cost. */
  compare: z.object({ place, startedAt: instant, sent: z.number(), thorough: z.boolean() }).nullable(),
  /** The reason why the last comparison removed no issue, although many were missing. */
  guard: problem,
  problem,
  clockAheadMs: z.number().nullable(),
  /** Lists that were refused, by their name. */
  refused: z.array(z.object({ source: z.string(), reason: z.string() })),
  requests: z.object({ sent: z.number(), repeated: z.number(), slowedDown: z.number() }),
});

/** The state of a synchronisation between two turns; instants are of our clock unless a comment names another. */
export type SyncState = z.output<typeof schema>;

/** The state before the first turn. */
export function firstState(
  site: string,
  { address, wish }: { readonly address: string; readonly wish: string | null },
  startedAt: number,
): SyncState {
  return {
    site,
    address,
    wish,
    wishChanged: false,
    step: 'rests',
    startedAt,
    fill: null,
    done: 0,
    total: null,
    searchedAt: null,
    filledAt: null,
    followedUntil: null,
    followedAt: null,
    followedAheadMs: null,
    lookedBackAt: null,
    lookBackEveryMs: millisecondsInHour,
    asOf: null,
    listsAt: null,
    listsTriedAt: null,
    listsFailures: 0,
    lists: null,
    listsEveryMs: millisecondsInHour,
    access: null,
    accessAt: null,
    accessEveryMs: null,
    comparedAt: null,
    compareTriedAt: null,
    compareEveryMs: millisecondsInHour,
    thoroughAt: null,
    thoroughEveryMs: millisecondsInDay,
    compare: null,
    guard: null,
    problem: null,
    clockAheadMs: null,
    refused: [],
    requests: noRequests,
  };
}

/** The stored state, null where there is none; fails with `unavailable` when another Dwell wrote it otherwise. */
export function readState(document: unknown): SyncState | null {
  if (document === null) return null;
  const read = schema.safeParse(document);
  if (read.success) return read.data;
  const member = read.error.issues[0]?.path.join('.') ?? '';
  throw new AppError(
    'store-unavailable',
    `The stored progress of the sync cannot be read (member '${member}'); update Dwell or choose another DATA_DIR.`,
  );
}

/** The parts of the progress beside the stored state. */
interface ProgressContext {
  readonly rejected: RejectedIssues;
  /** The configured query; while the stored issues are of another one, not all of its issues are stored. */
  readonly query: string | null;
  readonly withIssues: boolean;
  /** The start of this process, where no state is stored yet. */
  readonly startedAt: Instant;
  readonly problem: SyncProblem | null;
}

/** The progress as doors show it. Before a site was ever reached its address is empty. */
export function progressOf(stored: SyncState | null, context: ProgressContext): SyncProgress {
  const { withIssues, rejected } = context;
  const state = stored ?? firstState('', { address: '', wish: context.query }, context.startedAt);
  const { site, step, startedAt, comparedAt, clockAheadMs, requests } = state;
  const isCurrentQuery = state.wish === context.query;
  const { done, total } = isCurrentQuery ? state : { done: 0, total: null };
  const filledAt = !withIssues ? state.listsAt : isCurrentQuery ? state.filledAt : null;
  const others = rejected.count - rejected.some.length;
  return {
    site,
    step,
    filled: filledAt !== null,
    done,
    total,
    asOf: filledAt === null ? null : withIssues ? state.asOf : filledAt,
    startedAt,
    comparedAt,
    clockAheadMs,
    withheld: [
      ...state.refused.map(({ source, reason }) => `${source}: ${reason}`),
      ...rejected.some.map(({ key, reason }) => `${key}: ${reason}`),
      ...(others > 0
        ? [`${others.toLocaleString('en-US')} more issues that cannot be used; they are tried again as well`]
        : []),
    ],
    problem: context.problem ?? state.problem ?? state.guard,
    requests,
  };
}

/** The problem in a whole sentence, without the text of an unforeseen error, which might give away a secret. */
export function problemText(error: unknown): string {
  if (!(error instanceof AppError)) return 'An unexpected error stopped it; see the log.';
  const { code, message, details } = error;
  // The heading of a bad request has no content.
  return [...(details.length > 0 && code === 'bad-request' ? [] : [message]), ...details].join(' ');
}

/** The number of requests an hour that may go into checks for good measure. */
const REQUESTS_PER_HOUR = 100;

/**
 * The pause (ms) before a step that has cost a number of requests is taken again: from an hour up to a day, and such that
 * `perHour` requests an hour go into it, by default.
 */
export function costlyInterval(
  requests: number,
  [shortestMs, longestMs]: readonly [number, number] = [millisecondsInHour, millisecondsInDay],
  perHour = REQUESTS_PER_HOUR,
): number {
  return Math.min(longestMs, Math.max(shortestMs, (requests / perHour) * millisecondsInHour));
}

/** Beyond this number, unread issues are no odd ones any more, and the fill fails anyway. */
const MAX_UNREAD = 1000;

/** The number of rejected issues that are named. */
const MAX_NAMED = 20;

/** The number of rejected issues, and some of them. */
interface RejectedIssues {
  readonly count: number;
  readonly some: readonly RejectedIssue[];
}

/** Reads the number of rejected issues and some of them. */
export async function readRejected(store: SyncRecords): Promise<RejectedIssues> {
  return { count: await store.countRejected(), some: await store.rejectedDue(null, null, MAX_NAMED) };
}

/** Reads the rejected issues of which no version is stored. */
export async function readUnread(store: SyncRecords): Promise<readonly UnreadIssue[]> {
  const rejected = await store.rejectedDue(null, null, MAX_UNREAD);
  if (rejected.length === 0) return [];
  const stored = await store.kept(rejected.map(({ id }) => id));
  return rejected.filter(({ id }) => !stored.has(id)).map(({ key, reason }) => ({ key, reason }));
}
