import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { ChannelsApi } from '../api/channels/channels-api.ts';
import type { DelegationApi } from '../api/delegations/delegation-api.ts';
import type { DigestsApi } from '../api/digests/digests-api.ts';
import type { ExportsApi } from '../api/exports/exports-api.ts';
import type { PeopleApi } from '../api/people/people-api.ts';
import type { ReportingApi } from '../api/reporting/reporting-api.ts';
import type { SettingsApi } from '../api/settings/settings-api.ts';
import type { SyncApi } from '../api/tracker/sync-api.ts';
import type { WatchesApi } from '../api/watches/watches-api.ts';
import type { Message } from '../block-kit/message.ts';
import type { Backing } from '../cache/backing.ts';
import type { Instant } from '../model/issue.ts';
import type { Principal } from '../model/principal.ts';
import type { AnswersApi } from '../questions/answers.ts';
import type { ChannelFacts } from './audience/channel-facts.ts';
import type { Homes } from './home/homes.ts';
import type { Accounts } from './people/accounts.ts';
import type { Pictures } from './pictures/pictures.ts';
import type { RecentShares } from './sharing/recent-shares.ts';

/** What answers of the Slack door draw on. */
export interface SlackParts {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly exports: ExportsApi;
  readonly delegations: DelegationApi;
  readonly people: PeopleApi;
  readonly answers: AnswersApi;
  readonly channels: ChannelsApi;
  readonly digests: DigestsApi;
  readonly watches: WatchesApi;
  /** How fresh the data is. */
  readonly sync: Pick<SyncApi, 'status'>;
  readonly now: () => Instant;
  /** Where small state that outlives the process is kept, and what every process may read. */
  readonly stored: Backing;
  readonly shared: Backing;
  /** The tracker server's zone, for people of whom no zone is told. */
  readonly timeZone: string;
  /** Where people reach our web side, without a slash at the end; null where nobody said, and then nothing leads there. */
  readonly baseUrl: string | null;
  /** Of Dwell itself. */
  readonly version: string;
  /** Everything the slash commands can do; help is told from it. */
  readonly commands: readonly SlashCommand[];
}

/** The same within the door, where Slack can be called: without hurry, never twice, and failing when told to wait. */
export interface DoorParts extends SlackParts {
  readonly web: WebClient;
  readonly accounts: Accounts;
  /** Who reads in a channel, before anything is told there. */
  readonly channelFacts: ChannelFacts;
  /** What was shared where within the last minute. */
  readonly shares: RecentShares;
  readonly homes: Homes;
  /** Charts for a Slack that does not draw them. */
  readonly pictures: Pictures;
  /** Resolves after so many milliseconds, and holds no process back from its end. */
  wait(ms: number): Promise<void>;
  readonly log: Logger;
}

/** A place for messages all can see. `threadTs` is the message whose thread it is. */
export interface Place {
  readonly channel: string;
  readonly threadTs: string | null;
}

/** Somebody in Slack: with which rights they ask, and the name others know them by. */
export interface Person {
  readonly principal: Principal;
  readonly userName: string;
}

/** What stood behind the slash command, who typed it, and where. */
export interface Asked extends Person {
  /** As it was typed, without blanks around it. */
  readonly text: string;
  /** The same, split at blanks. */
  readonly words: readonly string[];
  readonly place: Place;
  /** Shows a modal to the principal; good for three seconds. */
  open(view: ModalView): Promise<void>;
}

/**
 * One thing a slash command can do. `word` is what has to be typed behind the slash command to get there; the one
 * entry without a word takes everything else. Help, usage hint and manifest are derived from the list.
 */
export interface SlashCommand {
  readonly root: string;
  readonly word: string | null;
  readonly usage: string;
  readonly summary: string;
  /** Lines that work, or would with other names; the usage itself is no example. */
  readonly examples?: readonly string[];
  /** What there is to know beyond the summary, for whoever asks for help about this word. */
  readonly details?: string;
  /** Messages only the principal sees, in order; at most five, as often as a response URL may be used. */
  answer(asked: Asked, parts: DoorParts): Promise<readonly Message[]>;
}
