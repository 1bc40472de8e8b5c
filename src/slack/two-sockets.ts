import { type App, type Receiver, SocketModeReceiver } from '@slack/bolt';

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
