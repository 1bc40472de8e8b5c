import { afterEach, describe, expect, test } from '#jest';
import type { Person } from '../../../playground/playground-options.ts';
import { isJson, objectsOf } from '../../../playground/slack-json.ts';
import { exportFile, isAssignedTo, jiraIssue } from '../../support/jira-export.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const MINUTE = 60_000;
const SEEN = 'WEB-1 · ';
const GONE = 'The account is deactivated in Slack.';

const person = (name: string, more: Partial<Person> = {}): Person => ({
  ...{ id: `U0${name.toUpperCase()}`, name, realName: name, email: `${name}@example.com`, tz: 'UTC' },
  ...more,
});

describe.each(['http', 'socket'] as const)('people who change in Slack, over %s', (mode) => {
  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  let people: Person[];
  afterEach(() => place.stop());

  async function start() {
    people = [person('ada'), person('bob')];
    place = await startDwellInSlack({
      ...{ mode, people, at: '2026-03-18T12:00:00Z' },
      environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
    });
    const issue = jiraIssue('WEB-1', { created: '2026-03-02T09:00:00.000Z' })
      .at('2026-03-02T10:00:00.000Z', isAssignedTo('ada'))
      .onCloud();
    const users = ['ada', 'bob'].map((id) => ({
      ...{ accountId: id, displayName: id, emailAddress: `${id}@example.com` },
    }));
    await place.dwell.types('import', exportFile([issue]), exportFile(users));
  }

  async function asks(as: string): Promise<string> {
    await place.slack.types('/tis WEB-1', { as });
    for (;;) {
      const message = await place.slack.reply();
      if (message.onlyFor !== undefined) return message.text;
    }
  }

  /** What Slack knows of a person from now on. */
  function becomes(name: string, more: Partial<Person>): void {
    const index = people.findIndex((one) => one.name === name);
    people.splice(index, 1, person(name, { ...people[index], ...more }));
  }

  /** Slack says that a person changed. */
  async function announce(name: string, type = 'user_change'): Promise<void> {
    const response = await fetch(`${place.slack.apiUrl}users.list`, {
      method: 'POST',
      headers: { authorization: `Bearer ${place.slack.botToken}` },
    });
    const body = await response.json();
    const user = objectsOf(isJson(body) ? body.members : []).find((one) => one.name === name) ?? {};
    const { outcome } = await place.slack.playground.sendEvent({ type, user, event_ts: '1.1' });
    expect(outcome).toBe('ok');
  }

  const calls = (method: string) => place.slack.calls(method).length;

  test('without events a deactivated account counts for five minutes', async () => {
    await start();
    expect(await asks('bob')).toContain(SEEN);
    becomes('bob', { deactivated: true });
    place.dwell.clock.now += 5 * MINUTE - 1;
    expect(await asks('bob')).toContain(SEEN);
    place.dwell.clock.now += 1;
    expect(await asks('bob')).toContain(GONE);
  });

  test('with events it is gone at once, also from a list that is a day old', async () => {
    await start();
    await announce('ada');
    expect(await asks('bob')).toContain(SEEN);
    expect(await asks('ada')).toContain(SEEN);
    const listed = calls('users.list');
    place.dwell.clock.now += 20 * 60 * MINUTE;
    expect(await asks('bob')).toContain(SEEN);
    expect(calls('users.list')).toBe(listed);
    expect(calls('users.info') + calls('users.lookupByEmail')).toBe(0);
    becomes('bob', { deactivated: true });
    await announce('bob');
    expect(await asks('bob')).toContain(GONE);
  });

  test('with events an address that was changed is another user at once, and whoever comes is known', async () => {
    await start();
    await announce('ada');
    expect(await asks('bob')).toContain(SEEN);
    becomes('bob', { email: 'else@example.com' });
    await announce('bob');
    people.push(person('robert', { email: 'bob@example.com' }));
    await announce('robert', 'team_join');
    await place.dwell.types('access', 'WEB', '--to', 'bob');
    expect(await asks('robert')).toContain(SEEN);
    expect(await asks('bob')).not.toContain(SEEN);
    expect(calls('users.info') + calls('users.lookupByEmail')).toBe(0);
  });

  test('events that have not come for a day are not relied on', async () => {
    await start();
    await announce('ada');
    expect(await asks('bob')).toContain(SEEN);
    place.dwell.clock.now += 24 * 60 * MINUTE;
    becomes('bob', { deactivated: true });
    expect(await asks('bob')).toContain(GONE);
  });

  test('where Slack does not give the list people are looked up one by one, once a day', async () => {
    await start();
    await announce('ada');
    place.dwell.clock.now += MINUTE;
    place.slack.faults.failNext('users.list', 'missing_scope');
    expect(await asks('bob')).toContain(SEEN);
    const before = calls('users.info');
    expect(before).toBeGreaterThan(0);
    place.dwell.clock.now += 30 * MINUTE;
    expect(await asks('bob')).toContain(SEEN);
    expect(calls('users.info')).toBe(before);
    becomes('bob', { deactivated: true });
    await announce('bob');
    expect(await asks('bob')).toContain(GONE);
  });
});
