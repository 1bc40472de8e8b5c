import type { Instant, Issue, Status, User } from '../model/issue.ts';

/** What a token allows and until when; the token's text itself is never kept. */
export interface TokenRecord {
  readonly id: string;
  readonly user: string;
  readonly admin: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly active: boolean;
}

/** An issue as it is kept from now on; `changed` is false when exactly that was kept already. */
export interface KeptIssue {
  readonly issue: Issue;
  readonly changed: boolean;
}

/** A status that a list calls otherwise than somebody else does. */
export interface StatusClash {
  readonly id: string;
  readonly name: string;
  readonly elsewhere: string;
}

/** Issues and what belongs to them, kept apart by the tracker they come from. */
export interface IssueStore {
  issue(key: string): Promise<Issue | null>;
  /**
   * All of these or, when anything fails, none. `merge` says what becomes of an issue whose key is kept already;
   * nobody else writes in between, so that two writers cannot undo each other's work.
   */
  putIssues(
    issues: readonly Issue[],
    merge: (kept: Issue, incoming: Issue) => Issue,
  ): Promise<readonly KeptIssue[]>;
  recentKeys(count: number): Promise<readonly string[]>;
  count(): Promise<number>;
  statuses(): Promise<ReadonlyMap<string, Status>>;
  /**
   * `list` names the list of which these are all; it replaces what was kept of that list, and no other. Null: they
   * are only mentioned in issues. A status is deleted when some list is kept and none has it.
   */
  putStatuses(statuses: readonly Status[], list: string | null): Promise<void>;
  /** Where this list contradicts another list, or the issues that are in the status. */
  clashes(list: string): Promise<readonly StatusClash[]>;
  users(ids: Iterable<string>): Promise<ReadonlyMap<string, User>>;
  putUsers(users: readonly User[]): Promise<void>;
  filledAt(): Promise<Instant | null>;
  putFilledAt(at: Instant): Promise<void>;
}

export interface TokenStore {
  put(record: TokenRecord): Promise<void>;
  get(id: string): Promise<TokenRecord | null>;
  /** Newest first. */
  list(): Promise<readonly TokenRecord[]>;
  /** False when there is no such token. */
  setActive(id: string, active: boolean): Promise<boolean>;
  /** The key tokens are signed with, made by `create` the first time it is asked for, by whichever process is first. */
  signingKey(create: () => string): Promise<string>;
}

/** Durable state behind one port. Whatever a call has resolved survives the death of the process. */
export interface Store {
  issues(tracker: string): IssueStore;
  readonly tokens: TokenStore;
  close(): void;
}
