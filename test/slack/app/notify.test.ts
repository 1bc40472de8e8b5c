import { pino } from 'pino';
import { beforeEach, describe, expect, test } from '#jest';
import type { User } from '../../../src/model/issue.ts';
import { notice } from '../../../src/slack/app/message-texts.ts';
import { sendDirectMessage } from '../../../src/slack/app/post-message.ts';
import { notifyBothSides } from '../../../src/slack/delegates/cover-changes.ts';
import { createAccounts } from '../../../src/slack/people/accounts.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { peopleLinked, type ShortLink } from '../../support/people-linked.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startStandInSlack } from '../../support/stand-in-slack.ts';
import { startedOnce } from '../../support/started.ts';

const ids = ['ada', 'bob', 'carl', 'dora', 'emil'];
const people = [...ids, 'bob2', 'bob3'].map((name) => slackPerson(name, { tz: 'Europe/Berlin' }));
const users = new Map<string, User>(
  ids.map((id) => [id, { id, name: id === 'bob' ? 'Bob & Co' : id, email: `${id}@example.com` }]),
);

const slack = startedOnce(() => startStandInSlack({ people }));

let [waited, logged]: [number[], string[]] = [[], []];
let before = new Map<string, number>();
const directly = (name: string) => slack.messages({ channel: 'dm', as: name }).length;
beforeEach(() => {
  [waited, logged] = [[], []];
  before = new Map(people.map(({ name }) => [name, directly(name)]));
});
/** How many words each was told in this test, who was told none left out. */
const told = () =>
  Object.fromEntries(
    [...before].map(([name, count]) => [name, directly(name) - count]).filter(([, count]) => count !== 0),
  );

function parts(links: readonly ShortLink[] = []): Parameters<typeof notifyBothSides>[1] {
  const wait = async (ms: number) => void waited.push(ms);
  const web = backgroundClient(slack, wait);
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  return {
    web,
    log,
    accounts: createAccounts(web, { now: () => 0, log }),
    wait,
    people: peopleLinked(users, links),
  };
}

describe('a direct word', () => {
  const tell = () => sendDirectMessage('U0BOB', notice('Hello.'), parts());

  test('is told', async () => {
    expect(await tell()).toBe('posted');
    expect([told(), waited, logged]).toEqual([{ bob: 1 }, [], []]);
  });

  test('is told once more after as long as Slack wants, but once only', async () => {
    slack.faults.rateLimitNext('chat.postMessage', 7);
    expect(await tell()).toBe('posted');
    expect([told(), waited]).toEqual([{ bob: 1 }, [7_000]]);

    slack.faults.rateLimitNext('chat.postMessage', 3, 2);
    expect(await tell()).toBe('refused');
    expect([told(), waited, logged.length]).toEqual([{ bob: 1 }, [7_000, 3_000], 1]);
  });

  test('does not wait longer than half a minute', async () => {
    slack.faults.rateLimitNext('chat.postMessage', 31);
    expect(await tell()).toBe('refused');
    expect([told(), waited]).toEqual([{}, []]);
  });

  test('that Slack refuses is not told, and logged', async () => {
    slack.faults.failNext('chat.postMessage', 'messages_tab_disabled');
    expect(await tell()).toBe('refused');
    expect([told(), logged.length]).toEqual([{}, 1]);
  });

  test('whose answer is lost may have been read, and is never told again', async () => {
    slack.faults.loseAnswerNext('chat.postMessage');
    expect(await tell()).toBe('unknown');
    slack.faults.breakNext('chat.postMessage', 503);
    expect(await tell()).toBe('unknown');
    expect([told(), logged.length]).toEqual([{ bob: 1 }, 2]);
  });
});

describe('both sides of a delegation', () => {
  const tell = (
    delegates: readonly string[],
    accounts: Readonly<Record<string, string>> = {},
    given = parts(),
  ) => {
    const delegation = {
      id: 1,
      version: 1,
      active: true,
      delegator: 'ada',
      delegates,
      categoryIds: [],
      start: 0,
      end: 60_000,
      notes: '',
      savedBy: 'ada',
      savedAt: 0,
    };
    const facts = {
      ...{ reader: 'ada', users, categories: [], zones: ['UTC'], now: 0 },
      accounts: new Map(Object.entries(accounts)),
    };
    return notifyBothSides({ delegation, event: 'set', by: 'ada', facts }, given);
  };
  const links = [
    { account: 'U0BOB2', user: 'bob', at: 1 },
    { account: 'U0BOB3', user: 'bob', at: 2 },
  ];

  test('are told under the accounts of the form, else the linked ones, else by email address', async () => {
    expect(await tell(['bob', 'carl'], { ada: 'U0ADA', bob: 'U0BOB' }, parts(links))).toBe(
      'Everyone was notified.',
    );
    expect(told()).toEqual({ ada: 1, bob: 1, carl: 1 });
    expect(await tell(['bob'], { ada: 'U0ADA' }, parts(links))).toBe('Both were notified.');
    expect(told()).toEqual({ ada: 2, bob: 1, bob3: 1, carl: 1 });
  });

  test('are told under the next account where one refuses, and each account is tried once', async () => {
    const account = 'U0NOBODY';
    const gone = parts([{ account, user: 'bob', at: 3 }, ...links]);
    expect(await tell(['bob'], { bob: account }, gone)).toBe('Both were notified.');
    expect(told()).toEqual({ ada: 1, bob3: 1 });
    expect(await tell(['bob'], {}, parts([{ account, user: 'bob', at: 3 }]))).toBe('Both were notified.');
    expect(told()).toEqual({ ada: 2, bob: 1, bob3: 1 });
    expect(slack.calls('chat.postMessage').filter(({ args }) => args.channel === account)).toHaveLength(2);
  });

  test('are told nowhere else where one may have been reached', async () => {
    slack.faults.loseAnswerNext('chat.postMessage', 2);
    expect(await tell(['bob'], {}, parts(links))).toBe(
      "I'm not sure my message reached ada and Bob &amp; Co. Please let them know yourself.",
    );
    expect(told()).toEqual({ ada: 1, bob3: 1 });
  });

  test('are named where Slack did not take the word, or nobody knows their account', async () => {
    slack.faults.failNext('chat.postMessage', 'messages_tab_disabled');
    expect(await tell(['zed'], { ada: 'U0ADA' })).toBe(
      "Slack didn't deliver my message to ada. I can't find the Slack account of zed. Please let them know yourself.",
    );
  });

  test('are told why their accounts could not be looked up', async () => {
    slack.faults.failNext('users.lookupByEmail', 'missing_scope', 2);
    const line = await tell(['bob', 'carl'], { ada: 'U0ADA' });
    expect(line).toMatch(
      /^I couldn't notify Bob &amp; Co and carl: Slack doesn't let me read email addresses\. .*users:read\.email\. Please let them know yourself\.$/,
    );
    expect([told(), logged.length]).toEqual([{ ada: 1 }, 2]);
  });

  test('are told whatever fails on the way, which is logged', async () => {
    const given = parts();
    const broken = {
      ...given,
      people: { ...given.people, links: async () => Promise.reject(new Error('x')) },
    };
    const line = await tell(['bob'], { ada: 'U0ADA' }, broken);
    expect(line).toMatch(/^I couldn't notify Bob &amp; Co: something went wrong on our side \(log: .*\)\. /);
    const [, reference = '?'] = /under ([\w-]+)\./.exec(line) ?? [];
    expect(logged.join()).toContain(reference);
    expect(told()).toEqual({ ada: 1 });
  });
});
