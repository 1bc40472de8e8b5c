import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';

const folder = new URL('../../src/playground/page/', import.meta.url);
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
const statusWithHost = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(`${slack.url}/playground/state`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

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
    expect(await statusWithHost('evil.example')).toBe(403);
    expect(await statusWithHost('localhost')).toBe(200);
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
