import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '#jest';
import { type DeliveryKind, postSigned } from '../../../playground/deliver.ts';
import type { Json } from '../../../playground/slack-json.ts';
import { isForInstallation } from '../../../src/slack/app/payloads.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

const home = 'T0STANDIN';
const other = 'T0OTHER';

const place = startedOnce(() => startDwellInSlack({ events: ['app_mention'] }));

/** Sends something signed with the secret of the app, as Slack does for every installation of it. */
const send = (kind: DeliveryKind, payload: Json) => {
  const { signingSecret } = place.slack;
  const how = { url: place.dwell.url, kind, signingSecret, atMs: Date.now(), timeoutMs: 10_000 };
  return postSigned({ ...how, payload: { api_app_id: 'A0DWELL', token: 'nobody checks it', ...payload } });
};

const responseUrl = () => `${place.slack.url}/playground/response/none`;
const ada = (team: string) => ({ id: 'U0ADA', name: 'ada', username: 'ada', team_id: team });
const command = (team: string, text: string): Json => ({
  ...{ command: '/tis', text, user_id: 'U0ADA', user_name: 'ada', team_id: team, channel_id: 'C0GENERAL' },
  ...{ response_url: responseUrl(), trigger_id: '1', is_enterprise_install: 'false' },
});
const interaction = (team: string, more: Json): Json => ({
  ...{ user: ada(team), team: { id: team, domain: 'elsewhere' }, enterprise: null, trigger_id: '1' },
  ...{ is_enterprise_install: false, response_url: responseUrl(), ...more },
});
const click = (team: string): Json =>
  interaction(team, {
    type: 'block_actions',
    container: { type: 'message', message_ts: '1.1', channel_id: 'C0GENERAL', is_ephemeral: false },
    channel: { id: 'C0GENERAL', name: 'general' },
    actions: [
      { type: 'button', action_id: 'run-line:0', block_id: 'b', value: '/tis WEB-497', action_ts: '1' },
    ],
  });
const view = { id: 'V1', hash: '1', type: 'modal', private_metadata: '', state: { values: {} }, blocks: [] };
let mentions = 0;
/** A message of its own: what Slack repeats is answered once. */
const mention = (team: string, more: Json = {}): Json => {
  mentions += 1;
  const message = { text: 'WEB-497', ts: `1.${mentions}`, channel: 'C0GENERAL' };
  return {
    ...{ type: 'event_callback', team_id: team, event_id: `Ev${mentions}`, event_time: 1 },
    event: { type: 'app_mention', user: 'U0ADA', team, ...message },
    ...more,
  };
};

const foreign: readonly (readonly [what: string, kind: DeliveryKind, payload: () => Json, body: unknown])[] =
  [
    [
      'a command',
      'command',
      () => command(other, 'WEB-497'),
      {
        response_type: 'ephemeral',
        text: "Dwell isn't set up for this workspace. Ask in the workspace where it is installed.",
      },
    ],
    ['a click', 'interactive', () => click(other), ''],
    [
      'a modal that is submitted',
      'interactive',
      () =>
        interaction(other, {
          ...{ type: 'view_submission' },
          view: { ...view, callback_id: 'report-builder', app_installed_team_id: other },
        }),
      '',
    ],
    [
      'a menu that is typed into',
      'interactive',
      () =>
        interaction(other, {
          ...{ type: 'block_suggestion', action_id: 'project', block_id: 'b', value: 'W' },
          view: { ...view, callback_id: 'report-builder' },
        }),
      { options: [] },
    ],
    [
      'a shortcut',
      'interactive',
      () => interaction(other, { type: 'shortcut', callback_id: 'report-builder', action_ts: '1' }),
      '',
    ],
    ['an event', 'event', () => mention(other), ''],
    [
      'the uninstallation of another installation',
      'event',
      () => ({ ...mention(other), event: { type: 'app_uninstalled' } }),
      '',
    ],
  ];

describe('what is signed for another workspace is acknowledged and not answered', () => {
  let before = 0;
  beforeEach(() => {
    before = place.slack.calls().length;
  });

  test.each(foreign)('%s', async (_what, kind, payload, body) => {
    expect(await send(kind, payload())).toMatchObject({ outcome: 'ok', status: 200, body });
    // A command of ours that comes later is answered, so the other has come to its end.
    await place.slack.answerTo('/tis help');
    const calls = place.slack.calls().slice(before);
    expect(calls.filter(({ method }) => /^(chat|views|files)\./.test(method))).toEqual([]);
    expect((await place.dwell.get('/readyz', {}, {})).json).toEqual({ status: 'ready' });
  });
});

