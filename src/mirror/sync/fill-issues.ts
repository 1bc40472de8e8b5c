import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import type { LoadedPage } from '../../trackers/live-tracker.ts';
import { countAll } from './count-all.ts';
import { noteFailed } from './load-again.ts';
import { refuseIfMostRejected } from './retry-rejected.ts';
import type { SyncState } from './sync-state.ts';
import type { Work } from './work.ts';
import { writeTold } from './write-told.ts';

/** Places in a search are good for some time only, on our clock. */
const PLACE_LASTS_MS = millisecondsInDay;

type Fill = NonNullable<SyncState['fill']>;

/**
 * Takes all issues in the order of their creation, page by page. What is kept of the progress never runs ahead of the
 * issues, so whatever stops it, the next start goes on with the page that was not written whole.
 */
export async function fillIssues(work: Work): Promise<void> {
  if (work.state().fill === null) {
    // What is updated from now on is followed, whether the search has passed it or not.
    const followedAt = work.now();
    const { now: followedUntil } = await work.ask(() => work.tracker.site());
    const total = await countAll(work);
    await work.keep({ followedUntil, followedAt, fill: { ...beginning(work), total } });
  }
  for (;;) {
    const { fill } = work.state();
    const here = goodPlace(work, fill ?? beginning(work));
    const page = await nextPage(work, here);
    await writeTold(work, page.page.entries, page.page.found);
    await noteFailed(work, page.page.failed);
    const after = passed(work, page.from, page.page);
    if (page.page.next === null) {
      const { done, total } = after;
      const searchedAt = work.now();
      await work.keep({
        ...{ fill: null, searchedAt, done, total },
        // Both look for what was not told in time, and the comparison that comes now finds what is lacking.
        ...{ lookedBackAt: searchedAt, thoroughAt: searchedAt },
      });
      return;
    }
    await work.keep({ fill: after, done: after.done, total: after.total });
    if (page.page.failed?.length) await refuseIfMostRejected(work, { soFar: true });
    await work.breathe();
  }
}

function beginning({ now }: Work): Fill {
  return { from: null, place: null, placeAt: now(), minute: null, inMinute: 0, done: 0, total: null };
}

function goodPlace({ now }: Work, fill: Fill): Fill {
  const age = now() - fill.placeAt;
  return fill.place !== null && (age < 0 || age > PLACE_LASTS_MS) ? fromMinute(fill) : fill;
}

/** The search anew from the last minute that was reached; what lies in it is told again. */
function fromMinute(fill: Fill): Fill {
  return { ...fill, from: fill.minute, place: null, done: fill.done - fill.inMinute, inMinute: 0 };
}

async function nextPage(work: Work, fill: Fill): Promise<{ readonly from: Fill; readonly page: LoadedPage }> {
  const load = (from: Fill) =>
    work.ask(() => work.tracker.load({ by: 'created', from: from.from }, from.place));
  try {
    return { from: fill, page: await load(fill) };
  } catch (error) {
    if (fill.place === null || !(error instanceof AppError && error.code === 'bad-request')) throw error;
    const anew = fromMinute(fill);
    return { from: anew, page: await load(anew) };
  }
}

function passed({ now }: Work, before: Fill, { found, failed = [], next }: LoadedPage): Fill {
  const last = found.at(-1);
  const minute =
    last === undefined
      ? before.minute
      : Math.floor(last.created / millisecondsInMinute) * millisecondsInMinute;
  const inMinute = found.filter(({ created }) => minute !== null && created >= minute).length;
  return {
    ...before,
    place: next,
    placeAt: now(),
    minute,
    inMinute: minute === before.minute ? before.inMinute + inMinute : inMinute,
    done: before.done + found.length + failed.length,
  };
}
