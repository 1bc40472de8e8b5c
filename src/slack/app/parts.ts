import type { ImageBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { AnswersApi } from '../../api/answers/answers-api.ts';
import type { AuditLeaving } from '../../api/audit/audit-api.ts';
import type { ChannelsApi } from '../../api/channels/create-channels.ts';
import type { DelegationApi } from '../../api/delegations/delegation-api.ts';
import type { DigestsApi } from '../../api/digests/digests-api.ts';
import type { ExportsApi } from '../../api/exports/exports-api.ts';
import type { FlowsApi } from '../../api/flows/create-flows.ts';
import type { NudgesApi } from '../../api/nudges/nudges-api.ts';
import type { PeopleApi } from '../../api/people/create-people.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { RestoreApi } from '../../api/restore/create-restore.ts';
import type { SettingsApi } from '../../api/settings/settings-api.ts';
import type { SyncApi } from '../../api/tracker/sync-api.ts';
import type { WatchesApi } from '../../api/watches/watches-api.ts';
import type { Backing, Namespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import type { Chart } from '../../output/charts/chart.ts';
import type { Place, ReadyCommand } from './handler-types.ts';

/** The parts that the Slack door is built over. */
export interface ProvidedParts {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly flows: FlowsApi;
  readonly exports: ExportsApi;
  readonly delegations: DelegationApi;
  readonly people: PeopleApi;
  readonly answers: AnswersApi;
  /** Writes what leaves Dwell before it does. */
  readonly audit: AuditLeaving;
  readonly channels: ChannelsApi;
  readonly digests: DigestsApi;
  readonly watches: WatchesApi;
  readonly nudges: NudgesApi;
  /** Has the answers to nudges delivered that wait; does not wait for it. */
  readonly returnAnswers: () => Promise<void>;
  /** Says if scheduled posts are paused because the database was restored. */
  readonly restore: Pick<RestoreApi, 'isPaused'>;
  /** The state of the sync, which says how fresh the data is. */
  readonly sync: Pick<SyncApi, 'status' | 'progress'>;
  readonly now: () => Instant;
  /** Small state that outlives the process, and what all processes share. */
  readonly stored: Backing;
  readonly shared: Backing;
  /** The tracker server's zone, for people whose own is unknown. */
  readonly timeZone: string;
  /** The address of our web side, without a slash at the end; null: unknown, so nothing links there. */
  readonly baseUrl: string | null;
  /** The version of Dwell itself. */
  readonly version: string;
}

/** Every part of the door, put together once, in create-slack-app.ts; each step names the parts it takes. */
export interface SlackParts extends ProvidedParts {
  /** Calls to Slack without hurry; see BackgroundClient. */
  readonly web: WebClient;
  /** The address at which Slack is called, instead of its own. */
  readonly apiUrl: string | undefined;
  readonly accounts: Accounts;
  /** Finds the readers of a channel before anything is posted there. */
  readonly channelFacts: ChannelFacts;
  /** The runs that were shared within the last minute, by channel. */
  readonly shares: RecentShares;
  /** The answers that people go on from in a conversation. */
  readonly lastAnswers: LastAnswers;
  readonly homes: Homes;
  /** Charts for a Slack that does not draw them. */
  readonly pictures: Pictures;
  /** Everything the slash commands can do; help is made from it. */
  readonly commands: readonly ReadyCommand[];
  /** Resolves after so many milliseconds, and holds no process back from its end. */
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Logger;
}

/** For finding out who a Slack account is in the tracker. */
export type PeopleParts = Pick<SlackParts, 'people' | 'accounts'>;

/** For the same, with an offer to link the account where it is unknown. */
export type LinkingParts = PeopleParts & Pick<SlackParts, 'sync' | 'baseUrl' | 'timeZone'>;

/** For judging who reads an answer in a channel. */
export type AudienceParts = Pick<SlackParts, 'people' | 'channels' | 'channelFacts' | 'reporting'>;

/** For showing a modal, and filling it once its content is known. */
export type ViewParts = Pick<SlackParts, 'web' | 'wait' | 'log'>;

/** For sending messages; without `pictures` charts that Slack does not draw are words. */
export type MessageParts = ViewParts & { readonly pictures?: Pictures | null };

/** For answering a question that is already understood. */
export type QuestionParts = PeopleParts & Pick<SlackParts, 'answers'>;

/** For reading what was typed as a question. */
export type ReadingParts = PeopleParts &
  Pick<SlackParts, 'commands' | 'reporting' | 'settings' | 'channels' | 'now' | 'timeZone' | 'log'>;

/** For answering what was typed. */
export type AskingParts = ReadingParts & QuestionParts & Pick<SlackParts, 'sync'>;

/** For answering from the report builder. */
export type BuilderParts = ReadingParts &
  QuestionParts &
  MessageParts &
  Pick<SlackParts, 'channelFacts' | 'exports' | 'audit' | 'apiUrl'>;

/** For showing an answer to everyone in a channel. */
export type SharingParts = QuestionParts &
  AudienceParts &
  MessageParts &
  Pick<SlackParts, 'shares' | 'audit'>;

/** For nudging people, and for their answers. */
export type NudgeParts = QuestionParts &
  AudienceParts &
  MessageParts &
  Pick<SlackParts, 'nudges' | 'returnAnswers' | 'audit' | 'now'>;

/** For exports: asking for one, stopping it, handing out its file. */
export type ExportParts = ReadingParts &
  QuestionParts &
  AudienceParts &
  ViewParts &
  Pick<SlackParts, 'exports' | 'audit' | 'baseUrl' | 'apiUrl' | 'shares' | 'sync'>;

/** For links in messages that are shown as issues. */
export type UnfurlParts = QuestionParts &
  AudienceParts &
  Pick<SlackParts, 'settings' | 'audit' | 'timeZone' | 'now' | 'stored' | 'web' | 'log'>;

/** For out-of-office cover. */
export type DelegationParts = LinkingParts & ViewParts & Pick<SlackParts, 'delegations' | 'now'>;

/** For what people do with digests. */
export type DigestParts = AskingParts &
  MessageParts &
  Pick<SlackParts, 'channelFacts' | 'digests' | 'restore'>;

/** For posting digests when they are due. */
export type DigestPostParts = QuestionParts &
  MessageParts &
  Pick<
    SlackParts,
    'now' | 'pictures' | 'channels' | 'channelFacts' | 'reporting' | 'exports' | 'settings' | 'audit'
  >;

/** For what people do with watches. */
export type WatchParts = ReadingParts & ViewParts & Pick<SlackParts, 'sync' | 'watches'>;

/** For what people do with flows. */
export type FlowParts = ReadingParts & ViewParts & Pick<SlackParts, 'flows'>;

/** For the Home tab. */
export type HomeParts = AskingParts &
  DelegationParts &
  Pick<SlackParts, 'digests' | 'watches' | 'restore' | 'stored'>;

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

export interface ChannelFacts {
  /** If the readers cannot be found out, the answer is `unknown`; it fails only if Slack refuses the app's token. */
  outsidersIn(channel: string): Promise<Outsiders>;
}

/**
 * The readers of a channel beside the people of the workspace: none; some, as in "This channel has guests"; or unknown,
 * with the reason and what would help in whole sentences (mrkdwn), and if that passes by itself.
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
  /** True if it was begun and has not ended. */
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
  /** The value of the button *Next*; null where the list ends, or there is none. */
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
  /** Holds the empty key where Slack did not take its own chart block of late, which is then not tried for an hour. */
  readonly refusals: Pick<Namespace<true>, 'get' | 'set'>;
  /** A block that shows the chart; null where none can be made, which is logged. */
  draw(chart: Chart): Promise<ImageBlock | null>;
}
