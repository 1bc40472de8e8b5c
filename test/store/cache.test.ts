import { setTimeout as pause } from 'node:timers/promises';
import keyvTestSuite, { keyvIteratorTests } from '@keyv/test-suite';
import { Keyv } from 'keyv';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { createNamespace, inStore } from '../../src/cache/namespace.ts';
import { openAreas } from '../../src/store/sql/areas.ts';
import { openCache } from '../../src/store/sql/cache.ts';
import type { WriteOptions } from '../../src/store/sql/engine.ts';
import { aStore } from '../support/a-store.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe("Keyv's own suite", () => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openTestStore(temporaryFolder());
  });
  /** Its cases are written for vitest, which hands `expect` to each. */
  const vitest: unknown = {
    beforeEach,
    afterEach,
    it: (name: string, run: (context: { readonly expect: typeof expect }) => unknown) =>
      test(name, async () => void (await run({ expect }))),
  };
  // The suite opens an adapter for each Keyv.
  const adapter = () => store.cache({ maxEntries: null, now: Date.now });
  const given = vitest as Parameters<typeof keyvTestSuite>[0];
  keyvTestSuite(given, Keyv, adapter);
  keyvIteratorTests(given, Keyv, adapter);
  // The suite clears its adapters after each of its cases.
  afterEach(() => store.close());
});

async function open(dataDir = temporaryFolder()) {
  const clock = { now: 1_000_000 };
  const store = await aStore(dataDir);
  const stored = inStore((how) => store.cache({ ...how, now: () => clock.now }));
  const namespace = <Value>(name: string, ttlMs: number | null, maxEntries: number | null = null) =>
    createNamespace<Value>({ name, ttlMs, maxEntries, now: () => clock.now, backing: stored });
  return { dataDir, clock, store, stored, namespace };
}

test('values outlive the process, and other processes read and change them', async () => {
  const one = await open();
  const other = await open(one.dataDir);
  const [mine, theirs] = [one.namespace<number>('n', null), other.namespace<number>('n', null)];
  await mine.set('a', 1);
  expect(await theirs.get('a')).toBe(1);
  expect(await theirs.change('a', (before = 0) => before + 1)).toBe(2);
  expect(await mine.change('b', (before = 10) => before)).toBe(10);
  one.store.close();
  expect(await theirs.values()).toEqual([2, 10]);
});

test('of several processes that add at once one succeeds', async () => {
  const one = await open();
  const other = await open(one.dataDir);
  const added = await Promise.all([one, other].map(({ namespace }) => namespace('n', 50).add('a', 'x')));
  expect(added.toSorted()).toEqual([false, true]);
  other.clock.now += 50;
  expect(await other.namespace('n', 50).add('a', 'y')).toBe(true);
});

test('a change that fails leaves what was there', async () => {
  const { namespace } = await open();
  const mine = namespace<string>('n', null);
  await mine.set('a', 'chosen');
  const failing = mine.change('a', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await mine.get('a')).toBe('chosen');
});

test('of too many entries of one namespace the oldest go, whatever another has', async () => {
  const { namespace } = await open();
  const [few, many] = [namespace<number>('few', 60_000, 2), namespace<number>('few-more', 60_000)];
  for (const n of [1, 2, 3]) await many.set(`${n}`, n);
  for (const n of [1, 2, 1, 3]) await few.set(`${n}`, n);
  expect(await few.values()).toEqual([1, 3]);
  expect(await many.values()).toEqual([1, 2, 3]);
});

test('what has expired is swept out once in an hour, what is for ever stays', async () => {
  const { clock, namespace, store } = await open();
  const short = namespace<number>('short', 50);
  await short.set('a', 1);
  await namespace<number>('long', null).set('a', 1);
  clock.now += 3_599_999;
  await short.set('b', 1);
  expect(await keysOf(store, ['long', 'short'])).toEqual(['long:a', 'short:a', 'short:b']);
  clock.now += 1;
  await short.set('c', 1);
  expect(await keysOf(store, ['long', 'short'])).toEqual(['long:a', 'short:b', 'short:c']);
});

/** Whether they are good or not. */
async function keysOf(store: TestStore, namespaces: readonly string[]): Promise<readonly string[]> {
  const keys: string[] = [];
  const adapter = store.cache({ maxEntries: null, now: () => 0 });
  for (const name of namespaces) for await (const [key] of adapter.iterator(name)) keys.push(key);
  return keys;
}

