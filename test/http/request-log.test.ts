import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import express from 'express';
import { afterAll, beforeAll, expect, test } from '#jest';
import { openLog } from '../../src/compose/log-problem.ts';
import { createRequests } from '../../src/compose/requests.ts';
import { sendFile } from '../../src/http/send.ts';
import { createMeters } from '../../src/telemetry/prometheus.ts';
import { aProvenance } from '../support/a-provenance.ts';
import { until } from '../support/local-exports.ts';
import { startDwellInSlack } from '../support/start-slack.ts';

type Line = Readonly<Record<string, unknown>>;

const lines: Line[] = [];
let place: Awaited<ReturnType<typeof startDwellInSlack>>;

beforeAll(async () => {
  const log = await openLog('debug', {
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });
  place = await startDwellInSlack({ log });
});
afterAll(() => place.stop());

/** The line of the request with an id, once it is there: it is written when the connection is done with the answer. */
async function lineOf(id: string | null): Promise<Line | undefined> {
  const find = () => lines.find((line) => line.request === id && line.msg === 'request');
  await until(() => find() !== undefined);
  return find();
}

async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${place.dwell.url}${path}`, { headers });
  await answer.text();
  return answer.headers.get('x-request-id') ?? '';
}

test('a request is one line: its id, tenant, token, route, status, time, rows and bytes, and neither path nor token', async () => {
  const headers = await place.dwell.headerOf('ada');
  const id = await get('/rest/issues?filterType=project&projectKey=WEB&columnsBy=statusDuration', {
    ...headers,
    'X-Request-Id': 'trace-1:a/b',
  });
  expect(id).toBe('trace-1:a/b');
  const line = await lineOf(id);
  const tokens = (await place.dwell.types('tokens')).lines.join(' ');
  expect(line).toEqual({
    ...{ level: 30, time: expect.any(Number), pid: process.pid, hostname: expect.any(String) },
    ...{ tenant: 'default', msg: 'request', request: id, door: 'http', kind: 'statusDuration' },
    ...{ token: expect.any(String), ms: expect.any(Number), rows: expect.any(Number) },
    ...{ route: '/rest/issues', method: 'GET', status: 200, bytes: expect.any(Number) },
  });
  expect(tokens).toContain(String(line?.token));
  expect(line?.rows).toBeGreaterThan(0);
  expect(JSON.stringify(lines)).not.toContain(headers.Authorization.slice('TISJWT '.length));
});

test('a route is its template, and an endpoint that does not exist is none', async () => {
  const headers = await place.dwell.headerOf('ada');
  expect(await lineOf(await get('/rest/export/none-of-ours', headers))).toMatchObject({
    route: '/rest/export/:exportId',
    status: 404,
  });
  expect(await lineOf(await get('/rest/nothing/WEB-1', headers))).toMatchObject({ route: null, status: 404 });
});

test('probes are logged at the level debug', async () => {
  for (const path of ['/healthz', '/readyz']) {
    expect(await lineOf(await get(path))).toMatchObject({ level: 20, route: path, status: 200 });
  }
});

test.each(['', 'a b', 'ä', 'x'.repeat(129)])(
  'the id %j from outside is replaced by a new one',
  async (given) => {
    const answer = await place.dwell.get('/healthz', {}, { 'X-Request-Id': inLatin1(given) });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  },
);

/** The bytes of UTF-8 as headers have them. */
function inLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

test('a call of an assistant is a line of its door with the tool', async () => {
  const answer = await fetch(`${place.dwell.url}/mcp`, {
    method: 'POST',
    headers: {
      ...(await place.dwell.headerOf('ada')),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'list_calendars', arguments: {} },
    }),
  });
  await answer.text();
  expect(await lineOf(answer.headers.get('x-request-id'))).toMatchObject({
    ...{ door: 'mcp', route: '/mcp', kind: 'list_calendars', status: 200, token: expect.any(String) },
  });
});

test('a command of Slack is a line of its door with its kind of question', async () => {
  const from = lines.length;
  await place.slack.answerTo('/tis WEB-1');
  const found = () => lines.slice(from).find(({ door, msg }) => door === 'slack' && msg === 'request');
  await until(() => found() !== undefined);
  expect(found()).toMatchObject({
    ...{ tenant: 'default', trigger: 'command', route: '/tis', kind: 'issue', ms: expect.any(Number) },
    request: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test.each([
  ['that leaves with the last byte has the whole download', 1_000, 1, undefined],
  ['that leaves in the middle cuts it off', 1_000_000, 0.01, true],
])('a client %s', async (_, partBytes, share, cut) => {
  const part = Buffer.alloc(partBytes, 'x');
  const bytes = 30 * partBytes;
  const left = Promise.withResolvers<void>();
  async function* parts() {
    for (let i = 0; i < 30; i += 1) yield part;
    // The stream of a file ends later than its last byte comes.
    await Promise.race([left.promise, pause(50)]);
  }
  const file = {
    bytes,
    fileName: 'list.csv',
    mediaType: 'text/csv',
    provenance: aProvenance(),
    localPath: async () => '',
    open: async () => ({ bytes, stream: Readable.from(parts()) }),
  };
  const found: Line[] = [];
  const log = await openLog('info', { destination: { write: (line) => void found.push(JSON.parse(line)) } });
  const app = express().use(createRequests({ log, meters: createMeters(), tenant: 'default' }).http);
  app.get('/file', (request, response) => {
    response.once('close', left.resolve);
    return sendFile({ file }, request, response);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET /file HTTP/1.1\r\nHost: dwell\r\n\r\n');
  let received = 0;
  client.on('data', (data) => {
    const text = data.toString('latin1');
    received += text.length - (received === 0 ? text.indexOf('\r\n\r\n') + 4 : 0);
    if (received >= bytes * share) client.destroy();
  });
  await once(client, 'close');
  await until(() => found.length > 0);
  expect(found).toEqual([expect.objectContaining({ route: '/file', status: 200 })]);
  expect(found[0]?.cut).toBe(cut);
  server.close();
});
