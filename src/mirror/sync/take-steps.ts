import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { IssuePage, SearchPlace } from '../../trackers/live-tracker.ts';
import { compare } from './compare.ts';
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
  writeReceived,
} from './take-issues.ts';
import { takeLists } from './take-lists.ts';
import type { Work } from './work.ts';

/** What a turn is to do beyond what is due. */
export interface Wish {
  readonly compare: boolean;
  readonly acceptRemovals: boolean;
  /** The site that answers is the one whose issues are kept, whatever its address. */
  readonly acceptAddress?: boolean;
}

/**
 * One turn: the lists and all issues the first time, then what was updated, then whatever is due. A list that cannot be
 * taken holds up nothing but itself.
 */
export async function takeSteps(work: Work, withIssues: boolean, wish: Wish): Promise<void> {
  const { state, keep, now } = work;
  const step = async (name: SyncState['step'], take: () => Promise<unknown>) => {
    await keep({ step: name });
    await take();
  };
  const withCompare = wish.compare || wish.acceptRemovals;

  if (withIssues) {
    if (state().listsTriedAt === null) await step('lists', () => takeLists(work));
    if (state().searchedAt === null) await step('fill', () => fillIssues(work));
    if (state().wishChanged && state().total === null) await keep({ total: await countAll(work) });
    await step('follow', () => follow(work, wish));
    // They may be what the first fill waits for.
    await retryRejected(work, wish.compare || state().filledAt === null, wish.acceptRemovals);
    const { compare: underWay, compareTriedAt, compareEveryMs, thoroughAt, thoroughEveryMs } = state();
    const thorough = wish.compare || isDue(now(), thoroughAt, thoroughEveryMs);
    const comparesNow = withCompare || thorough || state().wishChanged;
    if (comparesNow || underWay !== null || isDue(now(), compareTriedAt, compareEveryMs)) {
      const how = { acceptRemovals: wish.acceptRemovals, thorough };
      await step('compare', () => compare(work, how));
      while (state().compare !== null && (withCompare || state().filledAt === null)) {
        await step('follow', () => follow(work, wish));
        await step('compare', () => compare(work, how));
      }
    }
    if (state().filledAt === null) {
      await assertMostAccepted(work);
      await keep({ filledAt: now() });
    }
  }
  if (withCompare || isDue(now(), state().listsTriedAt, state().listsEveryMs)) {
    await step('lists', async () => {
      const failure = await takeLists(work);
      if (failure !== null && !withIssues) throw failure;
    });
  }
  await keep({ step: 'rests', problem: null });
}

/** Places in a search are good for some time only, on our clock. */
const PLACE_LASTS_MS = millisecondsInDay;

type Fill = NonNullable<SyncState['fill']>;

/**
 * Takes all issues in the order of their creation, page by page. What is kept of the progress never runs ahead of the
 * issues, so whatever stops it, the next start goes on with the page that was not written whole.
 */
async function fillIssues(work: Work): Promise<void> {
  if (work.state().fill === null) {
    // What is updated from now on is followed, whether the search has passed it or not.
    const followedAt = work.now();
    const { now: followedUntil } = await work.request(() => work.tracker.connection.site());
    const total = await countAll(work);
    await work.keep({ followedUntil, followedAt, fill: { ...beginning(work), total } });
  }
  for (;;) {
    const { fill } = work.state();
    const here = goodPlace(work, fill ?? beginning(work));
    const page = await nextFilledPage(work, here);
    await writeReceived(work, page.page.entries, page.page.found);
    await noteFailed(work, page.page.failed);
    const after = afterPage(work, page.from, page.page);
    if (page.page.next === null) {
      const { done, total } = after;
      const searchedAt = work.now();
      await work.keep({
        fill: null,
        searchedAt,
        done,
        total,
        // Both look for what did not come in time, and the comparison that comes now finds what is lacking.
        lookedBackAt: searchedAt,
        thoroughAt: searchedAt,
      });
      return;
    }
    await work.keep({ fill: after, done: after.done, total: after.total });
    if (page.page.failed.length > 0) await assertMostAccepted(work, { soFar: true });
    await work.checkpoint();
  }
}

