import type { Ack, DeliveryKind, Retry } from './ack.ts';
import type { Json } from './json.ts';
import type { PlaygroundLimits, PlaygroundOptions } from './options.ts';
import { postSigned } from './post-signed.ts';
import type { SocketMode } from './socket-mode.ts';

/** Sends to the app: over Socket Mode while a connection is open, else as a signed request. */
export function createDeliver(options: PlaygroundOptions, limits: PlaygroundLimits, sockets: SocketMode) {
  const signatureTime = options.signatureTime ?? options.now;
  return (kind: DeliveryKind, payload: Json, retry?: Retry): Promise<Ack> =>
    sockets.connections() > 0
      ? sockets.send(kind, payload, limits.ackMs, retry)
      : postSigned({
          url: options.botUrl(),
          kind,
          payload,
          signingSecret: options.signingSecret,
          atMs: signatureTime(),
          timeoutMs: limits.ackMs,
          headers: retry
            ? { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason }
            : {},
        });
}
