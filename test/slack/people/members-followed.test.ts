import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from '#jest';
import type { Person } from '../../../playground/playground-options.ts';
import { type Backing, inMemory } from '../../../src/cache/namespace.ts';
import { createAccounts } from '../../../src/slack/people/accounts.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';

const MINUTE = 60_000;

let slack: StandInSlack;
let people: Person[];
let now: number;
/** What happens as soon as something was stored. */
let onStored: (() => Promise<void>) | null;
beforeEach(async () => {
  [now, onStored] = [0, null];
  people = ['ada', 'bob'].map((name) => slackPerson(name));
  slack = await startStandInSlack({ people });
});
afterEach(() => slack.stop());

/** The entries that all processes of a folder have in common. */
function commonEntries(): Backing {
  const { get, set, ...others } = inMemory<unknown>('common', { maxEntries: null, defersWrites: false });
  const entries = {
    ...others,
    get,
    async set(...given: Parameters<typeof set>) {
      await set(...given);
      const then = onStored;
      onStored = null;
      await then?.();
    },
  };
  return () => entries as ReturnType<Backing> as never;
}

const processOf = (stored: Backing) =>
  createAccounts(backgroundClient(slack), { now: () => now, log: pino({ level: 'silent' }), stored });

function becomes(name: string, more: Partial<Person>): void {
  const index = people.findIndex((one) => one.name === name);
  people.splice(index, 1, slackPerson(name, { ...people[index], ...more }));
}

const ada = { id: 'U0ADA', name: 'ada', team_id: 'T0DWELL', profile: { email: 'ada@example.com' } };

test('while a process takes over the events of another, nothing counts that it has missed', async () => {
  const stored = commonEntries();
  const [one, other] = [processOf(stored), processOf(stored)];
  await one.noteChange(ada);
  await one.called('bob');
  expect(await one.profileOf('U0BOB')).toMatchObject({ standing: 'ours' });
  becomes('bob', { deactivated: true });
  await other.noteChange({ ...ada, id: 'U0BOB', name: 'bob', deleted: true });
  now += 5 * MINUTE;
  let answer: Promise<unknown> = Promise.resolve();
  onStored = async () => {
    answer = one.profileOf('U0BOB');
    await answer;
  };
  await one.noteChange(ada);
  expect(await answer).toMatchObject({ standing: 'deactivated' });
});

test('that people come does not say that changes are sent', async () => {
  const accounts = processOf(commonEntries());
  await accounts.noteNewcomer(ada);
  await accounts.called('bob');
  expect(await accounts.profileOf('U0BOB')).toMatchObject({ standing: 'ours' });
  becomes('bob', { deactivated: true });
  now += 5 * MINUTE;
  expect(await accounts.profileOf('U0BOB')).toMatchObject({ standing: 'deactivated' });
});

test('a newcomer of whom another process was told is not unknown for a day', async () => {
  const stored = commonEntries();
  const [one, other] = [processOf(stored), processOf(stored)];
  await one.noteChange(ada);
  await one.called('bob');
  expect(await one.withEmail('bob@example.com')).toBe('U0BOB');
  people.push(slackPerson('cem'));
  await other.noteNewcomer({ ...ada, id: 'U0CEM', name: 'cem' });
  expect(await one.withEmail('cem@example.com')).toBe('U0CEM');
});

test('once Slack may show addresses those count within five minutes', async () => {
  for (const { name } of [...people]) becomes(name, { email: '' });
  const accounts = processOf(commonEntries());
  await accounts.noteChange({ ...ada, profile: {} });
  await accounts.called('bob');
  expect(await accounts.profileOf('U0BOB')).toMatchObject({ email: null });
  for (const name of ['ada', 'bob']) becomes(name, { email: `${name}@example.com` });
  await accounts.noteChange({ ...ada, updated: 1 });
  expect(await accounts.withEmail('bob@example.com')).toBe('U0BOB');
  now += 5 * MINUTE;
  expect(await accounts.profileOf('U0BOB')).toMatchObject({ email: 'bob@example.com' });
});

test.each([
  ['deactivated', { deactivated: true }, { deleted: true, profile: { email: 'bob@example.com' } }],
  ['given another address', { email: 'else@example.com' }, { profile: { email: 'else@example.com' } }],
])(
  'where there is no list an account that is %s is not found by its address any more',
  async (_, more, user) => {
    const log = pino({ level: 'silent' });
    const accounts = createAccounts(backgroundClient(slack), { now: () => now, log });
    await accounts.profileOf('U0BOB');
    expect(await accounts.withEmail('bob@example.com')).toBe('U0BOB');
    expect(await accounts.withEmail('else@example.com')).toBeNull();
    becomes('bob', more);
    await accounts.noteChange({ ...ada, id: 'U0BOB', name: 'bob', ...user });
    expect(await accounts.withEmail('bob@example.com')).toBeNull();
    expect(await accounts.withEmail('else@example.com')).toBe('email' in more ? 'U0BOB' : null);
  },
);

test('an account that is not in the list, as one of another workspace, counts for five minutes', async () => {
  const accounts = processOf(commonEntries());
  await accounts.noteChange(ada);
  await accounts.called('bob');
  people.push(slackPerson('cem'));
  now += 10 * MINUTE;
  expect(await accounts.profileOf('U0CEM')).toMatchObject({ standing: 'ours' });
  becomes('cem', { deactivated: true });
  now += 5 * MINUTE;
  expect(await accounts.profileOf('U0CEM')).toMatchObject({ standing: 'deactivated' });
});
