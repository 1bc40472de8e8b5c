import type { ImageBlock } from '@slack/types';
import type { Namespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import type { Chart } from '../../output/charts/chart.ts';
import type { Place } from './handler-types.ts';

/** The people of the workspace. A Slack that cannot be reached is `unavailable`. */
export interface Accounts {
  profileOf(account: string): Promise<Profile>;
  /** The account of the person here with an email address; null where there is none. `unavailable` without permission. */
  withEmail(email: string): Promise<string | null>;
  /** Everyone with this handle or name: names are not unique. Those who are here hide those who have left. */
  called(name: string): Promise<readonly Called[]>;
}

/** An account by its handle, as in `@ada`. */
export interface Called {
  readonly account: string;
  readonly handle: string;
}

/** A person's Slack profile; `refused` is Slack's word for giving none, and then nothing else is known. */
export interface Profile {
  readonly name: string;
  readonly standing: Standing | null;
  /** Slack lets them into some channels only. */
  readonly isGuest: boolean;
  readonly email: string | null;
  /** The person has proved that the address is theirs. */
  readonly emailConfirmed: boolean;
  /** IANA zone of their Slack; null where it is not one that we know. */
  readonly timeZone: string | null;
  readonly refused: string | null;
}

/** Guests are `ours` as well. */
export type Standing = 'ours' | 'foreign' | 'deactivated' | 'bot';

/** What is known of channels. */
export interface ChannelFacts {
  /** What prevents finding out is an answer, not a failure, unless Slack refuses the app's token. */
  outsidersIn(channel: string): Promise<Outsiders>;
}

/**
 * Who reads a channel beside the people of the workspace: no one; some, as in "This channel has guests"; or unknown, why
 * in whole sentences with what would help (mrkdwn), and whether that passes by itself.
 */
export type Outsiders =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'some';
      readonly what: 'is shared with other workspaces' | 'has guests' | "is a conversation I'm not in";
    }
  | { readonly kind: 'unknown'; readonly because: string; readonly passes: boolean };

/** Keeps one answer from being shared in one place twice at once, also by another process. */
export interface RecentShares {
  /** False where the same was begun within the last minute. */
  begin(run: string, channel: string): Promise<boolean>;
  /** It is there, or may be. */
  end(run: string, channel: string): Promise<void>;
  /** Whether it was begun and has not ended. */
  isUnderWay(run: string, channel: string): Promise<boolean>;
  /** Nothing was shared after all, so it can be tried again at once. */
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

/** Charts for a Slack that does not draw them. */
export interface Pictures {
  /** Whether Slack did not take its own chart block of late, by the empty key; it is not tried again for an hour. */
  readonly refusals: Pick<Namespace<true>, 'get' | 'set'>;
  /** A block that shows the chart; null where none can be made, which is logged. */
  draw(chart: Chart): Promise<ImageBlock | null>;
}
