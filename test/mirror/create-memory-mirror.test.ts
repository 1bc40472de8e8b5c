import { expect, test } from '#jest';
import { createMemoryMirror } from '../../src/mirror/create-mirrors.ts';
import { emptyDirectory } from '../../src/model/directory.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { anIssue } from '../support/issue-story.ts';

/** Tells of one issue more with every call. */
function growingTracker(): Tracker {
  let calls = 0;
  return {
    name: 'sample',
    async *entries() {
      calls += 1;
      yield {
        kind: 'statuses',
        statuses: [{ id: '1', name: 'To Do', category: 'To Do', deleted: false }],
        list: 'sample',
      };
      yield { kind: 'users', users: [{ id: 'ada', name: 'Ada' }] };
      for (let i = 1; i <= calls; i += 1) {
        yield { kind: 'issue', issue: anIssue(`DEMO-${i}`, `2026-03-0${i}T09:00:00Z`).issue };
      }
    },
  };
}

test('createMemoryMirror tells the same all through a UTC day and anew on the next', async () => {
  let now = Date.parse('2026-03-18T00:00:00Z');
  const mirror = createMemoryMirror(growingTracker(), () => now);
  const [keys, again] = await Promise.all([mirror.recentKeys(9), mirror.recentKeys(9)]);
  expect([keys, again]).toEqual([['DEMO-1'], ['DEMO-1']]);
  now = Date.parse('2026-03-18T23:59:59Z');
  expect(await mirror.recentKeys(9)).toEqual(['DEMO-1']);
  now = Date.parse('2026-03-19T00:00:00Z');
  expect(await mirror.recentKeys(9)).toEqual(['DEMO-2', 'DEMO-1']);
  expect(await mirror.recentKeys(1)).toEqual(['DEMO-2']);
});

test('createMemoryMirror finds issues by any spelling of their key, statuses and people by id', async () => {
  const mirror = createMemoryMirror(growingTracker(), () => 0);
  expect((await mirror.issue('demo-1'))?.key).toBe('DEMO-1');
  expect(await mirror.issue('DEMO-2')).toBeNull();
  expect((await mirror.statuses()).get('1')).toMatchObject({ name: 'To Do', listed: true });
  expect((await mirror.users(['ada'])).get('ada')).toEqual({ id: 'ada', name: 'Ada' });
  expect([await mirror.tracker(), await mirror.filledAt()]).toEqual(['sample', null]);
});

test('createMemoryMirror takes a status for listed when any list has it, unless the tracker calls it deleted', async () => {
  const status = (id: string, deleted = false) =>
    ({ id, name: `Status ${id}`, category: 'Done', deleted }) as const;
  const tracker: Tracker = {
    name: 'sample',
    async *entries() {
      yield { kind: 'statuses', statuses: [status('1'), status('2', true)], list: 'first' };
      yield { kind: 'statuses', statuses: [status('1'), status('3')], list: null };
      yield { kind: 'statuses', statuses: [status('4')], list: 'second' };
    },
  };
  const statuses = await createMemoryMirror(tracker, () => 0).statuses();
  expect([...statuses.values()].map(({ id, listed, deleted }) => [id, listed, deleted])).toEqual([
    ['1', true, false],
    ['2', false, true],
    ['3', false, true],
    ['4', true, false],
  ]);
});

test('createMemoryMirror has issues by creation, in the same table all through a day', async () => {
  let now = Date.parse('2026-03-18T00:00:00Z');
  const issues = ['DEMO-10', 'DEMO-9', 'APP-11'].map((key) => anIssue(key, '2026-03-02T09:00:00Z').issue);
  const tracker: Tracker = {
    name: 'sample',
    async *entries() {
      for (const issue of issues) yield { kind: 'issue', issue };
    },
  };
  const mirror = createMemoryMirror(tracker, () => now);
  const table = await mirror.table();
  const rows = table.columns.rowsByCreation();
  expect([...rows].map((row) => table.columns.keyOf(row))).toEqual(['APP-11', 'DEMO-9', 'DEMO-10']);
  expect(await table.load(rows)).toEqual([issues[2], issues[1], issues[0]]);
  expect(await mirror.table()).toBe(table);
  now += 86_400_000;
  expect(await mirror.table()).not.toBe(table);
});

test('createMemoryMirror collects what is told beside the issues, and tells of everybody or of who is asked for', async () => {
  const group = (id: string, ...members: string[]) => ({ id, name: id, members });
  const tracker: Tracker = {
    name: 'sample',
    async *entries() {
      yield { kind: 'directory', part: { groups: [group('web', 'ada'), group('app')] } };
      yield {
        kind: 'membership',
        membership: { user: 'eve', groups: [{ id: 'app', name: 'app' }], whole: true },
      };
      yield { kind: 'directory', part: { groups: [group('web', 'bob')], fields: [{ id: 'x', name: 'X' }] } };
      yield { kind: 'users', users: ['ada', 'bob'].map((id) => ({ id, name: id })) };
    },
  };
  const mirror = createMemoryMirror(tracker, () => 0);
  expect(await mirror.directory()).toEqual({
    ...emptyDirectory,
    groups: [group('app', 'eve'), group('web', 'bob')],
    fields: [{ id: 'x', name: 'X' }],
  });
  expect([...(await mirror.users()).keys()]).toEqual(['ada', 'bob']);
  expect([...(await mirror.users(['bob', 'eve'])).keys()]).toEqual(['bob']);
});
