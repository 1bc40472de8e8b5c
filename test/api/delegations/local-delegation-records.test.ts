import { afterEach, expect, test } from '#jest';
import { createLocalRecords } from '../../../src/api/delegations/local-delegation-records.ts';
import { registerCases } from '../../contract/register-cases.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { closeLocalRecords, localRecords } from '../../support/local-records.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

afterEach(closeLocalRecords);

const brought = aDelegation('ada').to('bob').numbered(7).inVersion(2).delegation;
const { id: _, version: __, ...asBrought } = brought;

test('what the tracker brings along is told with what is kept here, by id', async () => {
  const { records } = await localRecords({ delegations: [brought] });
  const added = await records.add(aDelegation('carl').to('bob').wish, 'carl');
  expect(await records.delegations()).toEqual([brought, added]);
  expect((await records.delegatorsOf('bob', 'general', null)).others).toEqual(['ada', 'carl']);
});

test('the list is the same array until something changes', async () => {
  const { records, world } = await localRecords({ delegations: [brought] });
  const before = await records.delegations();
  expect(await records.delegations()).toBe(before);
  world.delegations = [brought, { ...brought, id: 8 }];
  expect(await records.delegations()).toHaveLength(2);
  await records.change(7, () => asBrought, 'ada');
  expect((await records.delegations()).map(({ version }) => version)).toEqual([3, 2]);
});

test('a change of what the tracker brought keeps its first version and counts from then on', async () => {
  const { records, world } = await localRecords({ delegations: [brought] });
  expect(await records.own?.versions(7)).toEqual([{ ...brought, savedBy: null, savedAt: null }]);
  const changed = await records.change(7, (kept) => ({ ...kept, delegates: ['carl'] }), 'dora');
  expect(changed).toEqual({ ...brought, delegates: ['carl'], version: 3 });
  expect((await records.delegatesOf('ada', 'general', null)).others).toEqual(['carl']);
  expect(await records.own?.versions(7)).toEqual([
    { ...brought, savedBy: null, savedAt: null },
    { ...changed, savedBy: 'dora', savedAt: world.now },
  ]);
  world.delegations = [];
  expect(await records.own?.versions(7)).toHaveLength(2);
  expect(await records.delegation(7)).toEqual(changed);
});

test('nobody and nothing of what is kept must be known any more for it to be changed or ended', async () => {
  const { records, world } = await localRecords();
  const { id } = await records.add(aDelegation('ada').to('bob', 'carl').in(1).wish, 'ada');
  world.users = ['dora'];
  world.categories = [];
  const wish = aDelegation('ada').to('carl', 'bob').in(1).inactive().wish;
  expect(await records.change(id, () => wish, 'dora')).toEqual({ ...wish, id, version: 2 });
  await expect(records.change(id, () => ({ ...wish, delegates: ['erin'] }), 'dora')).rejects.toMatchObject({
    fields: { delegates: "delegates 'erin' is not a known user. Try: the id of a known user." },
  });
  await expect(records.change(id, () => ({ ...wish, categoryIds: [1, 2] }), 'dora')).rejects.toMatchObject({
    fields: { categoryIds: "categoryIds '2' is not a category. Try: 1." },
  });
});

test('a category of the tracker is neither renamed nor removed here, and its name is taken', async () => {
  const { records } = await localRecords();
  const own = records.own;
  const refusal = {
    reason: 'managed-by-tracker',
    code: 'not-allowed',
    message: 'Category with id "1" (Expense) belongs to the tracker\'s workspace and cannot be changed here.',
  };
  await expect(own?.changeCategory(1, { name: 'X', description: '' })).rejects.toMatchObject(refusal);
  await expect(own?.removeCategory(1)).rejects.toMatchObject(refusal);
  await expect(own?.addCategory({ name: 'EXPENSE', description: '' })).rejects.toMatchObject({
    reason: 'name-taken',
    code: 'bad-request',
    fields: {
      name: "name 'EXPENSE' is the name of another category. Try: a name that no category has in any case.",
    },
  });
});

test('a category kept here that a delegation of the tracker names is not removed', async () => {
  const { records, world } = await localRecords();
  const added = await records.own?.addCategory({ name: 'Hiring', description: '' });
  world.delegations = [{ ...brought, categoryIds: [added?.id ?? 0] }];
  await expect(records.own?.removeCategory(101)).rejects.toMatchObject({
    reason: 'in-use',
    code: 'bad-request',
  });
  world.delegations = [];
  await records.own?.removeCategory(101);
  expect((await records.categories()).map(({ id }) => id)).toEqual([1, 2]);
});

registerCases(async ({ users, categories, delegations, now }) => {
  const store = await openTestStore(temporaryFolder());
  const known = new Map(users.map((user) => [user.id, user]));
  const records = createLocalRecords({
    store: async () => store.documents('sample').delegations,
    directory: async () => ({ categories, delegations }),
    users: async () => known,
    now: () => now,
  });
  return { register: records, close: async () => store.close() };
});
