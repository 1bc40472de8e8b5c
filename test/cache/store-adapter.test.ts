import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import keyvTestSuite, { keyvIteratorTests } from '@keyv/test-suite';
import { Keyv } from 'keyv';
import { afterEach, beforeEach, describe, expect, jest, test } from '#jest';
import { createNamespace, inStore } from '../../src/cache/namespace.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

afterEach(() => void jest.restoreAllMocks());

describe("Keyv's own suite", () => {
  let store = openTestStore(temporaryFolder());
  beforeEach(() => {
    store.close();
    store = openTestStore(temporaryFolder());
  });
  /** Its cases are written for vitest, which hands `expect` to each. */
  const vitest: unknown = {
    beforeEach,
    afterEach,
    it: (name: string, run: (context: { readonly expect: typeof expect }) => unknown) =>
      test(name, async () => void (await run({ expect }))),
  };
  // The suite opens an adapter for each Keyv.
  const adapter = () => store.cache({ most: null, now: Date.now });
  const given = vitest as Parameters<typeof keyvTestSuite>[0];
  keyvTestSuite(given, Keyv, adapter);
  keyvIteratorTests(given, Keyv, adapter);
});

function open(dataDir = temporaryFolder()) {
  const clock = { now: 1_000_000 };
  const store = openTestStore(dataDir);
  const stored = inStore((how) => store.cache({ ...how, now: () => clock.now }));
  const namespace = <Value>(name: string, ttlMs: number | null, most: number | null = null) =>
    createNamespace<Value>({ name, ttlMs, most, now: () => clock.now, backing: stored });
  return { dataDir, clock, store, stored, namespace };
}

test('values outlive the process, and other processes read and change them', async () => {
  const one = open();
  const other = open(one.dataDir);
  const [mine, theirs] = [one.namespace<number>('n', null), other.namespace<number>('n', null)];
  await mine.set('a', 1);
  expect(await theirs.get('a')).toBe(1);
  expect(await theirs.change('a', (before = 0) => before + 1)).toBe(2);
  expect(await mine.change('b', (before = 10) => before)).toBe(10);
  one.store.close();
  expect(await theirs.values()).toEqual([2, 10]);
  other.store.close();
});

test('of several processes that add at once one succeeds', async () => {
  const one = open();
  const other = open(one.dataDir);
  const added = await Promise.all([one, other].map(({ namespace }) => namespace('n', 50).add('a', 'x')));
  expect(added.toSorted()).toEqual([false, true]);
  other.clock.now += 50;
  expect(await other.namespace('n', 50).add('a', 'y')).toBe(true);
  for (const { store } of [one, other]) store.close();
});

test('a change that fails leaves what was there', async () => {
  const { namespace, store } = open();
  const mine = namespace<string>('n', null);
  await mine.set('a', 'chosen');
  const failing = mine.change('a', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await mine.get('a')).toBe('chosen');
  store.close();
});

test('of too many entries of one namespace the oldest go, whatever another has', async () => {
  const { namespace, store } = open();
  const [few, many] = [namespace<number>('few', 50, 2), namespace<number>('few-more', 50)];
  for (const n of [1, 2, 3]) await many.set(`${n}`, n);
  for (const n of [1, 2, 1, 3]) await few.set(`${n}`, n);
  expect(await few.values()).toEqual([1, 3]);
  expect(await many.values()).toEqual([1, 2, 3]);
  store.close();
});

test('what has expired is swept out once in an hour, what is for ever stays', async () => {
  const { clock, namespace, store, dataDir } = open();
  const short = namespace<number>('short', 50);
  await short.set('a', 1);
  await namespace<number>('long', null).set('a', 1);
  clock.now += 3_600_000;
  await short.set('b', 1);
  store.close();
  const database = new DatabaseSync(join(dataDir, 'dwell.db'));
  expect(database.prepare('SELECT key FROM cache ORDER BY key').all()).toEqual([
    { key: 'long:a' },
    { key: 'short:b' },
  ]);
  database.close();
});

describe('where another process writes', () => {
  const writing = (dataDir: string) => {
    const other = new DatabaseSync(join(dataDir, 'dwell.db'));
    other.exec('BEGIN IMMEDIATE');
    return () => {
      other.exec('COMMIT');
      other.close();
    };
  };
  const deferring = ({ stored, clock }: ReturnType<typeof open>) =>
    createNamespace<number>({
      ...{ name: 'd', ttlMs: 60_000, most: 2, now: () => clock.now, backing: stored, defersWrites: true },
    });

  test('writes that may be deferred wait for nobody, and are made once that is over', async () => {
    const one = open();
    const mine = deferring(one);
    await mine.set('a', 0);
    const end = writing(one.dataDir);
    await mine.set('b', 1);
    await mine.set('c', 2);
    await mine.replace('b', 3);
    expect([await mine.get('b'), await mine.get('c')]).toEqual([3, 2]);
    expect((await mine.values()).toSorted()).toEqual([0, 2, 3]);
    const other = open(one.dataDir);
    const theirs = deferring(other);
    expect([await theirs.get('a'), await theirs.get('b')]).toEqual([0, undefined]);
    end();
    while ((await theirs.get('b')) === undefined) await pause(10);
    // The oldest of too many has gone.
    expect((await theirs.values()).toSorted()).toEqual([2, 3]);
    for (const { store } of [one, other]) store.close();
  });

  test('what was deferred is written when the store is closed, at the latest', async () => {
    const one = open();
    const end = writing(one.dataDir);
    await deferring(one).set('a', 1);
    end();
    one.store.close();
    const other = open(one.dataDir);
    expect(await deferring(other).get('a')).toBe(1);
    other.store.close();
  });
});

test('only what is for ever waits for the disk, and a sweep without dust for nobody who writes', async () => {
  const { namespace, store } = open();
  const exec = jest.spyOn(DatabaseSync.prototype, 'exec');
  const [long, short] = [namespace<number>('long', null), namespace<number>('short', 50)];
  await long.set('a', 1);
  await short.set('a', 1);
  await short.set('b', 1);
  await long.set('b', 1);
  await store.tokens.signingKey(() => 'key');
  const written = exec.mock.calls.flatMap(([sql]) => /synchronous = \w+|BEGIN/.exec(sql)?.[0] ?? []);
  expect(written).toEqual([
    ...['BEGIN', 'synchronous = NORMAL', 'BEGIN', 'BEGIN'],
    ...['synchronous = FULL', 'BEGIN', 'BEGIN'],
  ]);
  store.close();
});
