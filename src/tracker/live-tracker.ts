import type { Instant, User } from '../model/issue.ts';
import type { Sight } from '../model/sight.ts';
import type { RequestCounts } from '../model/sync.ts';
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
  readonly next: SearchPlace | null;
}

/** An issue of a survey; `updated` is null where only keys were asked for. */
export type SurveyedIssue = Omit<FoundIssue, 'updated'> & { readonly updated: Instant | null };

/** A part of a search that tells of issues only which they are. */
export interface SurveyedPage {
  readonly found: readonly SurveyedIssue[];
  readonly next: SearchPlace | null;
}

/** Issues that were asked for by id. `missing` are the ids the tracker has no issue for, or none that we may see. */
export interface LoadedIssues {
  readonly entries: readonly TrackerEntry[];
  readonly found: readonly FoundIssue[];
  readonly missing: readonly string[];
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
  /** Keys of the projects that have issues, upper case. */
  readonly projects: readonly string[];
  /** Every issue with a security level. */
  readonly levelled: readonly LevelledIssue[];
}

/** An issue with a security level; `people` are the ids of everybody its fields name. */
export interface LevelledIssue {
  readonly id: string;
  readonly key: string;
  readonly project: string;
  readonly level: string;
  readonly people: readonly string[];
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
  /** How many issues there are, about; null where nobody tells. */
  count(): Promise<number | null>;
  /**
   * Statuses, fields, people, groups, sprints and saved filters. A list that is refused is told as `unreadable`, its
   * name as `source`, and the others go on.
   */
  lists(): AsyncIterable<TrackerEntry>;
  /** Issues with their whole histories. A place that is no longer good is `bad-request`. */
  load(window: SearchWindow, place: SearchPlace | null): Promise<LoadedPage>;
  /** The same search without the issues themselves; pages are larger, and of keys alone by far the largest. */
  survey(window: SearchWindow, place: SearchPlace | null, tells: 'updated' | 'keys'): Promise<SurveyedPage>;
  /** Issues with their whole histories, up to 100 of them. */
  loadIds(ids: readonly string[]): Promise<LoadedIssues>;
  /** What a person may browse of these, as the tracker itself decides. Nobody known to it sees nothing. */
  sightOf(user: User, about: Browsable): Promise<Sight>;
  /** Requests sent since the start of the process. */
  requests(): RequestCounts;
  close(): Promise<void>;
}
