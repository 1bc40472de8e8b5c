import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '#jest';
import type { Person } from '../../../playground/playground-options.ts';
import { isJson, type Json } from '../../../playground/slack-json.ts';
import { exportFile, isAssignedTo, jiraIssue } from '../../support/jira-export.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const MINUTE = 60_000;
const SEEN = 'WEB-1 · ';
const GONE = 'The account is deactivated in Slack.';
const AT = '2026-03-18T12:00:00Z';
const environment = { TRACKER: 'file', TIME_ZONE: 'UTC' };

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
let people: Person[];
afterEach(() => place.stop());

async function start(mode: 'http' | 'socket', others: readonly Person[] = []) {
  people = [slackPerson('ada'), slackPerson('bob'), ...others];
  place = await startDwellInSlack({ mode, people, at: AT, environment, slackWait: () => setTimeout(1) });
  const issue = jiraIssue('WEB-1', { created: '2026-03-02T09:00:00.000Z' })
    .at('2026-03-02T10:00:00.000Z', isAssignedTo('ada'))
    .onCloud();
  const users = ['ada', 'bob'].map((id) => ({
    ...{ accountId: id, displayName: id, emailAddress: `${id}@example.com` },
  }));
  await place.dwell.types('import', exportFile([issue]), exportFile(users));
}

async function asks(as: string, line = '/tis WEB-1'): Promise<string> {
  await place.slack.types(line, { as });
  for (;;) {
    const message = await Promise.race([place.slack.reply(), tooLate()]);
    if (message.onlyFor !== undefined) return message.text;
  }
}

/** Fails where something does not come at all. */
async function tooLate(): Promise<never> {
  await setTimeout(20_000, undefined, { ref: false });
  throw new Error('Nothing came.');
}

/** What Slack knows of a person from now on. */
function becomes(name: string, more: Partial<Person>): void {
  const index = people.findIndex((one) => one.name === name);
  people.splice(index, 1, slackPerson(name, { ...people[index], ...more }));
}

