import type { Sprint } from '../../model/directory.ts';
import type { Issue, Status, User } from '../../model/issue.ts';
import type { FoundIssue } from '../../tracker/live-tracker.ts';
import type { TrackerEntry } from '../../tracker/tracker.ts';
import { preferNewer } from './prefer-newer.ts';
import type { SyncState } from './sync-state.ts';
import type { Work } from './work.ts';

/** Issues that cannot be used are told by name up to this many. */
const MOST_UNUSABLE = 20;

/** Writes issues the tracker has told, and before them what they mention, which is told nowhere else. */
export async function writeTold(
  work: Work,
  entries: readonly TrackerEntry[],
  found: readonly FoundIssue[],
): Promise<void> {
  const { issues: store, titles } = work;
  const issues: Issue[] = [];
  const statuses = new Map<string, Status>();
  const users = new Map<string, User>();
  const sprints = new Map<string, Sprint>();
  const rejected: Extract<TrackerEntry, { kind: 'rejected' }>[] = [];
  for (const entry of entries) {
    if (entry.kind === 'issue') issues.push(titles.useIds(entry.issue));
    if (entry.kind === 'users') for (const user of entry.users) users.set(user.id, user);
    if (entry.kind === 'rejected') rejected.push(entry);
    if (entry.kind === 'directory') for (const one of entry.part.sprints ?? []) sprints.set(one.id, one);
    if (entry.kind === 'statuses') {
      for (const status of entry.statuses) {
        // A bare name from a change must not hide a category learnt from an issue beside it.
        if (status.category !== 'Undefined' || !statuses.has(status.id)) statuses.set(status.id, status);
      }
    }
  }
  await putMentioned(work, users);
  if (statuses.size > 0) await store.putStatuses([...statuses.values()], null);
  if (sprints.size > 0) await store.putDirectory({ sprints: [...sprints.values()] });
  if (issues.length > 0)
    await store.putIssues(issues, (kept, told) => preferNewer(titles.useIds(kept), told));
  const unusable = unusableNow(work.state(), found, rejected);
  if (unusable !== null) await work.keep({ unusable });
}

/** An issue knows less of people than the lists do; and everybody is read anew wherever somebody is put. */
async function putMentioned({ issues: store }: Work, users: ReadonlyMap<string, User>): Promise<void> {
  const kept = await store.users(users.keys());
  const news = [...users.values()]
    .map((user) => ({ ...kept.get(user.id), ...user }))
    .filter((user) => JSON.stringify(user) !== JSON.stringify(kept.get(user.id)));
  if (news.length > 0) await store.putUsers(news);
}

/** Null: as before. */
function unusableNow(
  { unusable: before }: SyncState,
  found: readonly FoundIssue[],
  rejected: readonly Extract<TrackerEntry, { kind: 'rejected' }>[],
): SyncState['unusable'] | null {
  if (rejected.length === 0 && before.length === 0) return null;
  const told = new Set(found.map(({ id }) => id));
  const byKey = new Map(found.map(({ id, key }) => [key, id]));
  const now = rejected.map(({ key, source, reason }) => {
    const named = key?.toUpperCase() ?? source;
    return { id: byKey.get(named) ?? named, key: named, reason };
  });
  const after = [...before.filter(({ id }) => !told.has(id)), ...now].slice(-MOST_UNUSABLE);
  return JSON.stringify(after) === JSON.stringify(before) ? null : after;
}