describe('where another process writes', () => {
  const deferring = ({ stored, clock }: Awaited<ReturnType<typeof open>>) =>
    createNamespace<number>({
      ...{
        name: 'd',
        ttlMs: 60_000,
        maxEntries: 2,
        now: () => clock.now,
        backing: stored,
        defersWrites: true,
      },
    });

  test('writes that may be deferred wait for nobody, and are made once that is over', async () => {
    const one = await open();
    const mine = deferring(one);
    await mine.set('a', 0);
    const end = await storeEngine.writeElsewhere(one.dataDir);
    await mine.set('b', 1);
    await mine.set('c', 2);
    await mine.replace('b', 3);
    expect([await mine.get('b'), await mine.get('c')]).toEqual([3, 2]);
    expect((await mine.values()).toSorted()).toEqual([0, 2, 3]);
    const other = await open(one.dataDir);
    const theirs = deferring(other);
    expect([await theirs.get('a'), await theirs.get('b')]).toEqual([0, undefined]);
    await end();
    while ((await theirs.get('b')) === undefined) await pause(10);
    // The oldest of too many has gone.
    expect((await theirs.values()).toSorted()).toEqual([2, 3]);
    for (const { store } of [one, other]) store.close();
  });

  test('what was deferred is written when the store is closed, at the latest', async () => {
    const one = await open();
    const end = await storeEngine.writeElsewhere(one.dataDir);
    await deferring(one).set('a', 1);
    await end();
    await one.store.close();
    const other = await open(one.dataDir);
    expect(await deferring(other).get('a')).toBe(1);
  });

  test('nor do they wait for others of this process who wait for it', async () => {
    const one = await open();
    const [mine, patient] = [deferring(one), one.namespace<number>('patient', null)];
    const end = await storeEngine.writeElsewhere(one.dataDir);
    const [waiting, set] = [patient.set('a', 1), mine.set('b', 2)];
    await set;
    expect(await mine.get('b')).toBe(2);
    expect(await patient.get('a')).toBeUndefined();
    await end();
    await waiting;
    expect(await patient.get('a')).toBe(1);
  });

  test('what this process knows is listed at any moment while it is written', async () => {
    const one = await open();
    const mine = deferring(one);
    for (let turns = 0; turns < 200; turns += storeEngine.name === 'postgres' ? 4 : 1) {
      const end = await storeEngine.writeElsewhere(one.dataDir);
      await mine.set('b', turns);
      await end();
      const written = mine.set('c', 0);
      for (let turn = 0; turn < turns; turn += 1) await null;
      expect(await mine.values()).toContain(turns);
      await written;
    }
  });

  test('changes of what is deferred are made one after the other', async () => {
    const one = await open();
    const mine = deferring(one);
    await mine.set('a', 0);
    const end = await storeEngine.writeElsewhere(one.dataDir);
    await Promise.all([1, 2, 3].map(() => mine.change('a', (before = 0) => before + 1)));
    expect(await mine.get('a')).toBe(3);
    await end();
    await one.store.close();
    const other = await open(one.dataDir);
    expect(await deferring(other).get('a')).toBe(3);
  });

  test('what is deleted meanwhile does not come back', async () => {
    const one = await open();
    const mine = deferring(one);
    const end = await storeEngine.writeElsewhere(one.dataDir);
    await mine.set('a', 1);
    const deleted = mine.delete('a');
    await end();
    await deleted;
    await pause(120);
    expect(await mine.get('a')).toBeUndefined();
  });
});

/** A cache that says what each call costs. */
async function counting(maxEntries: number) {
  const statements: string[] = [];
  const engine = await storeEngine.openEngine(temporaryFolder(), (sql) => void statements.push(sql));
  const writes: (WriteOptions | undefined)[] = [];
  const watched: typeof engine = {
    ...engine,
    write(work, how) {
      writes.push(how);
      return engine.write(work, how);
    },
  };
  const adapter = openCache(watched, openAreas(watched, 'acme'), {
    tenant: 'acme',
    audit: async () => {},
  }).open({ maxEntries, now: () => 1 });
  adapter.namespace = 'n';
  statements.splice(0);
  const countOf = async (work: () => Promise<unknown>) => {
    statements.splice(0);
    await work();
    return statements.length;
  };
  return { adapter, countOf, writes, close: engine.close };
}

test('only what is for ever waits for the disk', async () => {
  const { adapter, writes, close } = await counting(9);
  await adapter.set('n:a', '1');
  await adapter.set('n:a', '1', 50);
  await adapter.change('n:a', () => '2', 50);
  await adapter.change('n:a', () => '2', undefined);
  expect(writes.map((how) => how?.isDurable ?? true)).toEqual([true, false, false, true]);
  close();
});

test('a value is read by one statement, and written by one', async () => {
  const { adapter, countOf, close } = await counting(9);
  expect(await countOf(() => adapter.get('n:a'))).toBe(1);
  // With the first one a process writes comes a look at how many there are.
  expect(await countOf(() => adapter.set('n:a', '1'))).toBe(2);
  expect(await countOf(() => adapter.set('n:a', '1'))).toBe(1);
  // What is changed is locked, and what locks it is made first.
  expect(await countOf(() => adapter.change('n:a', () => '2', undefined))).toBe(5);
  expect(await countOf(() => adapter.change('n:a', () => '3', undefined))).toBe(3);
  // With the first that expires comes a look for what has expired.
  expect(await countOf(() => adapter.set('n:b', '1', 50))).toBe(2);
  expect(await countOf(() => adapter.set('n:b', '1', 50))).toBe(1);
  close();
});

test('the oldest of many go together: at no time there are an eighth too many', async () => {
  const { adapter, countOf, close } = await counting(80);
  const numbers = Array.from({ length: 300 }, (_, i) => `n:${i}`);
  const storedEntries = async () => {
    const keys: string[] = [];
    for await (const [key] of adapter.iterator('n')) keys.push(key);
    return keys;
  };
  let statements = 0;
  for (const [i, key] of numbers.entries()) {
    statements += await countOf(() => adapter.set(key, '1'));
    const all = await storedEntries();
    expect(all.length).toBeLessThanOrEqual(90);
    expect(all.toSorted()).toEqual(
      numbers
        .slice(0, i + 1)
        .slice(-all.length)
        .toSorted(),
    );
  }
  expect((await storedEntries()).length).toBeGreaterThanOrEqual(80);
  expect(statements).toBeLessThanOrEqual(300 + 300 / 10);
  close();
});
