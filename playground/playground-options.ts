import { millisecondsInMinute } from 'date-fns/constants';
import type { IssuePage } from './issue-page.ts';

/** A member of the stand-in workspace; `id` starts with U. */
export interface Person {
  readonly id: string;
  /** The handle, as in `@ada`. */
  readonly name: string;
  readonly realName: string;
  readonly email: string;
  readonly tz: string;
  readonly admin?: boolean;
  /** Whose address has not been confirmed. */
  readonly unconfirmed?: boolean;
  /** A guest of single channels. */
  readonly guest?: boolean;
  readonly deactivated?: boolean;
  readonly bot?: boolean;
  /** The workspace of who is met in a shared channel only; else the stand-in's own. */
  readonly foreignTeam?: string;
}

/** A channel; `id` starts with C. The app is a member unless `appIsMember` is false. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly topic?: string;
  readonly appIsMember?: boolean;
  /** Ids of the people in it; else everybody. */
  readonly members?: readonly string[];
  readonly isPrivate?: boolean;
  /** With other workspaces of one's own organisation, or with other organisations. */
  readonly sharedWith?: 'organisation' | 'others';
}

/** A slash command as the app's manifest declares it. */
export interface Command {
  readonly command: string;
  readonly description: string;
  readonly usageHint?: string;
  /** The manifest's `should_escape`: mentions arrive as ids. */
  readonly shouldEscape?: boolean;
}

/** A shortcut as the app's manifest declares it. */
interface Shortcut {
  readonly type: 'global' | 'message';
  readonly callbackId: string;
  readonly name: string;
  readonly description: string;
}

/** One thing a newcomer may try; clicking it puts `insert` into the composer. */
export interface Hint {
  readonly text: string;
  readonly insert?: string;
}

/** Slack's own limits, changeable for tests. */
export interface PlaygroundLimits {
  /** How long the app may take to acknowledge. */
  readonly ackMs: number;
  readonly triggerMs: number;
  readonly responseUses: number;
  readonly responseMs: number;
  /** How many messages a channel takes at once before it takes one a second; null: no such limit. */
  readonly postBurst: number | null;
}

/** Everything a playground is made of; it reads no clock, no randomness and no environment itself. */
export interface PlaygroundOptions {
  /** Base address of the app; Slack posts to `/slack/events` below it. */
  readonly botUrl: () => string;
  /** Base address of the server this playground is mounted on. */
  readonly url: () => string;
  readonly signingSecret: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly now: () => number;
  /** The time written into signatures, where it must differ from `now`: Bolt compares it with the machine's clock. */
  readonly signatureTime?: () => number;
  /** A new unguessable word of capital letters and digits. */
  readonly newId: () => string;
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly app: {
    readonly id: string;
    readonly name: string;
    readonly botUserId: string;
    readonly botId: string;
    /** What the About tab says. */
    readonly description?: string;
    /** The manifest's `messages_tab_enabled`; without it nobody can write to the app. */
    readonly messagesTab?: boolean;
  };
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  readonly commands: readonly Command[];
  readonly shortcuts?: readonly Shortcut[];
  /** The scopes of the bot token, which Slack tells with every answer; without them it tells none. */
  readonly scopes?: readonly string[];
  /** Events the app subscribes to beside `app_home_opened` and `message.im`. */
  readonly events?: readonly string[];
  /** Domains of links the app hears of when they are posted, where it subscribes to `link_shared`. */
  readonly unfurlDomains?: readonly string[];
  /** The issue behind a link that leads here; null where there is none of that key. Absent: no link leads here. */
  readonly issue?: (key: string) => Promise<IssuePage | null>;
  /** A function is asked anew whenever a page asks for its state; where it fails, there are no hints. */
  readonly hints?: readonly Hint[] | (() => Promise<readonly Hint[]>);
  readonly limits?: Partial<PlaygroundLimits>;
  /** Host names it is reached under, beside loopback and that of `url`. */
  readonly hosts?: readonly string[];
  /** Whether it also answers what a proxy has passed on. */
  readonly behindProxy?: boolean;
  /** An unguessable word of letters and digits that opens the page while it is needed. Absent: it never is. */
  readonly entry?: { readonly code: string; readonly isNeeded: () => Promise<boolean> };
}

/** What Slack documents. */
export const slackLimits: PlaygroundLimits = {
  ackMs: 3_000,
  triggerMs: 3_000,
  responseUses: 5,
  responseMs: 30 * millisecondsInMinute,
  postBurst: null,
};