test('a person of another organization who clicks a message only they see reads where to ask', async () => {
  const said: unknown[] = [];
  const server = createServer(async (request, response) => {
    said.push(JSON.parse(await text(request)));
    response.end('ok');
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const container = { type: 'message', message_ts: '1.1', channel_id: 'C0GENERAL', is_ephemeral: true };
    const toSender = { response_url: `http://127.0.0.1:${port}/actions` };
    const sent = await send('interactive', { ...click(other), container, ...toSender });
    expect(sent).toMatchObject({ outcome: 'ok', status: 200 });
    while (said.length === 0) await setTimeout(5);
    expect(said).toEqual([
      {
        response_type: 'ephemeral',
        replace_original: false,
        text: "Dwell isn't set up for this workspace. Ask in the workspace where it is installed.",
      },
    ]);
  } finally {
    server.close();
  }
});

const shared = { authorizations: [{ enterprise_id: null, team_id: home }], context_team_id: home };

test.each([
  ['a command of our workspace', 'command', () => command(home, 'help')],
  ['a click of our workspace', 'interactive', () => click(home)],
  ['a mention in our workspace', 'event', () => mention(home)],
  [
    'a mention by people of another organization, in a channel of both',
    'event',
    () => mention(other, shared),
  ],
] as const)('%s is answered', async (_what, kind, payload) => {
  const said = () => place.slack.calls().filter(({ method }) => method.startsWith('chat.')).length;
  const before = said();
  await send(kind, payload());
  while (said() === before) await setTimeout(5);
  expect(said()).toBeGreaterThan(before);
});

describe('which installation something is for', () => {
  const own = { team: 'T1', enterprise: null, isOrgWide: false, botUserId: 'UBOT', botId: 'B1' };
  const inOrg = { team: 'T1', enterprise: 'E1', isOrgWide: false, botUserId: 'UBOT', botId: 'B1' };
  const orgWide = { team: 'T1', enterprise: 'E1', isOrgWide: true, botUserId: 'UBOT', botId: 'B1' };

  test.each([
    ['a command', own, { team_id: 'T1' }, true],
    ['a command of another workspace', own, { team_id: 'T2' }, false],
    [
      'a command of another workspace of the organization',
      inOrg,
      { team_id: 'T2', enterprise_id: 'E1' },
      false,
    ],
    [
      'a command anywhere in the organization that the app is installed in',
      orgWide,
      { team_id: 'T2', enterprise_id: 'E1', is_enterprise_install: 'true' },
      true,
    ],
    ['a command of another organization', orgWide, { team_id: 'T2', enterprise_id: 'E2' }, false],
    ['a command without an organization', orgWide, { team_id: 'T1' }, false],
    ['a click of one of our people', own, { team: { id: 'T1' }, user: { team_id: 'T1' } }, true],
    ['a click of a guest from elsewhere', own, { team: { id: 'T1' }, user: { team_id: 'T2' } }, true],
    [
      'a click elsewhere on a message of ours',
      own,
      { team: { id: 'T2' }, user: { team_id: 'T2' }, message: { team: 'T1' } },
      true,
    ],
    ['a click of our person elsewhere', own, { team: { id: 'T2' }, user: { team_id: 'T1' } }, false],
    [
      'a click in an organization',
      orgWide,
      { team: null, enterprise: { id: 'E1' }, user: { team_id: 'T2' } },
      true,
    ],
    [
      'a click in another organization',
      orgWide,
      { team: null, enterprise: { id: 'E2' }, user: { team_id: 'T1' } },
      false,
    ],
    ['a modal opened elsewhere', own, { team: { id: 'T2' }, view: { app_installed_team_id: 'T1' } }, true],
    [
      'a modal of another installation',
      own,
      { team: { id: 'T1' }, view: { app_installed_team_id: 'T2' } },
      false,
    ],
    ['an event', own, { team_id: 'T1' }, true],
    [
      'an event in a shared channel',
      own,
      { team_id: 'T2', context_team_id: 'T1', authorizations: [{ team_id: 'T1', enterprise_id: null }] },
      true,
    ],
    [
      'an event for another installation in a shared channel',
      own,
      { team_id: 'T1', context_team_id: 'T2', authorizations: [{ team_id: 'T2', enterprise_id: null }] },
      false,
    ],
    [
      'an event anywhere in the organization',
      orgWide,
      {
        team_id: 'T2',
        authorizations: [{ team_id: null, enterprise_id: 'E1', is_enterprise_install: true }],
      },
      true,
    ],
    [
      'a click of a person from elsewhere on our message in an organization',
      orgWide,
      {
        team: { id: 'T9' },
        enterprise: null,
        user: { team_id: 'T9' },
        message: { team: 'T2', user: 'UBOT' },
      },
      true,
    ],
    [
      'a click of a person from elsewhere on the message of another installation',
      orgWide,
      { team: { id: 'T9' }, enterprise: null, user: { team_id: 'T9' }, message: { team: 'T9', user: 'UB9' } },
      false,
    ],
    [
      'a modal of ours that a person from elsewhere opened',
      orgWide,
      { team: { id: 'T9' }, enterprise: { id: 'E9' }, view: { app_installed_team_id: 'T2', bot_id: 'B1' } },
      true,
    ],
    [
      'a modal of another installation that a person from elsewhere opened',
      orgWide,
      { team: { id: 'T9' }, enterprise: { id: 'E9' }, view: { app_installed_team_id: 'T9', bot_id: 'B9' } },
      false,
    ],
    [
      'an event for several workspaces, ours among them',
      own,
      { team_id: 'T2', authorizations: [{ team_id: 'T2' }, { team_id: 'T1' }] },
      true,
    ],
    [
      'an event for several organizations, ours among them',
      orgWide,
      { team_id: 'T2', authorizations: [{ enterprise_id: 'E2' }, { enterprise_id: 'E1' }] },
      true,
    ],
    [
      'an event for an installation in another workspace of our organization',
      inOrg,
      { team_id: 'T1', authorizations: [{ team_id: 'T2', enterprise_id: 'E1' }] },
      false,
    ],
    [
      'a click for an installation in another workspace of our organization',
      inOrg,
      { team: { id: 'T2', enterprise_id: 'E1' }, enterprise: { id: 'E1' }, user: { team_id: 'T2' } },
      false,
    ],
    ['nothing', own, {}, false],
    ['no object', own, null, false],
  ])('%s', (_what, installation, body, isOurs) => {
    expect(isForInstallation(body, installation)).toBe(isOurs);
  });
});
