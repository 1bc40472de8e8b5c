import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { defaultTenant } from '../../src/model/request.ts';
import { openAreas } from '../../src/store/sql/areas.ts';
import { openWatchAlerts } from '../../src/store/sql/watch-alerts.ts';
import type { WatchAlerts } from '../../src/store/store.ts';
import { aWatch } from '../support/a-watch.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dataDir: string;
let stores: readonly TestStore[];
let alerts: WatchAlerts;
let others: WatchAlerts;
beforeEach(async () => {
  dataDir = temporaryFolder();
  const [store, other] = [await openTestStore(dataDir), await openTestStore(dataDir)];
  stores = [store, other];
  alerts = store.watchAlerts;
  others = other.watchAlerts;
});
afterEach(() => {
  for (const store of stores) store.close();
});

const add = (id: string) => stores[0]?.watches.change(id, () => aWatch(id));

async function remove(id: string) {
  await stores[0]?.watches.change(id, () => null);
  await alerts.removeOf(id);
}

describe('a visit', () => {
  const notified = { state: 'told', account: 'U2', at: 110 } as const;
  const visit = { watchId: 'a', key: 'DEMO-1', since: 50 };
  const at = (now: number) => ({ now, stale: now - 60, quietSince: now - 60 });
  /** Whether somebody may be told, in a claim of their own each, so that nobody is quiet. */
  const claim = async (its: WatchAlerts, now: number, since = 50, account = `U${now}`) => {
    const claimed = await its.claim(account, [{ ...visit, since }], at(now));
    return claimed !== 'quiet' && claimed.length > 0;
  };
  beforeEach(async () => {
    await add('a');
  });

  test('is claimed by one of two processes, once, and another visit of the issue is another', async () => {
    const both = await Promise.all([claim(alerts, 100, 50, 'U2'), claim(others, 100, 50, 'U3')]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await claim(alerts, 101)).toBe(false);
    expect(await claim(others, 101, 80)).toBe(true);
    expect(await others.claim('U4', [{ ...visit, key: 'DEMO-2' }], at(101))).toHaveLength(1);
  });

  test('that was told is never claimed again, however long ago that was', async () => {
    await claim(alerts, 100);
    await alerts.settle([visit], notified);
    expect(await claim(others, 99_999)).toBe(false);
    expect(await others.of('a')).toEqual([
      { watchId: 'a', key: 'DEMO-1', since: 50, state: 'told', account: 'U2', toldAt: 110 },
    ]);
  });

  test('may be claimed again when it was let go of', async () => {
    await claim(alerts, 100);
    await alerts.settle([visit], { state: 'free', account: 'U2', at: 110 });
    expect(await alerts.of('a')).toEqual([]);
    expect(await claim(others, 111)).toBe(true);
  });

  test('claimed by who died is free after a while, for one', async () => {
    await claim(alerts, 100);
    expect(await claim(others, 159)).toBe(false);
    expect(await others.claim('U3', [visit], at(160))).toEqual([{ ...visit, leftFor: 'U100' }]);
    expect(await claim(alerts, 160)).toBe(false);
  });

  test('claimed by a clock that was set back since is free, but not by one that is a little ahead', async () => {
    await claim(alerts, 1_000);
    expect(await claim(others, 940)).toBe(false);
    expect(await claim(others, 939)).toBe(true);
  });

  test('that has ended stays as it ended', async () => {
    await claim(alerts, 100);
    await alerts.settle([visit], notified);
    await others.settle([visit], { state: 'free', account: 'U2', at: 111 });
    expect(await alerts.of('a')).toMatchObject([{ state: 'told', toldAt: 110 }]);
  });

  test('of a watch that is gone is not told', async () => {
    await claim(alerts, 100);
    await remove('a');
    expect(await claim(others, 100)).toBe(false);
    expect(await others.of('a')).toEqual([]);
  });

  test('of a watch that is gone is not told, also where a process died before its alerts were removed', async () => {
    await alerts.leaveAlone([{ ...visit, key: 'DEMO-2' }], 90);
    await claim(alerts, 100);
    await stores[0]?.watches.change('a', () => null);
    const visits = [visit, { ...visit, key: 'DEMO-2' }, { ...visit, key: 'DEMO-3' }];
    expect(await others.claim('U5', visits, at(99_999))).toEqual([]);
    await add('b');
    const again = visits.map((one) => ({ ...one, watchId: 'b' }));
    expect(await others.claim('U5', again, at(99_999))).toHaveLength(3);
  });

  test('somebody was told of by a watch that is gone is not told to them again', async () => {
    await claim(alerts, 100);
    await alerts.settle([visit], notified);
    await remove('a');
    await add('b');
    const again = { ...visit, watchId: 'b' };
    expect(await others.claim('U2', [again], at(300))).toEqual([]);
    expect(await alerts.of('b')).toMatchObject([{ state: 'told', account: 'U2', toldAt: 110 }]);
    expect(await others.claim('U2', [{ ...again, since: 60 }], at(300))).toHaveLength(1);
  });

  test('two watches found is told once to a person, and to another person once more', async () => {
    await add('b');
    const both = [visit, { ...visit, watchId: 'b' }];
    expect(await alerts.claim('U2', both, at(100))).toEqual([{ ...visit, leftFor: null }]);
    expect(await others.claim('U2', both, at(101))).toEqual('quiet');
    await alerts.settle([visit], notified);
    expect(await others.claim('U2', both, at(200))).toEqual([]);
    await add('c');
    expect(await others.claim('U3', [{ ...visit, watchId: 'c' }], at(200))).toHaveLength(1);
  });

  test('of somebody who was told something waits until they have been quiet for long enough', async () => {
    await claim(alerts, 100, 50, 'U2');
    await alerts.settle([visit], notified);
    const next = { ...visit, since: 80 };
    expect(await others.claim('U2', [next], at(169))).toBe('quiet');
    expect(await others.claim('U2', [next], at(170))).toHaveLength(1);
  });

  test('whose alert was begun and has no known end is never told once it is left alone', async () => {
    expect(await claim(alerts, 100)).toBe(true);
    await others.leaveAlone([visit], 150);
    expect(await claim(alerts, 1000)).toBe(false);
    expect(await alerts.of('a')).toMatchObject([{ state: 'told', account: null }]);
  });

  test('that is left alone is never told, also before its watch is there', async () => {
    await alerts.leaveAlone([{ ...visit, watchId: 'b' }], 90);
    await add('b');
    expect(await others.claim('U2', [{ ...visit, watchId: 'b' }], at(100))).toEqual([]);
    expect(await others.of('b')).toMatchObject([{ state: 'told', account: null }]);
    await others.leaveAlone([{ ...visit, watchId: 'b' }], 150);
    expect(await alerts.of('b')).toMatchObject([{ toldAt: 90 }]);
  });

  test('told already is met without waiting for anybody who writes', async () => {
    await claim(alerts, 100);
    await alerts.settle([visit], notified);
    const end = await storeEngine.writeElsewhere(dataDir);
    expect(await claim(alerts, 200)).toBe(false);
    await alerts.forget(110);
    await end();
  });
});

