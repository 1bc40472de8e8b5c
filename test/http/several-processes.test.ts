import { millisecondsInHour } from 'date-fns/constants';
import { afterAll, beforeAll, expect, test } from '#jest';
import { assistantOf } from '../mcp/assistant.ts';
import { startBalancer } from '../support/balancer.ts';
import { keysIn } from '../support/listed-keys.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Two processes over one store, and a balancer that sends each request to the next one.
let first: TestDwell;
let second: TestDwell;
let balancer: Awaited<ReturnType<typeof startBalancer>>;
beforeAll(async () => {
  const dataDir = temporaryFolder();
  first = await startDwell({ dataDir });
  second = await startDwell({ dataDir });
  balancer = await startBalancer([first.url, second.url]);
});
afterAll(async () => {
  await balancer.stop();
  await second.stop();
  await first.stop();
});

/** Asks whichever process is next, as Ada. */
async function ask(path: string, parameters: Readonly<Record<string, string>> = {}, method = 'GET') {
  const query = new URLSearchParams(parameters);
  const form = method === 'GET' ? {} : { body: query };
  const headers = await first.headerOf('ada');
  const url = `${balancer.url}${path}`;
  const answer = await fetch(method === 'GET' && query.size > 0 ? `${url}?${query}` : url, {
    method,
    headers,
    ...form,
  });
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : null };
}

const issue = { issueKey: 'WEB-1', columnsBy: 'statusDuration' };
const web = {
  ...{ filterType: 'project', projectKey: 'WEB', startDate: '2026-01-05' },
  columnsBy: 'statusDuration',
};

test('each page of a list may come from another process', async () => {
  const { json: whole } = await first.get('/rest/issues/v2', { ...web, pageSize: '1000' });
  const keys: unknown[] = [];
  let token: string | null = null;
  do {
    const { status, json } = await ask('/rest/issues/v2', {
      ...{ ...web, pageSize: '20' },
      ...(token === null ? {} : { nextPageToken: token }),
    });
    expect(status).toBe(200);
    keys.push(...keysIn(json));
    token = json.nextPageToken ?? null;
  } while (token !== null);
  expect(keys.length).toBeGreaterThan(10);
  expect(keys).toEqual(keysIn(whole));
});

test('an export is made by any process, and its file comes from each', async () => {
  const { json: queued } = await ask('/rest/export', { ...web, outputType: 'CSV' }, 'POST');
  let { json } = await ask(`/rest/export/${queued.exportId}`);
  while (json.status === 'Queued' || json.status === 'Running')
    ({ json } = await ask(`/rest/export/${queued.exportId}`));
  const { pathname, search } = new URL(json.downloadLink);
  const texts = [];
  for (let i = 0; i < 2; i += 1) texts.push((await ask(pathname + search)).text);
  const { text: now } = await first.get('/rest/smallexport', { ...web, outputType: 'CSV' });
  expect(texts.map((text) => text === now)).toEqual([true, true]);
});

test('a calendar that is made at one process is used at the other with the next request', async () => {
  const calendar = {
    ...{ name: 'Mornings', timeZone: 'UTC', holidays: [] },
    workingTimes: [{ weekday: 'MONDAY', start: 8 * millisecondsInHour, end: 12 * millisecondsInHour }],
  };
  const namesAt = async ({ get }: TestDwell) =>
    (await get('/rest/calendars')).json.map(({ name }: { name: string }) => name);
  expect(await namesAt(second)).not.toContain('Mornings');
  const { json } = await first.as('ada', { admin: true }).postJson('/rest/calendars', calendar);
  expect(await namesAt(second)).toContain('Mornings');
  const { json: report } = await second.get('/rest/issue', { ...issue, calendar: String(json.id) });
  expect(JSON.stringify(report)).toContain('Mornings');
});

test('a token that is switched off at one process opens neither', async () => {
  const { lines } = await first.types('token', '--user', 'bob');
  const [token = ''] = lines;
  const headers = { Authorization: `TISJWT ${token}` };
  expect((await second.get('/rest/issue', issue, headers)).status).toBe(200);
  const id = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti;
  await first.types('tokens', '--off', id);
  expect((await second.get('/rest/issue', issue, headers)).status).toBe(401);
});

test('an assistant needs no session: each call may come to another process', async () => {
  const ada = await assistantOf({ ...first, url: balancer.url }, 'ada');
  const answers = [];
  for (let i = 0; i < 2; i += 1)
    answers.push(
      (await ada.call('aggregate_report', { project: 'WEB', aggregationType: 'average' })).content,
    );
  expect(answers[0]).toEqual(answers[1]);
  await ada.close();
});

test('a process without the key that another one has encrypted secrets with is not ready until it has it', async () => {
  const dataDir = temporaryFolder();
  const [former, next] = ['0a', '1b'].map((byte) => byte.repeat(32)) as [string, string];
  const start = (environment: Readonly<Record<string, string>>) => startDwell({ dataDir, environment });
  const left = await start({ SECRET_KEY: former });
  const token = await left.headerOf('ada');
  const restarted = await start({ SECRET_KEY: next, SECRET_KEY_OLD: former });
  const readyz = async ({ get }: TestDwell) => {
    const { status, json } = await get('/readyz', {}, {});
    return [status, json.waitingFor];
  };
  expect([await readyz(left), await readyz(restarted)]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);

  const { lines } = await restarted.types('secrets', 'rotate');
  const [, key] = /with the key ([0-9a-f]{8})\.$/.exec(lines[1] ?? '') ?? [];
  for (const { clock } of [left, restarted]) clock.now += 5_000;
  expect(await readyz(left)).toEqual([
    503,
    `a restart with the right key. The stored secret 'token-signing-key' is encrypted with the key ${key}, which is neither SECRET_KEY nor one of SECRET_KEY_OLD. Check SECRET_KEY, or set SECRET_KEY_OLD to that key.`,
  ]);
  expect(await readyz(restarted)).toEqual([200, undefined]);
  expect((await restarted.get('/rest/statuses', {}, token)).status).toBe(200);
  await left.stop();

  const again = await start({ SECRET_KEY: former, SECRET_KEY_OLD: next });
  expect(await readyz(again)).toEqual([200, undefined]);
  expect((await again.get('/rest/statuses', {}, token)).status).toBe(200);
  await again.stop();
  await restarted.stop();
});
