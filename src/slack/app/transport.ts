import {
  type App,
  LogLevel,
  type Receiver,
  type Logger as SlackLogger,
  SocketModeReceiver,
} from '@slack/bolt';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

type Options = ConstructorParameters<typeof SocketModeReceiver>[0];

/** A receiver over several sockets, and whether at least one of them is connected. */
export interface SocketReceiver extends Receiver {
  connected(): boolean;
}

/**
 * Two Socket Mode connections as one receiver. Slack refreshes every connection now and then and the client is deaf
 * for seconds meanwhile; it sends each payload to one connection that is open, so that one of two takes what the other
 * would miss. Only where both are refreshed within those seconds is there nobody to answer, and `connected` tells.
 */
export function createTwoSockets(options: Options): SocketReceiver {
  const receivers = [new SocketModeReceiver(options), new SocketModeReceiver(options)];
  const open = new Set<SocketModeReceiver>();
  for (const receiver of receivers) {
    receiver.client.on('connected', () => open.add(receiver));
    for (const event of ['close', 'reconnecting', 'disconnecting', 'disconnected']) {
      receiver.client.on(event, () => open.delete(receiver));
    }
  }
  return {
    init: (app: App) => {
      for (const receiver of receivers) receiver.init(app);
    },
    start: () => Promise.all(receivers.map((receiver) => receiver.start())),
    // The receiver's own stop does not wait until its connection is closed.
    stop: () => Promise.all(receivers.map((receiver) => receiver.client.disconnect())),
    connected: () => open.size > 0,
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
