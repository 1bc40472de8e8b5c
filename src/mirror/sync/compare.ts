import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import type { FoundIssue, IssuePage } from '../../trackers/live-tracker.ts';
import { costlyInterval, type SyncState } from './sync-state.ts';
import { loadAgain, noteFailed, outdated, removeGone } from './take-issues.ts';
import type { Work } from './work.ts';

/** More than so many (of few: than half), and than this share of all, do not go without somebody's word. */
const MAX_REMOVED = 100;
const MAX_REMOVED_SHARE = 0.2;

/** Looked at together; only ids are in memory. */
const CHUNK_IDS = 1000;

/** Asked for before it is looked whether too many are missing. */
const CHECKED_IDS = 100;

/** So long (ms) it goes on before what was updated is followed again. */
const SLICE_MS = 60_000;

/** What was seen longer ago may have gone since. */
const SEEN_LASTS_MS = millisecondsInDay;

/** A search finds an issue late, and does not fail to find it any more after so long (ms). */
const FOUND_WITHIN_MS = millisecondsInHour;

/** How often (ms) it is looked when everything was updated, and how often where that is costly. */
const THOROUGH_MS = [millisecondsInDay, 7 * millisecondsInDay] as const;

/**
 * Holds the ids of all issues here against those of the tracker: takes what is unknown or different, and takes away what
 * the tracker does not have any more, or does not find any more (archived ones), asked for by id as well. Much at once is
 * more likely a right that our account has lost: then nothing goes unless `acceptRemovals`, or others are wanted now than
 * before. `thorough` also looks when each was updated, which takes many more requests and finds what a search failed to
 * find in time, and what was undone by a backup. A long comparison stays under way, to be gone on with soon.
 */
export async function compare(
  work: Work,
  { acceptRemovals, thorough }: { readonly acceptRemovals: boolean; readonly thorough: boolean },
): Promise<void> {
  const age = work.now() - (work.state().compare?.startedAt ?? Number.NEGATIVE_INFINITY);
  const lacks = thorough && work.state().compare?.thorough !== true;
  if (age < 0 || age > SEEN_LASTS_MS || lacks) await begin(work, thorough);
  if (!(await listIds(work, acceptRemovals))) return;
  const sent = () => work.state().compare?.sent ?? 0;
  const verified = await counted(work, () => verifyUnseen(work, acceptRemovals || work.state().wishChanged));
  const now = work.now();
  const tried = {
    compare: null,
    compareTriedAt: now,
    ...(work.state().compare?.thorough === true
      ? { thoroughAt: now, thoroughEveryMs: costlyInterval(sent(), THOROUGH_MS) }
      : { compareEveryMs: costlyInterval(sent()) }),
  };
  if (verified === 'too many') {
    await work.keep({ ...tried, guard: await guardMessage(work) });
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

async function begin(work: Work, thorough: boolean): Promise<void> {
  await work.store.clearSeen();
  await work.keep({ compare: { place: null, startedAt: work.now(), sent: 0, thorough } });
}

/** False when it has not come to its end. */
async function listIds(work: Work, acceptRemovals: boolean): Promise<boolean> {
  const until = work.now() + SLICE_MS;
  for (;;) {
    const page = await counted(work, () => nextPage(work));
    await counted(work, async () => {
      await work.store.addSeen([...page.found, ...page.failed].map(({ id }) => id));
      await noteFailed(work, page.failed);
      const thorough = work.state().compare?.thorough === true;
      const news = await outdated(work, page.found, thorough);
      await loadAgain(work, news, {
        onMissing: (missing) => removeGone(work, missing, acceptRemovals),
        isLast: thorough,
      });
    });
    if (work.state().wishChanged) await work.keep({ done: await work.store.countSeen() });
    // The last page is asked for again when the rest does not come to its end.
    if (page.next === null) return true;
    await keepCompare(work, { place: page.next });
    await work.checkpoint();
    if (work.now() >= until) return false;
  }
}

async function nextPage(work: Work): Promise<IssuePage> {
  const thorough = work.state().compare?.thorough === true;
  const detail = thorough ? 'updated' : 'keys';
  const request = () =>
    work.request(() =>
      work.tracker.issues({
        window: { by: 'created', from: null },
        place: work.state().compare?.place ?? null,
        detail,
      }),
    );
  try {
    return await request();
  } catch (error) {
    const refused = error instanceof AppError && error.code === 'bad-request';
    if (!refused || (work.state().compare?.place ?? null) === null) throw error;
    await begin(work, thorough);
    return request();
  }
}

/** Searches and asks for what was not seen; what is there after all counts as seen from then on. */
async function verifyUnseen(work: Work, acceptRemovals: boolean): Promise<'all' | 'too many'> {
  const count = await work.issues.count();
  const most = Math.max(Math.min(MAX_REMOVED, count / 2), MAX_REMOVED_SHARE * count);
  let missed = 0;
  for (let after: string | null = null; ; ) {
    const ids: readonly string[] = await work.store.unseen(after, CHUNK_IDS);
    const last = ids.at(-1);
    if (last === undefined) return 'all';
    for (let start = 0; start < ids.length; start += CHECKED_IDS) {
      const chunk = ids.slice(start, start + CHECKED_IDS);
      const { missing: unfound } = await work.request(() =>
        work.tracker.issues({ ids: chunk, detail: 'presence' }),
      );
      const oldest = work.now() + (work.state().clockAheadMs ?? 0) - FOUND_WITHIN_MS;
      const isSeen = ({ id, updated }: FoundIssue) => !unfound.includes(id) || (updated ?? 0) > oldest;
      await loadAgain(
        work,
        chunk.map((id) => ({ id })),
        {
          async onMissing(missing) {
            missed += missing.length;
          },
          isSeen(issue) {
            const seen = isSeen(issue);
            if (!seen) missed += 1;
            return seen;
          },
        },
      );
      if (missed > most && !acceptRemovals) return 'too many';
    }
    after = last;
  }
}

async function guardMessage({ issues, now, state }: Work): Promise<SyncState['guard']> {
  const stored = (await issues.count()).toLocaleString('en-US');
  return {
    at: now(),
    message: `More than a fifth of the ${stored} issues kept here cannot be found in ${state().site} any more, so none was removed: the account may have lost its permission to browse them. Give it the permission back, or, if they were deleted, accept the removals.`,
  };
}

async function keepCompare(work: Work, part: Partial<NonNullable<SyncState['compare']>>): Promise<void> {
  const { compare } = work.state();
  if (compare !== null) await work.keep({ compare: { ...compare, ...part } });
}

/** Does it, and counts what it has cost. */
async function counted<Result>(work: Work, step: () => Promise<Result>): Promise<Result> {
  const before = work.tracker.connection.requests().sent;
  const result = await step();
  const cost = work.tracker.connection.requests().sent - before;
  if (cost > 0) await keepCompare(work, { sent: (work.state().compare?.sent ?? 0) + cost });
  return result;
}
