import { AppError } from '../../model/error.ts';
import type { SurveyedPage } from '../../tracker/live-tracker.ts';
import { costlyInterval } from './costly-interval.ts';
import { behind, loadAgain } from './load-again.ts';
import type { SyncState } from './sync-state.ts';
import type { Work } from './work.ts';

/** More than so many, and than this share of all, do not go without somebody's word. */
const MOST_REMOVED = 100;
const MOST_REMOVED_SHARE = 0.2;

/** Looked at together; only ids are in memory. */
const CHUNK_IDS = 1000;

/** Asked for before it is looked whether too many are missing. */
const CHECKED_IDS = 100;

/** So long (ms) it goes on before what was updated is followed again. */
const SLICE_MS = 60_000;

/** What was seen longer ago may have gone since. */
const SEEN_LASTS_MS = 86_400_000;

/**
 * Holds the ids of all issues here against those of the tracker: takes what is unknown or different, and takes away what
 * the tracker does not have any more, asked for by id as well. Much at once is more likely a right that our account has
 * lost: then nothing goes unless `acceptRemovals`. `thorough` also looks when each was updated, which takes many more
 * requests and finds only what a search failed to find in time. A long comparison stays under way, to be gone on with soon.
 */
export async function compare(
  work: Work,
  { acceptRemovals, thorough }: { readonly acceptRemovals: boolean; readonly thorough: boolean },
): Promise<void> {
  const age = work.now() - (work.state().compare?.startedAt ?? Number.NEGATIVE_INFINITY);
  const lacks = thorough && work.state().compare?.thorough !== true;
  if (age < 0 || age > SEEN_LASTS_MS || lacks) await begin(work, thorough);
  if (!(await survey(work))) return;
  const sent = () => work.state().compare?.sent ?? 0;
  const verified = await counted(work, () => verifyUnseen(work, acceptRemovals));
  const now = work.now();
  const compareEveryMs = costlyInterval(sent());
  if (verified === 'too many') {
    await work.keep({ compare: null, compareTriedAt: now, compareEveryMs, guard: await sayGuard(work) });
    return;
  }
  for (;;) {
    const gone = await work.store.unseen(null, CHUNK_IDS);
    if (gone.length === 0) break;
    await work.store.removeIssues(gone);
    await work.breathe();
  }
  await work.store.clearSeen();
  await work.keep({ compare: null, comparedAt: now, compareTriedAt: now, compareEveryMs, guard: null });
}

async function begin(work: Work, thorough: boolean): Promise<void> {
  await work.store.clearSeen();
  await work.keep({ compare: { place: null, startedAt: work.now(), sent: 0, thorough } });
}

/** False when it has not come to its end. */
async function survey(work: Work): Promise<boolean> {
  const until = work.now() + SLICE_MS;
  for (;;) {
    const page = await counted(work, () => nextPage(work));
    await counted(work, async () => {
      await work.store.addSeen(page.found.map(({ id }) => id));
      const news = await behind(work, page.found);
      await loadAgain(
        work,
        news.map(({ id }) => id),
        (missing) => work.store.removeIssues(missing),
      );
    });
    // The last page is asked for again when the rest does not come to its end.
    if (page.next === null) return true;
    await keepCompare(work, { place: page.next });
    await work.breathe();
    if (work.now() >= until) return false;
  }
}

async function nextPage(work: Work): Promise<SurveyedPage> {
  const thorough = work.state().compare?.thorough === true;
  const tells = thorough ? 'updated' : 'keys';
  const ask = () =>
    work.ask(() =>
      work.tracker.survey({ by: 'created', from: null }, work.state().compare?.place ?? null, tells),
    );
  try {
    return await ask();
  } catch (error) {
    const refused = error instanceof AppError && error.code === 'bad-request';
    if (!refused || (work.state().compare?.place ?? null) === null) throw error;
    await begin(work, thorough);
    return ask();
  }
}

/** Asks for what was not seen; what is there after all counts as seen from then on. */
async function verifyUnseen(work: Work, acceptRemovals: boolean): Promise<'all' | 'too many'> {
  const most = Math.max(MOST_REMOVED, MOST_REMOVED_SHARE * (await work.issues.count()));
  let missed = 0;
  for (let after: string | null = null; ; ) {
    const ids: readonly string[] = await work.store.unseen(after, CHUNK_IDS);
    const last = ids.at(-1);
    if (last === undefined) return 'all';
    for (let start = 0; start < ids.length; start += CHECKED_IDS) {
      const chunk = ids.slice(start, start + CHECKED_IDS);
      await loadAgain(work, chunk, async (missing) => {
        missed += missing.length;
      });
      if (missed > most && !acceptRemovals) return 'too many';
    }
    after = last;
  }
}

async function sayGuard({ issues, now, state }: Work): Promise<SyncState['guard']> {
  const kept = (await issues.count()).toLocaleString('en-US');
  return {
    at: now(),
    message: `More than a fifth of the ${kept} issues kept here cannot be found in ${state().site} any more, so none was taken away: the account that asks may have lost its right to browse them. Give it the right back, or, if they are gone indeed, accept that they go.`,
  };
}

async function keepCompare(work: Work, part: Partial<NonNullable<SyncState['compare']>>): Promise<void> {
  const { compare } = work.state();
  if (compare !== null) await work.keep({ compare: { ...compare, ...part } });
}

/** Does it, and counts what it has cost. */
async function counted<Result>(work: Work, step: () => Promise<Result>): Promise<Result> {
  const before = work.tracker.requests().sent;
  const result = await step();
  const cost = work.tracker.requests().sent - before;
  if (cost > 0) await keepCompare(work, { sent: (work.state().compare?.sent ?? 0) + cost });
  return result;
}
