import type { Instant, Issue, Status, User } from '../model/issue.ts';
import type { IssueStore } from '../store/store.ts';
import type { Tracker, TrackerEntry } from '../tracker/tracker.ts';
import { mergeSnapshots } from './merge-snapshots.ts';

/** Issues written at once: large enough to make the disk wait rarely, small enough to lose little when killed. */
const BATCH_ISSUES = 500;

/** A batch with long histories ends earlier, for all of it is held in memory. */
const BATCH_CHANGES = 20_000;

type Rejected = Extract<TrackerEntry, { kind: 'rejected' }>;

/** What a fill has done so far. */
export interface FillSummary {
  issues: number;
  changes: number;
  /** Issues of which nothing new was told. */
  unchanged: number;
  /** Why the history of an issue, by its key, is not whole in the store either. */
  readonly cut: Map<string, string>;
  readonly rejected: Rejected[];
}

interface Batch {
  readonly issues: Issue[];
  changes: number;
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
      batch.issues.push(entry.issue);
      batch.changes += entry.issue.changes.length;
      if (batch.issues.length >= BATCH_ISSUES || batch.changes >= BATCH_CHANGES) {
        await write(batch, store, summary);
        batch = emptyBatch();
        onProgress(summary);
      }
    }
  }
  await write(batch, store, summary);
  if (summary.issues > 0) await store.putFilledAt(now());
  onProgress(summary);
  return summary;
}

function emptyBatch(): Batch {
  return { issues: [], changes: 0, statuses: new Map(), users: new Map() };
}

/** A bare name from a change must not hide a category learnt from an issue in the same batch. */
function remember(statuses: Map<string, Status>, status: Status): void {
  if (status.category === 'Undefined' && statuses.has(status.id)) return;
  statuses.set(status.id, status);
}

async function write(batch: Batch, store: IssueStore, summary: FillSummary): Promise<void> {
  if (batch.statuses.size > 0) await store.putStatuses([...batch.statuses.values()], false);
  if (batch.users.size > 0) await store.putUsers([...batch.users.values()]);
  if (batch.issues.length === 0) return;
  for (const { issue, changed } of await store.putIssues(batch.issues, mergeSnapshots)) {
    if (!changed) summary.unchanged += 1;
    if (issue.history.complete) summary.cut.delete(issue.key);
    else summary.cut.set(issue.key, issue.history.reason);
  }
  summary.issues += batch.issues.length;
  summary.changes += batch.changes;
}