function beginning({ now }: Work): Fill {
  return { from: null, place: null, placeAt: now(), minute: null, inMinute: 0, done: 0, total: null };
}

function goodPlace({ now }: Work, fill: Fill): Fill {
  const age = now() - fill.placeAt;
  return fill.place !== null && (age < 0 || age > PLACE_LASTS_MS) ? fromMinute(fill) : fill;
}

/** The search again from the last minute that was reached; what lies in it comes again. */
function fromMinute(fill: Fill): Fill {
  return { ...fill, from: fill.minute, place: null, done: fill.done - fill.inMinute, inMinute: 0 };
}

async function nextFilledPage(
  work: Work,
  fill: Fill,
): Promise<{ readonly from: Fill; readonly page: IssuePage }> {
  const load = (from: Fill) =>
    work.request(() =>
      work.tracker.issues({
        window: { by: 'created', from: from.from },
        place: from.place,
        detail: 'whole',
      }),
    );
  try {
    return { from: fill, page: await load(fill) };
  } catch (error) {
    if (fill.place === null || !(error instanceof AppError && error.code === 'bad-request')) throw error;
    const fromStart = fromMinute(fill);
    return { from: fromStart, page: await load(fromStart) };
  }
}

function afterPage({ now }: Work, before: Fill, { found, failed, next }: IssuePage): Fill {
  const last = found.at(-1);
  const minute =
    last?.created === undefined
      ? before.minute
      : Math.floor(last.created / millisecondsInMinute) * millisecondsInMinute;
  const inMinute = found.filter(
    ({ created }) => minute !== null && created !== undefined && created >= minute,
  ).length;
  return {
    ...before,
    place: next,
    placeAt: now(),
    minute,
    inMinute: minute === before.minute ? before.inMinute + inMinute : inMinute,
    done: before.done + found.length + failed.length,
  };
}

/** A search may find an issue some minutes late, and its dates have minutes. */
const OVERLAP_MS = 5 * millisecondsInMinute;

/** An issue that changes moves to the end of the search, and another one may slip past the edge of a page. */
const MAX_PASSES = 3;

/** A search whose places are lost so often without coming to another minute does not come to its end. */
const MAX_LOST = 3;

/**
 * Takes what was updated since the last time, and notes until when that is, unless the tracker shows nothing at
 * all any more, which has to be accepted. Now and then it looks back a day, for a
 * search may find an issue much later than it should.
 */
async function follow(work: Work, { acceptRemovals = false } = {}): Promise<void> {
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
  // Neither may it have been set forward: what happens until it is right again would lie behind us.
  const elapsed = followedAt === null ? Number.POSITIVE_INFINITY : Math.max(0, asOf - followedAt);
  const bounded = Math.max(last, Math.min(begin, last + elapsed));
  const isSteady =
    followedAheadMs !== null && Math.abs(clockAheadMs - followedAheadMs) < millisecondsInMinute;
  // A clock that was wrong for a turn must not leave a lag for good: after a day's look back it is believed again.
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
 * How many were found, and whether another look is worth while: there were several pages, and something in them from
 * before `begin`.
 */
async function pass(
  work: Work,
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
    const page = await nextUpdatedPage(work, start, place);
    if (page instanceof AppError) {
      const minute = Math.max(start, Math.floor(seenUntil / millisecondsInMinute) * millisecondsInMinute);
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

/** A page, or the error that the place is no longer good. */
async function nextUpdatedPage(
  { request, tracker }: Work,
  from: Instant,
  place: SearchPlace | null,
): Promise<IssuePage | AppError> {
  try {
    return await request(() => tracker.issues({ window: { by: 'updated', from }, place, detail: 'updated' }));
  } catch (error) {
    if (place !== null && error instanceof AppError && error.code === 'bad-request') return error;
    throw error;
  }
}
