import type { ModalView } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { until } from '../support/local-exports.ts';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';
import { startBoltOverHttp } from './bolt-apps.ts';

let slack: StandInSlack;
let bot: Awaited<ReturnType<typeof startBoltOverHttp>>;
let now = 0;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 20, 9);
  slack = await startStandInSlack({
    now: () => now,
    shortcuts: [
      { type: 'global', callbackId: 'ask', name: 'Ask', description: '' },
      { type: 'message', callbackId: 'look', name: 'Look', description: '' },
    ],
  });
  bot = await startBoltOverHttp(slack);
});

afterEach(async () => {
  await bot.stop();
  await slack.stop();
});

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const modal = (title: string, more: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: 'form',
  title: plain(title),
  submit: plain('Go'),
  blocks: [
    {
      type: 'input',
      block_id: 'jql',
      label: plain('JQL'),
      element: { type: 'plain_text_input', action_id: 'jql' },
    },
    {
      type: 'input',
      block_id: 'project',
      optional: true,
      label: plain('Project'),
      element: { type: 'external_select', action_id: 'project', min_query_length: 0 },
    },
  ],
  ...more,
});

/** An app whose command opens a modal. */
function opensModal(more: Partial<ModalView> = {}): void {
  bot.app.command('/tis', async ({ ack, client, body }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: modal('First', more) });
  });
}

test('a modal is in the window it was opened from, and in no other', async () => {
  opensModal();
  const { playground } = slack;
  await playground.sendCommand({ user: 'U0ADA', tab: 'left', channel: 'C0GENERAL', line: '/tis' });
  await until(() => playground.modals('U0ADA', 'left').length > 0 || null);
  expect(playground.modals('U0ADA', 'left')).toHaveLength(1);
  expect(playground.modals('U0ADA', 'right')).toEqual([]);
  await playground.closeView('U0ADA', 'left');
  expect(playground.modals('U0ADA', 'left')).toEqual([]);
});

