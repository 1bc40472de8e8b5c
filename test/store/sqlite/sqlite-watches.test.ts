import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { WatchStore } from '../../../src/store/job-stores.ts';
import { aWatch } from '../../support/a-watch.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dataDir: string;
let stores: readonly TestStore[];
let watches: WatchStore;
let others: WatchStore;
beforeEach(() => {
  dataDir = temporaryFolder();
  const [store, other] = [openTestStore(dataDir), openTestStore(dataDir)];
  stores = [store, other];
  watches = store.watches;
  others = other.watches;
});
afterEach(() => {
  for (const store of stores) store.close();
});

describe('keeping', () => {
  test('a watch is found as it was added, listed, changed and removed, also by another process', async () => {
    expect(await watches.add(aWatch('b'), 9, [])).toBe(true);
    expect(await watches.add(aWatch('a'), 9, [])).toBe(true);
    expect(await others.get('b')).toEqual(aWatch('b'));
    expect((await others.list()).map(({ id }) => id)).toEqual(['b', 'a']);
    const changed = aWatch('b', { paused: true, owner: 'U2' });
    expect(await others.change('b', (kept) => ({ ...kept, id: 'x', paused: true, owner: 'U2' }))).toEqual(
      changed,
    );
    expect(await watches.get('b')).toEqual(changed);
    expect(await watches.add(aWatch('c', { owner: 'U2' }), 1, [])).toBe(false);
    expect(await watches.remove('b')).toBe(true);
    expect(await watches.remove('b')).toBe(false);
    expect(await watches.get('b')).toBeNull();
    expect(await watches.change('b', (kept) => kept)).toBeNull();
  });

  test('no owner has more watches than allowed', async () => {
    expect(await watches.add(aWatch('a'), 1, [])).toBe(true);
    expect(await others.add(aWatch('b'), 1, [])).toBe(false);
    expect(await others.add(aWatch('b', { owner: 'U2' }), 1, [])).toBe(true);
  });
});

