import { millisecondsInHour } from 'date-fns/constants';
import pLimit from 'p-limit';
import type { IssueType, Sprint, Version } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { History, Instant, Issue, Status, User } from '../../model/issue.ts';
import { syncCommand } from '../../model/sync.ts';
import type { RejectedIssue, StoredStanding } from '../../store/sync-store.ts';
import type { FailedIssue, FoundIssue } from '../../trackers/live-tracker.ts';
import type { TrackerEntry } from '../../trackers/tracker.ts';
import { preferNewer } from '../merge-snapshots.ts';
import type { SyncRecords } from './sync-records.ts';
import { readRejected } from './sync-state.ts';
import type { Work } from './work.ts';

/** As many as the tracker takes at once. */
const CHUNK_IDS = 100;

/** An issue that is asked for; key and update as far as a search has found them. */
type WantedIssue = Pick<FoundIssue, 'id'> & Partial<FoundIssue>;

/** How issues are asked for. */
interface LoadAgain {
  /** What becomes of those the tracker does not have any more. */
  readonly onMissing: (missing: readonly string[]) => Promise<void>;
  /** What comes of them is true, however old. */
  readonly isLast?: boolean;
  /** Whether an issue that comes counts as seen where ids are compared. */
  readonly isSeen?: (issue: FoundIssue) => boolean;
}

/** Takes issues by id, in chunks. Those the tracker fails to show stay as they are, and are tried again. */
export async function loadAgain(
  work: Work,
  wanted: readonly WantedIssue[],
  { onMissing, isLast = false, isSeen = () => true }: LoadAgain,
): Promise<void> {
  for (let start = 0; start < wanted.length; start += CHUNK_IDS) {
    const chunk = wanted.slice(start, start + CHUNK_IDS);
    const { entries, found, missing, failed } = await work.request(() =>
      work.tracker.issues({ ids: chunk.map(({ id }) => id), detail: 'whole' }),
    );
    await writeReceived(work, entries, found, isLast);
    await noteFailed(work, failed, chunk);
    // What comes while ids are compared is there, however far the comparison has got.
    if (work.state().compare !== null) {
      await work.store.addSeen([...found.filter(isSeen), ...failed].map(({ id }) => id));
    }
    await onMissing(missing);
    await work.checkpoint();
  }
}

/** Notes issues that the tracker fails to show; what was found out about them is in `wanted`, or beside the reason. */
export async function noteFailed(
  work: Work,
  failed: readonly FailedIssue[],
  wanted: readonly WantedIssue[] = failed,
): Promise<void> {
  if (failed.length === 0) return;
  const ids = failed.map(({ id }) => id);
  const [stored, rejected] = [await work.store.kept(ids), await work.store.rejected(ids)];
  const issues = failed.map(({ id, reason }) => {
    const received = wanted.find((one) => one.id === id);
    const before = rejected.get(id);
    return {
      id,
      key: received?.key ?? stored.get(id)?.key ?? before?.key ?? id,
      updated: received?.updated ?? before?.updated ?? null,
      reason,
    };
  });
  await noteRejected(work, issues);
}

/** Whole documents are read for it, and others get their turn in between. */
const STANDINGS_AT_ONCE = 50;

/** Where those of the issues stand, as they are kept, of which a search has shown it. */
async function standingsOf(work: Work, found: readonly FoundIssue[]): Promise<Map<string, StoredStanding>> {
  const shown = found.filter(({ status, assignee }) => status !== undefined || assignee !== undefined);
  const standings = new Map<string, StoredStanding>();
  for (let start = 0; start < shown.length; start += STANDINGS_AT_ONCE) {
    const chunk = shown.slice(start, start + STANDINGS_AT_ONCE);
    for (const [id, one] of await work.store.standings(chunk.map(({ id }) => id))) standings.set(id, one);
    await work.checkpoint();
  }
  return standings;
}

/**
 * Those that are kept otherwise than a search has found them. Of those that could not be taken only newer versions
 * count: the others are tried again anyway. `exactly`: one that was updated later than it was found counts as well, and
 * one that stands elsewhere, for there are changes that leave `updated` as it was.
 */
