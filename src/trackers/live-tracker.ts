import type { Group } from '../model/directory.ts';
import type { Instant, User } from '../model/issue.ts';
import type { BrowsePermissions } from '../model/request.ts';
import type { Introduction, IntroductionInput, RequestCounts } from '../model/sync.ts';
import type { TrackerEntry } from './tracker.ts';

/** Where a search goes on: opaque, good for some minutes, and for the very search that handed it out. */
export type SearchPlace = string;

/** Which issues are searched: all of them, or those created or updated at an instant of the tracker's clock or later. */
export interface SearchWindow {
  /** Also the order, oldest first. */
  readonly by: 'created' | 'updated';
  readonly from: Instant | null;
}

/** As much of an issue as tells whether what is kept of it is still true. `updated` is the tracker's own word. */
export interface FoundIssue {
  /** The tracker's id, which stays when the key changes. */
  readonly id: string;
  /** Upper case. */
  readonly key: string;
  readonly updated: Instant;
}

/** A part of a search: issues in order, each told by one entry (`issue`, or `rejected`), after what it mentions. */
export interface LoadedPage {
  readonly entries: readonly TrackerEntry[];
  /** All that were found, rejected ones included, in order. */
  readonly found: readonly (FoundIssue & { readonly created: Instant })[];
  /** Those the tracker has and fails to show, which have not stopped the search. */
  readonly failed?: readonly UnshownIssue[];
  readonly next: SearchPlace | null;
}

/**
 * An issue of a survey; `updated` is null where only keys were asked for. Ids of the status and the assignee (null:
 * nobody) stand there where they were shown.
 */
export type SurveyedIssue = Omit<FoundIssue, 'updated'> & {
  readonly updated: Instant | null;
  readonly status?: string;
  readonly assignee?: string | null;
};

/** A part of a search that tells of issues only which they are. */
export interface SurveyedPage {
  readonly found: readonly SurveyedIssue[];
  /** As of a loaded page. */
  readonly failed?: readonly UnshownIssue[];
  readonly next: SearchPlace | null;
}

/** An issue that the tracker has, or may have, and fails to tell. */
export interface FailedIssue {
  readonly id: string;
  readonly reason: string;
}

/** One that a search has found: its key (upper case) is known. */
export interface UnshownIssue extends FailedIssue {
  readonly key: string;
}

/**
 * Issues that were asked for by id. `missing` are the ids the tracker has no issue for, or none that we may see; of
 * those that `failed` nothing is known: what is kept of them stays as it is.
 */
interface LoadedIssues {
  readonly entries: readonly TrackerEntry[];
  readonly found: readonly FoundIssue[];
  readonly missing: readonly string[];
  readonly failed: readonly FailedIssue[];
}

/** Who answers. `now` is the tracker's clock; `clockAheadMs` how far it is ahead of ours. */
export interface Site {
  /** Address people browse it at, without a slash at the end: tells one site from another. */
  readonly url: string;
  readonly now: Instant;
  readonly clockAheadMs: number;
}

/** What of a mirror somebody may be allowed to see. */
export interface Browsable {
  /** Keys of the projects that are asked about, upper case. */
  readonly projects: readonly string[];
  /** The issues that have to be asked about by themselves, whatever their project says: the restricted ones. */
  readonly singles: readonly ListedIssue[];
  /** The other issues of one of the projects, the last created first; made as they are taken, for there may be many. */
  readonly unlevelled: (project: string) => Iterable<ListedIssue>;
  /** How many these are. */
  readonly unlevelledIn: (project: string) => number;
  /** Looks some of them up, in their order; left out are those that are gone, or of which only the key is known. */
  readonly lookUp: (listed: readonly ListedIssue[]) => Promise<readonly SingleIssue[]>;
}

/** An issue that may have to be asked about by itself. */
export interface ListedIssue {
  /** Where the mirror has it. */
  readonly row: number;
  /** Upper case, as the project's is. */
  readonly key: string;
  readonly project: string;
  /** What restricts it; null: nothing but its project. */
  readonly level: string | null;
}

/** An issue that is asked about by itself. */
export interface SingleIssue extends ListedIssue {
  readonly id: string;
  /** The same for issues that name the same people, groups and options in the same fields. */
  readonly likeness: () => string;
}

/** A sight that was just found out. */
export interface FoundPermissions extends BrowsePermissions {
  /** Projects that are open issue by issue only; they are not among `projects`. */
  readonly partly: ReadonlySet<string>;
  /** Requests it took. */
  readonly requests: number;
}

/**
 * A tracker that goes on living while it is asked, over the network. Whatever cannot be told fails with an AppError
 * (`unavailable`: later perhaps; `not-allowed`: not with these credentials) and is never told in part: an issue's
 * history is whole, or its `history` says why not. Searches see the issues that our own account may see.
 */
export interface LiveTracker {
  readonly name: 'jira';
  /** Looks who is there. */
  site(): Promise<Site>;
  /** Tells who is there, as whom we ask and what we may, one by one. Fails only where nobody is there. */
  introduce(input: IntroductionInput): AsyncIterable<Introduction>;
  /** How many issues there are, about; null where nobody tells. */
  count(): Promise<number | null>;
  /**
   * Statuses, fields, priorities, people, groups, sprints, versions and saved filters. A list that is refused is told as `unreadable`, its
   * name as `source`, and the others go on.
   */
  lists(): AsyncIterable<TrackerEntry>;
  /** Issues with their whole histories. A place that is no longer good is `bad-request`. */
  load(window: SearchWindow, place: SearchPlace | null): Promise<LoadedPage>;
  /** The same search without the issues themselves; pages are larger, and of keys alone by far the largest. */
  survey(window: SearchWindow, place: SearchPlace | null, tells: 'updated' | 'keys'): Promise<SurveyedPage>;
  /** Issues with their whole histories, up to 100 of them. */
  loadIds(ids: readonly string[]): Promise<LoadedIssues>;
  /** Which of these issues a search finds: one that is archived is told by id and found no more. */
  findable(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * What a person may browse of these, as the tracker itself decides. Nobody known to it sees nothing. `groups` are
   * those the person is in.
   */
  browsePermissions(user: User, groups: readonly Group[], about: Browsable): Promise<FoundPermissions>;
  /** Requests sent since the start of the process. */
  requests(): RequestCounts;
  close(): Promise<void>;
}
