import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { noRequests, type SyncProblem, type SyncProgress } from '../../model/sync.ts';
import type { RejectedIssue } from '../../store/sync-store.ts';
import type { UnreadIssue } from '../mirror.ts';
import type { SyncRecords } from './sync-records.ts';

const instant = z.number();
const place = z.string().nullable();
const counts = z.object({ sent: z.number(), repeated: z.number(), slowedDown: z.number() });

const schema = z.object({
  site: z.string(),
  /** Where that site was last asked, as it is configured. */
  address: z.string(),
  /** Which issues of the site are here: a query of the tracker's; null: all that our account may see. */
  wish: z.string().nullable(),
  /** Others were wanted before, and nothing was compared since. */
  wishChanged: z.boolean(),
  step: z.enum(['rests', 'lists', 'fill', 'follow', 'compare']),
  startedAt: instant,
  /** The first fill under way: null before it begins and after its end. */
  fill: z
    .object({
      /** The search that `place` belongs to begins here, on the tracker's clock. */
      from: instant.nullable(),
      place,
      /** When we got the place, on our clock. */
      placeAt: instant,
      /** The minute of the last issue that is here, on the tracker's clock, and how many of `done` lie in it. */
      minute: instant.nullable(),
      inMinute: z.number(),
      done: z.number(),
      total: z.number().nullable(),
    })
    .nullable(),
  /** Of the last fill. */
  done: z.number(),
  total: z.number().nullable(),
  /** When every issue of the first fill was here. */
  searchedAt: instant.nullable(),
  /** When that had been compared as well, so that there is nothing nobody here knows of. */
  filledAt: instant.nullable(),
  /** On the tracker's clock: what was updated before is here. */
  followedUntil: instant.nullable(),
  /** When that was so, on our clock, which limits how far it may go on. */
  followedAt: instant.nullable(),
  /** How far the tracker's clock was ahead of ours then, in ms. */
  followedAheadMs: z.number().nullable(),
  /** When what was updated within a day was last looked at, for a search may find it late. */
  lookedBackAt: instant.nullable(),
  lookBackEveryMs: z.number(),
  /** The same on our clock. */
  asOf: instant.nullable(),
  /** Lists and comparisons that cost much are due more rarely. */
  listsAt: instant.nullable(),
  listsTriedAt: instant.nullable(),
  listsEveryMs: z.number(),
  /** How often in turn some list could not be taken. */
  listsFailures: z.number(),
  comparedAt: instant.nullable(),
  compareTriedAt: instant.nullable(),
  compareEveryMs: z.number(),
  /** The same of comparisons that look when each issue was updated. */
  thoroughAt: instant.nullable(),
  thoroughEveryMs: z.number(),
  /** A comparison under way; `sent` are the requests it has cost. */
  compare: z.object({ place, startedAt: instant, sent: z.number(), thorough: z.boolean() }).nullable(),
  /** Why the last comparison took nothing away, although much was missing. */
  guard: z.object({ at: instant, message: z.string() }).nullable(),
  problem: z.object({ at: instant, message: z.string() }).nullable(),
  clockAheadMs: z.number().nullable(),
  /** Lists that were refused, by their name. */
  refused: z.array(z.object({ source: z.string(), reason: z.string() })),
  requests: counts,
});

/** What a synchronisation remembers from turn to turn; instants are those of our clock unless said otherwise. */
export type SyncState = z.output<typeof schema>;

/** Before anything was asked but who is there. */
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
    listsEveryMs: millisecondsInHour,
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
    requests: { sent: 0, repeated: 0, slowedDown: 0 },
  };
}

/** The state as it was kept, null where there is none; `unavailable` when another Dwell wrote it otherwise. */
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

/** What of the status is no part of the state. */
interface StatusContext {
  readonly rejected: RejectedIssues;
  /** Which issues are wanted now; while others are here, not all that are wanted are. */
  readonly wish: string | null;
  readonly withIssues: boolean;
  /** Of this process, where nothing is kept yet. */
  readonly startedAt: Instant;
  readonly problem: SyncProblem | null;
}

/** The progress as doors show it. Before a site was ever reached its address is empty. */
export function progressOf(state: SyncState | null, context: StatusContext): SyncProgress {
  const { withIssues } = context;
  if (state === null) {
    return {
      site: '',
      step: 'rests',
      filled: false,
      done: 0,
      total: null,
      asOf: null,
      startedAt: context.startedAt,
      comparedAt: null,
      clockAheadMs: null,
      withheld: [],
      problem: context.problem,
      requests: noRequests,
    };
  }
  const { site, step, startedAt, comparedAt, clockAheadMs, requests } = state;
  const isCurrentQuery = state.wish === context.wish;
  const { done, total } = isCurrentQuery ? state : { done: 0, total: null };
  const filledAt = !withIssues ? state.listsAt : isCurrentQuery ? state.filledAt : null;
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
      ...rejectedTexts(context.rejected),
    ],
    problem: context.problem ?? state.problem ?? state.guard,
    requests,
  };
}

function rejectedTexts({ count, some }: RejectedIssues): readonly string[] {
  const others = count - some.length;
  return [
    ...some.map(({ key, reason }) => `${key}: ${reason}`),
    ...(others > 0
      ? [`${others.toLocaleString('en-US')} more issues that cannot be used; they are tried again as well`]
      : []),
  ];
}

/** What went wrong, in a whole sentence; nothing of an error that was not foreseen, for it might give away a secret. */
export function problemText(error: unknown): string {
  if (!(error instanceof AppError)) return 'An unexpected error stopped it; see the log.';
  const { code, message, details } = error;
  // The heading of what was wrongly asked says nothing.
  return [...(details.length > 0 && code === 'bad-request' ? [] : [message]), ...details].join(' ');
}

/** As many an hour may go into what is done for good measure. */
const REQUESTS_PER_HOUR = 100;

/** How long (ms) to wait before doing again what has cost so many requests: an hour, or up to a day where it was costly. */
export function costlyInterval(
  requests: number,
  [shortestMs, longestMs]: readonly [number, number] = [millisecondsInHour, millisecondsInDay],
): number {
  return Math.min(longestMs, Math.max(shortestMs, (requests / REQUESTS_PER_HOUR) * millisecondsInHour));
}

/** More are no odd issues any more, and are said to be missing anyway. */
const MAX_UNREAD = 1000;

/** As many are named. */
const MAX_NAMED = 20;

/** The issues that could not be taken: how many, and some of them. */
interface RejectedIssues {
  readonly count: number;
  readonly some: readonly RejectedIssue[];
}

/** Looks which issues could not be taken. */
export async function readRejected(store: SyncRecords): Promise<RejectedIssues> {
  return { count: await store.countRejected(), some: await store.rejectedDue(null, null, MAX_NAMED) };
}

/** Those of them of which nothing at all is kept. */
export async function readUnread(store: SyncRecords): Promise<readonly UnreadIssue[]> {
  if ((await store.countRejected()) === 0) return [];
  const rejected = await store.rejectedDue(null, null, MAX_UNREAD);
  const stored = await store.kept(rejected.map(({ id }) => id));
  return rejected.filter(({ id }) => !stored.has(id)).map(({ key, reason }) => ({ key, reason }));
}
