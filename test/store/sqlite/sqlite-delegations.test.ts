import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Delegation } from '../../../src/model/delegation.ts';
import { inTransaction } from '../../../src/store/sqlite/sqlite-database.ts';
import type { DelegationStore } from '../../../src/store/store.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dataDir: string;
let stores: TestStore[];
let store: DelegationStore;
/** The same as another process has it. */
let other: DelegationStore;
beforeEach(() => {
  dataDir = temporaryFolder();
  stores = [openTestStore(dataDir), openTestStore(dataDir)];
  [store, other] = [delegationsOf(0), delegationsOf(1)];
});
afterEach(() => {
  for (const one of stores) one.close();
});

function delegationsOf(i: number, tracker = 'sample'): DelegationStore {
  const opened = stores[i];
  if (opened === undefined) throw new Error(`There is no store ${i}.`);
  return opened.delegations(tracker);
}

const saving = { by: 'ada', at: 7 };
const later = { by: 'bob', at: 8 };
const wish = aDelegation('ada').to('bob', 'carl').noted('Köln 🏖️').wish;
const longer = { ...wish, end: wish.end + 60_000 };
const ids = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id);

describe('delegations', () => {
  test('get ids from 100,001 on, whoever adds them, and apart for each tracker', async () => {
    expect(await store.add(wish, saving, [])).toEqual({ ...wish, id: 100_001, version: 1 });
    expect(await other.add(longer, saving, [])).toEqual({ ...longer, id: 100_002, version: 1 });
    expect(await store.add(wish, saving, [])).toMatchObject({ id: 100_003 });
    expect(await delegationsOf(0, 'file').add(wish, saving, [])).toMatchObject({ id: 100_001 });
    expect(ids(await other.delegations())).toEqual([100_001, 100_002, 100_003]);
    expect(ids(await delegationsOf(1, 'file').delegations())).toEqual([100_001]);
  });

  test('are told in their newest version, by id', async () => {
    await store.add(wish, saving, []);
    await store.add(wish, saving, []);
    const changed = await store.change(100_001, null, () => longer, later, []);
    expect(changed).toEqual({ ...longer, id: 100_001, version: 2 });
    expect(await store.delegations()).toEqual([changed, { ...wish, id: 100_002, version: 1 }]);
  });

  test('are the same array until something changes, in whatever process and however it was opened', async () => {
    const none = await store.delegations();
    expect(await delegationsOf(0).delegations()).toBe(none);
    await other.add(wish, saving, []);
    const one = await store.delegations();
    expect(ids(one)).toEqual([100_001]);
    expect(await delegationsOf(0).delegations()).toBe(one);
    await delegationsOf(1, 'file').add(wish, saving, []);
    await other.addCategory({ name: 'Expense', description: '' }, []);
    expect(await store.delegations()).toBe(one);
    await other.change(100_001, null, () => longer, later, []);
    expect(await store.delegations()).not.toBe(one);
    expect(await store.delegations()).toEqual([{ ...longer, id: 100_001, version: 2 }]);
    expect(one).toEqual([{ ...wish, id: 100_001, version: 1 }]);
  });

  test('keep every version, with who saved it and when, the oldest first', async () => {
    await store.add(wish, saving, []);
    await other.change(100_001, null, () => longer, later, []);
    await store.change(100_001, null, (kept) => ({ ...kept, active: false }), saving, []);
    expect(await other.versions(100_001)).toEqual([
      { ...wish, id: 100_001, version: 1, savedBy: 'ada', savedAt: 7 },
      { ...longer, id: 100_001, version: 2, savedBy: 'bob', savedAt: 8 },
      { ...longer, active: false, id: 100_001, version: 3, savedBy: 'ada', savedAt: 7 },
    ]);
    expect(await store.versions(100_002)).toEqual([]);
    expect(await delegationsOf(0, 'file').versions(100_001)).toEqual([]);
  });

  test('are changed from their newest version, also when another process has saved that', async () => {
    await store.add(wish, saving, []);
    await store.delegations();
    await other.change(100_001, null, () => longer, later, []);
    await store.change(
      100_001,
      null,
      (kept) => {
        expect(kept).toEqual({ ...longer, id: 100_001, version: 2 });
        return { ...kept, id: 5, version: 9, notes: 'anew' };
      },
      saving,
      [],
    );
    expect(await other.delegations()).toEqual([{ ...longer, notes: 'anew', id: 100_001, version: 3 }]);
  });

  test('stay as they are when a change fails, and null says that there is none', async () => {
    await store.add(wish, saving, []);
    const failing = store.change(
      100_001,
      null,
      () => {
        throw new Error('no such user');
      },
      later,
      [],
    );
    await expect(failing).rejects.toThrow('no such user');
    expect(await store.versions(100_001)).toHaveLength(1);
    expect(await store.change(100_002, null, () => longer, later, [])).toBeNull();
    expect(await delegationsOf(0, 'file').change(100_001, null, () => longer, later, [])).toBeNull();
  });

  test('are checked against all that are kept, also by another process, before one is saved', async () => {
    await other.add(wish, saving, []);
    const all = [{ ...wish, id: 100_001, version: 1 }];
    const seen: (readonly Delegation[])[] = [];
    const refuse = (kept: readonly Delegation[]) => {
      seen.push(kept);
      throw new Error('too many');
    };
    await expect(store.add(wish, saving, [], refuse)).rejects.toThrow('too many');
    await expect(store.change(100_001, null, (_kept, kept) => refuse(kept), saving, [])).rejects.toThrow(
      'too many',
    );
    expect(seen).toEqual([all, all]);
    expect(await other.delegations()).toEqual(all);
    expect(await store.add(wish, saving, [], () => undefined)).toMatchObject({ id: 100_002 });
  });

  test('that came with the tracker are kept as they came once they are changed, and only then', async () => {
    const brought = aDelegation('dora').to('erin').numbered(7).inVersion(3).delegation;
    expect(await store.delegations()).toEqual([]);
    const changed = { ...brought, notes: 'changed', version: 4 };
    expect(await store.change(7, brought, () => changed, saving, [])).toEqual(changed);
    // By now the tracker tells it otherwise, which counts no more.
    const anew = { ...brought, notes: 'anew', version: 5 };
    expect(await other.change(7, anew, (kept) => ({ ...kept, active: false }), later, [])).toEqual({
      ...changed,
      active: false,
      version: 5,
    });
    expect(await store.versions(7)).toEqual([
      { ...brought, savedBy: null, savedAt: null },
      { ...changed, savedBy: 'ada', savedAt: 7 },
      { ...changed, active: false, version: 5, savedBy: 'bob', savedAt: 8 },
    ]);
    expect(await store.add(wish, saving, [])).toMatchObject({ id: 100_001 });
    expect(ids(await store.delegations())).toEqual([7, 100_001]);
  });

  test('name only categories that are there, here or elsewhere', async () => {
    await store.addCategory({ name: 'Expense', description: '' }, []);
    expect(await store.add({ ...wish, categoryIds: [101, 3] }, saving, [3])).toMatchObject({ id: 100_001 });
    expect(await store.add({ ...wish, categoryIds: [102] }, saving, [3])).toBeNull();
    expect(await delegationsOf(0, 'file').add({ ...wish, categoryIds: [101] }, saving, [])).toBeNull();
    expect(
      await store.change(100_001, null, (kept) => ({ ...kept, categoryIds: [102] }), later, [3]),
    ).toBeNull();
    expect(await store.versions(100_001)).toHaveLength(1);
    expect(await store.add(wish, saving, [])).toMatchObject({ id: 100_002 });
    // What a version names may stay in the next, although 3 is nowhere any more.
    expect(await store.change(100_001, null, (kept) => kept, later, [])).toMatchObject({ version: 2 });
  });

  test('can be read while an import writes', async () => {
    await store.add(wish, saving, []);
    const writer = new DatabaseSync(join(dataDir, 'dwell.db'));
    const told = inTransaction(writer, () => Promise.all([store.delegations(), store.categories()]));
    expect((await told).map((list) => list.length)).toEqual([1, 0]);
    writer.close();
  });
});

