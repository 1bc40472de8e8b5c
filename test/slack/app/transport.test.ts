import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { App } from '@slack/bolt';
import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import { postSigned } from '../../../playground/deliver.ts';
import { createSlackTokens, createTwoSockets } from '../../../src/slack/app/slack-clients.ts';
import { startStandInSlack } from '../../support/stand-in-slack.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

describe('signed HTTP', () => {
  const send = async (shift: number, secret: string) => {
    const place = await startDwellInSlack();
    const body = new URLSearchParams({
      command: '/tis',
      text: 'help',
      user_id: 'U0ADA',
      team_id: 'T0STANDIN',
      channel_id: 'C0GENERAL',
      response_url: `${place.slack.url}/playground/response/none`,
      trigger_id: '1',
    }).toString();
    const timestamp = String(Math.floor(Date.now() / 1000) + shift);
    const mac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    const { status } = await fetch(`${place.dwell.url}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${mac}`,
      },
      body,
    });
    await place.stop();
    return status;
  };
  const secret = 'stand-in-signing-secret';

  test('a request with the right signature is taken', async () => {
    expect(await send(0, secret)).toBe(200);
  });

  test.each([
    ['a wrong signature', 0, 'another-secret'],
    ['a request signed too long ago', -301, secret],
    ['a request signed for later', 3600, secret],
  ])('%s is refused', async (_what, shift, key) => {
    expect(await send(shift, key)).toBe(401);
  });

  test.each([
    ['without a signature', {}, 401],
    ['with a signature that is none', { 'x-slack-signature': 'v0=', 'x-slack-request-timestamp': '1' }, 401],
    [
      'with a signature in other letters',
      {
        'x-slack-signature': 'é'.repeat(67),
        'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)),
      },
      401,
    ],
    ['with a time that is none', { 'x-slack-signature': 'v0=', 'x-slack-request-timestamp': 'now' }, 401],
    ['whose body is too large', { large: 'yes' }, 413],
  ])('a request %s is refused', async (_what, headers, status) => {
    const place = await startDwellInSlack();
    const body = 'large' in headers ? 'x'.repeat(5 * 2 ** 20) : 'command=/tis';
    const url = `${place.dwell.url}/slack/events`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(status);
    await place.stop();
  });
});

/** A wait that is over soon, and lets everything else go on. */
const shortly = () => setTimeout(5);

type Place = Awaited<ReturnType<typeof startDwellInSlack>>;

/** What /readyz says with 200, once it is what was waited for. */
async function untilReady(
  { dwell }: Pick<Place, 'dwell'>,
  isIt: (body: Readonly<Record<string, unknown>>) => boolean,
): Promise<unknown> {
  for (;;) {
    const { status, json } = await dwell.get('/readyz', {}, {});
    if (status !== 200) throw new Error(`not ready: ${JSON.stringify(json)}`);
    if (isIt(json)) return json;
    await setTimeout(5);
  }
}

describe('two sockets', () => {
  /** Two connections of a stand-in Slack, a moment apart. */
  async function openTwo(apartMs: number) {
    const slack = await startStandInSlack();
    const log = pino({ level: 'silent' });
    const sockets = createTwoSockets(
      {
        ...{ appToken: slack.appToken, clientOptions: { slackApiUrl: slack.apiUrl } },
        ...{ tokens: createSlackTokens(log, () => {}), wait: shortly, log },
      },
      apartMs,
    );
    sockets.init(
      new App({ receiver: sockets, token: slack.botToken, clientOptions: { slackApiUrl: slack.apiUrl } }),
    );
    await sockets.start();
    const stop = async () => {
      await sockets.stop();
      await slack.stop();
    };
    const opened = () => slack.calls('apps.connections.open').length;
    return { slack: slack.sockets, sockets, opened, stop };
  }

  test('open apart: the first at once, the second later', async () => {
    const { slack, sockets, opened, stop } = await openTwo(50);
    expect([opened(), sockets.connected()]).toEqual([1, true]);
    await slack.connected(2);
    expect(opened()).toBe(2);
    await stop();
  });

  test('one that is refreshed leaves the other open', async () => {
    const { slack, sockets, stop } = await openTwo(50);
    await slack.connected(2);
    slack.refresh(0);
    await slack.connected(1);
    expect(sockets.connected()).toBe(true);
    await stop();
  });

  test('the second does not open after the end', async () => {
    const { opened, stop } = await openTwo(1);
    await stop();
    expect(opened()).toBe(1);
  });
});

