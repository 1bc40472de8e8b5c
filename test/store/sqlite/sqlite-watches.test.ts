import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store, WatchStore } from '../../../src/store/store.ts';
import { aWatch } from '../../support/a-watch.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dataDir: string;
let stores: readonly Store[];
let watches: WatchStore;
let others: WatchStore;
beforeEach(() => {
  dataDir = temporaryFolder();
  const [store, other] = [openSqliteStore(dataDir), openSqliteStore(dataDir)];
  stores = [store, other];
  watches = store.watches;
  others = other.watches;
});
afterEach(() => {
  for (const store of stores) store.close();
});

describe('keeping', () => {
  test('a watch is found as it was added, listed, changed and removed, also by another process', async () => {
    expect(await watches.add(aWatch('b'), 9)).toBe(true);
    expect(await watches.add(aWatch('a'), 9)).toBe(true);
    expect(await others.get('b')).toEqual(aWatch('b'));
    expect((await others.list()).map(({ id }) => id)).toEqual(['b', 'a']);
    const changed = aWatch('b', { paused: true, owner: 'U2' });
    expect(await others.change('b', (kept) => ({ ...kept, id: 'x', paused: true, owner: 'U2' }))).toEqual(
      changed,
    );
    expect(await watches.get('b')).toEqual(changed);
    expect(await watches.add(aWatch('c', { owner: 'U2' }), 1)).toBe(false);
    expect(await watches.remove('b')).toBe(true);
    expect(await watches.remove('b')).toBe(false);
    expect(await watches.get('b')).toBeNull();
    expect(await watches.change('b', (kept) => kept)).toBeNull();
  });

  test('no owner has more watches than allowed', async () => {
    expect(await watches.add(aWatch('a'), 1)).toBe(true);
    expect(await others.add(aWatch('b'), 1)).toBe(false);
    expect(await others.add(aWatch('b', { owner: 'U2' }), 1)).toBe(true);
  });
});

describe('a visit', () => {
  const told = { state: 'told', account: 'U2', at: 110 } as const;
  const claim = (its: WatchStore, now: number, since = 50) => its.claim('a', 'DEMO-1', since, now, now - 60);
  beforeEach(async () => {
    await watches.add(aWatch('a'), 9);
  });

  test('is claimed by one of two processes, once, and another visit of the issue is another', async () => {
    expect(await Promise.all([claim(watches, 100), claim(others, 100)])).toEqual([true, false]);
    expect(await claim(watches, 101)).toBe(false);
    expect(await claim(others, 101, 80)).toBe(true);
    expect(await others.claim('a', 'DEMO-2', 50, 101, 41)).toBe(true);
  });

  test('that was told is never claimed again, however long ago that was', async () => {
    await claim(watches, 100);
    await watches.settle('a', 'DEMO-1', 50, told);
    expect(await claim(others, 99_999)).toBe(false);
    expect(await others.alerts('a')).toEqual([
      { watchId: 'a', key: 'DEMO-1', since: 50, state: 'told', account: 'U2', toldAt: 110 },
    ]);
  });

  test('that could not be told is not tried again, and was told to nobody at no time', async () => {
    await claim(watches, 100);
    await watches.settle('a', 'DEMO-1', 50, { state: 'failed', account: null, at: 110 });
    expect(await claim(others, 99_999)).toBe(false);
    expect(await others.alerts('a')).toMatchObject([{ state: 'failed', account: null, toldAt: null }]);
  });

  test('may be claimed again when it was let go of', async () => {
    await claim(watches, 100);
    await watches.settle('a', 'DEMO-1', 50, { state: 'free', account: null, at: 110 });
    expect(await watches.alerts('a')).toEqual([]);
    expect(await claim(others, 111)).toBe(true);
  });

  test('claimed by who died is free after a while, for one', async () => {
    await claim(watches, 100);
    expect(await claim(others, 159)).toBe(false);
    expect(await claim(others, 160)).toBe(true);
    expect(await claim(watches, 160)).toBe(false);
  });

  test('claimed by a clock that was set back since is free, but not by one that is a little ahead', async () => {
    await claim(watches, 1_000);
    expect(await claim(others, 940)).toBe(false);
    expect(await claim(others, 939)).toBe(true);
  });

  test('that has ended stays as it ended', async () => {
    await claim(watches, 100);
    await watches.settle('a', 'DEMO-1', 50, told);
    await others.settle('a', 'DEMO-1', 50, { state: 'free', account: null, at: 111 });
    expect(await watches.alerts('a')).toMatchObject([{ state: 'told', toldAt: 110 }]);
  });

  test('of a watch that is gone is not told, and what was told goes with the watch', async () => {
    await claim(watches, 100);
    await watches.remove('a');
    expect(await claim(others, 100)).toBe(false);
    expect(await others.alerts('a')).toEqual([]);
  });

  test('told already is met without waiting for anybody who writes', async () => {
    await claim(watches, 100);
    await watches.settle('a', 'DEMO-1', 50, told);
    const writer = new DatabaseSync(join(dataDir, 'dwell.db'));
    writer.exec('BEGIN IMMEDIATE');
    expect(await claim(watches, 200)).toBe(false);
    await watches.forget(110);
    writer.close();
  });
});

test('a snooze is replaced by a later one of the same visit, and forgotten after its end', async () => {
  const snooze = { account: 'U1', key: 'DEMO-1', since: 50, until: 100 };
  await watches.putSnooze(snooze);
  await watches.putSnooze({ ...snooze, until: 200 });
  await watches.putSnooze({ ...snooze, account: 'U2' });
  expect(await others.snoozes()).toEqual([
    { ...snooze, until: 200 },
    { ...snooze, account: 'U2' },
  ]);
  await others.forget(101);
  expect(await watches.snoozes()).toEqual([{ ...snooze, until: 200 }]);
});

test('alerts are forgotten a while after they were told, those under way never', async () => {
  await watches.add(aWatch('a'), 9);
  for (const since of [1, 2, 3]) await watches.claim('a', 'DEMO-1', since, 10, 0);
  await watches.settle('a', 'DEMO-1', 1, { state: 'told', account: 'U2', at: 20 });
  await watches.settle('a', 'DEMO-1', 2, { state: 'told', account: 'U2', at: 21 });
  await watches.forget(21);
  expect((await watches.alerts('a')).map(({ since }) => since)).toEqual([2, 3]);
});
