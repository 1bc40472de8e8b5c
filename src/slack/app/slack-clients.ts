import { type App, type Receiver, SocketModeReceiver } from '@slack/bolt';
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
import { lostTokenWord, refusalOf, tokenLost } from './slack-refusal.ts';

type TokenName = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** Which tokens Slack refuses, as everything that calls Slack found out. */
interface SlackTokens {
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

/** Longer pauses are for the caller to judge. */
const MAX_WAITED_MS = 30_000;

/** Calls Slack, and once more after the pause where it limits the call. Fails as the last call does. */
async function withRateLimitRetry<Result>(
  call: () => Promise<Result>,
  wait: (ms: number) => Promise<void>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof WebAPIRateLimitedError)) throw error;
    const pauseMs = 1000 * error.retryAfter;
    if (pauseMs > MAX_WAITED_MS) throw error;
    await wait(pauseMs);
    return call();
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

/** A receiver over several sockets. */
export interface SocketReceiver extends Receiver {
  connected(): boolean;
}

/** The parts that sockets are opened with. `wait` resolves after the given number of milliseconds. */
interface SocketParts {
  readonly appToken: string;
  readonly clientOptions: WebClientOptions;
  readonly tokens: SlackTokens;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Logger;
  /** Called when no connection is open anymore: what Slack sends then may never come. */
  readonly onClosed?: () => void;
}

/** Slack refreshes connections by their age; a refresh takes a few seconds. */
const APART_MS = 20_000;

/** The pauses after attempts that came to nothing, in order; the last holds for all that follow. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/** A connection that ends sooner has come to nothing as well. */
const SHORT_MS = 10_000;

/**
 * Two Socket Mode connections as one receiver. Slack refreshes every connection now and then and the client misses what
 * comes within those seconds; it sends each payload to one connection that is open, so the other one takes it. That
 * holds as long as they are not refreshed together, so the second opens later than the first, and connections that came
 * back together after an outage are moved apart again.
 *
 * A connection that ends is opened again here: the client's own attempts end the process with the first that fails.
 */
export function createTwoSockets(parts: SocketParts, apartMs = APART_MS): SocketReceiver {
  const { wait } = parts;
  const [first, second] = [createReceiver(parts), createReceiver(parts)];
  const openSince = new Map<SocketModeReceiver, number>();
  const firstOpened = Promise.withResolvers<void>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  /** Connections that opened together would be refreshed together. */
  const moveApart = () => {
    const [one, other] = openSince.values();
    if (one === undefined || other === undefined || Math.abs(one - other) >= apartMs / 2) return;
    clearTimeout(timer);
    timer = setTimeout(() => void second.client.disconnect().catch(() => {}), apartMs).unref();
  };
  for (const receiver of [first, second]) {
    receiver.client.on('connected', () => {
      openSince.set(receiver, performance.now());
      moveApart();
    });
    for (const event of ['close', 'disconnecting', 'disconnected']) {
      receiver.client.on(event, () => {
        if (openSince.delete(receiver) && openSince.size === 0) parts.onClosed?.();
      });
    }
  }

  /** Opens a connection, and again each time it ends, until the stop; `onTried` is called after the first attempt. */
  async function keepOpen({ client }: SocketModeReceiver, onTried: () => void): Promise<void> {
    for (let failures = 0; !isStopped; ) {
      const begun = performance.now();
      const problem = await openUntilClosed(client, onTried);
      onTried();
      if (isStopped) return;
      const isInVain = problem !== null || performance.now() - begun < SHORT_MS;
      failures = isInVain ? failures + 1 : 0;
      if (problem !== null) report(problem, failures, parts);
      if (failures > 0) await wait(pauseAfter(problem, failures));
    }
  }

  /** Resolves when the connection has ended: with why it could not be opened, or null where it was open. */
  async function openUntilClosed(
    client: SocketModeReceiver['client'],
    onOpen: () => void,
  ): Promise<Error | null> {
    try {
      await client.start();
    } catch (error) {
      // If the connection ends before Slack's greeting there is no error.
      return error instanceof Error ? error : new Error('The connection ended before it was open.');
    }
    parts.tokens.accept('SLACK_APP_TOKEN');
    firstOpened.resolve();
    onOpen();
    const closed = new Promise<void>((resolve) => client.once('disconnected', resolve));
    // The stop may have come while it was opened.
    if (isStopped) await client.disconnect();
    await closed;
    return null;
  }

  return {
    init: (app: App) => {
      for (const receiver of [first, second]) receiver.init(app);
    },
    async start() {
      await new Promise<void>((resolve) => void keepOpen(first, resolve));
      void firstOpened.promise.then(() => {
        timer = setTimeout(() => !isStopped && void keepOpen(second, () => {}), apartMs).unref();
      });
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return Promise.all([first, second].map((receiver) => receiver.client.disconnect()));
    },
    connected: () => openSince.size > 0,
  };
}

function createReceiver({ appToken, clientOptions, log }: SocketParts): SocketModeReceiver {
  const debug = (...messages: unknown[]) => log.debug(messages.map(String).join(' '));
  return new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    installerOptions: { clientOptions: { ...clientOptions, rejectRateLimitedCalls: true } },
    // Why a connection fails is logged here, once for each outage.
    logger: { ...slackLog(log), warn: debug, error: debug },
    processEventErrorHandler: async ({ error }) => {
      log.error({ err: error }, 'what Slack sent over a socket could not be processed');
      return false;
    },
  });
}

/** Notes why a connection could not be opened: Slack refuses the token, or could not be reached. */
function report(problem: Error, failures: number, { tokens, log }: SocketParts): void {
  const word = refusalOf(problem);
  if (word !== null) tokens.refuse('SLACK_APP_TOKEN', word);
  else if (failures === 1)
    log.warn({ err: problem }, 'a Socket Mode connection to Slack cannot be opened yet');
}

function pauseAfter(problem: Error | null, failures: number): number {
  if (problem instanceof WebAPIRateLimitedError) return 1000 * problem.retryAfter;
  return PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0;
}