describe('Socket Mode', () => {
  test('answers over a connection', async () => {
    const place = await startDwellInSlack({ mode: 'socket' });
    const first = await place.slack.answerTo('/tis WEB-1');
    expect(first.text).toMatch(/^WEB-1 /);
    await place.stop();
  });

  test('a connection that ends is opened again, and everything else goes on meanwhile', async () => {
    const opening = Promise.withResolvers<void>();
    const place = await startDwellInSlack({ mode: 'socket', slackWait: () => opening.promise });
    place.slack.sockets.refresh(0);
    await place.slack.sockets.connected(0);
    // The client hears of the end of its connection through its own socket.
    const outage = await untilReady(place, ({ slack }) => slack !== undefined);
    expect(outage).toEqual({
      ...{ status: 'ready', slack: 'unreachable' },
      slackReason: 'No Socket Mode connection to Slack is open.',
    });
    opening.resolve();
    await place.slack.sockets.connected(1);
    expect(await untilReady(place, ({ slack }) => slack === undefined)).toEqual({ status: 'ready' });
    const first = await place.slack.answerTo('/tis WEB-1');
    expect(first.text).toMatch(/^WEB-1 /);
    await place.stop();
  });

  test('is ready when a connection stands', async () => {
    const place = await startDwellInSlack({ mode: 'socket' });
    expect((await place.dwell.get('/readyz', {}, {})).json).toEqual({ status: 'ready' });
    await place.stop();
  });

  test('REST is served beside it', async () => {
    const place = await startDwellInSlack({ mode: 'socket' });
    expect((await place.dwell.get('/rest/statuses')).status).toBe(200);
    await place.stop();
  });
});

