import { AppError } from '../../model/error.ts';
import { loadAgain } from './load-again.ts';
import { readRejected } from './read-rejected.ts';
import { removeGone } from './refuse-if-blind.ts';
import type { Work } from './work.ts';

/** Looked at together; only ids are in memory. */
const CHUNK_IDS = 1000;

/** More than so many, and than this share of all, are more than some odd issues. */
const MOST_REJECTED = 100;
const MOST_REJECTED_SHARE = 0.2;

/** Tries again what could not be taken: what is due, or all of it. */
export async function retryRejected(work: Work, all: boolean, acceptRemovals = false): Promise<void> {
  const now = all ? null : work.now();
  for (let after: string | null = null; ; ) {
    const due = await work.store.rejectedDue(now, after, CHUNK_IDS);
    const last = due.at(-1);
    if (last === undefined) return;
    // An update that was not told stays unknown, so that the versions are not taken for the same.
    await loadAgain(work, due, { onMissing: (missing) => removeGone(work, missing, acceptRemovals) });
    after = last.id;
  }
}

/**
 * `unavailable` where so many issues could not be taken that the others are no answer to anything. `soFar`: there are
 * more to come, so that a few say nothing yet.
 */
export async function refuseIfMostRejected(
  { issues, store, state }: Work,
  { soFar = false }: { readonly soFar?: boolean } = {},
): Promise<void> {
  const [{ count: rejected, some }, kept] = [await readRejected(store), await issues.count()];
  const most = Math.max(MOST_REJECTED, MOST_REJECTED_SHARE * (kept + rejected));
  if (rejected === 0 || ((soFar || kept > 0) && rejected <= most)) return;
  const [first] = some;
  throw new AppError(
    'unavailable',
    `${rejected.toLocaleString('en-US')} of the issues of ${state().site} cannot be used, and ${kept.toLocaleString('en-US')} can; the first fill is done when most can. For example ${first?.key}: ${first?.reason}`,
  );
}
