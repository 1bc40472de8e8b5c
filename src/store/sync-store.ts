import type { Instant } from '../model/issue.ts';

/** What is kept of an issue, as far as it shows whether that is still true. */
interface KeptFacts {
  readonly key: string;
  /** The tracker's own word of when the issue was updated (`fields.updated`); null where it was not told. */
  readonly updated: Instant | null;
  /** Its history is whole, as far as reading it again can tell. */
  readonly complete: boolean;
}

/** Where an issue that is kept stands: ids of its status and its assignee, null for nobody. */
export interface StoredStanding {
  readonly status: string;
  readonly assignee: string | null;
}

/** An issue that the tracker has and that could not be taken. */
export interface RejectedIssue {
  readonly id: string;
  /** Upper case. */
  readonly key: string;
  readonly reason: string;
  /** The tracker's own word of when the version was updated that could not be taken; null where it was not told. */
  readonly updated: Instant | null;
}

/** The facts of stored issues that a synchronisation of one tracker needs. */
export interface SyncStore {
  /** What is kept of the issues with these ids of the tracker, by id. */
  kept(ids: readonly string[]): Promise<ReadonlyMap<string, KeptFacts>>;
  /** Where these issues stand as they are kept, by id; a few at once, for their rows are read. */
  standings(ids: readonly string[]): Promise<ReadonlyMap<string, StoredStanding>>;
  /** Forgets which ids were seen. */
  clearSeen(): Promise<void>;
  /** Notes that the tracker has issues with these ids. */
  addSeen(ids: readonly string[]): Promise<void>;
  /** How many distinct ids were seen. */
  countSeen(): Promise<number>;
  /** Ids of issues that are kept and were not seen, in order, beyond `after` (null: from the first), at most `count`. */
  unseen(after: string | null, count: number): Promise<readonly string[]>;
  /** How many issues are kept whose history is not whole. */
  countCut(): Promise<number>;
  /** Takes issues away, by id: from then on they are gone for every reader. Unknown ids are left out. */
  removeIssues(ids: readonly string[]): Promise<void>;
}
