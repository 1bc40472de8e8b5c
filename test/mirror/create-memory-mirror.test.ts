import { expect, test } from '#jest';
import { createMemoryMirror, createStoreMirror, preferFilled } from '../../src/mirror/create-mirrors.ts';
import { emptyDirectory } from '../../src/model/directory.ts';
import type { Tracker, TrackerEntry } from '../../src/trackers/tracker.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { keysIn, putInto } from './tables.ts';

/** A tracker whose entries are made anew by each call. */
const trackerOf = (entries: () => readonly TrackerEntry[]): Tracker => ({
  name: 'sample',
  async *entries() {
    yield* entries();
  },
});
const aStatus = (id: string, deleted = false) =>
  ({ id, name: `Status ${id}`, category: 'Done', deleted }) as const;
const issueEntry = (key: string, day = '02'): TrackerEntry => ({
  kind: 'issue',
  issue: anIssue(key, `2026-03-${day}T09:00:00Z`).issue,
});

/** A tracker with one issue more at every call. */
function growingTracker(): Tracker {
  let calls = 0;
  return trackerOf(() => {
    calls += 1;
    return [
      { kind: 'statuses', statuses: [aStatus('1')], list: 'sample' },
      { kind: 'users', users: [{ id: 'ada', name: 'Ada' }] },
      ...Array.from({ length: calls }, (_, i) => issueEntry(`DEMO-${i + 1}`, `0${i + 1}`)),
    ];
  });
}

test('createMemoryMirror has the same issues all through a UTC day and new ones on the next', async () => {
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
  expect((await mirror.statuses()).get('1')).toMatchObject({ name: 'Status 1', listed: true });
  expect((await mirror.users(['ada'])).get('ada')).toEqual({ id: 'ada', name: 'Ada' });
  expect([await mirror.tracker(), await mirror.filledAt()]).toEqual(['sample', null]);
});

test('createMemoryMirror takes a status for listed when any list has it, unless the tracker calls it deleted', async () => {
  const tracker = trackerOf(() => [
    { kind: 'statuses', statuses: [aStatus('1'), aStatus('2', true)], list: 'first' },
    { kind: 'statuses', statuses: [aStatus('1'), aStatus('3')], list: null },
    { kind: 'statuses', statuses: [aStatus('4')], list: 'second' },
  ]);
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
  const tracker = trackerOf(() => ['DEMO-10', 'DEMO-9', 'APP-11'].map((key) => issueEntry(key)));
  const mirror = createMemoryMirror(tracker, () => now);
  const table = await mirror.table();
  const rows = table.columns.rowsByCreation();
  expect(keysIn(table.columns)).toEqual(['APP-11', 'DEMO-9', 'DEMO-10']);
  expect((await table.load(rows)).map((issue) => issue?.key)).toEqual(['APP-11', 'DEMO-9', 'DEMO-10']);
  expect(await mirror.table()).toBe(table);
  now += 86_400_000;
  expect(await mirror.table()).not.toBe(table);
});

test('createMemoryMirror joins the lists, and has all people or those of some ids', async () => {
  const group = (id: string, ...members: string[]) => ({ id, name: id, members });
  const app = { id: 'app', name: 'app' };
  const tracker = trackerOf(() => [
    { kind: 'directory', part: { groups: [group('web', 'ada'), group('app')] } },
    { kind: 'membership', membership: { user: 'eve', groups: [app], whole: true } },
    { kind: 'directory', part: { groups: [group('web', 'bob')], fields: [{ id: 'x', name: 'X' }] } },
    { kind: 'users', users: ['ada', 'bob'].map((id) => ({ id, name: id })) },
  ]);
  const mirror = createMemoryMirror(tracker, () => 0);
  expect(await mirror.directory()).toEqual({
    ...emptyDirectory,
    groups: [group('app', 'eve'), group('web', 'bob')],
    fields: [{ id: 'x', name: 'X' }],
  });
  expect([...(await mirror.users()).keys()]).toEqual(['ada', 'bob']);
  expect([...(await mirror.users(['bob', 'eve'])).keys()]).toEqual(['bob']);
});

test('preferFilled turns to the first mirror as soon as it has been filled, not before', async () => {
  const store = await openTestStore(temporaryFolder());
  const [imported, sample] = [store.issues('file'), store.issues('sample')];
  const chosen = preferFilled(createStoreMirror('file', imported), createStoreMirror('sample', sample));
  await putInto(sample, [anIssue('DEMO-1', '2026-03-02T09:00:00Z').issue]);
  await putInto(imported, [anIssue('REAL-1', '2026-03-02T09:00:00Z').issue]);

  const before = await chosen();
  expect([await before.tracker(), await before.recentKeys(5)]).toEqual(['sample', ['DEMO-1']]);

  await imported.putFilledAt(Date.parse('2026-03-18T12:00:00Z'));
  const after = await chosen();
  expect([await after.tracker(), await after.recentKeys(5)]).toEqual(['file', ['REAL-1']]);
  expect([await before.tracker(), await before.issue('REAL-1')]).toEqual(['sample', null]);
  store.close();
});
