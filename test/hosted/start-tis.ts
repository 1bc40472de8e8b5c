import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach } from '#jest';
import { createTisClient, type TisClient } from '../../src/hosted/tis-client.ts';

/** A request as it came. */
export interface TisCall {
  readonly method: string;
  readonly path: string;
  readonly asked: Readonly<Record<string, string>>;
  readonly authorization: string;
  readonly body: string;
}

/** What a server does with a request. */
export type TisAnswer = (response: ServerResponse, call: TisCall) => void;

/** The instant of every service. */
export const tisNow = Date.parse('2026-03-18T12:00:00Z');

/** A secret that must be in nothing but the header. */
export const tisToken = 'eyJh.a-token.of-the-service';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** JSON of a status. */
export const json =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): TisAnswer =>
  (response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body));

/** A failure in the words of the service. */
export const refusal = (status: number, message: string, messages: readonly string[] | null = null) =>
  json({ status, message, messages, pluginVersion: '1.18.0.1', time: '2026-03-18 12:00:00' }, status);

/** A page of somebody else. */
export const page =
  (status: number): TisAnswer =>
  (response) =>
    void response
      .writeHead(status, { 'Content-Type': 'text/html' })
      .end('<!doctype html><title>Sign in</title>');

/** A server that answers as given, and a client that writes down how long it would wait. */
export async function startTis(answer: TisAnswer, { basePath = '', deadline = never } = {}) {
  const calls: TisCall[] = [];
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    const body = await text(request);
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    const pairs = [...url.searchParams, ...(isForm ? new URLSearchParams(body) : [])];
    const { method = '' } = request;
    const { authorization = '' } = request.headers;
    const call = { method, path: url.pathname, asked: Object.fromEntries(pairs), authorization, body };
    calls.push(call);
    answer(response, call);
  }

  const waits: number[] = [];
  const client = tisClient({ baseUrl: `${origin}${basePath}`, token: tisToken }, () => tisNow, {
    waits,
    deadline,
  });
  open.push({
    async close() {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return { origin, client, calls, waits, paths: () => calls.map(({ method, path }) => `${method} ${path}`) };
}

/** A client that waits for nothing; `waits` gets how long it would have. */
export function tisClient(
  access: Parameters<typeof createTisClient>[0],
  now: () => number,
  { waits = [], deadline = never }: { waits?: number[]; deadline?: () => AbortSignal } = {},
): TisClient {
  return createTisClient(access, {
    now,
    wait: async (ms) => void waits.push(ms),
    random: () => 0,
    deadline,
  });
}

function never(): AbortSignal {
  return new AbortController().signal;
}
