import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { letInputComeFirst } from '../concurrency/cooperative-yield.ts';
import { dialectAt, errorReply, pathOf, Refusal } from '../http/failures.ts';
import { routes } from '../http/resources/index.ts';
import type { HttpParts } from '../http/route.ts';
import { AppError, systemCode } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { OnUpgrade, UpgradeProgress } from '../store/store.ts';
import type { Config } from './config.ts';
import { logUpgrade, upgradeText } from './log-problem.ts';

/** Longer than proxies and clients keep an idle connection, so that none sends on one that was closed just now. */
const KEEP_ALIVE_MS = 75_000;

/** Open connections beyond which others are closed at once: each takes some 20 kB. */
const MAX_CONNECTIONS = 5_000;

/** Connections that can wait to be accepted; Node's own default. */
const BACKLOG = 511;

/** The phases of a shutdown: how long requests under way are still read, and how long answers may take in all. */
export interface ShutdownTimeouts {
  readonly idleMs: number;
  readonly drainMs: number;
}

/** A server that listens before it can answer, and stops without cutting an answer off. */
export interface WebServer {
  readonly server: ReturnType<typeof createServer>;
  /** Listens, once; requests wait until `serve`. Resolves with the address under which this machine reaches it. */
  listen(port: number, host: string): Promise<string>;
  /** Answers requests until `serve`, so that they do not wait. */
  answerMeanwhile(handler: RequestListener): void;
  serve(handler: RequestListener): void;
  /**
   * Accepts the connections that wait and no other, and resolves when whatever was sent is answered, or `drainMs`
   * have passed. What arrives within `idleMs` was sent before the client could know. Resolves to the number of
   * connections that were cut.
   */
  close(timeouts: ShutdownTimeouts): Promise<number>;
}

/** A web server for a handler that is put together only when the address is known. */
export function createWebServer(): WebServer {
  const ready = Promise.withResolvers<RequestListener>();
  let meanwhile: RequestListener | null = null;
  let listening: Promise<string> | null = null;
  /** Open connections, each with the answer to what it asked last. */
  const connections = new Map<Socket, ServerResponse | null>();
  let closing = false;
  let ending = false;
  let accepted = 0;
  // A request without a host is refused in the format of every failure, not by Node without a word.
  const server = createServer(
    { requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      const { socket } = request;
      response.setHeader('X-Content-Type-Options', 'nosniff');
      const before = connections.get(socket);
      connections.set(socket, response);
      if (closing) {
        // The last of several requests that were sent in a row ends the connection.
        if (before) before.shouldKeepAlive = true;
        response.shouldKeepAlive = false;
      }
      response.once('close', () => ending && setImmediate(() => server.closeIdleConnections()));
      if (meanwhile !== null) meanwhile(request, response);
      else ready.promise.then((handle) => handle(request, response));
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket) => {
    letInputComeFirst();
    accepted += 1;
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
  });

  /** One connection is accepted per turn of the event loop, so that a turn without one means that none waits. */
  async function acceptWaiting(): Promise<void> {
    const limit = accepted + BACKLOG;
    for (let before = -1; before !== accepted && accepted < limit; ) {
      before = accepted;
      await nextTurn();
      await nextTurn();
    }
  }

  async function listen(port: number, host: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(port, host, BACKLOG, resolve);
    await promise.catch((cause) => {
      throw portError({ setting: 'PORT', port, host }, cause);
    });
    const address = server.address();
    const given = address !== null && typeof address === 'object' ? address.port : port;
    return `http://${reachableHost(host)}:${given}`;
  }

  function serve(handler: RequestListener): void {
    meanwhile = null;
    ready.resolve(handler);
  }

  return {
    server,
    listen(port, host) {
      listening ??= listen(port, host);
      return listening;
    },
    answerMeanwhile(handler) {
      meanwhile = handler;
    },
    serve,
    async close({ idleMs, drainMs }) {
      closing = true;
      for (const response of connections.values()) if (response !== null) response.shouldKeepAlive = false;
      // Requests that came before the handler was ready.
      serve(refuse);
      const closed = Promise.withResolvers<void>();
      let cut = 0;
      const timer = setTimeout(() => {
        cut = connections.size;
        server.closeAllConnections();
      }, drainMs);
      await acceptWaiting();
      // Not its own `close`, which cuts idle connections at once, with what was just sent on them.
      NetServer.prototype.close.call(server, () => closed.resolve());
      await Promise.race([pause(idleMs, undefined, { ref: false }), closed.promise]);
      // Data that arrived within two turns is read.
      await nextTurn();
      await nextTurn();
      ending = true;
      server.close();
      // Opened for later, and never used: Node takes them for requests under way.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
      await closed.promise;
      clearTimeout(timer);
      return cut;
    },
  };
}

const refuse: RequestListener = (_, response) => {
  response.writeHead(503, { 'Retry-After': '5' }).end();
};

