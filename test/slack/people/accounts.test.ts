import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import { foldedEmail } from '../../../src/api/people/create-people.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import { createAccounts, recognize } from '../../../src/slack/people/accounts.ts';
import { readEmail, readProfile } from '../../../src/slack/people/members.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { peopleLinked } from '../../support/people-linked.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startStandInSlack } from '../../support/stand-in-slack.ts';
import { startedOnce } from '../../support/started.ts';

const people = [
  slackPerson('kira', { tz: 'Asia/Tokyo', email: 'KIRA@Example.com' }),
  slackPerson('guest', { guest: true }),
  slackPerson('gone', { deactivated: true }),
  slackPerson('robot', { bot: true }),
  slackPerson('partner', { foreignTeam: 'T0OTHER' }),
  slackPerson('claimant', { unconfirmed: true }),
  slackPerson('kelvin', { email: '\u212Aira@example.com' }),
  slackPerson('silent', { email: '' }),
];
const users = new Map(
  people.map(({ name }) => [name, { id: name, name, email: `${name}@example.com` }] as const),
);

const slack = startedOnce(() => startStandInSlack({ people }));

/** Asks the stand-in as the door does; `logged` are the messages of the log. */
function asking() {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const web = backgroundClient(slack);
  const accounts = createAccounts(web, { now: () => 0, log });
  return {
    accounts,
    logged,
    recognized: (account: string) => recognize(account, { people: peopleLinked(users), accounts }),
  };
}

describe('an email address tells who an account is', () => {
  test.each([
    ['a person', 'U0KIRA', 'kira'],
    ['a guest', 'U0GUEST', 'guest'],
  ])('of %s of our own workspace', async (_, account, user) => {
    expect(await asking().recognized(account)).toEqual({ kind: 'known', user: users.get(user) });
  });

  test.each([
    ['who is deactivated', 'U0GONE', 'The account is deactivated in Slack.'],
    ['who is a bot', 'U0ROBOT', 'The account belongs to a bot.'],
    ['of another workspace', 'U0PARTNER', 'The account belongs to another workspace.'],
    ['who has not confirmed it', 'U0CLAIMANT', "The email address of the account isn't confirmed in Slack."],
    [
      'whose address only folds to one of the tracker',
      'U0KELVIN',
      'No one in Jira has the email address of this Slack account.',
    ],
    [
      'of whom Slack tells none, with the scope that may be missing',
      'U0SILENT',
      "Slack doesn't show the email address of this account. If it shows none at all, an admin must reinstall the app with the scope users:read.email.",
    ],
    ['whom Slack does not know', 'U0NOBODY', "Slack doesn't show this account (user_not_found)."],
  ])('but not of a person %s', async (_, account, because) => {
    expect(await asking().recognized(account)).toEqual({ kind: 'unknown', because });
  });
});

describe('an account is looked up by its address', () => {
  test('where it is of a person of our own workspace', async () => {
    const { accounts, logged } = asking();
    expect(await accounts.withEmail('kira@example.com')).toBe('U0KIRA');
    expect(await accounts.withEmail('guest@example.com')).toBe('U0GUEST');
    for (const name of ['gone', 'robot', 'partner', 'claimant', 'nobody'])
      expect(await accounts.withEmail(`${name}@example.com`)).toBeNull();
    expect(logged).toEqual([]);
  });

  test('and a Slack that does not let us is no unknown person', async () => {
    const { accounts, logged } = asking();
    slack.faults.failNext('users.lookupByEmail', 'missing_scope');
    await expect(accounts.withEmail('kira@example.com')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('with the scopes users:read and users:read.email'),
    });
    slack.faults.failNext('users.lookupByEmail', 'ekm_access_denied');
    await expect(accounts.withEmail('kira@example.com')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ekm_access_denied'),
    });
    slack.faults.rateLimitNext('users.lookupByEmail', 31);
    await expect(accounts.withEmail('kira@example.com')).rejects.toMatchObject({
      message: 'Slack is busy.',
    });
    expect(logged).toHaveLength(3);
    expect(await accounts.withEmail('kira@example.com')).toBe('U0KIRA');
  });
});

