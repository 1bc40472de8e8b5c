import type { RejectedIssue, SyncStore } from '../../store/sync-store.ts';
import type { UnreadIssue } from '../mirror.ts';

/** More are no odd issues any more, and are said to be missing anyway. */
const MOST_UNREAD = 1000;

/** As many are told by name. */
const MOST_NAMED = 20;

/** The issues that could not be taken: how many, and some of them. */
export interface RejectedIssues {
  readonly count: number;
  readonly some: readonly RejectedIssue[];
}

/** Looks which issues could not be taken. */
export async function readRejected(store: SyncStore): Promise<RejectedIssues> {
  return { count: await store.countRejected(), some: await store.rejectedDue(null, null, MOST_NAMED) };
}

/** Those of them of which nothing at all is kept. */
export async function readUnread(store: SyncStore): Promise<readonly UnreadIssue[]> {
  if ((await store.countRejected()) === 0) return [];
  const rejected = await store.rejectedDue(null, null, MOST_UNREAD);
  const kept = await store.kept(rejected.map(({ id }) => id));
  return rejected.filter(({ id }) => !kept.has(id)).map(({ key, reason }) => ({ key, reason }));
}