/** The failure of a port that cannot be opened; it names the setting of the port. */
export function portError(
  { setting, port, host }: { readonly setting: string; readonly port: number; readonly host: string },
  cause: unknown,
): AppError {
  const taken = systemCode(cause) === 'EADDRINUSE';
  const why = taken ? `another program uses it; choose another ${setting}` : String(cause);
  const hostSetting = setting.replace('PORT', 'HOST');
  const sentence = `${setting} ${port} on ${hostSetting} ${host} cannot be opened: ${why}.`;
  return new AppError('port-unavailable', sentence, [], {
    cause,
  });
}

/** A host name under which this very machine reaches a server bound to `host`. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Spares a handler the requests that no router could make sense of: they are answered in the wire format of every
 * failure. The server must let requests without a host through (`requireHostHeader: false`), or Node refuses those
 * without a word.
 */
export function answerUnreadable(
  handler: RequestListener,
  parts: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
): RequestListener {
  return (request, response) => {
    const why = requestProblem(request);
    if (why === null) return handler(request, response);
    const dialect = dialectAt(pathOf(request.url ?? ''), routes);
    const { status = 400, headers, body } = errorReply(new Refusal(400, why), '', parts, { dialect });
    sendJson(request, response, { status, body, headers: { ...headers, Connection: 'close' } });
  };
}

/** Answers a request before any router does. */
function sendJson(
  { method }: IncomingMessage,
  response: ServerResponse,
  {
    status,
    body,
    headers,
  }: { readonly status: number; readonly body: unknown; readonly headers: OutgoingHttpHeaders },
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': bytes.length,
      'Cache-Control': 'no-store',
    })
    .end(method === 'HEAD' ? undefined : bytes);
}

function requestProblem({ url = '', headers, httpVersion }: IncomingMessage): string | null {
  if (httpVersion === '1.1' && headers.host === undefined) return 'The header Host is required.';
  return url.startsWith('/') || url === '*' || URL.canParse(url)
    ? null
    : 'The target of the request is neither a path nor an address.';
}

/**
 * Answers what is no HTTP request at all, in the wire format of every failure: the listener of a server's event
 * `clientError`.
 */
export function answerClientError(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array },
  socket: Duplex,
  parts: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = refusalOf(error.code);
  const dialect = dialectAt(pathOf(targetOf(error.rawPacket)), routes);
  const { headers = {}, body } = errorReply(refusal, '', parts, { dialect });
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${refusal.message}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
      '',
      text,
    ].join('\r\n'),
  );
}

/** The target of a request line, as far as the bytes that could not be read begin with one. */
function targetOf(bytes: Uint8Array = new Uint8Array()): string {
  const [, target = ''] = /^[A-Z]+ (\S+)/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  return target;
}

function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal(431, 'The request line and the headers are too large. Try: 16 KiB.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Refusal(413, 'The chunk extensions of the body are too large. Try: 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal(408, 'The request did not arrive in time.');
    default:
      return new Refusal(400, 'This is not an HTTP/1.1 request.');
  }
}

/** The seconds after which a client tries again: an upgrade that is noticed takes longer than a busy moment. */
const RETRY_AFTER_SECONDS = 30;

/**
 * Returns what has a server answer while the store is upgraded, from the first report on: `/healthz` with the progress, so
 * that no supervisor ends the process, and everything else with 503, so that no balancer sends it anything.
 */
export function answerDuringUpgrade(
  web: WebServer,
  {
    config: { host, port, timeZone },
    version,
    now,
    log,
  }: {
    readonly config: Pick<Config, 'host' | 'port' | 'timeZone'>;
    readonly version: string;
    readonly now: () => Instant;
    readonly log: Logger;
  },
): OnUpgrade {
  const logStep = logUpgrade(log);
  let progress: UpgradeProgress | null = null;

  function answerTo(path: string): readonly [status: number, body: unknown] {
    if (path === '/healthz') return [200, { status: 'upgrading', ...progress }];
    const text = progress === null ? '' : upgradeText(progress);
    if (path === '/readyz')
      return [503, { status: 'not ready', waitingFor: `an upgrade of the store: ${text}` }];
    const error = new AppError(
      'store-unavailable',
      `Dwell upgrades its store from an earlier version: ${text}. Try again later.`,
    );
    const dialect = dialectAt(path, routes);
    return [503, errorReply(error, '', { version, now, timeZone }, { dialect }).body];
  }

  const answer: RequestListener = (request, response) => {
    const [status, body] = answerTo(pathOf(request.url ?? ''));
    const headers = status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
    sendJson(request, response, { status, body, headers });
  };

  return (upgrade) => {
    if (progress === null) {
      web.answerMeanwhile(answer);
      web.listen(port, host).then(
        (url) =>
          log.info(`${url}/healthz says how far the upgrade is; nothing else is answered until it is done`),
        // A port that cannot be opened is reported by the start, which waits for it as well.
        () => {},
      );
    }
    progress = upgrade;
    logStep(upgrade);
  };
}