test('alerts are forgotten a while after they were told, those under way never', async () => {
  await add('a');
  const visits = [1, 2, 3].map((since) => ({ watchId: 'a', key: `DEMO-${since}`, since }));
  await alerts.claim('U2', visits, { now: 10, stale: 0, quietSince: 0 });
  await alerts.settle(visits.slice(0, 1), { state: 'told', account: 'U2', at: 20 });
  await alerts.settle(visits.slice(1, 2), { state: 'told', account: 'U2', at: 21 });
  await alerts.forget(21);
  expect((await alerts.of('a')).map(({ since }) => since)).toEqual([2, 3]);
});

test('visits are looked up together: by two statements, and where some can be claimed by two more', async () => {
  const statements: string[] = [];
  const engine = await storeEngine.openEngine(dataDir, (sql) => void statements.push(sql));
  const counted = openWatchAlerts(engine, openAreas(engine, defaultTenant), {
    tenant: defaultTenant,
    kindOfWatches: 'watches',
  });
  for (const id of ['a', 'b']) await add(id);
  const visits = ['a', 'b'].flatMap((watchId) =>
    Array.from({ length: 20 }, (_, i) => ({ watchId, key: `${watchId}-${i}`, since: i })),
  );
  const countOf = async (work: () => Promise<unknown>) => {
    statements.splice(0);
    await work();
    return statements.length;
  };
  const at = { now: 100, stale: 40, quietSince: 40 };
  expect(await countOf(() => counted.claim('U2', visits, at))).toBe(2 + 3 + 2 + visits.length);
  expect(await countOf(() => counted.claim('U2', visits, at))).toBe(2);
  expect(await countOf(() => counted.of('a'))).toBe(1);
  expect(await countOf(() => counted.forget(50))).toBe(1);
  expect(await countOf(() => counted.leaveAlone([], 50))).toBe(0);
  engine.close();
});