describe('categories', () => {
  const expense = { name: 'Expense', description: 'Travel' };
  const signing = { name: 'Unterschrift für Ämter', description: '' };

  test('get ids from 101 on and are listed by them, apart for each tracker', async () => {
    expect(await store.addCategory(expense, [])).toEqual({ ...expense, id: 101 });
    expect(await other.addCategory(signing, [])).toEqual({ ...signing, id: 102 });
    expect(await store.categories()).toEqual([
      { ...expense, id: 101 },
      { ...signing, id: 102 },
    ]);
    expect(await delegationsOf(0, 'file').categories()).toEqual([]);
    expect(await delegationsOf(0, 'file').addCategory(expense, [])).toMatchObject({ id: 101 });
  });

  test.each(['EXPENSE', ' expense '])('no second one is called %p', async (name) => {
    await store.addCategory(expense, []);
    await store.addCategory(signing, []);
    expect(await other.addCategory({ ...expense, name }, [])).toBeNull();
    expect(await other.changeCategory(102, { ...expense, name }, [])).toBe(false);
    expect((await store.categories()).map((category) => category.name)).toEqual([
      'Expense',
      'Unterschrift für Ämter',
    ]);
  });

  test.each(['UNTERSCHRIFT FÜR ÄMTER', signing.name.normalize('NFD')])(
    'letters beside ASCII are compared as well: %p',
    async (name) => {
      await store.addCategory(signing, []);
      expect(await store.addCategory({ ...signing, name }, [])).toBeNull();
      expect(await store.addCategory({ ...expense, name: 'Ärger' }, ['ärger'])).toBeNull();
    },
  );

  test('are changed under the same id, also to another spelling of their own name', async () => {
    await store.addCategory(expense, []);
    const changed = { name: 'EXPENSE', description: 'Money' };
    expect(await other.changeCategory(101, changed, [])).toEqual({ ...changed, id: 101 });
    expect(await store.categories()).toEqual([{ ...changed, id: 101 }]);
    expect(await store.changeCategory(101, { ...expense, name: 'Sick leave' }, ['SICK LEAVE'])).toBe(false);
    expect(await store.changeCategory(102, expense, [])).toBeNull();
  });

  test('are removed, and their ids are never given again', async () => {
    await store.addCategory(expense, []);
    await store.addCategory(signing, []);
    expect(await store.removeCategory(102)).toBe('removed');
    expect(await other.removeCategory(102)).toBe('unknown');
    expect(await other.addCategory(signing, [])).toMatchObject({ id: 103 });
    expect(ids(await store.categories())).toEqual([101, 103]);
  });

  test('stay as long as any version of any delegation names them', async () => {
    await store.addCategory(expense, []);
    await store.addCategory(signing, []);
    await store.add({ ...wish, categoryIds: [102] }, saving, []);
    await store.change(
      100_001,
      null,
      () => ({ ...wish, active: false, end: wish.start + 60_000 }),
      later,
      [],
    );
    expect(await other.removeCategory(102)).toBe('used');
    expect(await other.removeCategory(101)).toBe('removed');
    expect(ids(await store.categories())).toEqual([102]);
    await delegationsOf(0, 'file').addCategory(expense, []);
    expect(await delegationsOf(0, 'file').removeCategory(101)).toBe('removed');
  });
});

test('permissions are null until somebody has chosen, and the last choice counts for its tracker', async () => {
  expect(await store.permissions()).toBeNull();
  await store.putPermissions({ view: ['everyone'], viewAll: ['ada'], editAll: [] });
  const chosen = { view: ['web-team'], viewAll: [], editAll: ['user:bob'] };
  await other.putPermissions(chosen);
  expect(await store.permissions()).toEqual(chosen);
  expect(await delegationsOf(0, 'file').permissions()).toBeNull();
});
