import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { startDwellInSlack } from '../support/start-slack.ts';

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
});

describe('Socket Mode', () => {
  test('answers over two connections, and still while one of them is refreshed', async () => {
    const place = await startDwellInSlack({ mode: 'socket' });
    expect(place.slack.sockets.connections()).toBe(2);
    const [first] = await place.asks('/tis WEB-1');
    expect(first?.text).toMatch(/^WEB-1 /);
    place.slack.sockets.refresh();
    await place.slack.sockets.connected(1);
    const [second] = await place.asks('/tis WEB-1');
    expect(second?.text).toMatch(/^WEB-1 /);
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

test('a bot token Slack does not accept stops the start with one sentence', async () => {
  await expect(startDwellInSlack({ environment: { SLACK_BOT_TOKEN: 'xoxb-revoked' } })).rejects.toThrow(
    /^Slack does not accept SLACK_BOT_TOKEN: .*invalid_auth/,
  );
});

test('an app token Slack does not accept stops the start with one sentence', async () => {
  await expect(
    startDwellInSlack({ mode: 'socket', environment: { SLACK_APP_TOKEN: 'xapp-revoked' } }),
  ).rejects.toThrow(/^Slack does not accept SLACK_APP_TOKEN: .*invalid_auth/);
});

test('the playground never starts where Slack tokens are configured', async () => {
  const place = await startDwellInSlack();
  expect(place.dwell.playground).toBeNull();
  const { status } = await place.dwell.get('/', {}, {});
  expect(status).toBe(404);
  expect((await place.dwell.get('/playground/api/auth.test', {}, {})).status).toBe(404);
  await place.stop();
});
