import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '#jest';
import {
  type CredentialProvider,
  createHttpClient,
  fixedCredentials,
  type HttpCredentials,
  type HttpProfile,
  type ServiceRequest,
} from '../../src/http-client/http-client.ts';
import { mapLimited } from '../../src/http-client/map-limited.ts';
import { hideSecrets, noAnswerWords, quote, redirectWords } from '../../src/http-client/read-answer.ts';
import {
  backoffMs,
  judgeByPolicy,
  type RetryPolicy,
  retryAfterMs,
} from '../../src/http-client/retry-policy.ts';

const start = Date.parse('2026-03-16T08:00:00Z');

const profile: HttpProfile = {
  service: 'The clock service',
  connectTimeoutMs: 1000,
  timeoutMs: 5000,
  maxMegabytes: 1,
  requestsPerMinute: null,
};

const policy: RetryPolicy = {
  tries: 3,
  statuses: [429],
  safeStatuses: [503],
  whenSlow: false,
  longestWaitMs: 10_000,
};

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(code, headers).end('{}');

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A server that does these things in order, then answers 200, and a client on a clock that only waiting moves. */
async function setUp(script: readonly Handler[] = [], changes: Partial<HttpProfile> = {}) {
  const calls: { readonly line: string; readonly authorization: string; readonly body: string }[] = [];
  const left = [...script];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { authorization = '', 'content-type': type = '' } = request.headers;
    calls.push({ line: `${request.method} ${request.url} ${type}`, authorization, body });
    response.sendDate = false;
    (left.shift() ?? status(200))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/base`;
  const waits: number[] = [];
  let now = start;
  const client = createHttpClient(
    { ...profile, ...changes },
    {
      now: () => now,
      async wait(ms) {
        waits.push(ms);
        now += ms;
      },
      random: () => 0,
      deadline: () => new AbortController().signal,
    },
  );
  open.push(() => client.close());
  const credentials = fixedCredentials({ base, authorization: 'Bearer one', hide: (words) => words });
  const ask = (request: Partial<ServiceRequest> = {}) =>
    client.request(
      { method: 'GET', path: '/time', ...request },
      {
        credentials,
        judge: (outcome) =>
          judgeByPolicy(outcome, policy, { isSafe: (request.method ?? 'GET') === 'GET', now }),
      },
    );
  return { client, calls, waits, base, ask };
}

describe('a request', () => {
  test('goes below the base of its credentials, with its query, as JSON or as a form', async () => {
    const { ask, calls } = await setUp();
    await ask({ query: { zone: 'Europe/Berlin', left: undefined } });
    await ask({ method: 'POST', body: { at: 'noon' } });
    await ask({ method: 'PUT', body: new URLSearchParams({ at: 'noon & later' }) });
    expect(calls).toEqual([
      { line: 'GET /base/time?zone=Europe%2FBerlin ', authorization: 'Bearer one', body: '' },
      {
        line: 'POST /base/time application/json; charset=utf-8',
        authorization: 'Bearer one',
        body: '{"at":"noon"}',
      },
      {
        line: 'PUT /base/time application/x-www-form-urlencoded',
        authorization: 'Bearer one',
        body: 'at=noon+%26+later',
      },
    ]);
  });

  test('is sent again after growing pauses, or as long as the service asks, until its tries are used up', async () => {
    const { ask, waits, client } = await setUp([
      status(503),
      status(429, { 'Retry-After': '7' }),
      status(503),
    ]);
    const { outcome, gaveUpAfter } = await ask();
    expect(outcome).toMatchObject({ kind: 'answer', status: 503 });
    expect(gaveUpAfter).toBe(3);
    expect(waits).toEqual([500, 7000]);
    expect(client.counts()).toEqual({ sent: 3, repeated: 2, slowedDown: 0 });
  });

  test('that changes something is sent again only where nothing was done', async () => {
    const { ask, calls } = await setUp([status(429), status(503)]);
    const { outcome, gaveUpAfter } = await ask({ method: 'POST' });
    expect(outcome).toMatchObject({ status: 503 });
    expect(gaveUpAfter).toBeNull();
    expect(calls).toHaveLength(2);
  });

  test('is not sent again where the service asks for a longer wait than the policy allows', async () => {
    const { ask, calls } = await setUp([status(429, { 'Retry-After': '11' })]);
    expect((await ask()).outcome).toMatchObject({ status: 429 });
    expect(calls).toHaveLength(1);
  });

  test('does not follow redirects, which would take its credentials elsewhere', async () => {
    const { ask, calls } = await setUp([status(302, { Location: 'https://login.example/?session=1' })]);
    const { outcome } = await ask();
    expect(outcome).toMatchObject({ status: 302 });
    expect(calls).toHaveLength(1);
    const how = { asked: null, base: 'https://x.example', setting: 'X_URL' };
    expect(outcome.kind === 'answer' && redirectWords(outcome, how)).toBe(
      'answers with a redirect to https://login.example (HTTP 302); is X_URL right?',
    );
  });

  test('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const { ask } = await setUp([() => stop.abort(new Error('no longer wanted'))]);
    await expect(ask({ signal: stop.signal })).rejects.toThrow('no longer wanted');
    await expect(ask({ signal: stop.signal })).rejects.toThrow('no longer wanted');
  });

  test('ends when the client is closed, whatever it waits for', async () => {
    const { ask, client } = await setUp([() => void client.close()]);
    const closed = 'The clock service is no longer asked: Dwell is stopping.';
    await expect(ask()).rejects.toThrow(closed);
    await expect(ask()).rejects.toThrow(closed);
  });
});

describe('credentials that are refused', () => {
  const providerOf = (names: readonly string[], base: string): CredentialProvider<HttpCredentials> => {
    const all = names.map((name) => ({ base, authorization: name, hide: (words: string) => words }));
    let used = 0;
    return {
      current: async () => all[used] ?? Promise.reject(new Error('none')),
      renew: async () => all[++used] ?? null,
    };
  };

  test.each([
    ['are renewed once', ['old', 'new', 'newest'], ['old', 'new']],
    ['are final where there are no others', ['old'], ['old']],
  ])('%s', async (_what, names, expected) => {
    const { client, calls, base } = await setUp(names.map(() => status(401)));
    const { outcome } = await client.request(
      { method: 'GET', path: '/time' },
      { credentials: providerOf(names, base), judge: () => ({ next: 'renew' }) as const },
    );
    expect(outcome).toMatchObject({ status: 401 });
    expect(calls.map(({ authorization }) => authorization)).toEqual(expected);
  });
});

describe('a service with a rate limit', () => {
  const slowDown = (waitMs: number) => () => ({ next: 'slowDown', tries: 2, waitMs }) as const;

  test('pauses one endpoint, and is not asked there where the pause is longer than anybody would wait', async () => {
    const { client, calls, base, waits } = await setUp([], { requestsPerMinute: 600 });
    const credentials = fixedCredentials({ base, authorization: null, hide: (words: string) => words });
    const ask = (path: string, judge: ReturnType<typeof slowDown>) =>
      client.request({ method: 'GET', path }, { credentials, judge });
    expect((await ask('/slow', slowDown(2000))).gaveUpAfter).toBe(2);
    expect(waits).toContain(2000);
    const { outcome } = await client.request(
      { method: 'GET', path: '/slow', isPriority: true },
      { credentials, judge: (one) => ({ next: one.kind === 'none' ? 'final' : 'slowDown', waitMs: 6000 }) },
    );
    expect(outcome).toMatchObject({ kind: 'none', code: 'paused', sent: false });
    expect(calls.map(({ line }) => line.trim())).toEqual(Array(3).fill('GET /base/slow'));
    expect(client.counts()).toEqual({ sent: 3, repeated: 1, slowedDown: 3 });
  });
});

test('backoffMs doubles up to half a minute, less up to half of it by chance', () => {
  expect([1, 2, 3, 7, 99].map((failures) => backoffMs(failures, () => 0))).toEqual([
    500, 1000, 2000, 30_000, 30_000,
  ]);
  expect(backoffMs(1, () => 1)).toBe(250);
});

test.each([
  [{}, null],
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': 'Mon, 16 Mar 2026 08:00:05 GMT' }, 5000],
  [{ 'retry-after': 'Mon, 16 Mar 2026 08:00:05 GMT', date: 'Mon, 16 Mar 2026 08:00:04 GMT' }, 1000],
  [{ 'retry-after': 'Mon, 16 Mar 2026 07:59:00 GMT' }, 0],
  [{ 'x-ratelimit-reset': '12' }, 12_000],
  [{ 'x-ratelimit-reset': String(start / 1000 + 9) }, 9000],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '999999999' }, 30 * 86_400_000],
])('retryAfterMs reads %j as %p ms', (headers, ms) => {
  expect(retryAfterMs(new Map(Object.entries(headers)), start)).toBe(ms);
});

test('secrets are hidden as they are, in JSON and in addresses, and quotes are cut', () => {
  const hide = (words: string) => hideSecrets(words, ['a"b c', '']);
  expect(hide('a"b c, "a\\"b c", ?token=a%22b%20c')).toBe('…, "…", ?token=…');
  expect(quote('x'.repeat(600), { hide })).toBe(`${'x'.repeat(500)}…`);
});

test('noAnswerWords names the request where it is told', () => {
  const outcome = { kind: 'none', code: 'ECONNRESET', sent: true, cause: null } as const;
  const failed = { timeoutMs: 5000, maxMegabytes: 1, hide: (words: string) => words };
  expect(noAnswerWords(outcome, { ...failed, asked: 'GET /x' })).toBe(
    'broke off its answer to GET /x (ECONNRESET).',
  );
  expect(noAnswerWords({ ...outcome, sent: false }, { ...failed, asked: null })).toBe(
    'cannot be reached (ECONNRESET).',
  );
});

test('mapLimited keeps the order, and begins nothing after a failure', async () => {
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 2) throw new Error('two');
    return item * 10;
  };
  expect(await mapLimited(2, [1, 3, 4], work)).toEqual([10, 30, 40]);
  begun.length = 0;
  await expect(mapLimited(1, [1, 2, 3, 4], work)).rejects.toThrow('two');
  expect(begun).toEqual([1, 2]);
});
