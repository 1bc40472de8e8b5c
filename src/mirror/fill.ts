import type { Instant, Issue, Status, User } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';
import type { Tracker, TrackerEntry } from '../tracker/tracker.ts';
import { mergeSnapshots } from './merge-snapshots.ts';

/** Issues written at once: large enough to make the disk wait rarely, small enough to lose little when killed. */
const BATCH = 500;

type Rejected = Extract<TrackerEntry, { kind: 'rejected' }>;

/** What a fill has done so far. `cut` counts issues by the reason why their history is not whole. */
export interface FillSummary {
  issues: number;
  changes: number;
  /** Issues that were here before, as fresh or fresher than what came in. */
  unchanged: number;
  readonly cut: Map<string, string[]>;
  readonly rejected: Rejected[];
}

interface Batch {
  readonly issues: Map<string, Issue>;
  readonly statuses: Map<string, Status>;
  readonly users: Map<string, User>;
}

/**
 * Takes everything a tracker tells into the store, batch by batch: each issue whole or not at all, and safe to
 * repeat after any interruption. The moment of filling is noted only when all of it is in.
 */
export async function fill(
  tracker: Tracker,
  store: IssueStore,
  now: () => Instant,
  onProgress: (summary: FillSummary) => void = () => {},
): Promise<FillSummary> {
  const summary: FillSummary = { issues: 0, changes: 0, unchanged: 0, cut: new Map(), rejected: [] };
  let batch = emptyBatch();
  for await (const entry of tracker.entries()) {
    if (entry.kind === 'rejected') summary.rejected.push(entry);
    if (entry.kind === 'users') for (const user of entry.users) batch.users.set(user.id, user);
    if (entry.kind === 'statuses') {
      if (entry.whole) await store.putStatuses(entry.statuses, true);
      else for (const status of entry.statuses) remember(batch.statuses, status);
    }
    if (entry.kind === 'issue') {
      await take(entry.issue, batch, store, summary);
      if (batch.issues.size >= BATCH) {
        await write(batch, store);
        batch = emptyBatch();
        onProgress(summary);
      }
    }
  }
  await write(batch, store);
  if (summary.issues > 0) await store.putFilledAt(now());
  onProgress(summary);
  return summary;
}

function emptyBatch(): Batch {
  return { issues: new Map(), statuses: new Map(), users: new Map() };
}

async function take(issue: Issue, batch: Batch, store: IssueStore, summary: FillSummary): Promise<void> {
  const before = batch.issues.get(issue.key) ?? (await store.issue(issue.key));
  const merged = before === null ? issue : mergeSnapshots(before, issue);
  summary.issues += 1;
  summary.changes += issue.changes.length;
  if (before !== null && merged !== issue && merged.updated === before.updated) summary.unchanged += 1;
  if (!merged.history.complete) {
    const { reason } = merged.history;
    const keys = summary.cut.get(reason);
    if (keys === undefined) summary.cut.set(reason, [issue.key]);
    else keys.push(issue.key);
  }
  batch.issues.set(issue.key, merged);
}

/** A bare name from a change must not hide a category learnt from an issue in the same batch. */
function remember(statuses: Map<string, Status>, status: Status): void {
  if (status.category === 'Undefined' && statuses.has(status.id)) return;
  statuses.set(status.id, status);
}

async function write(batch: Batch, store: IssueStore): Promise<void> {
  if (batch.statuses.size > 0) await store.putStatuses([...batch.statuses.values()], false);
  if (batch.users.size > 0) await store.putUsers([...batch.users.values()]);
  if (batch.issues.size > 0) await store.putIssues([...batch.issues.values()]);
}
