import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import { shortcuts } from '../../src/slack/entries.ts';
import { exportFile, jiraIssue, searchResult } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

test('the playground offers the shortcuts that are answered', async () => {
  const dwell = await startDwell();
  const { json: state } = await dwell.get('/playground/state', { as: 'ada' }, {});
  const offered: { callbackId: string; type: string; name: string }[] = state.shortcuts;
  expect(offered.map(({ callbackId, type }) => ({ id: callbackId, type }))).toEqual(
    shortcuts.map(({ id, type }) => ({ id, type })),
  );
  for (const { name } of offered) expect(name).not.toBe('');
  await dwell.stop();
});

describe('the playground opens beyond this machine only where it is told to', () => {
  /** fetch sets Host itself. */
  const statusOf = ({ url }: TestDwell, path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const method = path.startsWith('/playground/act') ? 'POST' : 'GET';
      request(url + path, { method, headers }, (answer) => {
        answer.destroy();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  const paths = [
    '/',
    '/playground/page/main.js',
    '/playground/state?as=ada',
    '/playground/conversation?as=U0ADA&id=C0WEB',
    '/playground/changes?as=U0ADA',
    '/playground/act/post',
    '/playground/api/api.test',
    '/playground/response/R1',
    '/playground/upload/U1',
    '/playground/files/F1/name',
  ];
  const statuses = async (dwell: TestDwell, headers: Record<string, string>) =>
    new Set(await Promise.all(paths.map((path) => statusOf(dwell, path, headers))));

  test('on this machine it answers nothing that a proxy has passed on, and no foreign name', async () => {
    const dwell = await startDwell();
    expect(await statuses(dwell, {})).not.toContain(403);
    for (const headers of [
      { 'X-Forwarded-For': '203.0.113.7' },
      { 'X-Forwarded-Proto': 'https' },
      { 'X-Forwarded-Host': 'localhost' },
      { Forwarded: 'for=203.0.113.7' },
      { Host: 'dwell.example.com' },
    ]) {
      expect({ headers, statuses: await statuses(dwell, headers) }).toEqual({
        headers,
        statuses: new Set([403]),
      });
      expect(await statusOf(dwell, '/healthz', headers)).toBe(200);
    }
    await dwell.stop();
  });

  test('it is off where BASE_URL is elsewhere', async () => {
    const dwell = await startDwell({ environment: { BASE_URL: 'https://dwell.example.com' } });
    expect(await statuses(dwell, {})).toEqual(new Set([404]));
    expect((await dwell.get('/rest/statuses')).status).toBe(200);
    await dwell.stop();
  });

  test('told to, it answers through a proxy, under BASE_URL and its own names', async () => {
    const environment = { BASE_URL: 'https://dwell.example.com/time', PLAYGROUND: 'on' };
    const dwell = await startDwell({ environment });
    const passedOn = { 'X-Forwarded-For': '203.0.113.7', Forwarded: 'for=203.0.113.7' };
    for (const Host of ['dwell.example.com', 'localhost:3000', '127.0.0.1'])
      expect(await statuses(dwell, { ...passedOn, Host })).not.toContain(403);
    for (const Host of ['evil.example.com', 'dwell.example.com.evil.example', '203.0.113.1', 'x@y'])
      expect({ Host, statuses: await statuses(dwell, { Host }) }).toEqual({ Host, statuses: new Set([403]) });
    await dwell.stop();
  });
});

/** The status of a request in the protocol that nginx speaks to what is behind it unless it is told otherwise. */
async function statusOverHttp10({ url }: TestDwell, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).slice(9, 12);
}

test('HTTP/1.0, which a proxy that adds no header speaks, reaches everything but the playground', async () => {
  const dwell = await startDwell();
  for (const path of ['/', '/playground/state?as=ada', '/playground/api/api.test'])
    expect([path, await statusOverHttp10(dwell, path)]).toEqual([path, '403']);
  expect(await statusOverHttp10(dwell, '/healthz')).toBe('200');
  expect(await statusOverHttp10(dwell, '/readyz')).toBe('200');
  expect(await statusOverHttp10(dwell, '/rest/statuses')).toBe('401');
  await dwell.stop();
  const opened = await startDwell({ environment: { PLAYGROUND: 'on' } });
  expect(await statusOverHttp10(opened, '/')).toBe('200');
  await opened.stop();
});

describe('over issues that are not the sample', () => {
  const code = 'c0ffee00c0ffee00';
  const paths = [
    '/',
    '/browse/WEB-497',
    '/playground/page/main.js',
    '/playground/state?as=ada',
    '/playground/conversation?as=U0ADA&id=C0WEB',
    '/playground/changes?as=U0ADA',
    '/playground/files/F1/name',
  ];
  const statusesOf = async ({ url }: TestDwell, headers: Record<string, string> = {}) => {
    const answers = await Promise.all(paths.map((path) => fetch(url + path, { headers })));
    for (const { body } of answers) await body?.cancel();
    return answers.map(({ status }) => status);
  };
  const closed = paths.map(() => 403);
  const open = [200, 404, 200, 200, 200, 200, 404];

  test('the playground opens only with the code of its link, which the log has once', async () => {
    const logged: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
    const dwell = await startDwell({ log, newCode: () => code, environment: { TRACKER: 'file' } });
    const address = dwell.url.replace('127.0.0.1', 'localhost');
    expect(dwell.playground).toBe(`${address}/?code=${code}`);
    expect(await statusesOf(dwell)).toEqual(closed);
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect(await (await fetch(`${dwell.url}/playground/act/post`, post)).json()).toMatchObject({
      error: 'code_required',
    });
    for (const wrong of ['', 'c0ffee00', `${code}0`, 'wrong'])
      expect((await fetch(`${dwell.url}/?code=${wrong}`)).status).toBe(403);
    const refused = await fetch(`${dwell.url}/?code=wrong`, { headers: { accept: 'text/html' } });
    expect(await refused.text()).toContain('opens only with the link that Dwell prints when it starts');

    const answer = await fetch(`${dwell.url}/?code=${code}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, './']);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const own = { cookie: `theme=dark; ${cookie.split(';')[0]}` };
    expect(await statusesOf(dwell, own)).toEqual(open);
    expect(await statusesOf(dwell, { cookie: own.cookie.replace(code, 'wrong') })).toEqual(closed);
    // REST has tokens of its own.
    expect((await dwell.get('/rest/statuses')).status).toBe(200);
    await dwell.stop();
    expect(logged.join('').split(code)).toHaveLength(2);
  });

  test('so it does once issues are imported, also for pages that are open', async () => {
    const logged: string[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void logged.push(line) });
    const dwell = await startDwell({ log, newCode: () => code });
    expect(dwell.playground).not.toContain(code);
    expect(logged.join('')).not.toContain(code);
    const { url } = dwell;
    const stream = await fetch(`${url}/playground/changes?as=U0ADA`);
    expect((await dwell.types('import', exportFile(searchResult(jiraIssue('DEMO-1').onCloud())))).code).toBe(
      0,
    );
    expect(await statusesOf(dwell)).toEqual(closed);
    expect(logged.join('').split(code)).toHaveLength(2);

    const answer = await fetch(`${url}/?code=${code}`, { redirect: 'manual' });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const said = await fetch(`${url}/playground/act/post`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ user: 'U0ADA', channel: 'C0WEB', text: 'Only for us' }),
    });
    expect(said.status).toBe(200);
    expect(await stream.text()).not.toContain('Only for us');
    await dwell.stop();
  });

  test('PLAYGROUND=on asks for no code', async () => {
    const dwell = await startDwell({ environment: { TRACKER: 'file', PLAYGROUND: 'on' } });
    expect(await statusesOf(dwell)).toEqual(open);
    await dwell.stop();
  });
});
