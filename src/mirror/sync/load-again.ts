import type { KeptStanding } from '../../store/sync-store.ts';
import type { FailedIssue, FoundIssue, SurveyedIssue, UnshownIssue } from '../../trackers/live-tracker.ts';
import { noteRejected } from './note-rejected.ts';
import type { Work } from './work.ts';
import { writeTold } from './write-told.ts';

/** As many as the tracker takes at once. */
const CHUNK_IDS = 100;

/** An issue that is asked for; key and update as far as a search has told them. */
type WantedIssue = Pick<SurveyedIssue, 'id'> & Partial<SurveyedIssue>;

/** How issues are asked for. */
interface LoadAgain {
  /** What becomes of those the tracker does not have any more. */
  readonly onMissing: (missing: readonly string[]) => Promise<void>;
  /** What they are told as is true, however old. */
  readonly isLast?: boolean;
  /** Whether an issue that is told counts as seen where ids are compared. */
  readonly isSeen?: (issue: FoundIssue) => boolean;
}

/** Takes issues by id, in chunks. Those the tracker fails to tell stay as they are, and are tried again. */
export async function loadAgain(
  work: Work,
  wanted: readonly WantedIssue[],
  { onMissing, isLast = false, isSeen = () => true }: LoadAgain,
): Promise<void> {
  for (let start = 0; start < wanted.length; start += CHUNK_IDS) {
    const chunk = wanted.slice(start, start + CHUNK_IDS);
    const { entries, found, missing, failed } = await work.ask(() =>
      work.tracker.loadIds(chunk.map(({ id }) => id)),
    );
    await writeTold(work, entries, found, isLast);
    await noteFailed(work, failed, chunk);
    // What comes while ids are compared is there, however far the comparison has got.
    if (work.state().compare !== null) {
      await work.store.addSeen([...found.filter(isSeen), ...failed].map(({ id }) => id));
    }
    await onMissing(missing);
    await work.breathe();
  }
}

/** Notes issues that the tracker fails to show; what was found out about them is in `wanted`, or beside the reason. */
export async function noteFailed(
  work: Work,
  failed: readonly (FailedIssue | UnshownIssue)[] = [],
  wanted: readonly WantedIssue[] = failed,
): Promise<void> {
  if (failed.length === 0) return;
  const ids = failed.map(({ id }) => id);
  const [kept, rejected] = [await work.store.kept(ids), await work.store.rejected(ids)];
  const issues = failed.map(({ id, reason }) => {
    const told = wanted.find((one) => one.id === id);
    const before = rejected.get(id);
    return {
      id,
      key: told?.key ?? kept.get(id)?.key ?? before?.key ?? id,
      updated: told?.updated ?? before?.updated ?? null,
      reason,
    };
  });
  await noteRejected(work, issues);
}

/** Whole documents are read for it, and others get their turn in between. */
const STANDINGS_AT_ONCE = 50;

/** Where those of the issues stand, as they are kept, of which a search has shown it. */
async function standingsOf(work: Work, found: readonly SurveyedIssue[]): Promise<Map<string, KeptStanding>> {
  const shown = found.filter(({ status, assignee }) => status !== undefined || assignee !== undefined);
  const standings = new Map<string, KeptStanding>();
  for (let start = 0; start < shown.length; start += STANDINGS_AT_ONCE) {
    const chunk = shown.slice(start, start + STANDINGS_AT_ONCE);
    for (const [id, one] of await work.store.standings(chunk.map(({ id }) => id))) standings.set(id, one);
    await work.breathe();
  }
  return standings;
}

/**
 * Those that are kept otherwise than a search has found them. Of those that could not be taken only newer versions
 * count: the others are tried again anyway. `exactly`: one that was updated later than it was found counts as well, and
 * one that stands elsewhere, for there are changes that leave `updated` as it was.
 */
export async function behind(
  work: Work,
  found: readonly SurveyedIssue[],
  exactly = false,
): Promise<readonly SurveyedIssue[]> {
  const ids = found.map(({ id }) => id);
  const [kept, rejected] = [await work.store.kept(ids), await work.store.rejected(ids)];
  const standings = exactly ? await standingsOf(work, found) : new Map<string, KeptStanding>();
  return found.filter(({ id, key, updated, status, assignee }) => {
    const unread = rejected.get(id);
    if (unread !== undefined)
      return updated !== null && (unread.updated === null || unread.updated < updated);
    const facts = kept.get(id);
    if (facts === undefined || facts.updated === null || !facts.complete) return true;
    if (updated === null) return facts.key !== key;
    // The search may lag behind what was read of an issue since. Projects that get another key leave `updated` as it is.
    if (facts.updated > updated) return exactly;
    if (facts.updated < updated || facts.key !== key) return true;
    const standing = standings.get(id);
    if (standing === undefined) return false;
    return (
      (status !== undefined && status !== standing.status) ||
      (assignee !== undefined && assignee !== standing.assignee)
    );
  });
}
