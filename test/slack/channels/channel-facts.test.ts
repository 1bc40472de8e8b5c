import { pino } from 'pino';
import { afterEach, describe, expect, test } from '#jest';
import type { Channel, Person } from '../../../playground/playground-options.ts';
import { createChannelFacts } from '../../../src/slack/channels/channel-facts.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';

const crowd = (count: number) => Array.from({ length: count }, (_, i) => slackPerson(`p${i}`));

let slack: StandInSlack;
afterEach(() => slack.stop());

/** The facts of the one channel of a workspace. */
async function factsOf(people: readonly Person[], channel: Partial<Channel> = {}) {
  slack = await startStandInSlack({ people, channels: [{ id: 'C0WEB', name: 'web', ...channel }] });
  const clock = { now: 0 };
  const facts = createChannelFacts(backgroundClient(slack), {
    now: () => clock.now,
    log: pino({ level: 'silent' }),
  });
  return { clock, outsiders: () => facts.outsidersIn('C0WEB') };
}

const passing = "I can't check who is in this channel right now. Try again in a minute.";
const guest = slackPerson('guest', { guest: true });
const none = { kind: 'none' };
const guests = { kind: 'some', what: 'has guests' };
const shared = { kind: 'some', what: 'is shared with other workspaces' };
const unknown = (because: string, passes = false) => ({
  kind: 'unknown',
  because: expect.stringContaining(because),
  passes,
});

describe('who reads in a channel beside the people of the workspace', () => {
  test.each<[string, readonly Person[], Partial<Channel>, unknown]>([
    ['nobody', crowd(3), {}, none],
    ['nobody, in a private channel', crowd(3), { isPrivate: true }, none],
    ['a guest', [...crowd(2), guest], {}, guests],
    ['a guest who is in other channels only', [...crowd(2), guest], { members: ['U0P0', 'U0P1'] }, none],
    ['people of another company', crowd(2), { sharedWith: 'others' }, shared],
    ['people of another workspace of the organization', crowd(2), { sharedWith: 'organisation' }, none],
    ['one guest in a crowd', [...crowd(250), guest], {}, guests],
    ['nobody in a crowd', crowd(250), {}, none],
    ['more than anybody looks through', crowd(1_001), {}, unknown('too many members')],
  ])('%s', async (_what, people, channel, expected) => {
    const { outsiders } = await factsOf(people, channel);
    expect(await outsiders()).toEqual(expected);
  });

  test('a crowd is read in whole pages, not one by one', async () => {
    const { outsiders } = await factsOf(crowd(250));
    await outsiders();
    expect(slack.calls('users.list')).toHaveLength(1);
    // Of the people in a channel only the app itself may be left to ask for.
    expect(slack.calls('users.info').length).toBeLessThanOrEqual(1);
  });
});

describe('what Slack told is remembered', () => {
  test('that there are no guests, for half a minute', async () => {
    const { outsiders, clock } = await factsOf(crowd(2));
    await outsiders();
    clock.now = 30_000 - 1;
    await outsiders();
    expect(slack.calls('conversations.members')).toHaveLength(1);
    clock.now += 1;
    await outsiders();
    expect(slack.calls('conversations.members')).toHaveLength(2);
  });

  test('that there are, for five minutes', async () => {
    const { outsiders, clock } = await factsOf([...crowd(2), guest]);
    await outsiders();
    clock.now = 5 * 60_000 - 1;
    await outsiders();
    expect(slack.calls('conversations.members')).toHaveLength(1);
    clock.now += 1;
    await outsiders();
    expect(slack.calls('conversations.members')).toHaveLength(2);
  });

  test('but not once more people are there', async () => {
    const members = ['U0P0', 'U0P1'];
    const { outsiders } = await factsOf([...crowd(2), guest], { members });
    expect(await outsiders()).toEqual(none);
    members.push(guest.id);
    expect(await outsiders()).toEqual(guests);
  });

  test('and never whether it is shared', async () => {
    const { outsiders } = await factsOf(crowd(2));
    await outsiders();
    await outsiders();
    expect(slack.calls('conversations.info')).toHaveLength(2);
  });
});

test.each<[string, unknown]>([
  ['channel_not_found', { kind: 'some', what: "is a conversation I'm not in" }],
  ['missing_scope', none],
])('a direct message of which Slack says %s', async (refused, expected) => {
  slack = await startStandInSlack({ people: crowd(1), channels: [] });
  const facts = createChannelFacts(backgroundClient(slack), {
    now: () => 0,
    log: pino({ level: 'silent' }),
  });
  slack.faults.failNext('conversations.info', refused);
  expect(await facts.outsidersIn('D0OTHERS')).toEqual(expected);
});

describe('where it cannot be found out it is unknown, with the reason, and asked for again', () => {
  test.each<[string, (faults: StandInSlack['faults']) => void, string]>([
    [
      'a scope of conversations.info is missing',
      (faults) => faults.failNext('conversations.info', 'missing_scope'),
      'with the scopes `channels:read`, `groups:read` and `mpim:read`',
    ],
    [
      'a scope of conversations.members is missing',
      (faults) => faults.failNext('conversations.members', 'missing_scope'),
      'with the scopes',
    ],
    [
      'the scope for group messages is missing',
      (faults) => faults.lackScopeNext('conversations.info', 'mpim:read'),
      'with the scope mpim:read.',
    ],
    [
      'the scope for people is missing',
      (faults) => faults.lackScopeNext('users.info', 'users:read'),
      'with the scope users:read.',
    ],
    [
      'a private channel without the app',
      (faults) => faults.failNext('conversations.info', 'channel_not_found'),
      '/invite @Dwell',
    ],
    ['a long 429', (faults) => faults.rateLimitNext('conversations.members', 31), passing],
    ['two 429', (faults) => faults.rateLimitNext('conversations.info', 30, 2), passing],
    ['a 503', (faults) => faults.breakNext('conversations.info', 503), passing],
    ['a lost answer', (faults) => faults.loseAnswerNext('users.info'), passing],
    ['a word of Slack', (faults) => faults.failNext('users.info', 'user_not_visible'), 'user_not_visible'],
  ])('%s', async (_what, plant, because) => {
    const { outsiders } = await factsOf(crowd(2));
    plant(slack.faults);
    expect(await outsiders()).toEqual(unknown(because, because === passing));
    expect(await outsiders()).toEqual(none);
  });
});

test.each(['conversations.info', 'conversations.members', 'users.info'])(
  'a 429 of %s is waited for once, and then it is known',
  async (method) => {
    slack = await startStandInSlack({
      people: [...crowd(2), guest],
      channels: [{ id: 'C0WEB', name: 'web' }],
    });
    const waited: number[] = [];
    const web = backgroundClient(slack, async (ms) => void waited.push(ms));
    const facts = createChannelFacts(web, { now: () => 0, log: pino({ level: 'silent' }) });
    slack.faults.rateLimitNext(method, 30);
    expect(await facts.outsidersIn('C0WEB')).toEqual(guests);
    expect(waited).toEqual([30_000]);
  },
);
