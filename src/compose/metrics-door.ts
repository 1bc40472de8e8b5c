import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Meters } from '../telemetry/meters.ts';
import type { Config } from './config.ts';
import { portError } from './web-server.ts';

const PATH = '/metrics';

/** Headers of proxies, beside `X-Forwarded-…`. Whoever comes through a proxy is not on this machine. */
const proxyHeaders = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'];

interface MetricsDoor {
  /** Answers a request for the metrics of the main port; false: it is for others, as for a stranger there are none. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Opens a port of its own, where one is configured, and returns the address of the metrics there; else null. */
  open(): Promise<string | null>;
  close(): Promise<void>;
}

/** Creates the door. A token of REST opens nothing here. */
export function createMetricsDoor({ metrics: { port, host, token } }: Config, meters: Meters): MetricsDoor {
  const wanted = token === null ? null : digestOf(`Bearer ${token}`);

  function isAdmitted(request: IncomingMessage): boolean {
    const { authorization } = request.headers;
    if (wanted !== null && authorization !== undefined) {
      if (timingSafeEqual(digestOf(authorization), wanted)) return true;
    }
    return isFromHere(request);
  }

  async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { type, text } = await meters.exposition(request.headers.accept ?? '');
    response
      .writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
      .end(request.method === 'HEAD' ? undefined : text);
  }

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = '' } = request;
    if (!url.startsWith(PATH) || url.split('?', 1)[0] !== PATH) return false;
    if (!['GET', 'HEAD'].includes(method) || !isAdmitted(request)) return false;
    send(request, response).catch((error: unknown) => response.destroy(asError(error)));
    return true;
  }

  const listener: RequestListener = (request, response) => {
    if (!answer(request, response)) response.writeHead(404).end();
  };
  const server = createServer(listener);
  return {
    answer: (request, response) => port === null && answer(request, response),
    async open() {
      if (port === null) return null;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.once('error', reject);
      server.listen(port, host, resolve);
      await promise.catch((cause) => {
        throw portError({ setting: 'METRICS_PORT', port, host }, cause);
      });
      const opened = server.address();
      const number = typeof opened === 'object' ? opened?.port : port;
      return `http://${host.includes(':') ? `[${host}]` : host}:${number}${PATH}`;
    },
    async close() {
      if (!server.listening) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Returns true for a request of this machine that names it: a proxy adds headers or speaks HTTP/1.0, and a page in a browser
 * that was led here under another name has that name in `Host`.
 */
function isFromHere({ socket, headers, httpVersion }: IncomingMessage): boolean {
  const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '');
  const isProxied =
    httpVersion === '1.0' ||
    Object.keys(headers).some((name) => name.startsWith('x-forwarded') || proxyHeaders.includes(name));
  return (
    isLoopback && !isProxied && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '')
  );
}
