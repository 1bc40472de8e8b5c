import { request } from 'node:http';
import { describe, expect, test } from '#jest';
import { shortcuts } from '../src/slack/entries.ts';
import { startDwell, type TestDwell } from './support/start-dwell.ts';

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
