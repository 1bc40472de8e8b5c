import { createServer } from 'node:http';
import { RespondError } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';
import { startBoltOverHttp } from './bolt-apps.ts';

let slack: StandInSlack;
let bot: Awaited<ReturnType<typeof startBoltOverHttp>>;
let now = Date.UTC(2026, 10, 20, 9);

async function startAnew(limits: { readonly ackMs?: number } = {}): Promise<void> {
  now = Date.UTC(2026, 10, 20, 9);
  slack = await startStandInSlack({
    now: () => now,
    limits,
    commands: [
      { command: '/tis', description: 'Time in status', usageHint: '[key]' },
      { command: '/named', description: 'Takes names', shouldEscape: true },
    ],
  });
  bot = await startBoltOverHttp(slack);
}

async function stopBoth(): Promise<void> {
  await bot.stop();
  await slack.stop();
}

beforeEach(() => startAnew());
afterEach(stopBoth);

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const pressable = (text: string) => [
  {
    type: 'actions' as const,
    elements: [{ type: 'button' as const, action_id: 'go', text: plain(text), value: 'v' }],
  },
];

describe('a slash command', () => {
  test('is acknowledged and answered through its response URL, for its sender only', async () => {
    bot.app.command('/tis', async ({ ack, respond, command }) => {
      await ack();
      await respond(`${command.user_name} asked for ${command.text} in ${command.channel_name}`);
    });

    const { ack } = await slack.types('/tis WEB-1', { as: 'ada', in: 'web-team' });
    const reply = await slack.reply();

    expect(ack).toMatchObject({ outcome: 'ok', status: 200, body: '' });
    expect(reply.text).toBe('ada asked for WEB-1 in web-team');
    expect(slack.messages({ channel: 'web-team', as: 'ada' })).toHaveLength(1);
    expect(slack.messages({ channel: 'web-team', as: 'ben' })).toHaveLength(0);
  });

  test('may be answered in the acknowledgement, for everybody', async () => {
    bot.app.command('/tis', ({ ack }) => ack({ response_type: 'in_channel', text: 'Here' }));

    await slack.types('/tis WEB-1', { in: 'web-team' });

    expect(slack.messages({ channel: 'web-team', as: 'ben' })).toMatchObject([
      { text: 'Here', byApp: true, answers: { user: 'U0ADA', text: '/tis WEB-1' } },
    ]);
  });

  test('carries escaped text, and names as ids where the manifest asks for it', async () => {
    const texts: string[] = [];
    bot.app.command(/.*/, async ({ ack, command }) => {
      texts.push(command.text);
      await ack();
    });

    await slack.types('/tis created > -7d & @ben');
    await slack.types('/named @ben in #web-team, @nobody');

    expect(texts).toEqual(['created &gt; -7d &amp; @ben', '<@U0BEN|ben> in <#C0WEBTEAM|web-team>, @nobody']);
  });

  test('that nobody declared is answered by Slackbot', async () => {
    const { ack } = await slack.types('/nope');

    expect(ack).toBeNull();
    expect(await slack.reply()).toMatchObject({
      bySlackbot: true,
      text: expect.stringContaining('is not a valid command'),
    });
  });

  test('does not work in a thread', async () => {
    await slack.types('/tis WEB-1', { threadTs: '1.000001' });

    expect(await slack.reply()).toMatchObject({ text: expect.stringContaining('not supported in threads') });
  });

  test('that is not acknowledged in time fails before its sender’s eyes', async () => {
    await stopBoth();
    await startAnew({ ackMs: 300 });
    bot.app.command('/tis', async () => {});

    const { ack } = await slack.types('/tis WEB-1');

    expect(ack).toMatchObject({ outcome: 'operation_timeout', status: null });
    expect(await slack.reply()).toMatchObject({
      onlyFor: 'U0ADA',
      text: '`/tis` failed with the error "operation_timeout"',
    });
  });

  test('fails with dispatch_failed where no app listens', async () => {
    slack.botAt('http://127.0.0.1:9');

    await slack.types('/tis WEB-1');

    expect((await slack.reply()).text).toContain('dispatch_failed');
  });

  test('signed with another secret never reaches the app', async () => {
    await bot.stop();
    bot = await startBoltOverHttp(slack, 'another-secret');
    let reached = false;
    bot.app.command('/tis', async ({ ack }) => {
      reached = true;
      await ack();
    });

    const { ack } = await slack.types('/tis WEB-1');

    expect(ack).toMatchObject({ outcome: 'http_client_error', status: 401 });
    expect(reached).toBe(false);
  });
});

