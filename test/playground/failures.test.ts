import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';

let slack: StandInSlack;
let broken = false;

beforeEach(async () => {
  broken = false;
  slack = await startStandInSlack({
    now: () => {
      if (broken) throw new Error('secret of the inside');
      return 0;
    },
  });
});

afterEach(() => slack.stop());

async function answer(path: string, body?: string, headers: Record<string, string> = {}) {
  const form = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(slack.url + path, body === undefined ? {} : { ...form, body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const json = (status: number, error: string) => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify({ ok: false, error }),
});

describe('the playground', () => {
  test.each([['/playground/act/post'], ['/playground/api/chat.postMessage'], ['/playground/response/X']])(
    'refuses malformed JSON at %s in JSON',
    async (path) => {
      expect(await answer(path, '{"user":')).toEqual(json(400, 'invalid_request'));
    },
  );

  test.each([['/playground/files/%zz/a.png'], ['/playground/api/%zz'], ['/playground/page/%zz']])(
    'refuses the malformed address %s in JSON',
    async (path) => {
      expect(await answer(path)).toEqual(json(400, 'invalid_request'));
    },
  );

  test('says in JSON that it has no such file', async () => {
    expect(await answer('/playground/page/none.js')).toEqual(json(404, 'not_found'));
  });

  test('refuses what is too large in JSON', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(6_000_000) });
    const authorization = `Bearer ${slack.botToken}`;

    expect(await answer('/playground/act/post', large)).toEqual(json(413, 'request_too_large'));
    expect(await answer('/playground/api/chat.postMessage', large, { authorization })).toEqual(
      json(413, 'request_too_large'),
    );
  });

  test('tells nothing of its own failures, and lives on', async () => {
    broken = true;
    expect(await answer('/playground/state?as=ada')).toEqual(json(500, 'internal_error'));
    expect(await answer('/playground/conversation?as=nobody&id=C0GENERAL')).toEqual(
      json(400, 'user_not_found'),
    );

    broken = false;
    expect((await answer('/playground/state?as=ada')).status).toBe(200);
  });

  test('passes its failures on to nobody', async () => {
    const heard: unknown[] = [];
    const app = express();
    app.use(
      slack.playground.router,
      (error: unknown, _: unknown, response: express.Response, __: unknown) => {
        heard.push(error);
        response.sendStatus(599);
      },
    );
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    broken = true;
    const response = await fetch(`http://127.0.0.1:${port}/playground/state`);
    server.close();
    server.closeAllConnections();

    expect([response.status, heard]).toEqual([500, []]);
  });
});

describe('strangers', () => {
  test('are not remembered however much they post', async () => {
    const body = new URLSearchParams({ channel: 'C0GENERAL', text: 'x'.repeat(20_000) });
    const send = async () => {
      const response = await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', body });
      return response.json();
    };
    const answers = await Promise.all(Array.from({ length: 150 }, send));

    expect(answers).toEqual(Array.from({ length: 150 }, () => ({ ok: false, error: 'not_authed' })));
    expect(slack.calls()).toEqual([]);
    expect(slack.messages()).toEqual([]);
  });

  test.each([['//'], ['/'], ['/playground/sockets'], ['/playground/socket?ticket=']])(
    'get no socket at %s, and the server lives on',
    async (path) => {
      const socket = new WebSocket(slack.url.replace('http', 'ws') + path);
      const opened = await new Promise((resolve) => {
        socket.addEventListener('error', () => resolve(false));
        socket.addEventListener('open', () => resolve(true));
      });

      expect(opened).toBe(false);
      expect((await answer('/playground/state?as=ada')).status).toBe(200);
    },
  );
});
