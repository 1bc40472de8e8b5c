import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { IssuePage, SearchPlace } from '../../trackers/live-tracker.ts';
import { compareWithTracker } from './compare.ts';
import { costlyInterval, type SyncState } from './sync-state.ts';
import {
  assertMostAccepted,
  assertNotBlind,
  countAll,
  loadAgain,
  noteFailed,
  outdated,
  removeGone,
  retryRejected,
  searchPage,
  writeReceived,
} from './take-issues.ts';
import { isAccessDue, takeAccess, takeLists } from './take-lists.ts';
import type { SyncParts, SyncWork } from './work.ts';

/** The steps of a turn beyond those that are due. */
export interface TurnInput {
  readonly compare: boolean;
  readonly acceptRemovals: boolean;
  /** The site that answers is the one whose issues are stored, whatever its address. */
  readonly acceptAddress?: boolean;
}

/**
 * Takes one turn: the lists and all issues the first time, then the updated issues, then whatever is due. A list that
 * cannot be taken holds up nothing but itself.
 */
export async function takeSteps(
  work: SyncWork,
  { withIssues, withAccess }: Pick<SyncParts, 'withIssues' | 'withAccess'>,
  more: TurnInput,
): Promise<void> {
  const { state, keep, now } = work;
  const step = async (name: SyncState['step'], take: () => Promise<unknown>) => {
    await keep({ step: name });
    await take();
  };
  const withCompare = more.compare || more.acceptRemovals;
  /** Lets others go on in a long step: changes that were announced are read at once, all others when they are due. */
  const pause = async () => {
    await work.checkpoint();
    const { filledAt, followedAt } = state();
    if (withIssues && filledAt !== null && isDue(now(), followedAt, work.everyMs)) await follow(work, more);
  };

  if (withIssues) {
    if (state().listsTriedAt === null) await step('lists', () => takeLists(work, pause));
    if (state().searchedAt === null) await step('fill', () => fillIssues(work));
    if (state().wishChanged && state().total === null) await keep({ total: await countAll(work) });
    await step('follow', () => follow(work, more));
    // The first fill may wait for them.
    await retryRejected(work, more.compare || state().filledAt === null, more.acceptRemovals);
    const { compare: underWay, compareTriedAt, compareEveryMs, thoroughAt, thoroughEveryMs } = state();
    const thorough = more.compare || isDue(now(), thoroughAt, thoroughEveryMs);
    const comparesNow = withCompare || thorough || state().wishChanged;
    if (comparesNow || underWay !== null || isDue(now(), compareTriedAt, compareEveryMs)) {
      const how = { acceptRemovals: more.acceptRemovals, thorough };
      await step('compare', () => compareWithTracker(work, how));
      while (state().compare !== null && (withCompare || state().filledAt === null)) {
        await step('follow', () => follow(work, more));
        await step('compare', () => compareWithTracker(work, how));
      }
    }
    if (state().filledAt === null) {
      await assertMostAccepted(work, false);
      await keep({ filledAt: now() });
    }
  }
  let canReadAccess = withIssues && withAccess && work.tracker.projectAccess !== undefined;
  const readAccess = async () => {
    canReadAccess = await takeAccess(work, pause);
  };
  if (canReadAccess && (withCompare || isAccessDue(work))) await step('lists', readAccess);
  const { lists, listsTriedAt, listsEveryMs } = state();
  if (withCompare || lists !== null || isDue(now(), listsTriedAt, listsEveryMs)) {
    await step('lists', async () => {
      const failure = await takeLists(work, async () => {
        await pause();
        // It is not good for as long as many lists take.
        if (canReadAccess && isAccessDue(work)) await readAccess();
      });
      if (failure !== null && !withIssues) throw failure;
    });
  }
  await keep({ step: 'rests', problem: null });
}

/** The time (ms) by our clock for which the place in a search is good. */
const PLACE_LASTS_MS = millisecondsInDay;

type Fill = NonNullable<SyncState['fill']>;

/**
 * Takes all issues in the order of their creation, page by page. The stored progress never runs ahead of the issues, so
 * that after any stop the next start goes on with the page that was not written whole.
 */
async function fillIssues(work: SyncWork): Promise<void> {
  const { now, keep } = work;
  let fill = work.state().fill;
  if (fill === null) {
    // Issues that are updated from now on are followed, whether the search has passed them or not.
    const followedAt = now();
    const { now: followedUntil } = await work.request(() => work.tracker.connection.site());
    const total = await countAll(work);
    fill = { from: null, place: null, placeAt: now(), minute: null, inMinute: 0, done: 0, total };
    await keep({ followedUntil, followedAt, fill });
  }
  for (;;) {
    const age = now() - fill.placeAt;
    if (fill.place !== null && (age < 0 || age > PLACE_LASTS_MS)) fill = fromMinute(fill);
    const { from, place }: Fill = fill;
    const page = await searchPage(work, { window: { by: 'created', from }, place, detail: 'whole' });
    if (page instanceof AppError) {
      fill = fromMinute(fill);
      continue;
    }
    await writeReceived(work, page.entries, page.found);
    await noteFailed(work, page.failed);
    fill = { ...afterPage(fill, page), placeAt: now() };
    const { done, total } = fill;
    if (page.next === null) {
      const searchedAt = now();
      // A look back and a thorough comparison look for issues that came late; the comparison that comes now finds those.
      await keep({ fill: null, searchedAt, done, total, lookedBackAt: searchedAt, thoroughAt: searchedAt });
      return;
    }
    await keep({ fill, done, total });
    if (page.failed.length > 0) await assertMostAccepted(work, true);
    await work.checkpoint();
  }
}