export async function outdated(
  work: Work,
  found: readonly FoundIssue[],
  exactly = false,
): Promise<readonly FoundIssue[]> {
  const ids = found.map(({ id }) => id);
  const [stored, rejected] = [await work.store.kept(ids), await work.store.rejected(ids)];
  const standings = exactly ? await standingsOf(work, found) : new Map<string, StoredStanding>();
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
 * Writes issues that came from the tracker, and before them what they mention, which comes from nowhere else. `isLast`: no other
 * answer can have been faster, so that what came is true also where it is older: trackers are restored from backups.
 */
export async function writeReceived(
  work: Work,
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
  const reasons: { readonly key: string | null; readonly reason: string }[] = [];
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
    if (entry.kind === 'statuses') {
      for (const status of entry.statuses) {
        // A bare name from a change must not hide a category learnt from an issue beside it.
        if (status.category !== 'Undefined' || !statuses.has(status.id)) statuses.set(status.id, status);
      }
    }
  }
  await putMentioned(work, users);
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
  const usable = new Set(issues.map(({ id }) => id));
  await work.store.forgetRejected([...usable].filter((id) => id !== undefined));
  const rejected = found.filter(({ id }) => !usable.has(id));
  await noteRejected(
    work,
    rejected.map((issue) => ({ ...issue, reason: reasonOf(work, issue, reasons) })),
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

function reasonOf(
  work: Work,
  { key }: FoundIssue,
  reasons: readonly { readonly key: string | null; readonly reason: string }[],
): string {
  const named =
    reasons.find((one) => one.key?.toUpperCase() === key) ?? reasons.find((one) => one.key === null);
  return named?.reason ?? `the search found it, but ${work.tracker.title} did not send it`;
}

/** An issue knows less of people than the lists do; and everybody is read again wherever somebody is put. */
async function putMentioned({ issues: store }: Work, users: ReadonlyMap<string, User>): Promise<void> {
  const stored = await store.users(users.keys());
  const news = [...users.values()]
    .map((user) => ({ ...stored.get(user.id), ...user }))
    .filter((user) => JSON.stringify(user) !== JSON.stringify(stored.get(user.id)));
  if (news.length > 0) await store.putUsers(news);
}

/** An issue that is put right is here soon; what stays wrong costs little. */
const PAUSES = { firstMs: 60_000, longestMs: millisecondsInHour };

/**
 * Notes issues that could not be taken, so that they are tried again. Where an older version of one is kept, it says
 * from then on that it does not know what has happened since.
 */
async function noteRejected(work: Work, issues: readonly RejectedIssue[]): Promise<void> {
  if (issues.length === 0) return;
  await work.store.noteRejected(issues, work.now(), PAUSES);
  const stored = await work.store.kept(issues.map(({ id }) => id));
  for (const { id, updated, reason } of issues) {
    const facts = stored.get(id);
    const isOlder = facts?.updated === null || updated === null || (facts?.updated ?? 0) < updated;
    const issue = facts === undefined || !isOlder ? null : await work.issues.issue(facts.key);
    if (issue?.id !== id) continue;
    await work.issues.putIssues([issue], (before) =>
      before.id === id
        ? doubted(before, `${work.tracker.title}'s newer version of this issue cannot be read: ${reason}`)
        : before,
    );
  }
}

function doubted(issue: Issue, reason: string): Issue {
  const { fields, updated, history } = issue;
  const rightUntil = typeof fields.updated === 'number' ? fields.updated : updated;
  return {
    ...issue,
    history: {
      complete: false,
      unknownFrom: knownUntil(history, rightUntil),
      unknownUntil: null,
      reason,
    },
  };
}

function knownUntil(history: History, rightUntil: Instant): Instant | null {
  if (history.complete) return rightUntil;
  return history.unknownFrom === null ? null : Math.min(history.unknownFrom, rightUntil);
}

/** Looked at together; only ids are in memory. */
const RETRIED_AT_ONCE = 1000;

/** More than so many, and than this share of all, are more than some odd issues. */
const MAX_REJECTED = 100;
const MAX_REJECTED_SHARE = 0.2;

/** Tries again what could not be taken: what is due, or all of it. */
export async function retryRejected(work: Work, all: boolean, acceptRemovals = false): Promise<void> {
  const now = all ? null : work.now();
  for (let after: string | null = null; ; ) {
    const due = await work.store.rejectedDue(now, after, RETRIED_AT_ONCE);
    const last = due.at(-1);
    if (last === undefined) return;
    // An update that did not come stays unknown, so that the versions are not taken for the same.
    await loadAgain(work, due, { onMissing: (missing) => removeGone(work, missing, acceptRemovals) });
    after = last.id;
  }
}

/**
 * `unavailable` where so many issues could not be taken that the others are no answer to anything. `soFar`: there are
 * more to come, so that a few say nothing yet.
 */
export async function assertMostAccepted(
  { issues, store, state }: Work,
  { soFar = false }: { readonly soFar?: boolean } = {},
): Promise<void> {
  const [{ count: rejected, some }, stored] = [await readRejected(store), await issues.count()];
  const most = Math.max(MAX_REJECTED, MAX_REJECTED_SHARE * (stored + rejected));
  if (rejected === 0 || ((soFar || stored > 0) && rejected <= most)) return;
  const [first] = some;
  throw new AppError(
    'tracker-unavailable',
    `${rejected.toLocaleString('en-US')} of the issues of ${state().site} cannot be used, and ${stored.toLocaleString('en-US')} can; the initial sync is done when most can. For example ${first?.key}: ${first?.reason}`,
  );
}

/** So many of the issues that are kept are searched for. */
const SAMPLE = 20;

/**
 * `unavailable` where the tracker shows us nothing at all although issues are kept: it may take us for nobody, and
 * answer all the same. Then neither is what is kept fresh, nor is anything gone.
 */
export async function assertNotBlind(work: Work): Promise<void> {
  const { issues, state } = work;
  const count = await issues.count();
  // Other issues are wanted now: perhaps there are none.
  if (count === 0 || state().wishChanged || (await countAll(work))) return;
  const stored = await Promise.all((await issues.recentKeys(SAMPLE)).map((key) => issues.issue(key)));
  const ids = stored.flatMap((issue) => issue?.id ?? []);
  if (ids.length === 0 || (await isAnyFound(work, ids))) return;
  throw new AppError(
    'tracker-unavailable',
    `${state().site} answers, but shows our account none of the ${count.toLocaleString('en-US')} issues kept here. Has its token expired, or has it lost its permission to browse them? Nothing was removed. If they were deleted, run \`${syncCommand} --accept-removals\`.`,
  );
}

async function isAnyFound({ request, tracker }: Work, ids: readonly string[]): Promise<boolean> {
  const { missing } = await request(() => tracker.issues({ ids, detail: 'presence' }));
  return missing.length < ids.length;
}

/** Takes issues away that the tracker says it does not have any more; `isAccepted`: however few it shows. */
export async function removeGone(work: Work, missing: readonly string[], isAccepted = false): Promise<void> {
  if (missing.length === 0) return;
  if (!isAccepted) await assertNotBlind(work);
  await work.store.removeIssues(missing);
}

/** How many issues there are, about; null where nobody knows, which must not hold up anything. */
export async function countAll({ request, tracker }: Work): Promise<number | null> {
  try {
    return await request(() => tracker.connection.count());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

/** The interval (ms) at which a turn looks into the store for what other processes have put there. */
const LOOK_MS = 1_000;

/** Ids of issues that something has happened to, as the tracker itself has said, stored until they are settled. */
interface Nudges {
  /** Stores them, so that whichever process has the lease looks at the issues. */
  add(ids: readonly string[]): Promise<void>;
  areNone(): Promise<boolean>;
  /** There may be some that the next settling is to look for. */
  hint(): void;
  /** Looks at their issues now; they stay when that fails. Looks for them once a second, or after a hint. */
  settle(work: Work): Promise<void>;
}

/** The nudges in a store. Those that come at the same time are written together. */
export function createNudges(store: SyncRecords): Nudges {
  const unwritten = new Set<string>();
  const inTurn = pLimit(1);
  let lookedAt: Instant = Number.NEGATIVE_INFINITY;
  let isHinted = true;
  let settling = false;

  async function write(): Promise<void> {
    const ids = [...unwritten];
    unwritten.clear();
    try {
      if (ids.length > 0) await store.putNudges(ids);
    } catch (error) {
      // Those who gave some of them and wait for their own turn try again.
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
