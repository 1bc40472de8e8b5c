import {
  LogLevel,
  type Logger as SlackLogger,
  type WebAPICallResult,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import type { Logger } from 'pino';
import { AppError } from '../../model/error.ts';
import { withRateLimitRetry } from './post-message.ts';
import { lostTokenWord, refusalOf, tokenLost } from './slack-refusal.ts';

type TokenName = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** Which tokens Slack refuses, as everything that calls Slack found out. */
export interface SlackTokens {
  /** Slack's word for refusing a token; null: as far as is known it accepts it. */
  refusalOf(token: TokenName): string | null;
  /** Why Slack refuses the app, as a sentence; null: it does not. */
  reason(): string | null;
  refuse(token: TokenName, word: string): void;
  accept(token: TokenName): void;
}

/** Tokens that are not refused yet. `onRefused` is called once for each time in which one is refused. */
export function createSlackTokens(log: Logger, onRefused: (token: TokenName) => void): SlackTokens {
  const refused = new Map<TokenName, string>();
  const reasonOf = (token: TokenName, word: string) => `Slack refuses ${token}: ${word}.`;
  return {
    refusalOf: (token) => refused.get(token) ?? null,
    reason() {
      const [first] = refused;
      return first === undefined ? null : reasonOf(...first);
    },
    refuse(token, word) {
      const isNew = !refused.has(token);
      refused.set(token, word);
      if (!isNew) return;
      log.error(
        `${reasonOf(token, word)} Everything but Slack goes on. Reinstall the app or set a valid token and restart; if Slack accepts this one again, Dwell goes on by itself.`,
      );
      onRefused(token);
    },
    accept(token) {
      if (refused.delete(token)) log.info(`Slack accepts ${token} again`);
    },
  };
}

/** Is called after each call of Slack, with its method (`chat.postMessage`) and what came of it. */
export type OnSlackCall = (call: {
  readonly method: string;
  readonly outcome: 'ok' | 'client_error' | 'rate_limited' | 'no_answer';
  readonly ms: number;
}) => void;

/** Options of our clients. */
type BotOptions = WebClientOptions & { readonly onCall?: OnSlackCall | undefined };

/** Calls with the bot token; a call that shows that Slack refuses the token itself is noted. */
export class BotClient extends WebClient {
  protected readonly tokens: SlackTokens;
  readonly #onCall: OnSlackCall;

  constructor(botToken: string, { onCall = () => {}, ...options }: BotOptions, tokens: SlackTokens) {
    super(botToken, { ...options, allowAbsoluteUrls: false });
    this.tokens = tokens;
    this.#onCall = onCall;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    const begun = performance.now();
    const note = (outcome: Parameters<OnSlackCall>[0]['outcome']) =>
      this.#onCall({ method, outcome, ms: performance.now() - begun });
    try {
      const result = await super.apiCall(method, options);
      note('ok');
      return result;
    } catch (cause) {
      if (cause instanceof WebAPIRateLimitedError) note('rate_limited');
      else note(refusalOf(cause) === null ? 'no_answer' : 'client_error');
      const word = lostTokenWord(cause);
      if (word === null) throw cause;
      this.tokens.refuse('SLACK_BOT_TOKEN', word);
      throw new AppError('slack-token-refused', tokenLost, [], { cause });
    }
  }
}

/** No one waits for what is done in the background. */
const TIMEOUT_MS = 30_000;

/**
 * Calls to Slack without hurry. A call that Slack limits is made once more after the pause that it asks for; no other is
 * made twice, for it may have been done, and a view is tried again by its caller, as long as people look at it. While
 * Slack refuses the token every call fails at once.
 */
export class BackgroundClient extends BotClient {
  readonly #wait: (ms: number) => Promise<void>;

  constructor(
    botToken: string,
    options: BotOptions,
    { tokens, wait }: { readonly tokens: SlackTokens; readonly wait: (ms: number) => Promise<void> },
  ) {
    const own = {
      timeout: TIMEOUT_MS,
      retryConfig: { retries: 0 },
      // The client's own way of waiting holds up all other calls.
      rejectRateLimitedCalls: true,
    };
    super(botToken, { ...options, ...own }, tokens);
    this.#wait = wait;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    if (this.tokens.refusalOf('SLACK_BOT_TOKEN') !== null)
      throw new AppError('slack-token-refused', tokenLost);
    const call = () => super.apiCall(method, options);
    return method.startsWith('views.') ? call() : withRateLimitRetry(call, this.#wait);
  }
}

/** Slack's libraries write into our log; their chatter about every step goes to the debug level. */
export function slackLog(log: Logger): SlackLogger {
  const text = (messages: unknown[]) =>
    messages.map((message) => (message instanceof Error ? message.message : String(message))).join(' ');
  return {
    debug: () => {},
    info: (...messages) => log.debug(text(messages)),
    warn: (...messages) => log.warn(text(messages)),
    error: (...messages) => log.error(text(messages)),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}