/** The search again from the last minute that was reached; the issues of that minute come again. */
function fromMinute(fill: Fill): Fill {
  return { ...fill, from: fill.minute, place: null, done: fill.done - fill.inMinute, inMinute: 0 };
}

function afterPage(before: Fill, { found, failed, next }: IssuePage): Fill {
  const created = found.at(-1)?.created;
  const minute = created === undefined ? before.minute : startOfMinute(created);
  const inMinute = found.filter(
    ({ created: at }) => minute !== null && at !== undefined && at >= minute,
  ).length;
  return {
    ...before,
    place: next,
    minute,
    inMinute: minute === before.minute ? before.inMinute + inMinute : inMinute,
    done: before.done + found.length + failed.length,
  };
}

/** Dates of searches have minutes. */
function startOfMinute(at: Instant): Instant {
  return Math.floor(at / millisecondsInMinute) * millisecondsInMinute;
}

/** The time (ms) by which searches overlap: a search may find an issue some minutes late, and its dates have minutes. */
const OVERLAP_MS = 5 * millisecondsInMinute;

/** The number of passes at most: an issue that changes moves to the end of the search, and another may slip past the edge of a page. */
const MAX_PASSES = 3;

/** The number of lost places within a minute after which a search does not come to its end. */
const MAX_LOST = 3;

/**
 * Takes the issues that were updated since the last time, and notes until when, unless the tracker shows no issue at all
 * any more, which an admin has to accept. Now and then it looks back a day, for a search may find an issue much later than
 * it should.
 */
async function follow(work: SyncWork, { acceptRemovals }: TurnInput): Promise<void> {
  const { tracker, state } = work;
  const asOf = work.now();
  const { now: begin, clockAheadMs } = await work.request(() => tracker.connection.site());
  const { followedUntil, followedAt, followedAheadMs, lookedBackAt, lookBackEveryMs } = state();
  const last = followedUntil ?? begin;
  const looksBack = isDue(asOf, lookedBackAt, lookBackEveryMs);
  // The tracker's clock may have been set back.
  const from = Math.min(last, begin) - (looksBack ? millisecondsInDay : OVERLAP_MS);
  const before = tracker.connection.requests().sent;
  for (let passes = 1; ; passes += 1) {
    const { found, slippedPossible } = await pass(work, from, begin, acceptRemovals);
    if (found === 0 && !acceptRemovals) await assertNotBlind(work);
    if (!slippedPossible || passes === MAX_PASSES) break;
  }
  const lookedBack = looksBack
    ? { lookedBackAt: asOf, lookBackEveryMs: costlyInterval(tracker.connection.requests().sent - before) }
    : {};
  // It may have been set forward as well: changes until it is right again would not be followed.
  const elapsed = followedAt === null ? Number.POSITIVE_INFINITY : Math.max(0, asOf - followedAt);
  const bounded = Math.max(last, Math.min(begin, last + elapsed));
  const isSteady =
    followedAheadMs !== null && Math.abs(clockAheadMs - followedAheadMs) < millisecondsInMinute;
  // A clock that was wrong for a turn must not leave a lag for good: after a look back of a day it is trusted again.
  const until = looksBack && isSteady ? begin : bounded;
  await work.keep({
    ...lookedBack,
    followedUntil: until,
    followedAt: asOf,
    followedAheadMs: clockAheadMs,
    asOf,
    clockAheadMs,
  });
}

/**
 * Takes a pass through the updated issues: the number of found ones, and whether one may have slipped past, which takes
 * several pages, and something in them from before `begin`.
 */
async function pass(
  work: SyncWork,
  from: Instant,
  begin: Instant,
  acceptRemovals: boolean,
): Promise<{ readonly found: number; readonly slippedPossible: boolean }> {
  let [start, place]: [Instant, SearchPlace | null] = [from, null];
  let seenUntil = from;
  let lost = 0;
  let pages = 0;
  let earlier = 0;
  let found = 0;
  for (;;) {
    const page = await searchPage(work, { window: { by: 'updated', from: start }, place, detail: 'updated' });
    if (page instanceof AppError) {
      const minute = Math.max(start, startOfMinute(seenUntil));
      lost = minute > start ? 0 : lost + 1;
      if (lost === MAX_LOST) throw page;
      [start, place] = [minute, null];
      continue;
    }
    pages += 1;
    found += page.found.length + page.failed.length;
    seenUntil = Math.max(seenUntil, page.found.at(-1)?.updated ?? seenUntil);
    const news = await outdated(work, page.found);
    earlier += news.filter(({ updated }) => updated !== null && updated < begin).length;
    await loadAgain(work, news, { onMissing: (missing) => removeGone(work, missing, acceptRemovals) });
    await noteFailed(work, page.failed);
    await work.checkpoint();
    place = page.next;
    if (place === null) return { found, slippedPossible: pages > 1 && earlier > 0 };
  }
}
