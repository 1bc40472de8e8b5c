import type { Directory, FieldName } from '../model/directory.ts';
import type { FieldValue, Issue, Status, User } from '../model/issue.ts';

/** Groups of a person, by user id. `whole`: there are no others, so the person has left any other. */
export interface Membership {
  readonly user: string;
  readonly groups: readonly FieldValue[];
  readonly whole: boolean;
}

/** A fact from a tracker, in Dwell's own terms. */
export type TrackerEntry =
  | { readonly kind: 'issue'; readonly issue: Issue }
  /** `list` names the list of which these are all; null: they are only mentioned in an issue. */
  | { readonly kind: 'statuses'; readonly statuses: readonly Status[]; readonly list: string | null }
  | { readonly kind: 'users'; readonly users: readonly User[] }
  | { readonly kind: 'membership'; readonly membership: Membership }
  /** Sprints, saved filters, whole groups, names of fields, rights and calendars, as far as the origin has them. */
  | { readonly kind: 'directory'; readonly part: Partial<Directory> }
  /** The name of a field unless another entry has one. */
  | { readonly kind: 'guess'; readonly field: FieldName }
  /** Something that should have been an issue and cannot be used; `key` and `reason` as far as they are known. */
  | {
      readonly kind: 'rejected';
      readonly source: string;
      readonly key: string | null;
      readonly reason: string;
    }
  /** A source that could not be read, or not to its end; earlier entries stay valid. */
  | { readonly kind: 'unreadable'; readonly source: string; readonly reason: string };

/** The source of issues. Every call of `entries` yields everything again; nothing of the origin's format leaks out. */
export interface Tracker {
  /** As in the list of trackers. */
  readonly name: string;
  entries(): AsyncIterable<TrackerEntry>;
}
