import { expect, test } from '@jest/globals';
import type { TrackerEntry } from '../../../src/tracker/tracker.ts';
import { anIssue } from '../../support/issue-story.ts';
import { livingTracker } from '../../support/living-tracker.ts';
import { startSync } from './start-sync.ts';

const now = () => Date.parse('2026-03-02T09:00:00Z');
const again = { compare: true, acceptRemovals: false };

function start() {
  const lists: { told: readonly TrackerEntry[] } = { told: [] };
  const tracker = livingTracker({ ourNow: now, told: () => lists.told });
  const { issues, process } = startSync({ now });
  return {
    issues,
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
  const { issues, takes } = start();
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
  const { issues, takes } = start();
  await takes({ kind: 'users', users: [{ id: 'ada', name: 'Ada' }] });
  await takes({ kind: 'users', users: [{ id: 'bob', name: 'Bob' }] });
  expect(namesOf([...(await issues.users()).values()])).toEqual(['Ada', 'Bob']);
});

test('statuses that are listed no more are deleted', async () => {
  const { issues, takes } = start();
  const status = (id: string) => ({ id, name: id, category: 'To Do', deleted: false }) as const;
  await takes({ kind: 'statuses', statuses: [status('1'), status('2')], list: 'a' });
  await takes({ kind: 'statuses', statuses: [status('2')], list: 'a' });
  const statuses = await issues.statuses();
  expect([statuses.get('1')?.deleted, statuses.get('2')?.deleted]).toEqual([true, false]);
});

test('changes recorded under a title are told under the field’s id once its name is known', async () => {
  const { issues, takes } = start();
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
