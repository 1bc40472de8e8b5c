import type { Issue, Status, User } from '../model/issue.ts';

/** What a tracker tells, one piece at a time, in our nouns. */
export type TrackerEntry =
  | { readonly kind: 'issue'; readonly issue: Issue }
  /** `whole`: this is the tracker's full list, so a status that is missing from it has been deleted. */
  | { readonly kind: 'statuses'; readonly statuses: readonly Status[]; readonly whole: boolean }
  | { readonly kind: 'users'; readonly users: readonly User[] }
  /** Something that should have been an issue and cannot be used; `key` and `reason` as far as they could be told. */
  | {
      readonly kind: 'rejected';
      readonly source: string;
      readonly key: string | null;
      readonly reason: string;
    };

export type TrackerName = 'sample' | 'file';

/** Where issues come from. Every call of `entries` tells everything anew; nothing of the origin's format leaks out. */
export interface Tracker {
  readonly name: TrackerName;
  entries(): AsyncIterable<TrackerEntry>;
}
