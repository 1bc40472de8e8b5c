import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { AnswersApi } from '../../api/answers/answers-api.ts';
import type { ChannelsApi } from '../../api/channels/channels-api.ts';
import type { DelegationApi } from '../../api/delegations/delegation-api.ts';
import type { DigestsApi } from '../../api/digests/digests-api.ts';
import type { ExportsApi } from '../../api/exports/exports-api.ts';
import type { PeopleApi } from '../../api/people/people-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { RestoreApi } from '../../api/restore/restore-api.ts';
import type { SettingsApi } from '../../api/settings/settings-api.ts';
import type { SyncApi } from '../../api/tracker/sync-api.ts';
import type { WatchesApi } from '../../api/watches/watches-api.ts';
import type { Backing } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import type { ReadyCommand } from './handler-types.ts';
import type { Accounts, ChannelFacts, Homes, LastAnswers, Pictures, RecentShares } from './ports.ts';

/** What the Slack door is built over. */
export interface ProvidedParts {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly exports: ExportsApi;
  readonly delegations: DelegationApi;
  readonly people: PeopleApi;
  readonly answers: AnswersApi;
  readonly channels: ChannelsApi;
  readonly digests: DigestsApi;
  readonly watches: WatchesApi;
  /** Whether nothing is posted on a schedule, since the database was restored. */
  readonly restore: Pick<RestoreApi, 'isPaused'>;
  /** How fresh the data is. */
  readonly sync: Pick<SyncApi, 'status' | 'progress'>;
  readonly now: () => Instant;
  /** Small state that outlives the process, and what all processes share. */
  readonly stored: Backing;
  readonly shared: Backing;
  /** The tracker server's zone, for people whose own is unknown. */
  readonly timeZone: string;
  /** Where people reach our web side, without a slash at the end; null: unknown, so nothing links there. */
  readonly baseUrl: string | null;
  /** Of Dwell itself. */
  readonly version: string;
}

/** Every part of the door, put together once, in create-slack-app.ts; each step names the parts it takes. */
export interface SlackParts extends ProvidedParts {
  /** Calls to Slack without hurry; see BackgroundClient. */
  readonly web: WebClient;
  /** Where Slack is called instead of at its own address. */
  readonly apiUrl: string | undefined;
  readonly accounts: Accounts;
  /** Who reads in a channel, before anything is posted there. */
  readonly channelFacts: ChannelFacts;
  /** What was shared where within the last minute. */
  readonly shares: RecentShares;
  /** What people go on from in a conversation. */
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
  Pick<SlackParts, 'channelFacts' | 'exports' | 'apiUrl'>;

/** For showing an answer to everyone in a channel. */
export type SharingParts = QuestionParts & AudienceParts & MessageParts & Pick<SlackParts, 'shares'>;

/** For exports: asking for one, stopping it, handing out its file. */
export type ExportParts = ReadingParts &
  QuestionParts &
  AudienceParts &
  ViewParts &
  Pick<SlackParts, 'exports' | 'baseUrl' | 'apiUrl' | 'shares' | 'sync'>;

/** For links in messages that are shown as issues. */
export type UnfurlParts = QuestionParts &
  AudienceParts &
  Pick<SlackParts, 'settings' | 'timeZone' | 'now' | 'stored' | 'web' | 'log'>;

/** For out-of-office cover. */
export type DelegationParts = LinkingParts & ViewParts & Pick<SlackParts, 'delegations' | 'now'>;

/** For what people do with digests. */
export type DigestParts = AskingParts &
  MessageParts &
  Pick<SlackParts, 'channelFacts' | 'digests' | 'restore'>;

/** For posting digests when they are due. */
export type DigestPostParts = QuestionParts &
  MessageParts &
  Pick<SlackParts, 'now' | 'pictures' | 'channels' | 'channelFacts' | 'reporting' | 'exports' | 'settings'>;

/** For what people do with watches. */
export type WatchParts = ReadingParts & ViewParts & Pick<SlackParts, 'sync' | 'watches'>;

/** For the Home tab. */
export type HomeParts = AskingParts &
  DelegationParts &
  Pick<SlackParts, 'digests' | 'watches' | 'restore' | 'stored'>;
