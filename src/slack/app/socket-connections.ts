import { type App, type Receiver, SocketModeReceiver } from '@slack/bolt';
import { WebAPIRateLimitedError, type WebClientOptions } from '@slack/web-api';
import type { Logger } from 'pino';
import { type SlackTokens, slackLog } from './slack-clients.ts';
import { refusalOf } from './slack-refusal.ts';

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
