import { millisecondsInDay } from 'date-fns/constants';
import type { DigestRun } from '../../model/digest.ts';
import type { DigestPostman } from '../digests.ts';
import { pauseAfter } from './back-off.ts';
import type { DigestsParts } from './digests-parts.ts';
import { isTimeToTell, readOwnNote, withOwn } from './own-note.ts';

/** Later nobody needs to hear why a period was given up. */
const TOLD_WITHIN_MS = 3 * millisecondsInDay;
/** Before a period that failed there may be so many that nobody wanted. */
const LOOKED_BACK = 150;

/** Tells owners which periods were given up, until they know or we stop; each digest in the order of its periods. */
export async function tellOwners(
  postman: DigestPostman,
  stopping: AbortSignal,
  parts: DigestsParts,
): Promise<void> {
  const waiting = new Set<string>();
  for (const run of await parts.store.untold(parts.now() - TOLD_WITHIN_MS)) {
    if (stopping.aborted) return;
    if (waiting.has(run.digestId)) continue;
    const isTold = await tell(run, postman, parts).catch((error: unknown) => {
      if (!stopping.aborted)
        parts.log.error({ err: error, digestId: run.digestId }, 'an owner could not be told of a digest');
      return false;
    });
    if (!isTold) waiting.add(run.digestId);
  }
}

async function tell(run: DigestRun, postman: DigestPostman, { store, now }: DigestsParts): Promise<boolean> {
  const { digestId, due, note } = run;
  const digest = await store.get(digestId);
  if (digest === null) return true;
  const { owner } = digest;
  const before = (await store.runs(digestId, LOOKED_BACK)).find(
    (one) => one.due < due && one.state !== 'skipped' && one.state !== 'claimed',
  );
  // What failed for the same reason the last time was told then.
  if (
    before?.state === 'failed' &&
    before.message === run.message &&
    readOwnNote(before.note).told === owner
  ) {
    return store.changeNote(digestId, due, note, withOwn(note, { told: owner }));
  }
  const { tellTries, tellSince } = readOwnNote(note);
  const at = now();
  if (!isTimeToTell(note, at, pauseAfter(tellTries))) return false;
  const isFirst = tellTries === 0;
  const begun = withOwn(note, {
    tellTries: tellTries + 1,
    tellSince: isFirst ? at : tellSince,
    tellLast: at,
  });
  // Another process may be telling it.
  if (!(await store.changeNote(digestId, due, note, begun))) return false;
  const isTold = await postman.tellOwner(digest, { ...run, note: begun }, isFirst ? null : tellSince);
  if (isTold) await store.changeNote(digestId, due, begun, withOwn(begun, { told: owner }));
  return isTold;
}
