import {
  type App,
  LogLevel,
  type Receiver,
  type Logger as SlackLogger,
  SocketModeReceiver,
} from '@slack/bolt';
import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../../model/error.ts';
import { withRateLimitRetry } from './post-message.ts';
import { isTokenLost, tokenLost } from './slack-refusal.ts';

type Options = ConstructorParameters<typeof SocketModeReceiver>[0];

/** A receiver over several sockets, and whether at least one of them is connected. */
export interface SocketReceiver extends Receiver {
  connected(): boolean;
}

/** Slack refreshes connections by their age; a refresh takes a few seconds. */
const APART_MS = 20_000;

/**
 * Two Socket Mode connections as one receiver. Slack refreshes every connection now and then and the client misses what
 * comes within those seconds; it sends each payload to one connection that is open, so the other one takes it. That
 * holds as long as they are not refreshed together, so the second opens later than the first, and connections that came
 * back together after an outage are moved apart again.
 */
export function createTwoSockets(options: Options, apartMs = APART_MS): SocketReceiver {
  const [first, second] = [new SocketModeReceiver(options), new SocketModeReceiver(options)];
  const openSince = new Map<SocketModeReceiver, number>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const moveSecond = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      // The client logs why a connection fails, and tries on its own.
      await second.client.disconnect().catch(() => {});
      if (!isStopped) await second.client.start().catch(() => {});
    }, apartMs).unref();
  };
  for (const receiver of [first, second]) {
    receiver.client.on('connected', () => {
      openSince.set(receiver, performance.now());
      const [one, other] = openSince.values();
      if (one !== undefined && other !== undefined && Math.abs(one - other) < apartMs / 2) moveSecond();
    });
    for (const event of ['close', 'reconnecting', 'disconnecting', 'disconnected']) {
      receiver.client.on(event, () => openSince.delete(receiver));
    }
  }
  return {
    init: (app: App) => {
      for (const receiver of [first, second]) receiver.init(app);
    },
    async start() {
      await first.start();
      moveSecond();
    },
    // The receiver's own stop does not wait until its connection is closed.
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return Promise.all([first, second].map((receiver) => receiver.client.disconnect()));
    },
    connected: () => openSince.size > 0,
  };
}

const FIVE_MINUTES_S = 300;

/**
 * Refuses a request signed for later: Bolt refuses only what is older than five minutes, so that a captured request
 * with a time ahead of ours could be repeated until then.
 */
export function refuseFuture(now: () => number): RequestHandler {
  return (request, response, next) => {
    const signedAt = Number(request.get('x-slack-request-timestamp') ?? 0);
    if (signedAt - now() / 1000 > FIVE_MINUTES_S) response.status(401).end();
    else next();
  };
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

/** No one waits for what is done in the background. */
const TIMEOUT_MS = 30_000;

/**
 * Calls to Slack without hurry. A call that Slack limits is made once more after the pause that it asks for; no other is
 * made twice, for it may have been done. Once Slack has revoked the token every call fails at once, until Dwell starts
 * again with one that works.
 */
export class BackgroundClient extends WebClient {
  readonly #wait: (ms: number) => Promise<void>;
  #isRevoked = false;

  constructor(botToken: string, options: WebClientOptions, wait: (ms: number) => Promise<void>) {
    super(botToken, {
      ...options,
      timeout: TIMEOUT_MS,
      retryConfig: { retries: 0 },
      // The client's own way of waiting holds up all other calls.
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    });
    this.#wait = wait;
  }

  get isRevoked(): boolean {
    return this.#isRevoked;
  }

  /** The app was uninstalled, or its token revoked. */
  revoke(): void {
    this.#isRevoked = true;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    if (this.#isRevoked) throw new AppError('slack-unavailable', tokenLost);
    try {
      return await withRateLimitRetry(() => super.apiCall(method, options), this.#wait);
    } catch (cause) {
      if (!isTokenLost(cause)) throw cause;
      this.revoke();
      throw new AppError('slack-unavailable', tokenLost, [], { cause });
    }
  }
}