test('a list without addresses does not say that an account has none', async () => {
  const hidden = await startStandInSlack({ people: people.map((one) => ({ ...one, email: '' })) });
  const log = pino({ level: 'silent' });
  const accounts = createAccounts(backgroundClient(hidden), { now: () => 0, log, stored: inMemory });
  await accounts.noteChange({ id: 'U0KIRA', name: 'kira' });
  // The name is looked for in the list, which is there afterwards.
  await accounts.called('kira');
  hidden.faults.failNext('users.lookupByEmail', 'missing_scope');
  await expect(accounts.withEmail('kira@example.com')).rejects.toMatchObject({ code: 'unavailable' });
  expect(await accounts.profileOf('U0KIRA')).toMatchObject({ standing: 'ours', email: null });
  expect(hidden.calls('users.info')).toEqual([]);
  await hidden.stop();
});

test('our own workspace is asked for once, and again where that failed', async () => {
  const { accounts, recognized } = asking();
  const before = slack.calls('auth.test').length;
  slack.faults.breakNext('auth.test', 503);
  await expect(accounts.profileOf('U0KIRA')).rejects.toMatchObject({ code: 'unavailable' });
  for (const account of ['U0KIRA', 'U0GUEST', 'U0KIRA']) await recognized(account);
  expect(slack.calls('auth.test')).toHaveLength(before + 2);
});

describe('what Slack tells of a user', () => {
  const home = { team: 'T1', enterprise: 'E1' };
  const read = (user: Parameters<typeof readProfile>[1], account = 'U1') => readProfile(account, user, home);

  test('says whose the account is: the same organisation is our own, whichever workspace', () => {
    expect(read({ team_id: 'T1' }).standing).toBe('ours');
    expect(read({ team_id: 'T2', enterprise_user: { enterprise_id: 'E1' } }).standing).toBe('ours');
    expect(read({ team_id: 'T2', enterprise_user: { enterprise_id: 'E2' } }).standing).toBe('foreign');
    expect(read({ team_id: 'T2' }).standing).toBe('foreign');
    expect(read({ team_id: 'T1', is_stranger: true }).standing).toBe('foreign');
    expect(read({}).standing).toBe('foreign');
    expect(read({ team_id: 'T1' }, 'USLACKBOT').standing).toBe('bot');
    expect(read({ team_id: 'T1', is_workflow_bot: true }).standing).toBe('bot');
    expect(readProfile('U1', {}, { team: null, enterprise: null }).standing).toBe('foreign');
  });

  test('counts an address as confirmed where nothing is told of that', () => {
    const user = { team_id: 'T1', profile: { email: 'kira@example.com' } };
    expect(readEmail(read(user))).toEqual({ email: 'kira@example.com' });
    expect(readEmail(read({ ...user, is_email_confirmed: false }))).toHaveProperty('because');
  });

  test('tells a zone that we know, or none', () => {
    expect(read({ tz: 'Asia/Tokyo' }).timeZone).toBe('Asia/Tokyo');
    expect(read({ tz: 'Moon/Sea' }).timeZone).toBeNull();
    expect(read({}).timeZone).toBeNull();
  });
});

const isSameEmail = (one: string, other: string) => foldedEmail(one) === foldedEmail(other);

test('addresses are the same but for the case of the letters A to Z', () => {
  expect(isSameEmail('KIRA@Example.COM', 'kira@example.com')).toBe(true);
  expect(isSameEmail('\u212Aira@example.com', 'kira@example.com')).toBe(false);
  expect(isSameEmail('ÄDA@example.com', 'äda@example.com')).toBe(false);
  expect(isSameEmail('ki.ra@example.com', 'kira@example.com')).toBe(false);
});
