import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import { until } from '../support/local-exports.ts';
import { withoutLimits } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const headersOf = ({ headers }: { readonly headers: Headers }) => ({
  policy: headers.get('ratelimit-policy'),
  limit: headers.get('ratelimit')?.replace(/t=\d+$/, 't=…'),
  seconds: Number(headers.get('retry-after') ?? 'NaN'),
});
const one = { issueKey: 'WEB-1', columnsBy: 'statusDuration' };
const lookUp = '/rest/delegation/api/1.0/delegation/getDelegates';
const records = '/rest/delegation/api/1.0/category';

describe('requests in a minute', () => {
  const refused: string[] = [];
  const requests: { readonly status?: number; readonly reason?: string; readonly limit?: string }[] = [];
  const dwell = suiteDwell({
    environment: {
      MAX_REQUESTS_PER_MINUTE: '3',
      MAX_REQUESTS_PER_MINUTE_PER_ADDRESS: '11',
      MAX_REQUESTS_PER_MINUTE_PER_TENANT: '8',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
    },
    onRefused: ({ why }) => refused.push(why),
    log: pino({ level: 'info' }, { write: (line: string) => void requests.push(JSON.parse(line)) }),
  });
  /** The limits that the lines of refused requests name. */
  const limitsInLog = () =>
    requests.flatMap(({ status, reason, limit }) => (status === 429 ? [`${reason} ${limit}`] : []));
  let clients = 0;
  /** Headers of a request from an address of its own, unless one is given, as a proxy on this machine sends them. */
  const from = (address?: string) => {
    clients += 1;
    return { 'X-Forwarded-For': address ?? `198.51.100.${clients}` };
  };
  const askMcp = (headers: Record<string, string>) =>
    fetch(`${dwell.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ ...headers, ...from(), 'Content-Type': 'application/json' },
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' }),
    });

  test('are counted for a token, and one too many is refused in the format of each door', async () => {
    const header = await dwell.headerOf('ada');
    const ask = (path: string, parameters: Record<string, string> = {}) =>
      dwell.get(path, parameters, { ...header, ...from() });
    const policy = '"token";q=3;w=60';
    const first = await ask('/rest/issue', one);
    expect([first.status, headersOf(first)]).toEqual([
      200,
      { policy, limit: '"token";r=2;t=…', seconds: Number.NaN },
    ]);
    // Both limits of a report are in the same headers.
    const list = await ask('/rest/issues', { ...one, filterType: 'project', projectKey: 'WEB' });
    expect(list.headers.get('ratelimit-policy')).toBe(
      '"token";q=3;w=60, "long-answers";q=3;qu="concurrent-requests"',
    );
    expect((await askMcp(header)).status).toBe(200);

    const report = await ask('/rest/issue', one);
    const { policy: ownPolicy, limit, seconds } = headersOf(report);
    expect([report.status, ownPolicy, limit]).toEqual([429, policy, '"token";r=0;t=…']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(report.json).toMatchObject({
      ...{ status: 429, reason: 'too-many-requests', message: 'Too many requests' },
      messages: [
        `This token sent more than 3 requests in a minute. Try again in ${seconds} seconds. An admin can change the limit: MAX_REQUESTS_PER_MINUTE.`,
      ],
    });
    const strict = await ask(lookUp, { username: 'ada' });
    expect([strict.status, headersOf(strict).policy]).toEqual([429, policy]);
    expect([strict.headers.get('x-failure-reason'), Object.keys(strict.json)]).toEqual([
      'too-many-requests',
      ['status', 'message', 'timestamp'],
    ]);
    const record = await ask(records);
    expect([record.status, headersOf(record).policy]).toEqual([429, policy]);
    expect(record.json).toMatchObject({ status: 429, reason: 'too-many-requests' });
    const tool = await askMcp(header);
    expect([tool.status, headersOf(tool).policy, headersOf(tool).seconds > 0]).toEqual([429, policy, true]);
    expect(await tool.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32_000, message: expect.stringMatching(/^This token sent more than 3 requests/) },
    });
    expect(refused).toEqual(['token', 'token', 'token', 'token']);
  });

  test('are counted for an address before the token is read, and a wrong token counts five times', async () => {
    const guess = (address: string) =>
      dwell.get('/rest/issue', one, { Authorization: 'TISJWT wrong', ...from(address) });
    const policy = '"address";q=11;w=60';
    const first = await guess('203.0.113.1');
    expect([first.status, headersOf(first)]).toEqual([
      401,
      { policy, limit: '"address";r=10;t=…', seconds: Number.NaN },
    ]);
    // The proxy adds the address that it sees; all before it may be invented, and proxies follow each other.
    expect((await guess('1.2.3.4, 203.0.113.1')).status).toBe(401);
    expect((await guess('192.0.2.1, 203.0.113.1, 10.1.2.3')).status).toBe(401);
    const last = await guess('203.0.113.1');
    expect([last.status, headersOf(last).policy, last.json.messages[0]]).toEqual([
      429,
      policy,
      expect.stringMatching(
        /^Your address sent more than 11 requests in a minute\. Each without a valid token counts as 5\. .* MAX_REQUESTS_PER_MINUTE_PER_ADDRESS\.$/,
      ),
    ]);
    const path = async (name: string) => (await dwell.get(name, {}, from('203.0.113.1'))).status;
    expect([await path('/openapi.json'), await path('/rest/nothing')]).toEqual([429, 429]);
    // Supervisors are answered.
    expect([await path('/healthz'), await path('/readyz')]).toEqual([200, 200]);
    expect((await guess('203.0.113.2')).status).toBe(401);
  });

  test('are counted for a /64 of IPv6', async () => {
    const nothing = async (address: string) => (await dwell.get('/rest/nothing', {}, from(address))).status;
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push(await nothing(`2001:db8:0:7:${i}::1`));
    expect(statuses).toEqual([...new Array(11).fill(404), 429]);
    expect(await nothing('2001:db8:0:8::1')).toBe(404);
  });

  test('are counted for all tokens of a tenant, but for those that their own limit refuses', async () => {
    const ask = async (user: string) =>
      dwell.get('/rest/issue', one, { ...(await dwell.headerOf(user)), ...from() });
    // Three of ada's were answered, by the test above.
    for (const user of ['bob', 'bob', 'bob', 'carl', 'carl']) expect((await ask(user)).status).toBe(200);
    const last = await ask('carl');
    expect([last.status, headersOf(last).policy, headersOf(last).limit]).toEqual([
      429,
      '"tenant";q=8;w=60',
      '"tenant";r=0;t=…',
    ]);
    expect(last.json.messages[0]).toMatch(
      /^All clients together sent .* MAX_REQUESTS_PER_MINUTE_PER_TENANT\.$/,
    );
    await until(() => limitsInLog().includes('too-many-requests tenant'));
    expect(new Set(limitsInLog())).toEqual(
      new Set(['token', 'address', 'tenant'].map((limit) => `too-many-requests ${limit}`)),
    );
  });
});

describe('a process', () => {
  const lines: string[] = [];
  const refused: string[] = [];
  let late = 300;
  const dwell = suiteDwell({
    environment: { ...withoutLimits, MAX_REQUESTS_PER_MINUTE_PER_ADDRESS: '1000000' },
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    lateMs: () => late,
    onRefused: ({ why }) => refused.push(why),
  });
  const policyOf = ({ headers }: { readonly headers: Headers }) => headers.get('ratelimit');
  /** Begins a request whose body never comes. */
  const sendHead = (path: string, head: string) => {
    const { port, hostname } = new URL(dwell.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: dwell\r\n${head}\r\nContent-Length: 9\r\n\r\n`);
    return socket;
  };

  test('without trusted proxies goes by the connection, not behind a proxy on this machine, and says so once', async () => {
    for (const address of ['203.0.113.9', '203.0.113.10'])
      expect(policyOf(await dwell.get('/rest/nothing', {}, { 'X-Forwarded-For': address }))).toBeNull();
    for (const left of [/r=999999;/, /r=999998;/])
      expect(policyOf(await dwell.get('/rest/nothing', {}, {}))).toMatch(left);
    const warnings = lines.filter((line) => line.includes('TRUSTED_PROXIES'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/Requests from (::ffff:)?127\.0\.0\.1 have the header X-Forwarded-For/);
  });

  test('that is late refuses what it cannot answer in time, and is well again with its load', async () => {
    // Their bodies never come.
    const sockets: Socket[] = [];
    const { Authorization } = await dwell.headerOf('ada');
    const head = `Authorization: ${Authorization}\r\nContent-Type: application/json`;
    for (let i = 0; i < 33; i += 1) sockets.push(sendHead('/rest/reportSettings/validate', head));
    const small = () => dwell.get('/rest/issue', one);
    // One of them is refused, whichever comes last.
    await Promise.race(sockets.map((socket) => once(socket, 'data')));
    const answer = await small();
    expect(answer.status).toBe(503);
    expect([answer.headers.get('retry-after'), policyOf(answer)]).toEqual(['10', expect.any(String)]);
    expect(answer.json).toMatchObject({
      reason: 'overloaded',
      message: 'Dwell is busy with other requests. Try again in a moment.',
    });
    expect((await dwell.get(lookUp, { username: 'ada' })).headers.get('x-failure-reason')).toBe('overloaded');
    const tool = await fetch(`${dwell.url}/mcp`, { method: 'POST', headers: await dwell.headerOf('ada') });
    expect([tool.status, tool.headers.get('retry-after')]).toEqual([503, '10']);
    expect((await dwell.get('/readyz')).status).toBe(200);
    expect((await dwell.get('/healthz')).status).toBe(200);
    expect(new Set(refused)).toEqual(new Set(['requests']));

    late = 200;
    expect((await small()).status).toBe(200);
    late = 300;
    for (const socket of sockets) socket.destroy();
    while ((await small()).status !== 200);
  });

  test('answers known clients while strangers let their bodies wait, and reads some of theirs', async () => {
    late = 300;
    const form = 'Content-Type: application/x-www-form-urlencoded';
    const sockets = Array.from({ length: 251 }, () => sendHead('/rest/issues', form));
    // One of them is refused, whichever comes last.
    await Promise.race(sockets.map((socket) => once(socket, 'data')));
    expect((await dwell.get('/rest/issue', one)).status).toBe(200);
    expect((await dwell.postJson('/rest/reportSettings/validate', {})).status).toBe(200);
    const stranger = () => dwell.post('/rest/issues', one, {});
    expect((await stranger()).status).toBe(503);
    for (const socket of sockets) socket.destroy();
    while ((await stranger()).status === 503);
  });
});
