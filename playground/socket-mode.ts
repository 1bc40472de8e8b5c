import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Ack, DeliveryKind, Retry } from './deliver.ts';
import { isJson, type Json, parseJson } from './slack-json.ts';

const envelopeTypes = { command: 'slash_commands', interactive: 'interactive', event: 'events_api' } as const;

/** Slack pings well within the 30 s after which its clients give a connection up. */
const pingEveryMs = 10_000;

/** Slack's side of Socket Mode: tickets, connections, envelopes and their acknowledgements. */
export type SocketMode = ReturnType<typeof createSocketMode>;

/** A Socket Mode end point that no server feeds yet. */
export function createSocketMode({
  appId,
  newId,
  url,
  isNamed,
}: {
  appId: string;
  newId: () => string;
  url: () => string;
  /** Whether a request reaches the playground as it was meant to be reached. */
  isNamed: (request: IncomingMessage) => boolean;
}) {
  const sockets: WebSocket[] = [];
  const tickets = new Set<string>();
  const waiting = new Map<string, (body: unknown) => void>();
  const countListeners = new Set<() => void>();
  const server = new WebSocketServer({ noServer: true });
  const attached = new Map<Server, (...args: Parameters<typeof upgrade>) => void>();
  let turn = 0;

  function welcome(socket: WebSocket): void {
    sockets.push(socket);
    const ping = setInterval(() => socket.ping(), pingEveryMs).unref();
    socket.on('close', () => {
      clearInterval(ping);
      sockets.splice(sockets.indexOf(socket), 1);
      counted();
    });
    socket.on('message', (data) => {
      const reply = parseJson(String(data));
      if (!isJson(reply)) return;
      const id = String(reply.envelope_id);
      waiting.get(id)?.(reply.payload ?? '');
      waiting.delete(id);
    });
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: sockets.length,
        connection_info: { app_id: appId },
        debug_info: { host: 'stand-in', build_number: 1, approximate_connection_time: 18_060 },
      }),
    );
    counted();
  }

  function counted(): void {
    for (const listener of countListeners) listener();
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = request.url ?? '/';
    const url = URL.canParse(address, 'http://stand-in') ? new URL(address, 'http://stand-in') : null;
    const ticket = url?.pathname === '/playground/socket' ? (url.searchParams.get('ticket') ?? '') : '';
    if (!isNamed(request) || !tickets.delete(ticket)) return void socket.destroy();
    server.handleUpgrade(request, socket, head, welcome);
  }

  return {
    attach(httpServer: Server): void {
      httpServer.on('upgrade', upgrade);
      attached.set(httpServer, upgrade);
    },

    /** The one-use address `apps.connections.open` answers with. */
    open(): string {
      const ticket = newId();
      tickets.add(ticket);
      return `${url().replace(/^http/, 'ws').replace(/\/$/, '')}/playground/socket?ticket=${ticket}`;
    },

    connections: () => sockets.length,

    /** Resolves when as many connections are open as asked for. */
    async connected(count: number, timeoutMs = 60_000): Promise<void> {
      if (sockets.length === count) return;
      await new Promise<void>((resolve, reject) => {
        const give = setTimeout(
          () => finish(() => reject(new Error(`${sockets.length} connections, not ${count}`))),
          timeoutMs,
        );
        const look = () => sockets.length === count && finish(resolve);
        function finish(end: () => void): void {
          clearTimeout(give);
          countListeners.delete(look);
          end();
        }
        countListeners.add(look);
      });
    },

    /** Asks one connection to come back anew, as Slack does every few hours. */
    refresh(index = 0): void {
      const socket = sockets[index];
      socket?.send(
        JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: { host: 'stand-in' } }),
      );
    },

    /** Cuts one connection without a word. */
    cut(index = 0): void {
      sockets[index]?.terminate();
    },

    /** Sends one payload to one connection, each in turn, and waits for its acknowledgement. */
    async send(kind: DeliveryKind, payload: Json, timeoutMs: number, retry?: Retry): Promise<Ack> {
      const started = performance.now();
      const socket = sockets[turn++ % sockets.length];
      const envelopeId = newId();
      const body = await new Promise<unknown>((resolve) => {
        const give = setTimeout(() => resolve(undefined), timeoutMs);
        waiting.set(envelopeId, (answer) => {
          clearTimeout(give);
          resolve(answer);
        });
        socket?.send(
          JSON.stringify({
            envelope_id: envelopeId,
            type: envelopeTypes[kind],
            accepts_response_payload: kind !== 'event',
            ...(kind === 'event'
              ? { retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? '' }
              : {}),
            payload,
          }),
        );
      });
      waiting.delete(envelopeId);
      const outcome = body === undefined ? 'operation_timeout' : 'ok';
      return { outcome, status: null, body: body ?? '', ms: performance.now() - started };
    },

    close(): void {
      for (const [httpServer, listener] of attached) httpServer.off('upgrade', listener);
      for (const socket of [...sockets]) socket.terminate();
      server.close();
    },
  };
}
