import type { Instant } from './issue.ts';

/** An answer to a nudge, as it is given. */
export type GivenAnswer =
  | { readonly kind: 'onIt' }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'snoozed'; readonly until: Instant };

/** An answer to a nudge, and when it was given. */
export type NudgeAnswer = GivenAnswer & { readonly at: Instant };

/** A stay of an issue in a status (its id); `since` is null where a cut history hides its begin. */
export interface NudgedVisit {
  readonly statusId: string;
  readonly since: Instant | null;
}

/** One person asked another about an issue. A person is asked about an issue once on a day of theirs. */
export interface Nudge {
  /** Issue, person and day, so that there is no second one. */
  readonly id: string;
  readonly key: string;
  readonly link: string | null;
  readonly visit: NudgedVisit;
  /** The user of the tracker who is asked, and the account that the message went to. */
  readonly person: { readonly id: string; readonly name: string };
  readonly account: string;
  /** The account of the person who asks. */
  readonly by: string;
  /** The thread that the answer returns to; null: the conversation of the person who asks with the app. */
  readonly thread: { readonly channel: string; readonly threadTs: string } | null;
  readonly at: Instant;
  readonly answer: NudgeAnswer | null;
  /** The answer was delivered, may have been, or cannot be. */
  readonly isReturned: boolean;
  /** The note that the door keeps of the delivery. */
  readonly note: Readonly<Record<string, string>>;
}
