import type { Instant } from '../model/issue.ts';

/** The facts about a stored issue that show whether it is current. */
interface KeptFacts {
  readonly key: string;
  /** The tracker's own time of the update (`fields.updated`); null where it is unknown. */
  readonly updated: Instant | null;
  /** True where its history is complete, as far as another reading can show. */
  readonly complete: boolean;
}

/** The state of a stored issue: ids of its status and its assignee, null for no assignee. */
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
  /** The tracker's own time of the update of the rejected version; null where it is unknown. */
  readonly updated: Instant | null;
}

/** The facts of stored issues that a synchronisation of one tracker needs. */
export interface SyncStore {
  /** The facts about the stored issues with these ids of the tracker, by id. */
  kept(ids: readonly string[]): Promise<ReadonlyMap<string, KeptFacts>>;
  /** The states of these stored issues, by id; for a few ids, because their rows are read. */
  standings(ids: readonly string[]): Promise<ReadonlyMap<string, StoredStanding>>;
  /** Forgets which ids were seen. */
  clearSeen(): Promise<void>;
  /** Notes that the tracker has issues with these ids. */
  addSeen(ids: readonly string[]): Promise<void>;
  /** The number of distinct seen ids. */
  countSeen(): Promise<number>;
  /** Ids of issues that are kept and were not seen, in order, beyond `after` (null: from the first), at most `count`. */
  unseen(after: string | null, count: number): Promise<readonly string[]>;
  /** Keys of projects with stored issues, in order, beyond `after` (null: from the first), at most `count`. */
  projectsAfter(after: string | null, count: number): Promise<readonly string[]>;
  /** The number of stored issues with an incomplete history. */
  countCut(): Promise<number>;
  /** Takes issues away, by id: from then on they are gone for every reader. Unknown ids are left out. */
  removeIssues(ids: readonly string[]): Promise<void>;
}
