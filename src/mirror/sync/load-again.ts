import type { SurveyedIssue } from '../../tracker/live-tracker.ts';
import type { Work } from './work.ts';
import { writeTold } from './write-told.ts';

/** As many as the tracker takes at once. */
const CHUNK_IDS = 100;

/** Takes issues by id, in chunks. What becomes of those the tracker does not have any more is up to `onMissing`. */
export async function loadAgain(
  work: Work,
  ids: readonly string[],
  onMissing: (missing: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += CHUNK_IDS) {
    const { entries, found, missing } = await work.ask(() =>
      work.tracker.loadIds(ids.slice(start, start + CHUNK_IDS)),
    );
    await writeTold(work, entries, found);
    // What comes while ids are compared is there, however far the comparison has got.
    if (work.state().compare !== null) await work.store.addSeen(found.map(({ id }) => id));
    await onMissing(missing);
    await work.breathe();
  }
}

/** The ids of those that are kept otherwise than a search has found them. */
export async function behind(work: Work, found: readonly SurveyedIssue[]): Promise<readonly SurveyedIssue[]> {
  const kept = await work.store.kept(found.map(({ id }) => id));
  return found.filter(({ id, key, updated }) => {
    const facts = kept.get(id);
    if (facts === undefined || facts.updated === null || !facts.complete) return true;
    if (updated === null) return facts.key !== key;
    // The search may lag behind what was read of an issue since. Projects that get another key leave `updated` as it is.
    return facts.updated < updated || (facts.updated === updated && facts.key !== key);
  });
}
