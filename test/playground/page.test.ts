import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { isJson, type Json } from '../../playground/slack-json.ts';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';

const folder = new URL('../../playground/page/', import.meta.url);
let slack: StandInSlack;

beforeEach(async () => {
  slack = await startStandInSlack();
});

afterEach(() => slack.stop());

const post = (
  headers: Record<string, string>,
  body = '{"user":"U0ADA","channel":"C0GENERAL","text":"hello"}',
) =>
  fetch(`${slack.url}/playground/act/post`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

/** fetch sets Host itself, so a foreign Host needs a plain request. */
const getUnderHost = (host: string, path = '/playground/state', accept = '*/*') =>
  new Promise<{ status: number | undefined; type: string | undefined; text: string }>((resolve, reject) => {
    request(slack.url + path, { headers: { host, accept } }, async (response) => {
      const { statusCode: status, headers } = response;
      resolve({ status, type: headers['content-type'], text: await text(response) });
    })
      .on('error', reject)
      .end();
  });

const stateOf = async ({ url }: StandInSlack): Promise<Json> => {
  const state: unknown = await (await fetch(`${url}/playground/state?as=ada`)).json();
  return isJson(state) ? state : {};
};

describe('the page', () => {
  test('is served with everything it names, under a strict policy', async () => {
    const response = await fetch(slack.url);
    const html = await response.text();
    const named = [...html.matchAll(/(?:src|href)="(\/playground\/[^"]+)"/g)].map(([, path]) => path);

    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(html).not.toMatch(/<script>|\son\w+=|style=/);
    expect(named.length).toBeGreaterThan(5);
    for (const path of named) expect((await fetch(slack.url + path)).status).toBe(200);
  });

  test('never turns text into markup, and imports only files that are there', () => {
    const files = readdirSync(folder);
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      const source = readFileSync(new URL(file, folder), 'utf8');
      expect(source).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
      for (const [, name = ''] of source.matchAll(/from '\.\/([^']+)'/g)) expect(files).toContain(name);
    }
  });

  test('is refused under a foreign name in words, and its API as JSON', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await getUnderHost('box.example', '/', browser);

    expect(page).toMatchObject({ status: 403, type: 'text/html; charset=utf-8' });
    expect(page.text).toContain('answers only on the machine it runs on, or under the name in BASE_URL.');
    expect(page.text).not.toMatch(/<script|src=|href=/);
    for (const answer of [
      await getUnderHost('box.example', '/'),
      await getUnderHost('box.example', '/playground/state', browser),
    ]) {
      const sentence =
        "The playground does not answer under the name 'box.example'; to open it to others, set PLAYGROUND=on and BASE_URL to the address they use.";
      expect(JSON.parse(answer.text)).toEqual({
        ok: false,
        error: 'not_same_origin',
        response_metadata: { messages: [sentence] },
      });
    }
  });

  test('asks for the hints anew each time, and does without them when that fails', async () => {
    await slack.stop();
    let keys: readonly string[] = [];
    slack = await startStandInSlack({
      hints: async () => {
        if (keys.length > 1) throw new Error('the store is locked');
        return keys.map((key) => ({ text: 'Try', insert: `/tis ${key}` }));
      },
    });

    expect((await stateOf(slack)).hints).toEqual([]);
    keys = ['WEB-1'];
    expect((await stateOf(slack)).hints).toEqual([{ text: 'Try', insert: '/tis WEB-1' }]);
    keys = ['WEB-1', 'WEB-2'];
    expect(await stateOf(slack)).toMatchObject({ ok: true, hints: [], me: 'U0ADA' });
  });

  test('is told whether one can write to the app, and what the app is', async () => {
    expect((await stateOf(slack)).app).toMatchObject({ messagesTab: true, description: '' });
    await slack.stop();
    const app = { id: 'A0', name: 'Dwell', botUserId: 'U0DWELL', botId: 'B0' };
    slack = await startStandInSlack({ app: { ...app, messagesTab: false, description: 'Time in status' } });

    expect((await stateOf(slack)).app).toMatchObject({ messagesTab: false, description: 'Time in status' });
  });

  test('is told nothing secret', async () => {
    await slack.types('hello');
    const texts = await Promise.all(
      ['', '/playground/state?as=ada', '/playground/conversation?as=U0ADA&id=C0GENERAL'].map(async (path) =>
        (await fetch(slack.url + path)).text(),
      ),
    );

    for (const secret of [slack.signingSecret, slack.botToken, slack.appToken])
      expect(texts.join()).not.toContain(secret);
  });
});

describe('the page’s own API', () => {
  test('takes what the page sends', async () => {
    expect((await post({ origin: slack.url })).status).toBe(200);
    expect(slack.messages()).toMatchObject([{ user: 'U0ADA', text: 'hello' }]);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a null origin', { origin: 'null' }],
    ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_, headers) => {
    expect((await post(headers)).status).toBe(403);
    expect(slack.messages()).toEqual([]);
  });

  test('refuses a name that only leads here', async () => {
    expect((await getUnderHost('evil.example')).status).toBe(403);
    expect((await getUnderHost('localhost')).status).toBe(200);
  });

  test('lets those names in that it is told', async () => {
    await slack.stop();
    slack = await startStandInSlack({ hosts: ['box.example'] });

    expect((await getUnderHost('box.example', '/', 'text/html')).status).toBe(200);
    expect((await getUnderHost('box.example')).status).toBe(200);
    expect((await getUnderHost('other.example')).status).toBe(403);
  });

  test('opens no socket for what a proxy has passed on, nor under a foreign name', async () => {
    const connected = async (headers: Record<string, string>) => {
      const answer = await fetch(`${slack.url}/playground/api/apps.connections.open`, {
        method: 'POST',
        headers: { authorization: `Bearer ${slack.appToken}` },
      });
      const opened: unknown = await answer.json();
      const socket = new WebSocket(String(isJson(opened) ? opened.url : ''), { headers });
      const open = await Promise.race([
        once(socket, 'open').then(() => true),
        once(socket, 'error').then(() => false),
      ]).catch(() => false);
      socket.terminate();
      return open;
    };

    expect(await connected({})).toBe(true);
    expect(await connected({ 'X-Forwarded-For': '203.0.113.7' })).toBe(false);
    expect(await connected({ Host: 'box.example' })).toBe(false);
  });

  test('refuses large bodies, forms, and acts it does not know', async () => {
    expect((await post({}, JSON.stringify({ text: 'x'.repeat(300_000) }))).status).toBe(413);
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(400);
    expect(
      (
        await fetch(`${slack.url}/playground/act/constructor`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(400);
  });

  test('shows nobody somebody else’s direct messages', async () => {
    const answer = await fetch(`${slack.url}/playground/conversation?as=U0ADA&id=D0BEN`);

    expect(await answer.json()).toEqual({ ok: false, error: 'channel_not_found' });
  });

  test('streams what one person sees, as it happens', async () => {
    const stream = await fetch(`${slack.url}/playground/changes?as=U0BEN`);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => (await reader?.read())?.value ?? '';

    expect(await next()).toContain('"kind":"hello"');
    await slack.types('/nope', { as: 'ada' });
    await slack.types('hello', { as: 'ada' });
    const seen = await next();

    expect(seen).toContain('"text":"hello"');
    expect(seen).not.toContain('not a valid command');
  });
});
