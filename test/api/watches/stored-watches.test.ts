import { afterEach, beforeEach, expect, test } from '#jest';
import { changeWatch, forgetAlerts, putSnooze } from '../../../src/api/watches/stored-watches.ts';
import { aWatch } from '../../support/a-watch.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let store: TestStore;
let other: TestStore;
beforeEach(async () => {
  const dataDir = temporaryFolder();
  store = await openTestStore(dataDir);
  other = await openTestStore(dataDir);
});
afterEach(() => {
  for (const one of [store, other]) one.close();
});

test('a watch is found as it was added, listed, changed and removed, also by another process', async () => {
  for (const id of ['b', 'a']) await store.watches.change(id, () => aWatch(id));
  expect(await other.watches.get('b')).toEqual(aWatch('b'));
  expect((await other.watches.list()).map(({ id }) => id)).toEqual(['b', 'a']);
  const changed = aWatch('b', { paused: true, owner: 'U2' });
  expect(await changeWatch(other, 'b', (kept) => ({ ...kept, paused: true, owner: 'U2' }))).toEqual(changed);
  expect(await store.watches.get('b')).toEqual(changed);
  expect((await store.watches.list()).map(({ id }) => id)).toEqual(['b', 'a']);
  await store.watches.change('b', () => null);
  expect(await other.watches.get('b')).toBeNull();
  expect(await changeWatch(store, 'b', (kept) => kept)).toBeNull();
  expect(await other.watches.list()).toEqual([aWatch('a')]);
});

test('a snooze is replaced by a later one of the same visit, and forgotten after its end', async () => {
  const snooze = { account: 'U1', key: 'DEMO-1', since: 50, until: 100 };
  await putSnooze(store, snooze);
  await putSnooze(store, { ...snooze, until: 200 });
  await putSnooze(store, { ...snooze, account: 'U2' });
  await putSnooze(other, { ...snooze, since: 60, until: 90 });
  expect((await other.snoozes.list()).flat()).toEqual([
    { ...snooze, until: 200 },
    { ...snooze, since: 60, until: 90 },
    { ...snooze, account: 'U2' },
  ]);
  await forgetAlerts(other, 101);
  expect(await store.snoozes.list()).toEqual([[{ ...snooze, until: 200 }]]);
});

test('alerts are forgotten with the snoozes', async () => {
  await store.watches.change('a', () => aWatch('a'));
  const visits = [1, 2].map((since) => ({ watchId: 'a', key: `DEMO-${since}`, since }));
  await store.watchAlerts.leaveAlone(visits.slice(0, 1), 20);
  await store.watchAlerts.leaveAlone(visits.slice(1), 21);
  await forgetAlerts(store, 21);
  expect((await other.watchAlerts.of('a')).map(({ since }) => since)).toEqual([2]);
});
