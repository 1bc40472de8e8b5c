import type { Instant } from '../../model/issue.ts';
import type { Place } from './handler-types.ts';

/** The people of the workspace, as Slack tells them. A Slack that cannot be reached is `unavailable`. */
export interface Accounts {
  profileOf(account: string): Promise<Profile>;
  /**
   * The account of who works here with an e-mail address; null where there is none. `unavailable` as well where Slack
   * does not let us ask.
   */
  withEmail(email: string): Promise<string | null>;
  /** Everybody with this handle or name: anybody may call themselves as others do. Who is here hides who has gone. */
  called(name: string): Promise<readonly Called[]>;
}

/** An account by its handle, as in `@ada`. */
export interface Called {
  readonly account: string;
  readonly handle: string;
}

/** What Slack tells of somebody; `refused` is its word for telling nothing at all, and then nothing else is known. */
export interface Profile {
  readonly name: string;
  readonly standing: Standing | null;
  /** Whether Slack lets them into some channels only. */
  readonly isGuest: boolean;
  /** Null where Slack tells none. */
  readonly email: string | null;
  /** Whether the person has proved that the address is theirs. */
  readonly emailConfirmed: boolean;
  /** IANA zone of their Slack; null where it is none that we know. */
  readonly timeZone: string | null;
  readonly refused: string | null;
}

/** Whose an account is: that of a person who works here, or whose instead. Guests work here as well. */
export type Standing = 'ours' | 'foreign' | 'deactivated' | 'bot';

/** What Slack tells of channels. */
export interface ChannelFacts {
  /** Whatever hinders finding out is an answer, not a failure. */
  outsidersIn(channel: string): Promise<Outsiders>;
}

/**
 * Who may read a channel beside the people of the workspace. What of them is known: none; who they are, as in "This
 * channel has guests"; or why nobody can tell, in a whole sentence with what would help (mrkdwn),
 * and whether that is a trouble that passes by itself.
 */
export type Outsiders =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'some';
      readonly what: 'is shared with other workspaces' | 'has guests' | 'is a conversation without me';
    }
  | { readonly kind: 'unknown'; readonly because: string; readonly passes: boolean };

/** Keeps one answer from being shared in one place twice at once, also by another process. */
export interface RecentShares {
  /** False where the same was begun within the last minute. */
  begin(run: string, channel: string): Promise<boolean>;
  /** It stands there, or may. */
  end(run: string, channel: string): Promise<void>;
  /** Whether it was begun, and nobody knows yet what becomes of it. */
  isUnderWay(run: string, channel: string): Promise<boolean>;
  /** Nothing was shared after all, so it may be tried again at once. */
  forget(run: string, channel: string): Promise<void>;
}

/** The Home tabs people look at. */
export interface Homes {
  /**
   * Fills someone's Home tab: at once with what is known where it `isBlank`, then with the rest. Never fails; what goes wrong
   * is logged.
   */
  show(account: string, isBlank?: boolean): Promise<void>;
  /** The same after something on it has changed, for people who looked at it within the hour. */
  follow(account: string): Promise<void>;
  /** Hides an issue there for three days, as long as it stays where it is since then; null: shows all again. */
  snooze(account: string, visit: { readonly key: string; readonly since: Instant } | null): Promise<void>;
}

/** The last answer someone got in a conversation: the line after `/tis`, its run, and what *more* goes on with. */
export interface LastAnswer {
  readonly line: string;
  readonly run: string;
  /** Index of the first issue shown. */
  readonly start: number;
  /** What the button *Next* carries; null where the list ends, or there is none. */
  readonly next: string | null;
  readonly hasDetails: boolean;
}

/** The last answers of conversations: in a thread that thread's, else the last one of the channel. */
export interface LastAnswers {
  of(account: string, place: Place): Promise<LastAnswer | null>;
  remember(account: string, place: Place, last: LastAnswer | null): Promise<void>;
}