describe('a visit', () => {
  const told = { state: 'told', account: 'U2', at: 110 } as const;
  const visit = { watchId: 'a', key: 'DEMO-1', since: 50 };
  const at = (now: number) => ({ now, stale: now - 60, quietSince: now - 60 });
  /** Whether somebody may be told, in a claim of their own each, so that nobody is quiet. */
  const claim = async (its: WatchStore, now: number, since = 50, account = `U${now}`) => {
    const claimed = await its.claim(account, [{ ...visit, since }], at(now));
    return claimed !== 'quiet' && claimed.length > 0;
  };
  beforeEach(async () => {
    await watches.add(aWatch('a'), 9, []);
  });

  test('is claimed by one of two processes, once, and another visit of the issue is another', async () => {
    expect(await Promise.all([claim(watches, 100, 50, 'U2'), claim(others, 100, 50, 'U3')])).toEqual([
      true,
      false,
    ]);
    expect(await claim(watches, 101)).toBe(false);
    expect(await claim(others, 101, 80)).toBe(true);
    expect(await others.claim('U4', [{ ...visit, key: 'DEMO-2' }], at(101))).toHaveLength(1);
  });

  test('that was told is never claimed again, however long ago that was', async () => {
    await claim(watches, 100);
    await watches.settle([visit], told);
    expect(await claim(others, 99_999)).toBe(false);
    expect(await others.alerts('a')).toEqual([
      { watchId: 'a', key: 'DEMO-1', since: 50, state: 'told', account: 'U2', toldAt: 110 },
    ]);
  });

  test('may be claimed again when it was let go of', async () => {
    await claim(watches, 100);
    await watches.settle([visit], { state: 'free', account: 'U2', at: 110 });
    expect(await watches.alerts('a')).toEqual([]);
    expect(await claim(others, 111)).toBe(true);
  });

  test('claimed by who died is free after a while, for one', async () => {
    await claim(watches, 100);
    expect(await claim(others, 159)).toBe(false);
    expect(await others.claim('U3', [visit], at(160))).toEqual([{ ...visit, leftFor: 'U100' }]);
    expect(await claim(watches, 160)).toBe(false);
  });

  test('claimed by a clock that was set back since is free, but not by one that is a little ahead', async () => {
    await claim(watches, 1_000);
    expect(await claim(others, 940)).toBe(false);
    expect(await claim(others, 939)).toBe(true);
  });

  test('that has ended stays as it ended', async () => {
    await claim(watches, 100);
    await watches.settle([visit], told);
    await others.settle([visit], { state: 'free', account: 'U2', at: 111 });
    expect(await watches.alerts('a')).toMatchObject([{ state: 'told', toldAt: 110 }]);
  });

  test('of a watch that is gone is not told', async () => {
    await claim(watches, 100);
    await watches.remove('a');
    expect(await claim(others, 100)).toBe(false);
    expect(await others.alerts('a')).toEqual([]);
  });

  test('somebody was told of by a watch that is gone is not told to them again', async () => {
    await claim(watches, 100);
    await watches.settle([visit], told);
    await watches.remove('a');
    await watches.add(aWatch('b'), 9, []);
    const again = { ...visit, watchId: 'b' };
    expect(await others.claim('U2', [again], at(300))).toEqual([]);
    expect(await watches.alerts('b')).toMatchObject([{ state: 'told', account: 'U2', toldAt: 110 }]);
    expect(await others.claim('U2', [{ ...again, since: 60 }], at(300))).toHaveLength(1);
  });

  test('two watches found is told once to a person, and to another person once more', async () => {
    await watches.add(aWatch('b'), 9, []);
    const both = [visit, { ...visit, watchId: 'b' }];
    expect(await watches.claim('U2', both, at(100))).toEqual([{ ...visit, leftFor: null }]);
    expect(await others.claim('U2', both, at(101))).toEqual('quiet');
    await watches.settle([visit], told);
    expect(await others.claim('U2', both, at(200))).toEqual([]);
    await watches.add(aWatch('c'), 9, []);
    expect(await others.claim('U3', [{ ...visit, watchId: 'c' }], at(200))).toHaveLength(1);
  });

  test('of somebody who was told something waits until they have been quiet for long enough', async () => {
    await claim(watches, 100, 50, 'U2');
    await watches.settle([visit], told);
    const next = { ...visit, since: 80 };
    expect(await others.claim('U2', [next], at(169))).toBe('quiet');
    expect(await others.claim('U2', [next], at(170))).toHaveLength(1);
  });

  test('whose alert was begun and has no known end is never told once it is left alone', async () => {
    expect(await claim(watches, 100)).toBe(true);
    await others.leaveAlone('a', [visit], 150);
    expect(await claim(watches, 1000)).toBe(false);
    expect(await watches.alerts('a')).toMatchObject([{ state: 'told', account: null }]);
  });

  test('that is left alone is never told, and is kept together with its watch', async () => {
    await watches.add(aWatch('b'), 9, [{ key: 'DEMO-1', since: 50 }]);
    expect(await others.claim('U2', [{ ...visit, watchId: 'b' }], at(100))).toEqual([]);
    expect(await others.alerts('b')).toMatchObject([{ state: 'told', account: null }]);
    expect(await watches.add(aWatch('c'), 1, [{ key: 'DEMO-1', since: 50 }])).toBe(false);
    expect(await others.alerts('c')).toEqual([]);
  });

  test('told already is met without waiting for anybody who writes', async () => {
    await claim(watches, 100);
    await watches.settle([visit], told);
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
  await watches.add(aWatch('a'), 9, []);
  const visits = [1, 2, 3].map((since) => ({ watchId: 'a', key: `DEMO-${since}`, since }));
  await watches.claim('U2', visits, { now: 10, stale: 0, quietSince: 0 });
  await watches.settle(visits.slice(0, 1), { state: 'told', account: 'U2', at: 20 });
  await watches.settle(visits.slice(1, 2), { state: 'told', account: 'U2', at: 21 });
  await watches.forget(21);
  expect((await watches.alerts('a')).map(({ since }) => since)).toEqual([2, 3]);
});
