import { millisecondsInDay } from 'date-fns/constants';
import { afterEach, beforeEach, expect, test } from '#jest';
import { changeWatch } from '../../../src/api/watches/check-watch.ts';
import { putSnooze } from '../../../src/api/watches/create-watches.ts';
import { aWatch } from '../../support/a-watch.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aRecordingNotifier, aWatchedWorld, aWatchOffice } from '../../support/watch-office.ts';

let dataDir: string;
let store: TestStore;
let other: TestStore;
beforeEach(async () => {
  dataDir = temporaryFolder();
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

test('a snooze is replaced by a later one of the same visit; 90 days after its end it is forgotten, with the alerts', async () => {
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
  const visits = [101, 102].map((since) => ({ watchId: 'a', key: `DEMO-${since}`, since }));
  await store.watchAlerts.leaveAlone(visits.slice(0, 1), 100);
  await store.watchAlerts.leaveAlone(visits.slice(1), 101);
  const world = aWatchedWorld({ now: 101 + 90 * millisecondsInDay });
  const office = await aWatchOffice(world, dataDir);
  office.watches.start(aRecordingNotifier(world).notifier);
  await office.watches.tick();
  expect(await store.snoozes.list()).toEqual([[{ ...snooze, until: 200 }]]);
  expect((await other.watchAlerts.of('a')).map(({ since }) => since)).toEqual([102]);
  await office.watches.stop(1_000);
  office.close();
});
