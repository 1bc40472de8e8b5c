import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import type { TrackerEntry } from '../../../src/trackers/tracker.ts';
import { anIssue } from '../../support/issue-story.ts';
import { livingTracker } from '../../support/living-tracker.ts';
import { startSync } from './start-sync.ts';

const now = () => Date.parse('2026-03-02T09:00:00Z');
const again = { compare: true, acceptRemovals: false };

async function start() {
  const lists: { told: readonly TrackerEntry[] } = { told: [] };
  const tracker = livingTracker({ ourNow: now, told: () => lists.told });
  const reads = { issues: 0 };
  const onRead = (count: number) => {
    reads.issues += count;
  };
  const { issues, process } = await startSync({ now, onRead });
  return {
    issues,
    reads,
    async takes(...told: readonly TrackerEntry[]) {
      lists.told = told;
      return process(tracker).run(again, () => {});
    },
  };
}

const groups = (...names: string[]): TrackerEntry => ({
  kind: 'directory',
  part: { groups: names.map((name) => ({ id: name, name, members: ['ada'] })) },
});
const refused = (source: string): TrackerEntry => ({ kind: 'unreadable', source, reason: 'no right' });
const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

test('a list that came whole takes the place of what was kept, one that came in part only adds', async () => {
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

test('changes recorded under a title are told under the field’s id once its name is known', async () => {
  const { issues, takes } = await start();
  await takes();
  const { issue } = anIssue('DEMO-1', '2026-03-01T09:00:00Z').changes(
    'Points',
    null,
    '3',
    '2026-03-01T10:00:00Z',
  );
  await issues.putIssues([{ ...issue, fields: {} }], (_, told) => told);
  await takes({ kind: 'directory', part: { fields: [{ id: 'customfield_1', name: 'Points' }] } });
  expect((await issues.issue('DEMO-1'))?.changes[0]?.field).toBe('customfield_1');
});

describe('a field that is new in the list', () => {
  const born = anIssue('DEMO-1', '2026-03-01T09:00:00Z');
  const withPoints = born.changes('Points', null, '3', '2026-03-01T10:00:00Z').issue;

  async function startCounting() {
    const { issues, takes, reads } = await start();
    return {
      issues,
      takes,
      put: (...some: (typeof withPoints)[]) => issues.putIssues(some, (_, incoming) => incoming),
      /** How many issues are read for a list that has this title. */
      async readsFor(title: string) {
        reads.issues = 0;
        await takes({ kind: 'directory', part: { fields: [{ id: 'customfield_1', name: title }] } });
        return reads.issues;
      },
    };
  }

  test('has issues read only where a change was recorded under its title', async () => {
    const { issues, takes, put, readsFor } = await startCounting();
    await takes();
    await put({ ...withPoints, fields: {} }, anIssue('DEMO-2', '2026-03-01T09:00:00Z').issue);
    // They came without the sync.
    expect(await readsFor('Team')).toBe(2);
    expect(await readsFor('Squad')).toBe(0);
    expect(await readsFor('Points')).toBe(2);
    expect((await issues.issue('DEMO-1'))?.changes[0]?.field).toBe('customfield_1');
    expect(await readsFor('Crew')).toBe(0);
  });

  test('has none read after many changes, for these were learnt from in time', async () => {
    const { takes, put, readsFor } = await startCounting();
    await takes();
    await put(...Array.from({ length: 10_001 }, (_, i) => ({ ...born.issue, summary: String(i) })));
    await takes();
    expect(await readsFor('Team')).toBe(0);
  });
});

describe('a list that Jira fails to tell', () => {
  async function startFailing(reason: 'tracker-unavailable' | 'credentials-refused', withIssues = true) {
    const time = { now: now(), fails: true };
    const asked: string[] = [];
    const tracker = livingTracker({
      ourNow: () => time.now,
      before(method) {
        asked.push(method);
        if (method === 'lists' && time.fails) throw new AppError(reason, 'Jira does not tell its lists.');
      },
      told: () => [groups('ops')],
    });
    tracker.create('DEMO');
    const parts = await startSync({ now: () => time.now, withIssues });
    const sync = parts.process(tracker);
    const turn = () => sync.run({ compare: false, acceptRemovals: false }, () => {});
    return { time, asked, turn, ...parts };
  }

  test('holds up neither the first fill nor what follows, and is asked for more and more rarely', async () => {
    const { time, asked, turn, issues } = await startFailing('tracker-unavailable');
    const status = await turn();
    expect(status).toMatchObject({ filled: true, issues: 1, problem: null });
    expect(status.withheld).toEqual(['lists: Jira does not tell its lists.']);
    const listsPerHour = async () => {
      asked.length = 0;
      for (let passed = 0; passed < millisecondsInHour; passed += 120_000) {
        time.now += 120_000;
        await turn();
      }
      return asked.filter((method) => method === 'lists').length;
    };
    const [first, , third] = [await listsPerHour(), await listsPerHour(), await listsPerHour()];
    expect(first).toBeGreaterThan(2);
    expect(first).toBeLessThan(8);
    expect(third).toBeLessThanOrEqual(1);
    time.fails = false;
    time.now += millisecondsInHour;
    expect((await turn()).withheld).toEqual([]);
    expect(namesOf((await issues.directory()).groups)).toEqual(['ops']);
  });

  test('stops everything where we are not let in', async () => {
    const { turn } = await startFailing('credentials-refused');
    await expect(turn()).rejects.toMatchObject({ code: 'not-allowed' });
  });

  test('is a failure where nothing but lists is wanted', async () => {
    const { turn, time } = await startFailing('tracker-unavailable', false);
    await expect(turn()).rejects.toThrow('Jira does not tell its lists.');
    time.fails = false;
    time.now += millisecondsInHour;
    expect(await turn()).toMatchObject({ filled: true });
  });
});
