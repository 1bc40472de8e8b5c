import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { createLocalRecords } from '../../src/api/delegations/local-delegation-records.ts';
import type { Category, Delegation } from '../../src/model/delegation.ts';
import { NameTaken } from '../../src/store/documents.ts';
import { aDelegation } from '../support/a-delegation.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dataDir: string;
let stores: TestStore[];
/** What the tracker brings along. */
let brought: { categories: readonly Category[]; delegations: readonly Delegation[] };
let clock: { now: number };
let records: ReturnType<typeof recordsOf>;
/** The same as another process has them. */
let other: ReturnType<typeof recordsOf>;
beforeEach(async () => {
  dataDir = temporaryFolder();
  stores = [await openTestStore(dataDir), await openTestStore(dataDir)];
  brought = { categories: [], delegations: [] };
  clock = { now: 7 };
  [records, other] = [recordsOf(0), recordsOf(1)];
});
afterEach(() => {
  for (const one of stores) one.close();
});

function storeOf(i: number): TestStore {
  const opened = stores[i];
  if (opened === undefined) throw new Error(`There is no store ${i}.`);
  return opened;
}

function recordsOf(i: number, tracker = 'sample') {
  const { own, ...others } = createLocalRecords({
    store: async () => storeOf(i).documents(tracker).delegations,
    directory: async () => brought,
    users: async () => new Map(['ada', 'bob', 'carl', 'dora', 'erin'].map((id) => [id, { id, name: id }])),
    now: () => clock.now,
  });
  if (own === null) throw new Error('These are our own.');
  return { ...others, own };
}

const wish = aDelegation('ada').to('bob', 'carl').noted('Köln 🏖️').wish;
const longer = { ...wish, end: wish.end + 60_000 };
const ids = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id);

describe('delegations', () => {
  test('get ids from 100,001 on, whoever adds them, and apart for each tracker', async () => {
    expect(await records.add(wish, 'ada')).toEqual({ ...wish, id: 100_001, version: 1 });
    expect(await other.add(longer, 'ada')).toEqual({ ...longer, id: 100_002, version: 1 });
    expect(await records.add(wish, 'ada')).toMatchObject({ id: 100_003 });
    expect(await recordsOf(0, 'file').add(wish, 'ada')).toMatchObject({ id: 100_001 });
    expect(ids(await other.delegations())).toEqual([100_001, 100_002, 100_003]);
    expect(ids(await recordsOf(1, 'file').delegations())).toEqual([100_001]);
  });

  test('keep every version, with who saved it and when, the oldest first', async () => {
    await records.add(wish, 'ada');
    clock.now = 8;
    await other.change(100_001, () => longer, 'bob');
    clock.now = 9;
    await records.change(100_001, (stored) => ({ ...stored, active: false }), 'ada');
    expect(await other.own.versions(100_001)).toEqual([
      { ...wish, id: 100_001, version: 1, savedBy: 'ada', savedAt: 7 },
      { ...longer, id: 100_001, version: 2, savedBy: 'bob', savedAt: 8 },
      { ...longer, active: false, id: 100_001, version: 3, savedBy: 'ada', savedAt: 9 },
    ]);
    const unknown = { reason: 'unknown-delegation' };
    await expect(records.own.versions(100_002)).rejects.toMatchObject(unknown);
    await expect(recordsOf(0, 'file').own.versions(100_001)).rejects.toMatchObject(unknown);
  });

  test('are changed from their newest version, also when another process has saved that', async () => {
    await records.add(wish, 'ada');
    await records.delegations();
    await other.change(100_001, () => longer, 'bob');
    await records.change(
      100_001,
      (stored) => {
        expect(stored).toEqual({ ...longer, id: 100_001, version: 2 });
        return { ...stored, id: 5, version: 9, notes: 'anew' };
      },
      'ada',
    );
    expect(await other.delegations()).toEqual([{ ...longer, notes: 'anew', id: 100_001, version: 3 }]);
  });

  test('of a category that is removed and a delegation that comes to name it at once, one is refused', async () => {
    for (const [name, one, another] of [
      ['Hiring', records, other],
      ['Travel', other, records],
    ] as const) {
      const { id } = await one.own.addCategory({ name, description: '' });
      const outcomes = await Promise.allSettled([
        one.own.removeCategory(id),
        another.add({ ...wish, categoryIds: [id] }, 'ada'),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });

  test('can be read while an import writes', async () => {
    await records.add(wish, 'ada');
    const end = await storeEngine.writeElsewhere(dataDir);
    expect([(await other.delegations()).length, (await other.categories()).length]).toEqual([1, 0]);
    await end();
  });
});

describe('categories', () => {
  const expense = { name: 'Expense', description: 'Travel' };
  const signing = { name: 'Unterschrift für Ämter', description: '' };
  const unknown = { reason: 'unknown-category' };

  test('the store itself lets no name be given twice, whatever was asked before', async () => {
    await records.own.addCategory(expense);
    const twice = { category: { id: 900, name: 'EXPENSE', description: '' } };
    const written = storeOf(1)
      .documents('sample')
      .delegations.change('category 900', () => twice);
    await expect(written).rejects.toThrow(NameTaken);
  });

  test('are removed, and their ids are never given again', async () => {
    await records.own.addCategory(expense);
    await records.own.addCategory(signing);
    await records.own.removeCategory(102);
    await expect(other.own.removeCategory(102)).rejects.toMatchObject(unknown);
    expect(await other.own.addCategory(signing)).toMatchObject({ id: 103 });
    expect(ids(await records.categories())).toEqual([101, 103]);
  });
});

test('permissions are missing until someone has chosen, and the last choice counts for its tracker', async () => {
  const [{ delegationPermissions: one }, { delegationPermissions: another }] = [storeOf(0), storeOf(1)];
  expect(await one.get('sample')).toBeNull();
  await one.change('sample', () => ({ view: ['everyone'], viewAll: ['ada'], editAll: [] }));
  const chosen = { view: ['web-team'], viewAll: [], editAll: ['user:bob'] };
  await another.change('sample', () => chosen);
  expect(await one.get('sample')).toEqual(chosen);
  expect(await one.get('file')).toBeNull();
});
