import { createServer, type RequestListener } from 'node:http';
import { AppError } from './model/error.ts';

/** A server that listens before it can answer, and stops without cutting an answer off. */
export interface WebServer {
  readonly server: ReturnType<typeof createServer>;
  /** Listens; requests wait until `serve`. Resolves with the address under which this machine reaches it. */
  listen(port: number, host: string): Promise<string>;
  serve(): void;
  /** Takes nothing new and resolves when every answer under way is given, or `patienceMs` have passed. */
  close(patienceMs: number): Promise<void>;
}

/** A web server for a handler that is put together only when the address is known. */
export function createWebServer(handler: RequestListener): WebServer {
  const ready = Promise.withResolvers<void>();
  let closing = false;
  // A request without a host is refused in the format of every failure, not by Node without a word.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    if (closing) response.setHeader('Connection', 'close');
    // A client that keeps its connection open would be served on and on.
    response.once('finish', () => closing && setImmediate(() => server.closeIdleConnections()));
    ready.promise.then(() => handler(request, response));
  });
  return {
    server,
    async listen(port, host) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.once('error', reject);
      server.listen(port, host, resolve);
      await promise.catch((cause) => {
        throw cannotOpen(port, host, cause);
      });
      const address = server.address();
      const given = address !== null && typeof address === 'object' ? address.port : port;
      return `http://${reachableHost(host)}:${given}`;
    },
    serve: ready.resolve,
    async close(patienceMs) {
      closing = true;
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed.promise;
      clearTimeout(timer);
    },
  };
}

function cannotOpen(port: number, host: string, cause: unknown): AppError {
  const taken = cause !== null && typeof cause === 'object' && 'code' in cause && cause.code === 'EADDRINUSE';
  const why = taken ? 'another program uses it; choose another PORT' : String(cause);
  return new AppError('unavailable', `PORT ${port} on HOST ${host} cannot be opened: ${why}.`, [], { cause });
}

/** A host name under which this very machine reaches a server bound to `host`. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
