import { z } from 'zod';
import { describe, expect, test } from '#jest';
import type { AppError } from '../../../src/model/error.ts';
import type { JiraRequest } from '../../../src/trackers/jira/jira-client.ts';
import { JiraRefusal } from '../../../src/trackers/jira/jira-failures.ts';
import {
  type Fault,
  halfABody,
  hangUp,
  json,
  page,
  redirect,
} from '../../support/stand-in-keychain-faults.ts';
import { clientNow, startClient, startServer } from './start-client.ts';

const token = 'tok"en-of-ada';
const myself: JiraRequest = { method: 'GET', path: '/myself' };
const ada = z.object({ displayName: z.string() });

/** An answer with headers; objects become JSON. */
function answer(status: number, headers: Readonly<Record<string, string>>, body: unknown = {}): Fault {
  return (response) => {
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(content);
  };
}

/** What a server says of itself, and where it is. */
interface ServerOptions {
  readonly deploymentType?: string;
  readonly path?: string;
  readonly baseUrl?: string;
  readonly serverTime?: string;
}

async function start({ path = '', ...more }: ServerOptions = {}) {
  const server = await startServer((call) => {
    if (call.path.endsWith('/serverInfo')) return json({ deploymentType: 'Cloud', ...more });
    return json({ displayName: 'Ada', path: call.path });
  });
  const started = startClient({
    baseUrl: `${server.origin}${path}`,
    credentials: { kind: 'apiToken', email: 'ada@example.com', token },
    requestsPerMinute: 6000,
  });
  return { server, ...started };
}

/** The failure of a question after its server has been told what to do; its kind is known before. */
async function failureOf(...faults: Fault[]): Promise<AppError> {
  const { server, client } = await start();
  await client.kind();
  server.next(...faults);
  return client.ask(myself, ada).then(
    () => {
      throw new Error('It was answered.');
    },
    (error) => error,
  );
}

describe('a question', () => {
  test.each([
    ['Cloud', '', '/rest/api/3/search/jql'],
    ['Server', '/jira', '/jira/rest/api/2/search/jql'],
  ])('goes to the interface of %s below "%s", as the account', async (deploymentType, path, expected) => {
    const { server, client } = await start({ deploymentType, path });
    const body = { jql: 'created >= "2026-01-01"' };
    await client.ask(
      { method: 'POST', path: '/search/jql', query: { a: 'b c', left: undefined }, body },
      z.unknown(),
    );
    await client.ask({ method: 'GET', path: '/board', api: 'software' }, z.unknown());
    expect(server.calls.map((call) => call.path)).toEqual([
      `${path}/rest/api/2/serverInfo`,
      expected,
      `${path}/rest/agile/1.0/board`,
    ]);
    expect(server.calls[1]).toMatchObject({
      method: 'POST',
      query: 'a=b+c',
      authorization: `Basic ${Buffer.from(`ada@example.com:${token}`).toString('base64')}`,
      body: JSON.stringify(body),
    });
  });

  test('goes as the bearer of a personal access token', async () => {
    const server = await startServer(() => json({ deploymentType: 'Server', displayName: 'Ada' }));
    const credentials = { kind: 'pat', token } as const;
    const { client } = startClient({ baseUrl: server.origin, credentials, requestsPerMinute: 60 });
    expect(await client.ask(myself, ada)).toEqual({ displayName: 'Ada' });
    expect(server.calls[0]?.authorization).toBe(`Bearer ${token}`);
  });

  test('asks once which Jira it is, however many ask', async () => {
    const { server, client } = await start();
    server.next(hangUp, answer(404, {}, { errorMessages: [] }));
    await expect(client.kind()).rejects.toMatchObject({
      code: 'unavailable',
      details: [expect.stringContaining('JIRA_BASE_URL')],
    });
    await Promise.all([client.ask(myself, ada), client.ask(myself, ada)]);
    expect(server.calls.filter(({ path }) => path.endsWith('/serverInfo'))).toHaveLength(3);
  });
});