test('a command that arrives while Dwell stops still gets its answer', async () => {
  const place = await startDwellInSlack();
  const responseUrl = await responseUrlOf(place);
  const body = new URLSearchParams({
    command: '/tis',
    text: 'APP-350',
    user_id: 'U0ADA',
    team_id: 'T0STANDIN',
    channel_id: 'C0GENERAL',
    response_url: responseUrl,
    trigger_id: '1',
  }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', place.slack.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const { hostname, port } = new URL(place.dwell.url);
  const socket = connect(Number(port), hostname);
  socket.resume();
  socket.write(
    [
      'POST /slack/events HTTP/1.1',
      `Host: ${hostname}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      `X-Slack-Request-Timestamp: ${timestamp}`,
      `X-Slack-Signature: v0=${mac}`,
      '',
      body.slice(0, 20),
    ].join('\r\n'),
  );
  await place.dwell.get('/healthz', {}, {});
  const stopped = place.dwell.stop();
  socket.write(body.slice(20));
  await stopped;
  const answers = place.slack.messages().filter((message) => message.text.startsWith('APP-350'));
  expect(answers).toHaveLength(1);
  await place.slack.stop();
});

/** An address that takes an answer, as a command would hand it over. */
async function responseUrlOf({ slack }: Awaited<ReturnType<typeof startDwellInSlack>>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const listener = createServer((request, response) => {
    let sent = '';
    request.on('data', (chunk) => {
      sent += String(chunk);
    });
    request.on('end', () => {
      response.end();
      resolve(new URLSearchParams(sent).get('response_url') ?? '');
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  slack.botAt(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  await slack.types('/tis anything');
  listener.close();
  return promise;
}

describe('a token that Slack refuses at the start', () => {
  const slow = () => new Promise<void>(() => {});

  test.each([
    ['http', 'SLACK_BOT_TOKEN', 'xoxb-revoked'],
    ['socket', 'SLACK_BOT_TOKEN', 'xoxb-revoked'],
    ['socket', 'SLACK_APP_TOKEN', 'xapp-revoked'],
  ] as const)('is one sentence in the log, and the rest starts: %s, %s', async (mode, name, token) => {
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line).msg) });
    const environment = { BASE_URL: 'https://dwell.example', [name]: token };
    const place = await startDwellInSlack({ mode, log, slackWait: slow, environment });
    expect(logged).toEqual([
      `Slack refuses ${name}: invalid_auth. Everything but Slack goes on. Reinstall the app or set a valid token and restart; if Slack accepts this one again, Dwell goes on by itself.`,
    ]);
    const { status, json } = await place.dwell.get('/readyz', {}, {});
    const reason = `Slack refuses ${name}: invalid_auth.`;
    expect([status, json]).toEqual([200, { status: 'ready', slack: 'refused', slackReason: reason }]);
    expect((await place.dwell.get('/rest/statuses')).status).toBe(200);
    await place.stop();
  });

  test('is used as soon as Slack accepts it', async () => {
    const place = await startDwellInSlack({ mode: 'socket', slackWait: shortly });
    for (const token of ['app', 'bot'] as const) {
      place.slack.faults.refuseToken(token, 'invalid_auth');
      if (token === 'app') {
        place.slack.sockets.cut(0);
        await place.slack.sockets.connected(0);
      } else await place.slack.types('/tis mine');
      const name = token === 'app' ? 'SLACK_APP_TOKEN' : 'SLACK_BOT_TOKEN';
      expect(await untilReady(place, ({ slack }) => slack === 'refused')).toEqual({
        ...{ status: 'ready', slack: 'refused', slackReason: `Slack refuses ${name}: invalid_auth.` },
      });
      expect((await place.dwell.get('/rest/statuses')).status).toBe(200);
      place.slack.faults.refuseToken(token, null);
      expect(await untilReady(place, ({ slack }) => slack === undefined)).toEqual({ status: 'ready' });
    }
    const first = await place.slack.answerTo('/tis WEB-1');
    expect(first.text).toMatch(/^WEB-1 /);
    await place.stop();
  });
});

test('the playground never starts where Slack tokens are configured', async () => {
  const place = await startDwellInSlack();
  expect(place.dwell.playground).toBe(null);
  const { status } = await place.dwell.get('/', {}, {});
  expect(status).toBe(404);
  expect((await place.dwell.get('/playground/api/auth.test', {}, {})).status).toBe(404);
  await place.stop();
});

describe('a token that Slack revokes', () => {
  const lost = (word: string) => ({
    ...{ status: 'ready', slack: 'refused', slackReason: `Slack refuses SLACK_BOT_TOKEN: ${word}.` },
  });

  const sends = ({ dwell, slack }: Place, event: Record<string, unknown>) =>
    postSigned({
      ...{
        url: dwell.url,
        kind: 'event',
        signingSecret: slack.signingSecret,
        atMs: Date.now(),
        timeoutMs: 10_000,
      },
      payload: {
        type: 'event_callback',
        team_id: 'T0STANDIN',
        api_app_id: 'A0DWELL',
        event_id: 'Ev1',
        event,
      },
      headers: {},
    });
  const readiness = async ({ dwell }: Place) => (await dwell.get('/readyz', {}, {})).json;

  test.each([
    ['app_uninstalled', { type: 'app_uninstalled' }],
    ['token_revoked', { type: 'tokens_revoked', tokens: { bot: ['U0DWELL'] } }],
  ])('by %s: nothing is posted any more, and everything else goes on', async (word, event) => {
    const place = await startDwellInSlack();
    await sends(place, event);
    expect(await readiness(place)).toEqual(lost(word));
    const posted = place.slack.calls('chat.postMessage').length;
    expect((await place.slack.answerTo('/tis status', { in: 'web-team' })).text).toContain(
      "Slack no longer accepts Dwell's token.",
    );
    expect(place.slack.calls('chat.postMessage')).toHaveLength(posted);
    await place.stop();
  });

  test('of a person is none of the app’s', async () => {
    const place = await startDwellInSlack();
    await sends(place, { type: 'tokens_revoked', tokens: { oauth: ['U0ADA'] } });
    expect(await readiness(place)).toEqual({ status: 'ready' });
    await place.stop();
  });

  test.each([
    ['users.info', 'token_revoked', '/tis mine'],
    ['users.info', 'account_inactive', '/tis mine'],
    ['views.open', 'invalid_auth', '/tis watch new'],
  ])('is noticed by any call that is refused: %s, %s', async (method, word, line) => {
    const place = await startDwellInSlack();
    place.slack.faults.failNext(method, word);
    const answer = await place.slack.answerTo(line);
    expect(answer.text).toContain("Slack no longer accepts Dwell's token.");
    expect(await readiness(place)).toEqual(lost(word));
    await place.stop();
  });
});