describe('a modal', () => {
  test('is opened by a command, submitted with what was entered, and closes', async () => {
    const values = Promise.withResolvers<unknown>();
    opensModal();
    bot.app.options('project', ({ ack, options }) =>
      ack({ options: [{ text: plain(`${options.value}!`), value: 'WEB' }] }),
    );
    bot.app.view('form', async ({ ack, view }) => {
      await ack();
      values.resolve(view.state.values);
    });

    await slack.types('/tis');
    expect((await slack.modal()).title).toEqual(plain('First'));
    expect(await slack.asksForOptions('project', 'we')).toEqual({
      options: [{ text: plain('we!'), value: 'WEB' }],
      groups: [],
    });
    const { errors } = await slack.submits({ jql: 'project = WEB', project: 'WEB' });

    expect(errors).toEqual({});
    expect(await values.promise).toMatchObject({
      jql: { jql: { type: 'plain_text_input', value: 'project = WEB' } },
      project: { project: { selected_option: { text: plain('we!'), value: 'WEB' } } },
    });
    expect(slack.openModals()).toEqual([]);
  });

  test('keeps the reader back where something required is missing, without asking the app', async () => {
    opensModal();
    await slack.types('/tis');
    await slack.modal();

    expect(await slack.submits()).toEqual({
      ack: null,
      errors: { jql: 'Please complete this required field.' },
    });
  });

  test('sends what was emptied as null, and keeps the reader back where it is required', async () => {
    const [jql, project] = modal('First').blocks;
    const filled = (block: object | undefined, initial: object) =>
      ({ ...block, element: { ...(block as { element: object }).element, ...initial } }) as never;
    const option = { text: plain('Web'), value: 'WEB' };
    opensModal({
      blocks: [filled(jql, { initial_value: 'a = b' }), filled(project, { initial_option: option })],
    });
    const values = Promise.withResolvers<unknown>();
    bot.app.view('form', async ({ ack, view }) => {
      await ack();
      values.resolve(view.state.values);
    });
    await slack.types('/tis');
    await slack.modal();

    const emptied = await slack.submits({ 'jql.jql': null, 'project.project': null });
    expect(emptied.errors).toEqual({ jql: 'Please complete this required field.' });
    await slack.submits({ 'jql.jql': 'c = d' });
    expect(await values.promise).toMatchObject({
      jql: { jql: { value: 'c = d' } },
      project: { project: { selected_option: null } },
    });
  });

  test('shows the errors the app answers, and stays', async () => {
    opensModal();
    bot.app.view('form', ({ ack }) => ack({ response_action: 'errors', errors: { jql: 'This is not JQL' } }));
    await slack.types('/tis');
    await slack.modal();

    expect((await slack.submits({ jql: '!' })).errors).toEqual({ jql: 'This is not JQL' });
    expect(slack.openModals()).toHaveLength(1);
  });

  test('is updated, pushed upon and cleared by answers', async () => {
    opensModal();
    const answers = [
      { response_action: 'update' as const, view: modal('Second') },
      { response_action: 'push' as const, view: modal('Third') },
      { response_action: 'clear' as const },
    ];
    bot.app.view('form', ({ ack }) => ack(answers.shift()));
    await slack.types('/tis');
    await slack.modal();

    const titles: unknown[] = [];
    for (let step = 0; step < 3; step++) {
      await slack.submits({ jql: 'x' });
      titles.push(slack.openModals().map(({ title }) => title));
    }

    expect(titles).toEqual([[plain('Second')], [plain('Second'), plain('Third')], []]);
  });

  test('is updated through the Web API, unless it has changed meanwhile', async () => {
    opensModal({ external_id: 'mine' });
    await slack.types('/tis');
    const { id, hash } = await slack.modal();
    const { client } = bot.app;

    await client.views.update({ external_id: 'mine', view: modal('Anew', { external_id: 'mine' }) });
    await expect(client.views.update({ view_id: id, hash, view: modal('Late') })).rejects.toMatchObject({
      data: { error: 'hash_conflict' },
    });

    expect(slack.openModals()[0]?.title).toEqual(plain('Anew'));
  });

  test('tells the app when it is closed, if the app wished', async () => {
    const closed = Promise.withResolvers<unknown>();
    opensModal({ notify_on_close: true });
    bot.app.view({ type: 'view_closed', callback_id: 'form' }, async ({ ack, body }) => {
      await ack();
      closed.resolve(body);
    });
    await slack.types('/tis');
    await slack.modal();
    await slack.dismisses();

    expect(await closed.promise).toMatchObject({ type: 'view_closed', is_cleared: false });
    expect(slack.openModals()).toEqual([]);
  });

  test('opens for a trigger once, and for three seconds', async () => {
    const triggers: string[] = [];
    bot.app.command('/tis', async ({ ack, body }) => {
      triggers.push(body.trigger_id);
      await ack();
    });
    await slack.types('/tis');
    await slack.types('/tis');
    const open = (trigger = '') => bot.app.client.views.open({ trigger_id: trigger, view: modal('x') });

    now += 3_000;
    await open(triggers[0]);
    await expect(open(triggers[0])).rejects.toMatchObject({ data: { error: 'exchanged_trigger_id' } });
    now += 1;
    await expect(open(triggers[1])).rejects.toMatchObject({ data: { error: 'expired_trigger_id' } });
    await expect(open('made.up')).rejects.toMatchObject({ data: { error: 'invalid_trigger_id' } });
  });

  test('is refused where Slack would refuse it', async () => {
    const failure = Promise.withResolvers<unknown>();
    bot.app.command('/tis', async ({ ack, client, body }) => {
      await ack();
      await client.views
        .open({ trigger_id: body.trigger_id, view: modal('x'.repeat(25)) })
        .catch(failure.resolve);
    });
    await slack.types('/tis');

    expect(await failure.promise).toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: { messages: [expect.stringContaining('[json-pointer:/view/title/text]')] },
      },
    });
  });

  test('is opened by shortcuts too', async () => {
    bot.app.shortcut({ type: 'shortcut', callback_id: 'ask' }, async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: modal('Asked') });
    });
    bot.app.shortcut({ type: 'message_action', callback_id: 'look' }, async ({ ack, respond, shortcut }) => {
      await ack();
      if ('message' in shortcut) await respond(`looked at ${shortcut.message.text}`);
    });

    await slack.picks('ask');
    expect((await slack.modal()).title).toEqual(plain('Asked'));
    const { message } = await slack.types('WEB-1 again');
    await slack.picks('look', message ? { on: message } : {});
    expect((await slack.reply()).text).toBe('looked at WEB-1 again');
  });
});

describe('the Home tab', () => {
  test('is published when it is opened, for each person their own', async () => {
    bot.app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({
        user_id: event.user,
        view: { type: 'home', blocks: [{ type: 'header', text: plain(`Hello ${event.user}`) }] },
      });
    });

    const [ada, ben] = [await slack.opensHome('ada'), await slack.opensHome('ben')];

    expect(ada.blocks).toMatchObject([{ text: { text: 'Hello U0ADA' } }]);
    expect(ben.blocks).toMatchObject([{ text: { text: 'Hello U0BEN' } }]);
  });
});
