import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';
import { startBoltOverSocket } from './bolt-apps.ts';

let slack: StandInSlack;
let bots: Awaited<ReturnType<typeof startBoltOverSocket>>[];

beforeEach(async () => {
  slack = await startStandInSlack();
  bots = [];
});

afterEach(async () => {
  for (const bot of bots) await bot.stop();
  await slack.stop();
});

async function connect(answer: string, drainMs?: number) {
  const bot = await startBoltOverSocket(slack, drainMs);
  bots.push(bot);
  await slack.sockets.connected(bots.length);
  bot.app.command('/tis', ({ ack }) => ack(answer));
  return bot;
}

describe('Socket Mode', () => {
  test('carries commands, and the message in their acknowledgement', async () => {
    await connect('one');

    const { ack } = await slack.types('/tis');

    expect(ack).toMatchObject({ outcome: 'ok', status: null, body: { text: 'one' } });
    expect((await slack.reply()).text).toBe('one');
  });

  test('carries events, clicks and views', async () => {
    const { app } = await connect('one');
    const plain = (text: string) => ({ type: 'plain_text' as const, text });
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({
        user_id: event.user,
        view: {
          type: 'home',
          blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: plain('Go') }] }],
        },
      });
    });
    app.action('go', async ({ ack, client, body }) => {
      await ack();
      if ('trigger_id' in body)
        await client.views.open({
          trigger_id: body.trigger_id,
          view: {
            type: 'modal',
            callback_id: 'form',
            title: plain('Form'),
            submit: plain('Go'),
            blocks: [
              {
                type: 'input',
                block_id: 'b',
                label: plain('x'),
                element: { type: 'plain_text_input', action_id: 'a' },
              },
            ],
          },
        });
    });
    app.view('form', ({ ack }) => ack({ response_action: 'errors', errors: { b: 'No' } }));

    await slack.opensHome();
    await slack.clicks('Go', { on: 'home' });
    await slack.modal();

    expect((await slack.submits({ a: 'x' })).errors).toEqual({ b: 'No' });
  });

  test('gives each payload to one of several connections, in turn', async () => {
    await connect('one');
    await connect('two');

    const answers: string[] = [];
    for (let count = 0; count < 4; count++) {
      answers.push((await slack.answerTo('/tis')).text);
    }

    expect(answers.toSorted()).toEqual(['one', 'one', 'two', 'two']);
  });

  test('goes on over the other connection while one is refreshed', async () => {
    await connect('one');
    await connect('two');

    slack.sockets.refresh(0);
    await slack.sockets.connected(1);
    const { ack } = await slack.types('/tis');

    expect(ack?.outcome).toBe('ok');
    expect((await slack.reply()).text).toBe('two');
  });

  test('times out where nothing acknowledges', async () => {
    await slack.stop();
    slack = await startStandInSlack({ limits: { ackMs: 500 } });
    await connect('one');

    expect((await slack.picks('nobody-listens')).outcome).toBe('operation_timeout');
  });

  test('fails while the connection is gone, and works again when it is back', async () => {
    await connect('one', 10_000);
    slack.sockets.cut();
    await slack.sockets.connected(0);

    const { ack } = await slack.types('/tis');

    expect(ack?.outcome).toBe('dispatch_failed');
    await slack.sockets.connected(1);
    expect((await slack.types('/tis')).ack?.outcome).toBe('ok');
  });

  test('lets nobody in without a ticket', async () => {
    const socket = new WebSocket(`${slack.url.replace('http', 'ws')}/playground/socket?ticket=guess`);
    const closed = await new Promise((resolve) => {
      socket.addEventListener('error', () => resolve(true));
      socket.addEventListener('open', () => resolve(false));
    });

    expect(closed).toBe(true);
  });
});
