import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '#jest';
import { readConfig } from '../../src/compose/config.ts';
import { createMeters } from '../../src/telemetry/prometheus.ts';
import { until } from '../support/local-exports.ts';
import { examine } from '../support/run-doctor.ts';
import { startDwell } from '../support/start-dwell.ts';
import { startDwellInSlack } from '../support/start-slack.ts';
import { startedOnce } from '../support/started.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOKEN = 'metrics-token-of-a-test';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Reads an address with headers that `fetch` does not let through, such as `Host`. */
function read(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  request(url, { headers, agent: false }, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const { statusCode: status = 0, headers: answered } = response;
    resolve({ status, type: answered['content-type'] ?? '', text: Buffer.concat(chunks).toString() });
  })
    .on('error', reject)
    .end();
  return promise;
}

/** The value of a series, whatever the order of its labels; NaN where there is none. */
function readingOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const line = text.split('\n').find((one) => {
    const [, series = '', own = ''] = /^(\w+)(\{.*\})? /.exec(one) ?? [];
    return (
      series === name && Object.entries(labels).every(([label, value]) => own.includes(`${label}="${value}"`))
    );
  });
  return line === undefined ? Number.NaN : Number(line.split(' ').at(-1));
}

const place = startedOnce(() =>
  startDwellInSlack({ meters: createMeters(), environment: { METRICS_TOKEN: TOKEN } }),
);
const metricsOf = async (headers?: Readonly<Record<string, string>>) =>
  read(`${place.dwell.url}/metrics`, headers);