describe('a response URL', () => {
  test('works five times', async () => {
    const failure = Promise.withResolvers<unknown>();
    bot.app.command('/tis', async ({ ack, respond }) => {
      await ack();
      try {
        for (let use = 1; use <= 6; use++) await respond(`answer ${use}`);
      } catch (error) {
        failure.resolve(error);
      }
    });

    await slack.types('/tis WEB-1');
    const error = await failure.promise;

    expect(error).toBeInstanceOf(RespondError);
    expect(error).toMatchObject({ statusCode: 404 });
    expect(slack.messages({ as: 'ada' }).map(({ text }) => text)).toEqual(
      [1, 2, 3, 4, 5].map((use) => `answer ${use}`),
    );
  });

  test('works for thirty minutes', async () => {
    let url = '';
    bot.app.command('/tis', async ({ ack, command }) => {
      url = command.response_url;
      await ack();
    });
    const answer = () =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"text":"late"}',
      });

    await slack.types('/tis WEB-1');
    now += 30 * 60_000;
    expect((await answer()).status).toBe(200);
    now += 1;
    const late = await answer();

    expect(late.status).toBe(404);
    expect(await late.json()).toEqual({ ok: false, error: 'expired_url' });
  });

  test('refuses blocks Slack would refuse', async () => {
    const failure = Promise.withResolvers<unknown>();
    bot.app.command('/tis', async ({ ack, respond }) => {
      await ack();
      await respond({ text: 'x', blocks: [{ type: 'header', text: plain('x'.repeat(151)) }] }).catch(
        failure.resolve,
      );
    });

    await slack.types('/tis WEB-1');

    expect(await failure.promise).toMatchObject({ statusCode: 400 });
    expect(slack.messages()).toEqual([]);
  });

  test('of a button replaces or deletes even an ephemeral message', async () => {
    bot.app.command('/tis', async ({ ack, respond }) => {
      await ack();
      await respond({ text: 'first', blocks: pressable('Next') });
    });
    bot.app.action('go', async ({ ack, respond, body }) => {
      await ack();
      expect(body).toMatchObject({ container: { is_ephemeral: true } });
      expect(body).not.toHaveProperty('message');
      if (slack.messages()[0]?.text === 'first')
        await respond({ replace_original: true, text: 'second', blocks: pressable('Away') });
      else await respond({ delete_original: true });
    });

    await slack.answerTo('/tis WEB-1');
    await slack.clicks('Next');
    expect((await slack.updated()).text).toBe('second');
    await slack.clicks('Away');
    await slack.deleted();

    expect(slack.messages()).toEqual([]);
  });
});

describe('a message', () => {
  test('to the app arrives as an event, and once more when it is not acknowledged', async () => {
    const attempts: unknown[] = [];
    slack.botAt(await refusingServer(attempts));

    await slack.types('hello @ben', { in: 'dm' });

    expect(attempts).toEqual([undefined, '1']);
    expect(slack.messages({ channel: 'dm' })).toMatchObject([{ text: 'hello <@U0BEN>' }]);
  });

  test('in a channel is nobody’s business', async () => {
    const { ack, message } = await slack.types('hello', { in: 'general' });

    expect(ack).toBeNull();
    expect(message).toMatchObject({ user: 'U0ADA', text: 'hello' });
  });

  test('can be acted upon, and tells the app what was chosen', async () => {
    const chosen = Promise.withResolvers<unknown>();
    bot.app.message('menu', async ({ say }) => {
      await say({
        text: 'menu',
        blocks: [
          {
            type: 'section',
            block_id: 'b',
            text: plain('Pick'),
            accessory: {
              type: 'static_select',
              action_id: 'pick',
              options: [
                { text: plain('One'), value: '1' },
                { text: plain('Two'), value: '2' },
              ],
            },
          },
        ],
      });
    });
    bot.app.action('pick', async ({ ack, action, body }) => {
      await ack();
      chosen.resolve({ action, state: 'state' in body ? body.state : undefined });
    });

    await slack.answerTo('menu', { in: 'dm' });
    await slack.clicks('pick', { entry: '2' });

    const option = { text: plain('Two'), value: '2' };
    expect(await chosen.promise).toMatchObject({
      action: { type: 'static_select', block_id: 'b', selected_option: option },
      state: { values: { b: { pick: { selected_option: option } } } },
    });
  });
});

async function refusingServer(attempts: unknown[]): Promise<string> {
  const server = createServer((request, response) => {
    attempts.push(request.headers['x-slack-retry-num']);
    response.writeHead(500, { connection: 'close' }).end();
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}
