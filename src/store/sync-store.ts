import type { Instant } from '../model/issue.ts';
import type { Lease } from './lease.ts';

/** What is kept of an issue, as far as it tells whether that is still true. */
export interface KeptFacts {
  readonly key: string;
  /** The tracker's own word of when the issue was updated (`fields.updated`); null where it was not told. */
  readonly updated: Instant | null;
  /** Its history is whole. */
  readonly complete: boolean;
}

/** What a synchronisation remembers of one tracker; whatever was put survives the death of the process. */
export interface SyncStore {
  /** A JSON document; null before the first time. */
  state(): Promise<unknown>;
  putState(state: unknown): Promise<void>;
  /** Takes the lease, or renews one's own, until `lease.until`; false while it is somebody else's and has not ended. */
  claim(lease: Lease, now: Instant): Promise<boolean>;
  /** Gives it back, if it is this holder's. */
  release(holder: string): Promise<void>;
  /** What is kept of the issues with these ids of the tracker, by id. */
  kept(ids: readonly string[]): Promise<ReadonlyMap<string, KeptFacts>>;
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