test('the metrics are for this machine, and for the token', async () => {
  expect(await metricsOf()).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
  const proxied = { 'X-Forwarded-For': '192.0.2.1' };
  expect((await metricsOf({ ...proxied, Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
});

test.each<Readonly<Record<string, string>>>([
  { 'X-Forwarded-For': '127.0.0.1' },
  { 'X-Forwarded-Proto': 'https' },
  { Forwarded: 'for=127.0.0.1' },
  { Via: '1.1 proxy' },
  { Host: 'evil.example' },
  { 'X-Real-IP': '127.0.0.1', Authorization: `Bearer ${TOKEN}x` },
])('for a stranger there are none: %j', async (headers) => {
  const { status, text } = await metricsOf(headers);
  expect([status, JSON.parse(text).messages]).toEqual([404, ["No such endpoint: GET '/metrics'."]]);
});

test('HTTP/1.0, which a proxy that adds no header may speak, finds none', async () => {
  const { port, hostname } = new URL(place.dwell.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
});

test('a token of REST, even of an admin, opens nothing here', async () => {
  const { Authorization } = await place.dwell.headerOf('ada', { admin: true });
  const bearer = Authorization.replace('TISJWT', 'Bearer');
  for (const header of [Authorization, bearer])
    expect((await metricsOf({ Via: '1.1 proxy', Authorization: header })).status).toBe(404);
});

test('what is asked is counted by route, door and kind, and no name or key is in the metrics', async () => {
  const list = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };
  expect((await place.dwell.get('/rest/issues', list)).status).toBe(200);
  expect((await place.dwell.get('/rest/nothing/WEB-1')).status).toBe(404);
  await place.slack.answerTo('/tis WEB-1');
  const ofSlack = { tenant: 'default', door: 'slack', kind: 'issue' };
  // The answer is in Slack a moment before it is counted.
  const text = await until(async () => {
    const { text: read } = await metricsOf();
    return readingOf(read, 'dwell_answer_duration_seconds_count', ofSlack) === 1 && read;
  });
  const route = { tenant: 'default', route: '/rest/issues', method: 'GET' };
  expect(readingOf(text, 'dwell_http_requests_total', { ...route, status: '200' })).toBe(1);
  expect(readingOf(text, 'dwell_http_requests_total', { route: 'none', status: '404' })).toBeGreaterThan(0);
  expect(readingOf(text, 'dwell_http_request_duration_seconds_count', route)).toBe(1);
  const ofHttp = { door: 'http', kind: 'statusDuration' };
  expect(readingOf(text, 'dwell_answer_duration_seconds_count', ofHttp)).toBe(1);
  const acknowledged = 'dwell_slack_acknowledgement_duration_seconds_count';
  expect(readingOf(text, acknowledged, { trigger: 'command' })).toBe(1);
  const calls = { service: 'Slack', endpoint: 'auth.test', outcome: 'ok' };
  expect(readingOf(text, 'dwell_service_calls_total', calls)).toBeGreaterThan(0);
  expect(readingOf(text, 'dwell_store_statement_duration_seconds_count')).toBeGreaterThan(10);
  expect(text).not.toMatch(/WEB|\bada\b|U0ADA/);
});

test('states and queues are there from the start', async () => {
  const { text } = await metricsOf();
  expect(readingOf(text, 'dwell_ready')).toBe(1);
  expect(readingOf(text, 'dwell_build_info')).toBe(1);
  expect(readingOf(text, 'dwell_slack_up', { tenant: 'default' })).toBe(1);
  expect(readingOf(text, 'dwell_posting_paused', { tenant: 'default' })).toBe(0);
  for (const queue of ['exports', 'export_deliveries', 'digests', 'nudges', 'long_answers']) {
    expect([queue, readingOf(text, 'dwell_queue_items', { queue })]).toEqual([queue, 0]);
    expect([queue, readingOf(text, 'dwell_queue_oldest_age_seconds', { queue })]).toEqual([queue, 0]);
  }
  for (const outcome of ['made', 'failed'])
    expect(readingOf(text, 'dwell_exports_total', { outcome })).toBe(0);
  const measured = ['process_resident_memory_bytes', 'dwell_memory_limit_bytes', 'dwell_disk_free_bytes'];
  for (const name of measured) expect(readingOf(text, name)).toBeGreaterThan(1_000_000);
});

test('the age of the latest backup is there once SQLite has one', async () => {
  const before = (await metricsOf()).text;
  expect(before).not.toMatch(/^dwell_backup_age_seconds/m);
  const copying = place.dwell.types('backup', join(temporaryFolder(), 'copy.db'));
  const [{ status }] = await Promise.allSettled([copying]);
  place.dwell.clock.now += 3_600_000;
  const age = readingOf((await metricsOf()).text, 'dwell_backup_age_seconds', { tenant: 'default' });
  const isSqlite = readingOf(before, 'dwell_build_info', { engine: 'sqlite' }) === 1;
  expect([status, age]).toEqual(isSqlite ? ['fulfilled', 3600] : ['rejected', Number.NaN]);
});

test('OpenMetrics and text have the same series, in any order of readers', async () => {
  const openMetrics = { Accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' };
  const [open, text] = await Promise.all([metricsOf(openMetrics), metricsOf()]);
  expect(open.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(open.text).toMatch(/\n# EOF\n$/);
  const namesOf = (answer: Answer) => new Set(answer.text.match(/^\w+(?=[{ ])/gm));
  expect(namesOf(open)).toEqual(namesOf(text));
  expect(namesOf(text)).toContain('dwell_http_requests_total');
});

test('with METRICS_PORT the metrics are there, and nothing else, and not on the main port', async () => {
  const port = await freePort();
  const dwell = await startDwell({
    meters: createMeters(),
    environment: { METRICS_PORT: String(port) },
  });
  expect((await read(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
  expect(
    (await examine(temporaryFolder(), { PORT: '0', METRICS_PORT: String(port) })).of('Server'),
  ).toHaveLength(1);
  expect((await read(`http://127.0.0.1:${port}/metrics`, { Via: '1.1 proxy' })).status).toBe(404);
  expect((await read(`http://127.0.0.1:${port}/healthz`)).status).toBe(404);
  expect((await read(`${dwell.url}/metrics`)).status).toBe(404);
  await dwell.stop();
  await expect(read(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('ECONNREFUSED');
});

test('other machines can reach the port of the metrics only with a token', () => {
  const open = { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' };
  expect(() => readConfig(open)).toThrow(
    "METRICS_HOST '0.0.0.0' can be reached from other machines, and METRICS_TOKEN is not set.",
  );
  expect(readConfig({ ...open, METRICS_TOKEN: TOKEN }).metrics).toMatchObject({ port: 9464 });
});

test('a port of their own is not the main one', () => {
  expect(() => readConfig({ METRICS_PORT: '3000' })).toThrow('METRICS_PORT and PORT are both 3000.');
  expect(readConfig({ PORT: '0', METRICS_PORT: '0' }).metrics.port).toBe(0);
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}
