import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import type { Issue } from '../../../src/model/issue.ts';
import type { TrackerEntry } from '../../../src/trackers/tracker.ts';
import { anIssue } from '../../support/issue-story.ts';
import { inDemo, startLiving } from './start-sync.ts';

async function start() {
  const lists: { entries: readonly TrackerEntry[] } = { entries: [] };
  const reads = { issues: 0 };
  const { tracker, issues, process } = await startLiving([], {
    told: () => lists.entries,
    onRead(count) {
      reads.issues += count;
    },
  });
  return {
    issues,
    put: (...some: Issue[]) => issues.putIssues(some, (_, incoming) => incoming),
    async takes(...entries: readonly TrackerEntry[]) {
      lists.entries = entries;
      return process(tracker).turn({ compare: true });
    },
    /** The number of issues that are read for a list with this title. */
    async readsFor(title: string) {
      reads.issues = 0;
      lists.entries = [{ kind: 'directory', part: { fields: [{ id: 'customfield_1', name: title }] } }];
      await process(tracker).turn({ compare: true });
      return reads.issues;
    },
  };
}

const groups = (...names: string[]): TrackerEntry => ({
  kind: 'directory',
  part: { groups: names.map((name) => ({ id: name, name, members: ['ada'] })) },
});
const refused = (source: string): TrackerEntry => ({ kind: 'unreadable', source, reason: 'no right' });
const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

test('a whole list replaces the stored one, one that came in part only adds', async () => {
  const { issues, takes } = await start();
  await takes(groups('ops', 'web'));
  await takes(groups('web'));
  expect(namesOf((await issues.directory()).groups)).toEqual(['web']);
  const status = await takes(groups('dev'), refused('groups'));
  expect(namesOf((await issues.directory()).groups)).toEqual(['dev', 'web']);
  expect(status.withheld).toEqual(['groups: no right']);
  await takes(refused('groups'));
  expect(namesOf((await issues.directory()).groups)).toEqual(['dev', 'web']);
  await takes(groups('web'), refused('people'));
  expect(namesOf((await issues.directory()).groups)).toEqual(['web']);
});

test('people stay known when they are listed no more', async () => {
  const { issues, takes } = await start();
  await takes({ kind: 'users', users: [{ id: 'ada', name: 'Ada' }] });
  await takes({ kind: 'users', users: [{ id: 'bob', name: 'Bob' }] });
  expect(namesOf([...(await issues.users()).values()])).toEqual(['Ada', 'Bob']);
});

test('statuses that are listed no more are deleted', async () => {
  const { issues, takes } = await start();
  const status = (id: string) => ({ id, name: id, category: 'To Do', deleted: false }) as const;
  await takes({ kind: 'statuses', statuses: [status('1'), status('2')], list: 'a' });
  await takes({ kind: 'statuses', statuses: [status('2')], list: 'a' });
  const statuses = await issues.statuses();
  expect([statuses.get('1')?.deleted, statuses.get('2')?.deleted]).toEqual([true, false]);
});

describe('a field that is new in the list', () => {
  const created = anIssue('DEMO-1', '2026-03-01T09:00:00Z');
  const { issue } = created.changes('Points', null, '3', '2026-03-01T10:00:00Z');

  test('has issues read only where a change was recorded under its title', async () => {
    const { issues, takes, put, readsFor } = await start();
    await takes();
    await put({ ...issue, fields: {} }, anIssue('DEMO-2', '2026-03-01T09:00:00Z').issue);
    // They came without the sync.
    expect(await readsFor('Team')).toBe(2);
    expect(await readsFor('Squad')).toBe(0);
    expect(await readsFor('Points')).toBe(2);
    expect((await issues.issue('DEMO-1'))?.changes[0]?.field).toBe('customfield_1');
    expect(await readsFor('Crew')).toBe(0);
  });

  test('has none read after many changes, for these were learnt from in time', async () => {
    const { takes, put, readsFor } = await start();
    await takes();
    await put(...Array.from({ length: 10_001 }, (_, i) => ({ ...created.issue, summary: String(i) })));
    await takes();
    expect(await readsFor('Team')).toBe(0);
  });
});

describe('a list that Jira fails to send', () => {
  async function startFailing(reason: 'tracker-unavailable' | 'credentials-refused', withIssues = true) {
    const world = { fails: true };
    const { tracker, process, ...parts } = await startLiving(inDemo(1), {
      withIssues,
      before(method) {
        if (method === 'lists' && world.fails) throw new AppError(reason, 'Jira does not send its lists.');
      },
      told: () => [groups('ops')],
    });
    return { world, turn: process(tracker).turn, ...parts };
  }

  test('holds up neither the first fill nor what follows, and is requested more and more rarely', async () => {
    const { world, time, requests, turn, issues } = await startFailing('tracker-unavailable');
    const status = await turn();
    expect(status).toMatchObject({ filled: true, issues: 1, problem: null });
    expect(status.withheld).toEqual(['lists: Jira does not send its lists.']);
    const listsPerHour = async () => {
      requests.length = 0;
      for (let passed = 0; passed < millisecondsInHour; passed += 120_000) {
        time.now += 120_000;
        await turn();
      }
      return requests.filter((method) => method === 'lists').length;
    };
    const [first, , third] = [await listsPerHour(), await listsPerHour(), await listsPerHour()];
    expect(first).toBeGreaterThan(2);
    expect(first).toBeLessThan(8);
    expect(third).toBeLessThanOrEqual(1);
    world.fails = false;
    time.now += millisecondsInHour;
    expect((await turn()).withheld).toEqual([]);
    expect(namesOf((await issues.directory()).groups)).toEqual(['ops']);
  });

  test('stops everything where Dwell is denied access', async () => {
    const { turn } = await startFailing('credentials-refused');
    await expect(turn()).rejects.toMatchObject({ code: 'not-allowed' });
  });

  test('is a failure where nothing but lists is wanted', async () => {
    const { world, turn, time } = await startFailing('tracker-unavailable', false);
    await expect(turn()).rejects.toThrow('Jira does not send its lists.');
    world.fails = false;
    time.now += millisecondsInHour;
    expect(await turn()).toMatchObject({ filled: true });
  });
});
