import type { Directory, PrincipalsDirectory } from '../model/directory.ts';
import type { Instant, Issue, Status, User } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';
import type { IssueTable } from './issue-table.ts';

/** An issue that the tracker has and that cannot be read; the reason is for admins. */
export interface UnreadIssue {
  /** Upper case. */
  readonly key: string;
  readonly reason: string;
}

/** The tracker's issues and whole histories as Dwell has them; reports are computed from them. */
export interface Mirror {
  /** The name of the tracker. */
  tracker(): Promise<string>;
  /** The instant up to which all changes of the tracker are here; null before the first fill. */
  filledAt(): Promise<Instant | null>;
  /** Finds the issue that has, or else had, a key (upper case). */
  issue(key: string): Promise<Issue | null>;
  /** The keys of issues (upper case) by those they had before; some may have another issue by now, or none. */
  formerKeys(): Promise<ReadonlyMap<string, string>>;
  /**
   * All issues as of now. The next call may give another table, in which the same issues have other rows.
   * Fails with `unavailable` until the first fill from a tracker is done: a list would lack the issues to come.
   */
  table(): Promise<IssueTable>;
  /** Fails with `unavailable` until the first fill from a tracker is done: a missing issue may be yet to come. */
  settled(): Promise<void>;
  /** Lists the issues that cannot be read; absent where that does not happen. */
  unread?(): Promise<readonly UnreadIssue[]>;
  /** The lists beside the issues. */
  directory(): Promise<Directory>;
  /**
   * The same with the permissions of a principal, where the tracker itself decides them; fails with `unavailable` when it
   * does not answer. Where rules decide there are no permissions.
   */
  directoryFor(principal: Principal): Promise<PrincipalsDirectory>;
  /** Every status by id, those gone from the tracker included. */
  statuses(): Promise<ReadonlyMap<string, Status>>;
  /** The known people among these ids; without ids all people. */
  users(ids?: Iterable<string>): Promise<ReadonlyMap<string, User>>;
  /** A text that is another one after every change of any issue. */
  mark(): Promise<string>;
  /** The keys of issues, recently updated ones first. */
  recentKeys(count: number): Promise<readonly string[]>;
}
