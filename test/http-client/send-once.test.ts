import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { buildConnector, Pool } from 'undici';
import { afterEach, describe, expect, test } from '#jest';
import { isFinal, sendOnce, TOO_LARGE, unknownCoding } from '../../src/http-client/send-once.ts';

const now = () => Date.parse('2026-03-16T08:00:00Z');

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function failure(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

/** Sends over connections that `connect` makes; an answer may have `maxBytes`. */
function send(origin: string, connect: buildConnector.connector = buildConnector({}), maxBytes = 100_000) {
  const dispatcher = new Pool(origin, { connect });
  open.push({ close: () => dispatcher.destroy() });
  const { signal: deadline } = new AbortController();
  const request = {
    method: 'POST',
    url: `${origin}/jira/issue?a=b`,
    authorization: null,
    body: '{}',
  } as const;
  return sendOnce(request, { dispatcher, now, deadline, maxBytes });
}

/** A loopback server that answers so, and how often it was asked for what. */
async function startServer(answer: (response: ServerResponse) => void) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['accept-encoding']}`);
    request.resume().once('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    async close() {
      server.closeAllConnections();
      await new Promise<unknown>((resolve) => server.close(resolve));
    },
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { origin: `http://127.0.0.1:${port}`, requests };
}

describe('a request whose connection breaks after the service has it', () => {
  test.each([
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'read'],
    ['ECONNREFUSED', 'read'],
    ['EHOSTUNREACH', 'write'],
    ['ECONNRESET', 'read'],
  ])('with %s on %s was sent', async (code, syscall) => {
    const usual = buildConnector({});
    const sockets: Socket[] = [];
    const { origin, requests } = await startServer(() => {
      for (const socket of sockets) socket.destroy(failure(code, syscall));
    });
    const outcome = await send(origin, (options, callback) =>
      usual(options, (...result) => {
        if (result[1] !== null) sockets.push(result[1]);
        callback(...result);
      }),
    );
    expect(outcome).toMatchObject({ kind: 'none', code, sent: true });
    expect(requests).toHaveLength(1);
  });
});

describe('a request for which there is no connection', () => {
  const refused = failure('ECONNREFUSED', 'connect');

  test.each([
    ['refused', refused, 'ECONNREFUSED'],
    ['without a route', failure('EHOSTUNREACH', 'connect'), 'EHOSTUNREACH'],
    ['that takes too long', failure('ETIMEDOUT', 'connect'), 'ETIMEDOUT'],
    ['to a name nobody knows', failure('ENOTFOUND', 'getaddrinfo'), 'ENOTFOUND'],
    [
      'to any address of a name',
      Object.assign(new AggregateError([refused, failure('ENETUNREACH', 'connect')]), {
        code: 'ECONNREFUSED',
      }),
      'ECONNREFUSED',
    ],
    [
      'within the time for it',
      Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
      'UND_ERR_CONNECT_TIMEOUT',
    ],
  ])('%s was never sent', async (_why, error, code) => {
    const outcome = await send('http://127.0.0.1:9', (_options, callback) => callback(error, null));
    expect(outcome).toMatchObject({ kind: 'none', code, sent: false });
  });

  test.each([
    ['without a word on what failed', Object.assign(new Error('?'), { code: 'ECONNREFUSED' })],
    ['for reasons of which one is another', new AggregateError([refused, failure('EHOSTUNREACH', 'read')])],
    ['for no reason at all', new AggregateError([])],
  ])('%s may have been sent', async (_why, error) => {
    const outcome = await send('http://127.0.0.1:9', (_options, callback) => callback(error, null));
    expect(outcome).toMatchObject({ kind: 'none', sent: true });
  });
});

describe('an answer', () => {
  const text = JSON.stringify({ histories: Array.from({ length: 200 }, (_, id) => `Grüße ${id}`) });
  const packed = gzipSync(text);
  const start = (content: Buffer, headers: Readonly<Record<string, string | number>>) =>
    startServer((response) => response.writeHead(200, headers).end(content));

  test.each([
    ['plain', Buffer.from(text), 'identity'],
    ['as gzip', packed, 'gzip'],
    ['as gzip by its old name', packed, 'X-GZIP'],
    ['as gzip in two parts', Buffer.concat([gzipSync(text.slice(0, 99)), gzipSync(text.slice(99))]), 'gzip'],
    ['as brotli', brotliCompressSync(text), 'br'],
  ])('may come %s', async (_how, content, coding) => {
    const { origin, requests } = await start(content, { 'Content-Encoding': coding });
    expect(await send(origin)).toMatchObject({ kind: 'answer', status: 200, text });
    expect(requests).toEqual(['POST /jira/issue?a=b gzip, br']);
  });

  test.each([204, 302, 401])(
    'with HTTP %i may have no text, whatever it says of its encoding',
    async (status) => {
      const { origin } = await startServer((response) =>
        response.writeHead(status, { 'Content-Encoding': 'gzip' }).end(),
      );
      expect(await send(origin)).toMatchObject({ kind: 'answer', status, text: '' });
    },
  );

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('that %s packs into less than it may have is refused for what comes out', async (coding, pack) => {
    const bomb = pack(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    const { origin } = await start(bomb, { 'Content-Encoding': coding, 'Content-Length': bomb.length });
    const outcome = await send(origin);
    expect(outcome).toMatchObject({ kind: 'none', code: TOO_LARGE, sent: true });
    expect(outcome.kind === 'none' && isFinal(outcome)).toBe(true);
  });

  test('can have as many bytes as its limit, and no more', async () => {
    const { origin } = await start(gzipSync('x'.repeat(1000)), { 'Content-Encoding': 'gzip' });
    expect(await send(origin, undefined, 1000)).toMatchObject({ kind: 'answer' });
    expect(await send(origin, undefined, 999)).toMatchObject({ kind: 'none', code: TOO_LARGE });
  });

  test('that says it is too large is not read', async () => {
    const { origin } = await startServer((response) =>
      response.writeHead(200, { 'Content-Length': 100_001 }).write('{'),
    );
    expect(await send(origin)).toMatchObject({ kind: 'none', code: TOO_LARGE, sent: true });
  });

  test.each([
    ['whose gzip ends early', packed.subarray(0, -20), 'gzip', 'Z_BUF_ERROR'],
    ['whose brotli ends early', brotliCompressSync(text).subarray(0, -20), 'br', 'Z_BUF_ERROR'],
    ['that is no gzip', Buffer.from(text), 'gzip', 'Z_DATA_ERROR'],
  ])('%s is no answer', async (_what, content, coding, code) => {
    const { origin } = await start(content, { 'Content-Encoding': coding });
    const outcome = await send(origin);
    expect(outcome).toMatchObject({ kind: 'none', code, sent: true });
    expect(outcome.kind === 'none' && isFinal(outcome)).toBe(false);
  });

  test('whose connection ends amid its gzip is no answer', async () => {
    const { origin } = await startServer((response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': packed.length });
      response.write(packed.subarray(0, packed.length >> 1), () => response.destroy());
    });
    expect(await send(origin)).toMatchObject({ kind: 'none', code: 'UND_ERR_SOCKET', sent: true });
  });

  test.each(['zstd', 'deflate', 'gzip, gzip'])(
    'encoded as %s is told, and not asked for again',
    async (coding) => {
      const { origin } = await start(deflateSync(text), { 'Content-Encoding': coding });
      const outcome = await send(origin);
      expect(outcome).toMatchObject({ kind: 'none', sent: true });
      expect(outcome.kind === 'none' && [isFinal(outcome), unknownCoding(outcome)]).toEqual([true, coding]);
    },
  );
});
