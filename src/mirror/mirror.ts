import type { Directory, PrincipalsDirectory } from '../model/directory.ts';
import type { Instant, Issue, Status, User } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';
import type { IssueTable } from './issue-table.ts';

/** An issue of which no more is known than that it is there, and why; the reason is for admins. */
export interface UnreadIssue {
  /** Upper case. */
  readonly key: string;
  readonly reason: string;
}

/** The tracker's issues and whole histories as they are kept here; what reports are computed from. */
export interface Mirror {
  /** Name of the tracker the issues come from. */
  tracker(): Promise<string>;
  /** Everything that had happened in the tracker by then is here; null when nothing was ever taken from it. */
  filledAt(): Promise<Instant | null>;
  /** The issue with this key (upper case), or one it had before; or null. */
  issue(key: string): Promise<Issue | null>;
  /** The keys of issues (upper case) by those they had before; some may have another issue by now, or none. */
  formerKeys(): Promise<ReadonlyMap<string, string>>;
  /**
   * Every issue, as of now. It may be another table the next time, in which the same issues have other rows.
   * `unavailable` until the first fill from a tracker is done: a list would lack what is still to come.
   */
  table(): Promise<IssueTable>;
  /** `unavailable` until the first fill from a tracker is done: what is not here may be yet to come. */
  settled(): Promise<void>;
  /** Issues that the tracker has and of which nothing can be read; absent where that does not happen. */
  unread?(): Promise<readonly UnreadIssue[]>;
  /** What is known beside the issues. */
  directory(): Promise<Directory>;
  /**
   * The same with what this principal may browse, where the tracker itself decides that; `unavailable` when it cannot be
   * found out. Where rules decide there are no permissions.
   */
  directoryFor(principal: Principal): Promise<PrincipalsDirectory>;
  /** Every status by id, those gone from the tracker included. */
  statuses(): Promise<ReadonlyMap<string, Status>>;
  /** The people with these ids, as far as they are known; without ids everybody. */
  users(ids?: Iterable<string>): Promise<ReadonlyMap<string, User>>;
  /** A text that is another one after every change of any issue. */
  mark(): Promise<string>;
  /** Keys of issues, recently updated ones first. */
  recentKeys(count: number): Promise<readonly string[]>;
}