/** A user as Slack shows them at the moment. */
async function userOf(name: string): Promise<Json> {
  const user = people.find((one) => one.name === name)?.id ?? '';
  const response = await fetch(`${place.slack.apiUrl}users.info`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.slack.botToken}` },
    body: new URLSearchParams({ user }),
  });
  const body = await response.json();
  return isJson(body) && isJson(body.user) ? body.user : {};
}

async function sendUser(user: Json, type = 'user_change'): Promise<void> {
  const { outcome } = await place.slack.playground.sendEvent({ type, user, event_ts: '1.1' });
  expect(outcome).toBe('ok');
}

/** Slack says that people changed, of all of them at once. */
async function announce(...names: readonly string[]): Promise<void> {
  const users = await Promise.all(names.map(userOf));
  await Promise.all(users.map((user) => sendUser(user)));
}

/** Waits for the list of members, which a name of Slack is looked for in. */
const listIsRead = () => asks('ada', '/delegates @nobody-here');

const calls = (method: string) => place.slack.calls(method).length;
const lookups = () => calls('users.info') + calls('users.lookupByEmail');

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 5_000) throw new Error('It did not come about.');
    await setTimeout(2);
  }
}

describe.each(['http', 'socket'] as const)('people who change in Slack, over %s', (mode) => {
  test('without events a deactivated account counts for five minutes', async () => {
    await start(mode);
    expect(await asks('bob')).toContain(SEEN);
    becomes('bob', { deactivated: true });
    place.dwell.clock.now += 5 * MINUTE - 1;
    expect(await asks('bob')).toContain(SEEN);
    place.dwell.clock.now += 1;
    expect(await asks('bob')).toContain(GONE);
  });

  test('with events it is gone at once', async () => {
    await start(mode);
    await announce('ada');
    expect(await asks('bob')).toContain(SEEN);
    becomes('bob', { deactivated: true });
    await announce('bob');
    expect(await asks('bob')).toContain(GONE);
  });

  test('where events stop for a day they are not relied on', async () => {
    await start(mode);
    await announce('ada');
    expect(await asks('bob')).toContain(SEEN);
    place.dwell.clock.now += 24 * 60 * MINUTE;
    becomes('bob', { deactivated: true });
    expect(await asks('bob')).toContain(GONE);
  });
});

test('over HTTP, where an event can be lost, a deactivated account counts for five minutes', async () => {
  await start('http');
  await announce('ada');
  await listIsRead();
  expect(await asks('bob')).toContain(SEEN);
  becomes('bob', { deactivated: true });
  place.dwell.clock.now += 5 * MINUTE;
  expect(await asks('bob')).toContain(GONE);
});

describe('over connections that stay open', () => {
  /** Dwell with the list of members, after an event. */
  async function startWithList(): Promise<void> {
    await start('socket');
    await announce('ada');
    expect(await asks('bob')).toContain(SEEN);
    await listIsRead();
  }

  test('the list is good for a day, and an account is gone at once', async () => {
    await startWithList();
    const before = [calls('users.list'), lookups()];
    place.dwell.clock.now += 20 * 60 * MINUTE;
    expect(await asks('bob')).toContain(SEEN);
    expect([calls('users.list'), lookups()]).toEqual(before);
    becomes('bob', { deactivated: true });
    await announce('bob');
    expect(await asks('bob')).toContain(GONE);
  });

  test('of several who are deactivated at once every one is gone', async () => {
    await startWithList();
    for (const name of ['ada', 'bob']) becomes(name, { deactivated: true });
    await announce('bob', 'ada');
    expect(await asks('bob')).toContain(GONE);
    expect(await asks('ada')).toContain(GONE);
  });

  test('an event that Slack sends again does not bring an account back', async () => {
    await startWithList();
    const earlier = { ...(await userOf('bob')), updated: 100 };
    becomes('bob', { deactivated: true });
    await sendUser({ ...(await userOf('bob')), updated: 200 });
    await sendUser(earlier);
    expect(await asks('bob')).toContain(GONE);
  });

  test('an address that was changed is another user at once, and whoever comes is known', async () => {
    await startWithList();
    becomes('bob', { email: 'else@example.com' });
    people.push(slackPerson('robert', { email: 'bob@example.com' }));
    const robert = await userOf('robert');
    await announce('bob');
    await sendUser(robert, 'team_join');
    await place.dwell.types('access', 'WEB', '--to', 'bob');
    const before = lookups();
    expect(await asks('robert')).toContain(SEEN);
    expect(await asks('bob')).not.toContain(SEEN);
    expect(lookups()).toBe(before);
  });

  test('while the list is read people are answered, and changes count', async () => {
    await start(
      'socket',
      Array.from({ length: 1_000 }, (_, i) => slackPerson(`member${i}`)),
    );
    await announce('ada');
    place.slack.faults.slowNext('users.list', 0);
    const goOn = place.slack.faults.holdNext('users.list');
    expect(await asks('bob')).toContain(SEEN);
    expect(await asks('ada')).toContain(SEEN);
    await until(() => calls('users.list') === 2);
    for (const name of ['ada', 'bob']) becomes(name, { deactivated: true });
    await announce('bob', 'ada');
    expect(await asks('bob')).toContain(GONE);
    goOn();
    await listIsRead();
    place.dwell.clock.now += 60 * MINUTE;
    const before = lookups();
    expect(await asks('bob')).toContain(GONE);
    expect(await asks('ada')).toContain(GONE);
    expect(lookups()).toBe(before);
  });

  test.each([
    ['refuses', () => place.slack.faults.failNext('users.list', 'missing_scope')],
    ['limits', () => place.slack.faults.rateLimitNext('users.list', 600)],
    ['breaks', () => place.slack.faults.breakNext('users.list', 503)],
  ])('a list that Slack %s is tried again after five minutes, and people are looked up', async (_, fail) => {
    await start('socket');
    await announce('ada');
    place.dwell.clock.now += MINUTE;
    fail();
    expect(await asks('bob')).toContain(SEEN);
    await until(() => calls('users.list') === 1);
    place.dwell.clock.now += 5 * MINUTE - 1;
    const before = lookups();
    expect(await asks('bob')).toContain(SEEN);
    expect(lookups()).toBe(before);
    expect(calls('users.list')).toBe(1);
    becomes('bob', { deactivated: true });
    await announce('bob');
    expect(await asks('bob')).toContain(GONE);
    place.dwell.clock.now += 1;
    expect(await asks('bob')).toContain(GONE);
    await until(() => calls('users.list') === 2);
  });

  test('an outage of all of them ends that: an account counts for five minutes', async () => {
    await startWithList();
    becomes('bob', { deactivated: true });
    place.slack.sockets.cut();
    await place.slack.sockets.connected(0);
    await place.slack.sockets.connected(1);
    place.dwell.clock.now += 5 * MINUTE;
    expect(await asks('bob')).toContain(GONE);
  });

  test('and so does another process of the same folder that gets an event', async () => {
    await startWithList();
    const { slack, dwell } = place;
    const second = await startDwell({
      ...{ at: AT, dataDir: dwell.dataDir, slackApiUrl: slack.apiUrl },
      environment: { ...environment, SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken },
    });
    await slack.sockets.connected(2);
    becomes('bob', { deactivated: true });
    // Slack sends what comes next to each connection in turn: the fourth payload to the second one, the fifth to the first.
    await announce('bob');
    place.dwell.clock.now += 5 * MINUTE;
    const answer = await asks('bob');
    await second.stop();
    expect(answer).toContain(GONE);
  });
});
