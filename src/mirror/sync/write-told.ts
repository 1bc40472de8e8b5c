import type { IssueType, Sprint } from '../../model/directory.ts';
import type { Issue, Status, User } from '../../model/issue.ts';
import type { FoundIssue } from '../../trackers/live-tracker.ts';
import type { TrackerEntry } from '../../trackers/tracker.ts';
import { noteRejected } from './note-rejected.ts';
import { preferNewer } from './prefer-newer.ts';
import type { Work } from './work.ts';

/**
 * Writes issues the tracker has told, and before them what they mention, which is told nowhere else. `isLast`: no other
 * answer can have been faster, so that what is told is true also where it is older: trackers are restored from backups.
 */
export async function writeTold(
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
  const reasons: { readonly key: string | null; readonly reason: string }[] = [];
  for (const entry of entries) {
    if (entry.kind === 'issue') issues.push(titles.useIds(entry.issue));
    if (entry.kind === 'users') for (const user of entry.users) users.set(user.id, user);
    if (entry.kind === 'rejected') reasons.push(entry);
    if (entry.kind === 'directory') {
      for (const one of entry.part.sprints ?? []) sprints.set(one.id, one);
      for (const one of entry.part.issueTypes ?? []) issueTypes.set(one.id, one);
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
  if (sprints.size + issueTypes.size > 0) {
    await store.putDirectory({ sprints: [...sprints.values()], issueTypes: [...issueTypes.values()] });
  }
  if (issues.length > 0) {
    await store.putIssues(issues, (kept, told) => preferNewer(titles.useIds(kept), told, isLast));
  }
  const usable = new Set(issues.map(({ id }) => id));
  await work.store.forgetRejected([...usable].filter((id) => id !== undefined));
  const rejected = found.filter(({ id }) => !usable.has(id));
  await noteRejected(
    work,
    rejected.map((issue) => ({ ...issue, reason: reasonOf(issue, reasons) })),
  );
}

function reasonOf(
  { key }: FoundIssue,
  reasons: readonly { readonly key: string | null; readonly reason: string }[],
): string {
  const named =
    reasons.find((one) => one.key?.toUpperCase() === key) ?? reasons.find((one) => one.key === null);
  return named?.reason ?? 'it was found and not told';
}

/** An issue knows less of people than the lists do; and everybody is read anew wherever somebody is put. */
async function putMentioned({ issues: store }: Work, users: ReadonlyMap<string, User>): Promise<void> {
  const kept = await store.users(users.keys());
  const news = [...users.values()]
    .map((user) => ({ ...kept.get(user.id), ...user }))
    .filter((user) => JSON.stringify(user) !== JSON.stringify(kept.get(user.id)));
  if (news.length > 0) await store.putUsers(news);
}
