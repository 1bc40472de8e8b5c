import type { RejectedIssue, SyncStore } from '../../store/sync-store.ts';

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