describe('the site', () => {
  test('is told with its clock and how far it is ahead of ours', async () => {
    const { client } = await start({
      baseUrl: 'https://x.example/',
      serverTime: '2026-03-16T08:00:05.000+0000',
    });
    const site = { url: 'https://x.example', now: clientNow + 5000, clockAheadMs: 5000 };
    expect(await client.site()).toEqual(site);
  });

  test('has the clock of its answers where it tells no time itself', async () => {
    const { server, client } = await start();
    const headers = { Date: 'Mon, 16 Mar 2026 07:59:58 GMT' };
    server.next(answer(200, headers, { deploymentType: 'Server' }));
    expect(await client.site()).toEqual({ url: server.origin, now: clientNow - 2000, clockAheadMs: -2000 });
    await expect(client.site()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('what fails on the way', () => {
  const cutOff = answer(200, {}, '{"displayName":"Ad');

  test.each([
    ['hangs up', hangUp],
    ['breaks off', halfABody],
    ['answers with half of its JSON', cutOff],
    ['answers with nothing', answer(200, {}, '')],
    ['answers HTTP 500', json({}, 500)],
    ['answers HTTP 502 with a page', page(502, 'Bad Gateway', 'nginx')],
    ['answers HTTP 408', json({}, 408)],
  ])('is asked again when it %s, three times over', async (_what, fault) => {
    const { server, client, waits } = await start();
    await client.kind();
    server.next(fault, fault, fault);
    expect(await client.ask(myself, ada)).toEqual({ displayName: 'Ada' });
    expect(waits).toEqual([500, 1000, 2000]);
    expect(client.requests()).toEqual({ sent: 5, repeated: 3, slowedDown: 0 });
  });

  test.each([
    ['hangs up', hangUp, /broke off its answer to GET \/rest\/api\/3\/myself \(\w+\), 6 times in a row\.$/],
    ['answers half', cutOff, /broken JSON of 18 characters, 6 times in a row\.$/],
    ['fails', json({}, 503), /GET \/rest\/api\/3\/myself with HTTP 503, 6 times in a row\.$/],
  ])('is told when it %s six times', async (_what, fault, expected) => {
    const failure = await failureOf(...Array.from({ length: 6 }, () => fault));
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringMatching(expected) });
  });

  test('is told at the second time to somebody who waits to learn what they may see', async () => {
    const { server, client, waits } = await start();
    await client.kind();
    server.next(hangUp, hangUp);
    await expect(client.ask({ ...myself, isPriority: true }, ada)).rejects.toThrow('2 times in a row.');
    expect(waits).toEqual([500]);
  });

  test('is told when nobody is there', async () => {
    const credentials = { kind: 'pat', token } as const;
    const { client } = startClient({ baseUrl: 'http://127.0.0.1:9', credentials, requestsPerMinute: 6000 });
    await expect(client.kind()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('cannot be reached for GET /rest/api/2/serverInfo (ECONNREFUSED)'),
    });
  });

  test('is asked again when it takes too long', async () => {
    const tries: AbortController[] = [];
    const slow: Fault = () => tries.at(-1)?.abort();
    const server = await startServer(() => json({ deploymentType: 'Cloud' }));
    server.next(slow);
    const access = {
      baseUrl: server.origin,
      credentials: { kind: 'pat', token },
      requestsPerMinute: 60,
    } as const;
    const { client } = startClient(access, {
      deadline() {
        const controller = new AbortController();
        tries.push(controller);
        return controller.signal;
      },
    });
    expect(await client.kind()).toBe('cloud');
    server.next(...Array.from({ length: 6 }, () => slow));
    await expect(client.site()).rejects.toThrow(
      'did not answer GET /rest/api/2/serverInfo within 120 s, 6 times',
    );
  });
});

describe('being asked to slow down', () => {
  const minute = Date.parse('2026-03-16T08:01:00Z');

  test.each([
    ['in seconds', 429, { 'Retry-After': '60' }],
    ['with HTTP 503', 503, { 'Retry-After': '60' }],
  ])('%s is waited for', async (_how, status, headers: Readonly<Record<string, string>>) => {
    const { server, client, now } = await start();
    await client.kind();
    server.next(answer(status, headers));
    await client.ask(myself, ada);
    expect(now()).toBe(minute);
    expect(client.requests()).toEqual({ sent: 3, repeated: 1, slowedDown: 1 });
  });

  test('without a word on how long backs off, and gives up after twenty times', async () => {
    const { server, client, waits } = await start();
    await client.kind();
    server.next(...Array.from({ length: 20 }, () => answer(429, {})));
    await expect(client.ask(myself, ada)).rejects.toThrow(
      'HTTP 429, 20 times in a row. A smaller JIRA_REQUESTS_PER_MINUTE may help.',
    );
    expect(waits.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  test('for longer than ten minutes is an error at once, also for later requests, but not elsewhere', async () => {
    const { server, client, waits } = await start();
    await client.kind();
    server.next(answer(429, { 'Retry-After': '3600' }));
    const until = 'takes no more of GET /rest/api/3/issue/1/changelog until 2026-03-16T09:00:00.000Z.';
    await expect(client.ask({ method: 'GET', path: '/issue/1/changelog' }, ada)).rejects.toThrow(until);
    await expect(client.ask({ method: 'GET', path: '/issue/OPS-7/changelog' }, ada)).rejects.toThrow('09:00');
    expect(await client.ask(myself, ada)).toEqual({ displayName: 'Ada' });
    expect(waits).toEqual([]);
    expect(server.calls).toHaveLength(3);
  });

  test('keeps nobody waiting who asks what they may see', async () => {
    const { server, client, waits } = await start();
    await client.kind();
    const mayI = { ...myself, isPriority: true } as const;
    server.next(answer(429, { 'Retry-After': '45' }));
    await expect(client.ask(mayI, ada)).rejects.toThrow('until 2026-03-16T08:00:45.000Z.');
    expect(waits).toEqual([]);
  });

  test('because of the quota of the hour holds for every question', async () => {
    const { server, client } = await start();
    await client.kind();
    server.next(answer(429, { 'Retry-After': '3600', 'RateLimit-Reason': 'jira-quota-global-based' }));
    await expect(client.ask({ method: 'GET', path: '/status' }, ada)).rejects.toThrow('until');
    await expect(client.ask(myself, ada)).rejects.toThrow('until 2026-03-16T09:00:00.000Z');
  });
});

describe('an answer that is none', () => {
  test.each([
    ['a log-in page', page(200, 'Log in - Jira', 'x'), "web page titled 'Log in - Jira'"],
    ['the page of a site that is gone', page(404, 'Gone', 'x'), '(HTTP 404)'],
    ['a gateway in its own words', json({ errorMessage: 'Site temporarily unavailable' }, 404), 'HTTP 404'],
    [
      'a redirect',
      redirect('https://id.example.com/login?session=s3cret'),
      'redirect to https://id.example.com (HTTP 302)',
    ],
    ['a redirect to nowhere', redirect(null), 'redirect to nowhere'],
    ['too much', answer(200, { 'Content-Length': '300000000' }, '{'), 'more than 200 MB'],
    [
      'an unknown encoding',
      answer(200, { 'Content-Encoding': 'zstd' }),
      "encoded as 'zstd', which was not requested",
    ],
  ])('is told and not asked again: %s', async (_what, fault, expected) => {
    const failure = await failureOf(fault);
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining(expected) });
    expect(failure).not.toBeInstanceOf(JiraRefusal);
    expect(failure.message).not.toContain('s3cret');
  });

  test.each([
    [json({ displayName: { text: 'x'.repeat(100) } }), `displayName is '{"text":"${'x'.repeat(51)}…'.`],
    [json({ displayName: [token] }), `displayName is '["…"]'.`],
    [json([]), "the answer is '[]'."],
    [json({}), "displayName is 'nothing'."],
  ])('tells which member has another shape (%#)', async (fault, expected) => {
    const failure = await failureOf(fault);
    expect(failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`answered GET /rest/api/3/myself in an unknown format: ${expected}`),
    });
  });
});

describe('a refusal', () => {
  test.each([
    [
      400,
      { errorMessages: ['Unbounded JQL.'], errors: { jql: 'is odd' } },
      'bad-request',
      ['Unbounded JQL.', 'jql: is odd'],
    ],
    [403, { errorMessages: ['No.'] }, 'not-allowed', ['No.']],
    [404, { errorMessages: [`No issue ${token}`], errors: {} }, 'not-found', ['No issue …']],
    [404, { message: 'null for uri', 'status-code': 404 }, 'not-found', ['null for uri']],
    [410, { errorMessages: ['y'.repeat(600)] }, 'not-found', [`${'y'.repeat(500)}…`]],
    [413, { errors: [{ message: 'Too large' }] }, 'bad-request', ['Too large']],
    [
      401,
      { code: 401, message: 'Unauthorized; scope does not match' },
      'not-allowed',
      ['Unauthorized; scope does not match'],
    ],
  ])('with HTTP %i is told in the words of Jira (%#)', async (status, body, code, messages) => {
    const failure = await failureOf(json(body, status));
    expect(failure).toBeInstanceOf(JiraRefusal);
    expect(failure).toMatchObject({ status, code, messages });
    expect(failure.message).toContain(`refuses GET /rest/api/3/myself (HTTP ${status})`);
    expect(failure.message.length).toBeLessThan(510);
  });
});

describe('credentials that Jira does not take', () => {
  test.each([
    ['by HTTP 401', page(401, 'Unauthorized', 'x'), 'HTTP 401)'],
    ['by a captcha', answer(403, { 'X-Seraph-LoginReason': 'AUTHENTICATION_DENIED' }), 'captcha'],
    [
      'by asking for nobody',
      answer(200, { 'X-Seraph-LoginReason': 'AUTHENTICATED_FAILED' }),
      'AUTHENTICATED_FAILED',
    ],
    [
      'by taking us for nobody',
      answer(200, { 'X-AUSERNAME': 'anonymous' }, { displayName: 'x' }),
      'is not accepted',
    ],
  ])('are named %s', async (_how, fault, expected) => {
    const failure = await failureOf(fault);
    expect(failure).toMatchObject({ code: 'not-allowed', message: expect.stringContaining(expected) });
    expect(failure.message).toContain('does not accept JIRA_EMAIL and JIRA_API_TOKEN');
    expect(failure.message).toContain('JIRA_BASE_URL=https://api.atlassian.com/ex/jira/CLOUD_ID');
    expect(failure).not.toBeInstanceOf(JiraRefusal);
  });
});
