import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { SearchPlace, SurveyedPage } from '../../trackers/live-tracker.ts';
import { costlyInterval } from './costly-interval.ts';
import { behind, loadAgain, noteFailed } from './load-again.ts';
import { refuseIfBlind, removeGone } from './refuse-if-blind.ts';
import type { Work } from './work.ts';

/** A search may find an issue some minutes late, and its dates have minutes. */
const OVERLAP_MS = 5 * millisecondsInMinute;

/** An issue that changes moves to the end of the search, and another one may slip past the edge of a page. */
const MOST_PASSES = 3;

/** A search whose places are lost so often without coming to another minute does not come to its end. */
const MOST_LOST = 3;

/**
 * Takes what was updated since the last time, and notes until when that is, unless the tracker shows nothing at
 * all any more, which has to be accepted. Now and then it looks back a day, for a
 * search may find an issue much later than it should.
 */
export async function follow(work: Work, { acceptRemovals = false } = {}): Promise<void> {
  const { tracker, state } = work;
  const asOf = work.now();
  const { now: begin, clockAheadMs } = await work.ask(() => tracker.site());
  const { followedUntil, followedAt, followedAheadMs, lookedBackAt, lookBackEveryMs } = state();
  const last = followedUntil ?? begin;
  const looksBack = isDue(asOf, lookedBackAt, lookBackEveryMs);
  // The tracker's clock may have been set back.
  const from = Math.min(last, begin) - (looksBack ? millisecondsInDay : OVERLAP_MS);
  const before = tracker.requests().sent;
  for (let passes = 1; ; passes += 1) {
    const { found, slippedPossible } = await pass(work, from, begin, acceptRemovals);
    if (found === 0 && !acceptRemovals) await refuseIfBlind(work);
    if (!slippedPossible || passes === MOST_PASSES) break;
  }
  const lookedBack = looksBack
    ? { lookedBackAt: asOf, lookBackEveryMs: costlyInterval(tracker.requests().sent - before) }
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
    const page = await nextPage(work, start, place);
    if (page instanceof AppError) {
      const minute = Math.max(start, Math.floor(seenUntil / millisecondsInMinute) * millisecondsInMinute);
      lost = minute > start ? 0 : lost + 1;
      if (lost === MOST_LOST) throw page;
      [start, place] = [minute, null];
      continue;
    }
    pages += 1;
    found += page.found.length + (page.failed?.length ?? 0);
    seenUntil = Math.max(seenUntil, page.found.at(-1)?.updated ?? seenUntil);
    const news = await behind(work, page.found);
    earlier += news.filter(({ updated }) => updated !== null && updated < begin).length;
    await loadAgain(work, news, { onMissing: (missing) => removeGone(work, missing, acceptRemovals) });
    await noteFailed(work, page.failed);
    await work.breathe();
    place = page.next;
    if (place === null) return { found, slippedPossible: pages > 1 && earlier > 0 };
  }
}

/** A page, or the error that the place is no longer good. */
async function nextPage(
  { ask, tracker }: Work,
  from: Instant,
  place: SearchPlace | null,
): Promise<SurveyedPage | AppError> {
  try {
    return await ask(() => tracker.survey({ by: 'updated', from }, place, 'updated'));
  } catch (error) {
    if (place !== null && error instanceof AppError && error.code === 'bad-request') return error;
    throw error;
  }
}
