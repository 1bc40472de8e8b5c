import { millisecondsInHour } from 'date-fns/constants';
import pLimit from 'p-limit';
import type { IssueType, Sprint, Version } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, Issue, Status, User } from '../../model/issue.ts';
import { syncCommand } from '../../model/sync.ts';
import type { StoredStanding } from '../../store/store.ts';
import type { RejectedIssue } from '../../store/tracker-documents.ts';
import type { FailedIssue, FoundIssue, IssuePage, IssueSearch } from '../../trackers/live-tracker.ts';
import type { TrackerEntry } from '../../trackers/tracker.ts';
import { addStatus } from '../fill.ts';
import { preferNewer, updatedOf } from '../merge-snapshots.ts';
import type { SyncRecords } from './sync-records.ts';
import { readRejected } from './sync-state.ts';
import { recentIssues, type SyncWork } from './work.ts';

/** The number of ids that a tracker takes at once. */
const CHUNK_IDS = 100;

/** Yields the elements of a list in pieces. */
export function* chunksOf<One>(all: readonly One[], size = CHUNK_IDS): Generator<readonly One[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** A page of a search, or the error with which the tracker rejects a place that is no longer good. */
export async function searchPage(
  { request, tracker }: SyncWork,
  search: Extract<IssueSearch, { place: unknown }>,
): Promise<IssuePage | AppError> {
  try {
    return await request(() => tracker.issues(search));
  } catch (error) {
    if (search.place !== null && error instanceof AppError && error.code === 'bad-request') return error;
    throw error;
  }
}

/** An issue to read by its id; key and update as far as a search has found them. */
type WantedIssue = Pick<FoundIssue, 'id'> & Partial<FoundIssue>;

/** Options of reading issues by id. */
interface LoadAgain {
  /** Called with the ids that the tracker does not have any more. */
  readonly onMissing: (missing: readonly string[]) => Promise<void>;
  /** The answer is true, however old it is. */
  readonly isLast?: boolean;
  /** Returns whether an issue of the answer counts as seen where ids are compared. */
  readonly isSeen?: (issue: FoundIssue) => boolean;
}

/** Reads issues by id, in chunks. Those the tracker fails to show stay as they are, and are tried again. */
export async function loadAgain(
  work: SyncWork,
  wanted: readonly WantedIssue[],
  { onMissing, isLast = false, isSeen = () => true }: LoadAgain,
): Promise<void> {
  for (const chunk of chunksOf(wanted)) {
    const { entries, found, missing, failed } = await work.request(() =>
      work.tracker.issues({ ids: chunk.map(({ id }) => id), detail: 'whole' }),
    );
    await writeReceived(work, entries, found, isLast);
    await noteFailed(work, failed, chunk);
    // An issue that comes while ids are compared is there, however far the comparison has got.
    if (work.state().compare !== null) {
      await work.store.addSeen([...found.filter(isSeen), ...failed].map(({ id }) => id));
    }
    await onMissing(missing);
    await work.checkpoint();
  }
}

/** Notes issues that the tracker fails to show; their keys and updates are in `wanted`, or beside the reason. */
export async function noteFailed(
  work: SyncWork,
  failed: readonly FailedIssue[],
  wanted: readonly WantedIssue[] = failed,
): Promise<void> {
  if (failed.length === 0) return;
  const ids = failed.map(({ id }) => id);
  const [stored, rejected] = [await work.store.kept(ids), await work.store.rejected(ids)];
  await noteRejected(
    work,
    failed.map(({ id, reason }) => {
      const received = wanted.find((one) => one.id === id);
      const before = rejected.get(id);
      const key = received?.key ?? stored.get(id)?.key ?? before?.key ?? id;
      return { id, key, updated: received?.updated ?? before?.updated ?? null, reason };
    }),
  );
}

/** The number of issues whose standings are read at once: whole documents are read, and others get their turn in between. */
const STANDINGS_AT_ONCE = 50;

/**
 * The issues that are stored otherwise than a search has found them. Of rejected issues only newer versions count: the
 * others are tried again anyway. `exactly`: an issue that was updated later than it was found counts as well, and one with
 * another status or assignee, for there are changes that leave `updated` as it was.
 */
export async function outdated(
  work: SyncWork,
  found: readonly FoundIssue[],
  exactly = false,
): Promise<readonly FoundIssue[]> {
  const ids = found.map(({ id }) => id);
  const [stored, rejected] = [await work.store.kept(ids), await work.store.rejected(ids)];
  const standings = new Map<string, StoredStanding>();
  const shown = found.filter(({ status, assignee }) => status !== undefined || assignee !== undefined);
  for (const chunk of chunksOf(exactly ? shown : [], STANDINGS_AT_ONCE)) {
    for (const [id, one] of await work.store.standings(chunk.map(({ id }) => id))) standings.set(id, one);
    await work.checkpoint();
  }
  return found.filter(({ id, key, updated, status, assignee }) => {
    const unread = rejected.get(id);
    if (unread !== undefined)
      return updated !== null && (unread.updated === null || unread.updated < updated);
    const facts = stored.get(id);
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

/**
 * Writes issues that came from the tracker, and before them the statuses, people and other things that they mention, which
 * come from nowhere else. `isLast`: no other answer can have been faster, so that an older version is true as well:
 * trackers are restored from backups.
 */
export async function writeReceived(
  work: SyncWork,
  entries: readonly TrackerEntry[],
  found: readonly FoundIssue[],
  isLast = false,
): Promise<void> {
  const { issues: store, titles } = work;
  const issues: Issue[] = [];
  const statuses = new Map<string, Status>();
  const users = new Map<string, User>();
  const sprints = new Map<string, Sprint>();
  const issueTypes = new Map<string, IssueType>();
  const versions = new Map<string, Version>();
  const reasons: Extract<TrackerEntry, { kind: 'rejected' }>[] = [];
  await work.noteValues(entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.issue] : [])));
  for (const entry of entries) {
    if (entry.kind === 'issue') issues.push(titles.useIds(entry.issue));
    if (entry.kind === 'users') for (const user of entry.users) users.set(user.id, user);
    if (entry.kind === 'rejected') reasons.push(entry);
    if (entry.kind === 'directory') {
      for (const one of entry.part.sprints ?? []) sprints.set(one.id, one);
      for (const one of entry.part.issueTypes ?? []) issueTypes.set(one.id, one);
      for (const one of entry.part.versions ?? []) versions.set(one.id, one);
    }
    if (entry.kind === 'statuses') for (const status of entry.statuses) addStatus(statuses, status);
  }
  // An issue has fewer facts of people than the lists do.
  const known = await store.users(users.keys());
  await putUsers(
    work,
    [...users.values()].map((user) => ({ ...known.get(user.id), ...user })),
  );
  if (statuses.size > 0) await store.putStatuses([...statuses.values()], null);
  if (sprints.size + issueTypes.size + versions.size > 0) {
    await store.putDirectory({
      sprints: [...sprints.values()],
      issueTypes: [...issueTypes.values()],
      versions: withPlaces([...versions.values()], (await store.directory()).versions),
    });
  }
  if (issues.length > 0) {
    await store.putIssues(issues, (stored, received) => preferNewer(titles.useIds(stored), received, isLast));
  }
  const usable = new Set(issues.flatMap(({ id }) => id ?? []));
  await work.store.forgetRejected([...usable]);
  const rejected = found.filter(({ id }) => !usable.has(id));
  await noteRejected(
    work,
    rejected.map((issue) => {
      const ownReason = reasons.find(({ key }) => key?.toUpperCase() === issue.key);
      const entry = ownReason ?? reasons.find(({ key }) => key === null);
      return {
        ...issue,
        reason: entry?.reason ?? `the search found it, but ${work.tracker.title} did not send it`,
      };
    }),
  );
}

/** An issue does not say where a version is in the project's list. */
function withPlaces(versions: readonly Version[], stored: readonly Version[]): readonly Version[] {
  const places = new Map(stored.flatMap(({ id, place }) => (place === undefined ? [] : [[id, place]])));
  return versions.map((version) => {
    const place = places.get(version.id);
    return place === undefined ? version : { ...version, place };
  });
}

/** Writes the people who are not stored as they are; after any of them is written all people are read again. */
export async function putUsers({ issues: store }: SyncWork, users: readonly User[]): Promise<void> {
  const stored = await store.users(users.map(({ id }) => id));
  const changed = users.filter((user) => JSON.stringify(user) !== JSON.stringify(stored.get(user.id)));
  if (changed.length > 0) await store.putUsers(changed);
}

/** The pauses between tries: an issue that is put right is stored soon, and one that stays wrong costs little. */
const PAUSES = { firstMs: 60_000, longestMs: millisecondsInHour };

/**
 * Notes issues that could not be taken, so that they are tried again. The history of a stored older version is cut from
 * then on.
 */
async function noteRejected(work: SyncWork, issues: readonly RejectedIssue[]): Promise<void> {
  if (issues.length === 0) return;
  await work.store.noteRejected(issues, work.now(), PAUSES);
  const stored = await work.store.kept(issues.map(({ id }) => id));
  for (const { id, updated, reason } of issues) {
    const facts = stored.get(id);
    const isOlder = facts?.updated === null || updated === null || (facts?.updated ?? 0) < updated;
    const issue = facts === undefined || !isOlder ? null : await work.issues.issue(facts.key);
    if (issue?.id !== id) continue;
    const newer = `${work.tracker.title}'s newer version of this issue cannot be read: ${reason}`;
    await work.issues.putIssues([issue], (before) => (before.id === id ? doubted(before, newer) : before));
  }
}

function doubted(issue: Issue, reason: string): Issue {
  const { history } = issue;
  const updated = updatedOf(issue);
  const unknownFrom = history.complete
    ? updated
    : history.unknownFrom && Math.min(history.unknownFrom, updated);
  return { ...issue, history: { complete: false, unknownFrom, unknownUntil: null, reason } };
}

/** The number of rejected issues that are listed at once; only their ids are in memory. */
const RETRIED_AT_ONCE = 1000;

/** Beyond this number, and this share of all issues, the rejected ones are more than some odd issues. */
const MAX_REJECTED = 100;
const MAX_REJECTED_SHARE = 0.2;

/** Tries rejected issues again: those that are due, or all of them. */
export async function retryRejected(work: SyncWork, all: boolean, acceptRemovals = false): Promise<void> {
  const now = all ? null : work.now();
  for (let after: string | null = null; ; ) {
    const due = await work.store.rejectedDue(now, after, RETRIED_AT_ONCE);
    const last = due.at(-1);
    if (last === undefined) return;
    // An update that did not come stays unknown, so that two versions do not pass for the same.
    await loadAgain(work, due, { onMissing: (missing) => removeGone(work, missing, acceptRemovals) });
    after = last.id;
  }
}

/**
 * Fails with `unavailable` if so many issues were rejected that figures of the others would mislead. `soFar`: more
 * issues are to come, so a few rejected ones prove nothing yet.
 */
export async function assertMostAccepted({ issues, store, state }: SyncWork, soFar: boolean): Promise<void> {
  const [{ count: rejected, some }, stored] = [await readRejected(store), await issues.count()];
  const maxRejected = Math.max(MAX_REJECTED, MAX_REJECTED_SHARE * (stored + rejected));
  if (rejected === 0 || ((soFar || stored > 0) && rejected <= maxRejected)) return;
  const [first] = some;
  throw new AppError(
    'tracker-unavailable',
    `${rejected.toLocaleString('en-US')} of the issues of ${state().site} cannot be used, and ${stored.toLocaleString('en-US')} can; the initial sync is done when most can. For example ${first?.key}: ${first?.reason}`,
  );
}

/**
 * Fails with `unavailable` where the tracker shows Dwell no issue at all although some are stored: it may answer as to an
 * anonymous user. Then the stored issues are not up to date, and none is gone.
 */
export async function assertNotBlind(work: SyncWork): Promise<void> {
  const { issues, state, request, tracker } = work;
  const count = await issues.count();
  // With another query there may be no issues.
  if (count === 0 || state().wishChanged || (await countAll(work))) return;
  const ids = [...(await recentIssues(issues)).keys()];
  if (ids.length === 0) return;
  const { missing } = await request(() => tracker.issues({ ids, detail: 'presence' }));
  if (missing.length < ids.length) return;
  throw new AppError(
    'tracker-unavailable',
    `${state().site} answers, but shows our account none of the ${count.toLocaleString('en-US')} issues kept here. Has its token expired, or has it lost its permission to browse them? Nothing was removed. If they were deleted, run \`${syncCommand} --accept-removals\`.`,
  );
}

/** Removes issues that the tracker does not have any more; `isAccepted`: however few it shows. */
export async function removeGone(
  work: SyncWork,
  missing: readonly string[],
  isAccepted = false,
): Promise<void> {
  if (missing.length === 0) return;
  if (!isAccepted) await assertNotBlind(work);
  await work.store.removeIssues(missing);
}

/** About how many issues there are; null where the tracker fails to count them, which must not hold up anything. */
export async function countAll({ request, tracker }: SyncWork): Promise<number | null> {
  try {
    return await request(() => tracker.connection.count());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

/** The interval (ms) at which a turn looks into the store for what other processes have put there. */
const LOOK_MS = 1_000;

/** Ids of issues that have changed, as the tracker itself has reported, stored until the issues are read. */
interface Nudges {
  /** Stores ids, so that whichever process has the lease reads the issues. */
  add(ids: readonly string[]): Promise<void>;
  areNone(): Promise<boolean>;
  /** Has the next `settle` look into the store. */
  hint(): void;
  /** Reads the issues now; their ids stay when that fails. Looks into the store once a second, or after a hint. */
  settle(work: SyncWork): Promise<void>;
}

/** Opens the nudges of a store. Those that come at the same time are written together. */
export function openNudges(store: SyncRecords, now: () => Instant): Nudges {
  const unwritten = new Set<string>();
  const inTurn = pLimit(1);
  let lookedAt: Instant = Number.NEGATIVE_INFINITY;
  let isHinted = true;
  let settling = false;

  async function write(): Promise<void> {
    const ids = [...unwritten];
    unwritten.clear();
    try {
      if (ids.length > 0) await store.putNudges(ids, now());
    } catch (error) {
      // Callers that wait for their turn try again.
      for (const id of ids) unwritten.add(id);
      throw error;
    }
  }

  return {
    async add(ids) {
      for (const id of ids) unwritten.add(id);
      await inTurn(write);
      isHinted = true;
    },
    areNone: async () => (await store.nudges()).ids.length === 0,
    hint() {
      isHinted = true;
    },
    async settle(work) {
      if (settling || (!isHinted && Math.abs(work.now() - lookedAt) < LOOK_MS)) return;
      settling = true;
      isHinted = false;
      lookedAt = work.now();
      try {
        const { ids, revision } = await store.nudges();
        if (ids.length === 0) return;
        await loadAgain(
          work,
          ids.map((id) => ({ id })),
          { onMissing: (missing) => removeGone(work, missing) },
        );
        await store.removeNudges(revision);
      } finally {
        settling = false;
      }
    },
  };
}
