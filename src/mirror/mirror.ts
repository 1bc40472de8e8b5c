import type { Directory } from '../model/directory.ts';
import type { Instant, Issue, Status, User } from '../model/issue.ts';

/** The tracker's issues and whole histories as they are kept here; what reports are computed from. */
export interface Mirror {
  /** Name of the tracker the issues come from. */
  tracker(): Promise<string>;
  /** When the data was last taken from the tracker; null when it never was. */
  filledAt(): Promise<Instant | null>;
  /** The issue with this key (upper case), or null. */
  issue(key: string): Promise<Issue | null>;
  /** Every issue, by creation; the same array until something changes, so that it may be remembered by identity. */
  issues(): Promise<readonly Issue[]>;
  /** What is known beside the issues. */
  directory(): Promise<Directory>;
  /** Every status by id, those gone from the tracker included. */
  statuses(): Promise<ReadonlyMap<string, Status>>;
  /** The people with these ids, as far as they are known; without ids everybody. */
  users(ids?: Iterable<string>): Promise<ReadonlyMap<string, User>>;
  /** Keys of issues, recently updated ones first. */
  recentKeys(count: number): Promise<readonly string[]>;
}
