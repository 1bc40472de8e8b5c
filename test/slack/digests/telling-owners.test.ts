import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { afterEach, beforeEach, expect, test } from '#jest';
import { digestTakeOver } from '../../../src/slack/actions/digest-take-over.ts';
import type { SlackParts } from '../../../src/slack/parts.ts';
import { hourly } from '../../support/digest-office.ts';
import { digestReplicas, periodsIn } from '../../support/digest-replicas.ts';
import { principalOf } from '../../support/principal-of.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';

const POST = 'chat.postMessage';

let slack: StandInSlack;
let close = () => {};
beforeEach(async () => {
  slack = await startStandInSlack();
});
afterEach(async () => {
  close();
  await slack.stop();
});

async function office(more: Parameters<typeof digestReplicas>[2] = {}) {
  const opened = await digestReplicas(1, slack, more);
  close = opened.close;
  return opened;
}

const toAda = () => slack.playground.messages('D0ADA').map(({ text }) => text);

test.each<[string, () => void]>([
  ['refuses it for a while', () => slack.faults.breakNext(POST, 503, 3)],
  ['wants to be left alone', () => slack.faults.rateLimitNext(POST, 300, 2)],
  ['takes it, and its answer is lost', () => slack.faults.loseAnswerNext(POST)],
])('the word to an owner comes once where Slack %s', async (_, plant) => {
  const { passes } = await office();
  await passes(millisecondsInHour / 2 - millisecondsInMinute);
  slack.faults.failNext(POST, 'not_in_channel');
  plant();
  await passes(30 * millisecondsInMinute);
  expect(toAda()).toEqual([expect.stringContaining('needs you')]);
});

test('the word to an owner is said again where nobody may look whether it came', async () => {
  const { passes } = await office();
  await passes(millisecondsInHour / 2 - millisecondsInMinute);
  slack.faults.failNext(POST, 'not_in_channel');
  slack.faults.loseNext(POST);
  slack.faults.failNext('conversations.history', 'missing_scope', 99);
  await passes(10 * millisecondsInMinute);
  expect(toAda()).toHaveLength(1);
});

test('a digest whose owner left says so once in its channel, and who reads there takes it over', async () => {
  let isGone = true;
  const { passes, first, id } = await office({
    changeDoor: (door) => ({
      ...door,
      people: { ...door.people, users: async () => new Map(), linkOf: async () => null },
      accounts: {
        ...door.accounts,
        profileOf: async (account) => ({
          ...(await door.accounts.profileOf(account)),
          standing: account === 'U0ADA' && isGone ? 'deactivated' : 'ours',
        }),
      },
    }),
  });
  await passes(3 * millisecondsInHour);
  const said = slack.playground.messages('C0GENERAL');
  expect(said).toHaveLength(1);
  expect(said[0]?.text).toBe(
    'The digest Open work is not posted: its owner does not work here any more. It stops until somebody takes it over. From then on it is asked with the rights of who did.',
  );
  expect(JSON.stringify(said[0]?.blocks)).toContain(`"digest-take-over"`);
  expect(slack.playground.messages('D0ADA')).toEqual([]);

  const press = async (user: string, channel: string) => {
    const click = {
      value: id,
      principal: principalOf(user),
      userName: user,
      place: { channel, threadTs: null },
      messageTs: said[0]?.ts ?? '',
      messageAgeMs: 0,
      view: null,
      replace: null,
      open: async () => {},
    };
    const parts: SlackParts = Object.assign(Object.create(null), first.door, { digests: first.digests });
    return (await digestTakeOver.run(click, parts)).map(({ text }) => text).join(' ');
  };
  await expect(press('U0BEN', 'C0WEBTEAM')).rejects.toMatchObject({ code: 'not-found' });
  isGone = false;
  await expect(press('U0BEN', 'C0GENERAL')).rejects.toMatchObject({ code: 'not-allowed' });
  isGone = true;
  expect(await press('U0BEN', 'C0GENERAL')).toContain('*Open work* is yours now');
  expect(await press('U0BEN', 'C0GENERAL')).toContain('*Open work* is yours.');
  await expect(press('U0CHI', 'C0GENERAL')).rejects.toMatchObject({ code: 'not-allowed' });
  await passes(millisecondsInHour);
  expect(periodsIn(slack, 'C0GENERAL')).toHaveLength(2);
  expect(slack.playground.messages('C0GENERAL').at(-1)?.text).toContain('not posted before it');
});

test('a digest to its owner alone, who left, is told to nobody', async () => {
  const { passes } = await office({
    wish: { ...hourly, place: { kind: 'owner' } },
    changeDoor: (door) => ({
      ...door,
      accounts: {
        ...door.accounts,
        profileOf: async (account) => ({
          ...(await door.accounts.profileOf(account)),
          standing: 'deactivated',
        }),
      },
    }),
  });
  await passes(3 * millisecondsInHour);
  expect(slack.calls(POST)).toEqual([]);
});
