import type { SurveyedPage } from '../../tracker/live-tracker.ts';
import { behind, loadAgain } from './load-again.ts';
import type { Work } from './work.ts';

/** A search may find an issue some minutes late, and its dates have minutes. */
const OVERLAP_MS = 5 * 60_000;

/** An issue that changes moves to the end of the search, and another one may slip past the edge of a page. */
const MOST_PASSES = 3;

/** Takes what was updated since the last time, and notes until when that is. */
export async function follow(work: Work): Promise<void> {
  const { tracker } = work;
  const asOf = work.now();
  const { now: begin, clockAheadMs } = await work.ask(() => tracker.site());
  const last = work.state().followedUntil ?? begin;
  // The tracker's clock may have been set back.
  const from = Math.min(last, begin) - OVERLAP_MS;
  for (let passes = 1; ; passes += 1) {
    const slippedPossible = await pass(work, from, begin);
    if (!slippedPossible || passes === MOST_PASSES) break;
  }
  await work.keep({ followedUntil: begin, asOf, clockAheadMs });
}

/** Tells whether another look is worth while: there were several pages, and something in them from before `begin`. */
async function pass(work: Work, from: number, begin: number): Promise<boolean> {
  let pages = 0;
  let earlier = 0;
  for (let place: string | null = null; ; ) {
    const at: string | null = place;
    const page: SurveyedPage = await work.ask(() =>
      work.tracker.survey({ by: 'updated', from }, at, 'updated'),
    );
    pages += 1;
    const news = await behind(work, page.found);
    earlier += news.filter(({ updated }) => updated !== null && updated < begin).length;
    await loadAgain(
      work,
      news.map(({ id }) => id),
      (missing) => work.store.removeIssues(missing),
    );
    await work.breathe();
    place = page.next;
    if (place === null) return pages > 1 && earlier > 0;
  }
}
