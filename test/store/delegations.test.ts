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
  const { own, ...rest } = createLocalRecords({
    store: async () => storeOf(i).documents(tracker).delegations,
    directory: async () => brought,
    users: async () => new Map(['ada', 'bob', 'carl', 'dora', 'erin'].map((id) => [id, { id, name: id }])),
    now: () => clock.now,
  });
  if (own === null) throw new Error('These are our own.');
  return { ...rest, own };
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

  test('are shown in their newest version, by id', async () => {
    await records.add(wish, 'ada');
    await records.add(wish, 'ada');
    const changed = await records.change(100_001, () => longer, 'bob');
    expect(changed).toEqual({ ...longer, id: 100_001, version: 2 });
    expect(await records.delegations()).toEqual([changed, { ...wish, id: 100_002, version: 1 }]);
  });

  test('are the same array until one of them changes, in whatever process', async () => {
    const none = await records.delegations();
    expect(await records.delegations()).toBe(none);
    await other.add(wish, 'ada');
    const one = await records.delegations();
    expect(ids(one)).toEqual([100_001]);
    expect(await records.delegations()).toBe(one);
    await recordsOf(1, 'file').add(wish, 'ada');
    await other.own.addCategory({ name: 'Expense', description: '' });
    expect(await records.delegations()).toBe(one);
    await records.own.addCategory({ name: 'Hiring', description: '' });
    expect(await records.delegations()).toBe(one);
    await other.change(100_001, () => longer, 'bob');
    expect(await records.delegations()).not.toBe(one);
    expect(await records.delegations()).toEqual([{ ...longer, id: 100_001, version: 2 }]);
    expect(one).toEqual([{ ...wish, id: 100_001, version: 1 }]);
  });

  test('keep every version, with who saved it and when, the oldest first', async () => {
    await records.add(wish, 'ada');
    clock.now = 8;
    await other.change(100_001, () => longer, 'bob');
    clock.now = 9;
    await records.change(100_001, (kept) => ({ ...kept, active: false }), 'ada');
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
      (kept) => {
        expect(kept).toEqual({ ...longer, id: 100_001, version: 2 });
        return { ...kept, id: 5, version: 9, notes: 'anew' };
      },
      'ada',
    );
    expect(await other.delegations()).toEqual([{ ...longer, notes: 'anew', id: 100_001, version: 3 }]);
  });

  test('stay as they are when a change fails, and what is not there is not changed', async () => {
    await records.add(wish, 'ada');
    const failing = records.change(
      100_001,
      () => {
        throw new Error('no such user');
      },
      'bob',
    );
    await expect(failing).rejects.toThrow('no such user');
    expect(await records.own.versions(100_001)).toHaveLength(1);
    const unknown = { reason: 'unknown-delegation' };
    await expect(records.change(100_002, () => longer, 'bob')).rejects.toMatchObject(unknown);
    await expect(recordsOf(0, 'file').change(100_001, () => longer, 'bob')).rejects.toMatchObject(unknown);
    expect(await recordsOf(0, 'file').delegations()).toEqual([]);
  });

  test('are counted with all that are stored, also by another process, before one is saved', async () => {
    for (let i = 0; i < 99; i += 1) await records.add(wish, 'ada');
    const outcomes = await Promise.allSettled([records.add(wish, 'ada'), other.add(wish, 'ada')]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await records.change(100_001, (kept) => ({ ...kept, active: false }), 'ada');
    // A number that was refused is the next one's.
    expect(await other.add(wish, 'ada')).toMatchObject({ id: 100_101 });
    await expect(records.change(100_001, (kept) => ({ ...kept, active: true }), 'ada')).rejects.toMatchObject(
      { code: 'bad-request' },
    );
  });

  test('that came with the tracker are stored as they came once they are changed, and only then', async () => {
    const first = aDelegation('dora').to('erin').numbered(7).inVersion(3).delegation;
    brought.delegations = [first];
    await records.delegations();
    expect(await storeOf(0).documents('sample').delegations.list()).toEqual([]);
    const changed = { ...first, notes: 'changed', version: 4 };
    expect(await records.change(7, () => changed, 'ada')).toEqual(changed);
    // By now the tracker says otherwise, which counts no more.
    brought.delegations = [{ ...first, notes: 'anew', version: 5 }];
    clock.now = 8;
    expect(await other.change(7, (kept) => ({ ...kept, active: false }), 'bob')).toEqual({
      ...changed,
      active: false,
      version: 5,
    });
    expect(await records.own.versions(7)).toEqual([
      { ...first, savedBy: null, savedAt: null },
      { ...changed, savedBy: 'ada', savedAt: 7 },
      { ...changed, active: false, version: 5, savedBy: 'bob', savedAt: 8 },
    ]);
    brought.delegations = [];
    expect(await records.add(wish, 'ada')).toMatchObject({ id: 100_001 });
    expect(ids(await records.delegations())).toEqual([7, 100_001]);
  });

  test('name only categories that are there, here or elsewhere', async () => {
    const gone = { fields: { categoryIds: expect.stringContaining("'102' is not a category") } };
    brought.categories = [{ id: 3, name: 'Approval', description: '' }];
    await records.own.addCategory({ name: 'Expense', description: '' });
    expect(await other.add({ ...wish, categoryIds: [101, 3] }, 'ada')).toMatchObject({ id: 100_001 });
    await expect(records.add({ ...wish, categoryIds: [102] }, 'ada')).rejects.toMatchObject(gone);
    brought.categories = [];
    await expect(recordsOf(0, 'file').add({ ...wish, categoryIds: [101] }, 'ada')).rejects.toMatchObject({
      code: 'bad-request',
    });
    await expect(
      records.change(100_001, (kept) => ({ ...kept, categoryIds: [102] }), 'bob'),
    ).rejects.toMatchObject(gone);
    expect(await records.own.versions(100_001)).toHaveLength(1);
    expect(await records.add(wish, 'ada')).toMatchObject({ id: 100_002 });
    // What a version names may stay in the next, although 3 is nowhere any more.
    expect(await records.change(100_001, (kept) => kept, 'bob')).toMatchObject({ version: 2 });
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
  const taken = { reason: 'name-taken' };
  const unknown = { reason: 'unknown-category' };

  test('get ids from 101 on and are listed by them, apart for each tracker', async () => {
    expect(await records.own.addCategory(expense)).toEqual({ ...expense, id: 101 });
    expect(await other.own.addCategory(signing)).toEqual({ ...signing, id: 102 });
    expect(await records.categories()).toEqual([
      { ...expense, id: 101 },
      { ...signing, id: 102 },
    ]);
    expect(await recordsOf(0, 'file').categories()).toEqual([]);
    expect(await recordsOf(0, 'file').own.addCategory(expense)).toMatchObject({ id: 101 });
  });

  test.each(['EXPENSE', ' expense '])('no second one is called %p', async (name) => {
    await records.own.addCategory(expense);
    await records.own.addCategory(signing);
    await expect(other.own.addCategory({ ...expense, name })).rejects.toMatchObject(taken);
    await expect(other.own.changeCategory(102, { ...expense, name })).rejects.toMatchObject(taken);
    expect((await records.categories()).map((category) => category.name)).toEqual([
      'Expense',
      'Unterschrift für Ämter',
    ]);
  });

  test.each(['UNTERSCHRIFT FÜR ÄMTER', signing.name.normalize('NFD')])(
    'letters beside ASCII are compared as well: %p',
    async (name) => {
      brought.categories = [{ id: 3, name: 'ärger', description: '' }];
      await records.own.addCategory(signing);
      await expect(records.own.addCategory({ ...signing, name })).rejects.toMatchObject(taken);
      await expect(records.own.addCategory({ ...expense, name: 'Ärger' })).rejects.toMatchObject(taken);
    },
  );

  test('the store itself lets no name be given twice, whatever was asked before', async () => {
    await records.own.addCategory(expense);
    const twice = { category: { id: 900, name: 'EXPENSE', description: '' } };
    const written = storeOf(1)
      .documents('sample')
      .delegations.change('category 900', () => twice);
    await expect(written).rejects.toThrow(NameTaken);
  });

  test('are changed under the same id, also to another spelling of their own name', async () => {
    brought.categories = [{ id: 3, name: 'SICK LEAVE', description: '' }];
    await records.own.addCategory(expense);
    const changed = { name: 'EXPENSE', description: 'Money' };
    expect(await other.own.changeCategory(101, changed)).toEqual({ ...changed, id: 101 });
    expect((await records.categories()).at(-1)).toEqual({ ...changed, id: 101 });
    const named = records.own.changeCategory(101, { ...expense, name: 'Sick leave' });
    await expect(named).rejects.toMatchObject(taken);
    await expect(records.own.changeCategory(102, expense)).rejects.toMatchObject(unknown);
  });

  test('are removed, and their ids are never given again', async () => {
    await records.own.addCategory(expense);
    await records.own.addCategory(signing);
    await records.own.removeCategory(102);
    await expect(other.own.removeCategory(102)).rejects.toMatchObject(unknown);
    expect(await other.own.addCategory(signing)).toMatchObject({ id: 103 });
    expect(ids(await records.categories())).toEqual([101, 103]);
  });

  test('stay as long as any version of any delegation names them', async () => {
    await records.own.addCategory(expense);
    await records.own.addCategory(signing);
    await records.add({ ...wish, categoryIds: [102] }, 'ada');
    const shorter = { ...wish, active: false, end: wish.start + 60_000 };
    await records.change(100_001, () => shorter, 'bob');
    await expect(other.own.removeCategory(102)).rejects.toMatchObject({ reason: 'in-use' });
    await other.own.removeCategory(101);
    expect(ids(await records.categories())).toEqual([102]);
    await recordsOf(0, 'file').own.addCategory(expense);
    await recordsOf(0, 'file').own.removeCategory(101);
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
