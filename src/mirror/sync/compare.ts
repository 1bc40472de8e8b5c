import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import { costlyInterval, type SyncState } from './sync-state.ts';
import { chunksOf, loadAgain, noteFailed, outdated, removeGone, searchPage } from './take-issues.ts';
import type { SyncWork } from './work.ts';

/** Beyond this number (of few issues: half of them), and this share of all, issues are removed only with an admin's consent. */
const MAX_REMOVED = 100;
const MAX_REMOVED_SHARE = 0.2;

/** The number of ids that are in memory at once. */
const CHUNK_IDS = 1000;

/** The time (ms) that a comparison takes before updates are followed again. */
const SLICE_MS = 60_000;

/** The time (ms) for which a seen issue counts as seen: after that it may have gone. */
const SEEN_LASTS_MS = millisecondsInDay;

/** A search may find an issue late; after this time (ms) an issue it does not find is gone. */
const FOUND_WITHIN_MS = millisecondsInHour;

/** The shortest and the longest pause (ms) between two thorough comparisons. */
const THOROUGH_MS = [millisecondsInDay, 7 * millisecondsInDay] as const;

/**
 * Compares the ids of all stored issues with those of the tracker: reads the unknown and the different ones, and removes
 * those that the tracker does not have, or does not find any more (archived ones), by id as well. Where many are missing
 * the account has more likely lost a right: then none is removed unless `acceptRemovals`, or the query has changed.
 * `thorough` also compares when each was updated, which takes many more requests and finds issues that a search failed to
 * find in time, or that a backup has undone. A long comparison stays under way, to be continued soon.
 */
export async function compareWithTracker(
  work: SyncWork,
  { acceptRemovals, thorough }: { readonly acceptRemovals: boolean; readonly thorough: boolean },
): Promise<void> {
  const age = work.now() - (work.state().compare?.startedAt ?? Number.NEGATIVE_INFINITY);
  const lacks = thorough && work.state().compare?.thorough !== true;
  if (age < 0 || age > SEEN_LASTS_MS || lacks) await begin(work, thorough);
  if (!(await listIds(work, acceptRemovals))) return;
  const isVerified = await counted(work, () =>
    verifyUnseen(work, acceptRemovals || work.state().wishChanged),
  );
  const now = work.now();
  const { sent = 0, thorough: wasThorough = false } = work.state().compare ?? {};
  const tried = {
    compare: null,
    compareTriedAt: now,
    ...(wasThorough
      ? { thoroughAt: now, thoroughEveryMs: costlyInterval(sent, THOROUGH_MS) }
      : { compareEveryMs: costlyInterval(sent) }),
  };
  if (!isVerified) {
    const stored = (await work.issues.count()).toLocaleString('en-US');
    const message = `More than a fifth of the ${stored} issues kept here cannot be found in ${work.state().site} any more, so none was removed: the account may have lost its permission to browse them. Give it the permission back, or, if they were deleted, accept the removals.`;
    await work.keep({ ...tried, guard: { at: work.now(), message } });
    return;
  }
  for (;;) {
    const gone = await work.store.unseen(null, CHUNK_IDS);
    if (gone.length === 0) break;
    await work.store.removeIssues(gone);
    await work.checkpoint();
  }
  await work.store.clearSeen();
  await work.keep({ ...tried, comparedAt: now, guard: null, wishChanged: false });
}

async function begin(work: SyncWork, thorough: boolean): Promise<void> {
  await work.store.clearSeen();
  await work.keep({ compare: { place: null, startedAt: work.now(), sent: 0, thorough } });
}

/** Reads the tracker's ids for a while; false where more are to come. */
async function listIds(work: SyncWork, acceptRemovals: boolean): Promise<boolean> {
  const until = work.now() + SLICE_MS;
  for (;;) {
    const { place = null, thorough = false } = work.state().compare ?? {};
    const page = await counted(work, async () => {
      const detail = thorough ? 'updated' : 'keys';
      const page = await searchPage(work, { window: { by: 'created', from: null }, place, detail });
      if (page instanceof AppError) {
        await begin(work, thorough);
        return page;
      }
      await work.store.addSeen([...page.found, ...page.failed].map(({ id }) => id));
      await noteFailed(work, page.failed);
      await loadAgain(work, await outdated(work, page.found, thorough), {
        onMissing: (missing) => removeGone(work, missing, acceptRemovals),
        isLast: thorough,
      });
      return page;
    });
    if (page instanceof AppError) continue;
    if (work.state().wishChanged) await work.keep({ done: await work.store.countSeen() });
    // If the comparison is cut off after its last page, that page is read again.
    if (page.next === null) return true;
    await keepCompare(work, { place: page.next });
    await work.checkpoint();
    if (work.now() >= until) return false;
  }
}

/** Searches and reads the unseen issues; those that are there count as seen from then on. False where too many are missing. */
async function verifyUnseen(work: SyncWork, acceptRemovals: boolean): Promise<boolean> {
  const count = await work.issues.count();
  const maxMissed = Math.max(Math.min(MAX_REMOVED, count / 2), MAX_REMOVED_SHARE * count);
  let missed = 0;
  for (let after: string | null = null; ; ) {
    const ids: readonly string[] = await work.store.unseen(after, CHUNK_IDS);
    const last = ids.at(-1);
    if (last === undefined) return true;
    for (const chunk of chunksOf(ids)) {
      const { missing: unfound } = await work.request(() =>
        work.tracker.issues({ ids: chunk, detail: 'presence' }),
      );
      const oldest = work.now() + (work.state().clockAheadMs ?? 0) - FOUND_WITHIN_MS;
      await loadAgain(
        work,
        chunk.map((id) => ({ id })),
        {
          async onMissing(missing) {
            missed += missing.length;
          },
          isSeen({ id, updated }) {
            const isSeen = !unfound.includes(id) || (updated ?? 0) > oldest;
            missed += Number(!isSeen);
            return isSeen;
          },
        },
      );
      if (missed > maxMissed && !acceptRemovals) return false;
    }
    after = last;
  }
}

async function keepCompare(work: SyncWork, part: Partial<NonNullable<SyncState['compare']>>): Promise<void> {
  const { compare } = work.state();
  if (compare !== null) await work.keep({ compare: { ...compare, ...part } });
}

/** Adds the requests of a step to those of the comparison. */
async function counted<Result>(work: SyncWork, step: () => Promise<Result>): Promise<Result> {
  const before = work.tracker.connection.requests().sent;
  const result = await step();
  const cost = work.tracker.connection.requests().sent - before;
  if (cost > 0) await keepCompare(work, { sent: (work.state().compare?.sent ?? 0) + cost });
  return result;
}
