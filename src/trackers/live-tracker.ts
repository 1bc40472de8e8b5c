import type { Group } from '../model/directory.ts';
import type { Instant, User } from '../model/issue.ts';
import type { BrowsePermissions } from '../model/request.ts';
import type { ConnectionCheckInput, ConnectionFact, RequestCounts } from '../model/sync.ts';
import type { TrackerEntry } from './tracker.ts';

/** The place in a search: opaque, valid for some minutes, and for the very search that returned it. */
export type SearchPlace = string;

/** The issues of a search: all, or those created or updated at an instant of the tracker's clock or later. */
export interface SearchWindow {
  /** Also the order, oldest first. */
  readonly by: 'created' | 'updated';
  readonly from: Instant | null;
}

/** A question for issues. Those of a search are within the account's permissions and the configured query. */
export type IssueSearch =
  /**
   * A page of a window. `detail`: whole issues with their histories; `updated`, larger pages with the time of the last
   * update and, where the tracker shows them, status and assignee; or `keys` alone, by far the largest pages. A place that
   * is no longer good is `bad-request`.
   */
  | {
      readonly window: SearchWindow;
      readonly place: SearchPlace | null;
      readonly detail: 'whole' | 'updated' | 'keys';
    }
  /**
   * Issues by id, up to 100 of them. `detail`: whole issues; or `presence`, which of them a search finds: an archived issue
   * is loaded by id and found no more.
   */
  | { readonly ids: readonly string[]; readonly detail: 'whole' | 'presence' };

/** The facts of an issue that a search shows beside its content. Status and assignee (null: no one) are ids, absent where not shown. */
export interface FoundIssue {
  /** The tracker's id, which stays when the key changes. */
  readonly id: string;
  /** Upper case. */
  readonly key: string;
  /** The tracker's own time of the last update; null in a search for keys. */
  readonly updated: Instant | null;
  /** With whole issues of a window only. */
  readonly created?: Instant;
  readonly status?: string;
  readonly assignee?: string | null;
}

/** An issue that the tracker has, or may have, and fails to show; its key (upper case) where a search has found it. */
export interface FailedIssue {
  readonly id: string;
  readonly key?: string;
  readonly reason: string;
}

/** Issues in the order of the search, with the detail that was requested. */
export interface IssuePage {
  /** Whole issues, each one entry (`issue` or `rejected`) after the entries that it mentions. */
  readonly entries: readonly TrackerEntry[];
  /** All that were found, rejected ones included; empty in a search for presence. */
  readonly found: readonly FoundIssue[];
  /** Ids the tracker has no issue for, or none that the account can see; empty for a window. */
  readonly missing: readonly string[];
  /** They have not stopped the search; what is stored of them stays as it is. */
  readonly failed: readonly FailedIssue[];
  readonly next: SearchPlace | null;
}

/** A page without anything. */
export const emptyPage: IssuePage = { entries: [], found: [], missing: [], failed: [], next: null };

/** A place in the reading of all lists: opaque, good for an hour, also in another process. */
export type ListsPlace = string;

/** Entries of a tracker's lists, as a few requests have brought them. */
export interface ListsSlice {
  readonly entries: readonly TrackerEntry[];
  /** The place after them, for when they and all before are stored; null: they belong together with the next ones. */
  readonly place: ListsPlace | null;
}

/** The site. `now` is the tracker's clock; `clockAheadMs` how far it is ahead of ours. */
export interface Site {
  /** The address at which people browse it, without a slash at the end: the identity of a site. */
  readonly url: string;
  readonly now: Instant;
  readonly clockAheadMs: number;
}

/** The tracker's answer to who can browse a project (its key, upper case): JSON to store, which only the tracker reads. */
export interface ProjectAccess {
  readonly project: string;
  readonly access: unknown;
}

/** Returns the stored answer to who can browse a project; undefined: there is none, or it is too old. */
export type AccessOf = (project: string) => unknown;

/** The parts of a mirror for which permissions are looked up. */
export interface Browsable {
  /** Keys of the projects that are asked about, upper case. */
  readonly projects: readonly string[];
  /** The issues that have to be asked about by themselves, whatever their project says: the restricted ones. */
  readonly singles: readonly ListedIssue[];
  /** The other issues of one of the projects, the last created first; made as they are taken, for there may be many. */
  readonly unlevelled: (project: string) => Iterable<ListedIssue>;
  /** Returns the number of these. */
  readonly unlevelledIn: (project: string) => number;
  /** Looks some of them up, in their order; left out are those that are gone, or of which only the key is known. */
  readonly lookUp: (listed: readonly ListedIssue[]) => Promise<readonly SingleIssue[]>;
  /** Absent: nothing is stored. */
  readonly accessOf?: AccessOf;
}

/** An issue that may have to be asked about by itself. */
export interface ListedIssue {
  /** The row in the mirror. */
  readonly row: number;
  /** Upper case, as the project's is. */
  readonly key: string;
  readonly project: string;
  /** The security level; null: only the project restricts it. */
  readonly level: string | null;
}

/** An issue that is checked by itself. */
export interface SingleIssue extends ListedIssue {
  readonly id: string;
  /** The same for issues that name the same people, groups and options in the same fields. */
  readonly permissionKey: () => string;
}

/** A sight that was just found out. */
export interface FoundPermissions extends BrowsePermissions {
  /** Projects that are open issue by issue only; they are not among `projects`. */
  readonly partly: ReadonlySet<string>;
  /** Requests it took. */
  readonly requests: number;
}

/** The site behind a tracker, Dwell's own account there, and the requests that were sent. */
export interface TrackerConnection {
  /** Checks that the tracker answers and accepts the credentials. */
  site(): Promise<Site>;
  /** Yields the site, the account of Dwell and its permissions. Fails only where there is no answer. */
  checkConnection(input: ConnectionCheckInput): AsyncIterable<ConnectionFact>;
  /** About how many issues there are; null where the tracker gives no number. */
  count(): Promise<number | null>;
  /** Requests sent since the start of the process. */
  requests(): RequestCounts;
  close(): Promise<void>;
}

/**
 * A tracker that changes while Dwell reads it, over the network: four operations. What cannot be read fails with an
 * AppError (`unavailable`: later perhaps; `not-allowed`: not with these credentials) and never comes in part: an issue's
 * history is whole, or its `history` says why not.
 */
export interface LiveTracker {
  /** Its name as people read it, such as `Jira`. */
  readonly title: string;
  readonly connection: TrackerConnection;
  /**
   * Statuses, fields, priorities, people, groups, sprints, versions and saved filters, from a place on (null: all of
   * them), in slices of a few requests. A list that is refused, or a part of one, is an `unreadable` entry with the
   * list's name as `source`, and the others follow.
   */
  lists(from: ListsPlace | null): AsyncIterable<ListsSlice>;
  issues(search: IssueSearch): Promise<IssuePage>;
  /**
   * The permissions of a person on some issues, as the tracker itself decides. A person it does not know can browse
   * nothing. `groups` are those of the person.
   */
  permissions(user: User, groups: readonly Group[], about: Browsable): Promise<FoundPermissions>;
  /**
   * Reads who can browse some projects, so that the permissions of each person need few requests from then on. Projects
   * that the tracker does not show, or fails to, are left out. Absent: permissions need few requests anyway.
   */
  projectAccess?(projects: readonly string[]): Promise<readonly ProjectAccess[]>;
  /**
   * Says if a person can administer a project (its key, upper case), as the tracker itself decides; absent: it has no such
   * people. False for a person or a project it does not know.
   */
  administers?(user: User, project: string): Promise<boolean>;
}
