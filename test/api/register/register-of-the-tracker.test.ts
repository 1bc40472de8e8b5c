import { afterEach, expect, test } from '#jest';
import { aDelegation } from '../../support/a-delegation.ts';
import { closeLocalRecords, localRecords } from '../../support/local-records.ts';

afterEach(closeLocalRecords);

const brought = aDelegation('ada').to('bob').numbered(7).inVersion(2).delegation;
const { id: _, version: __, ...asBrought } = brought;

test('what the tracker brings along is told with what is kept here, by id', async () => {
  const { register } = localRecords({ delegations: [brought] });
  const added = await register.add(aDelegation('carl').to('bob').wish, 'carl');
  expect(await register.delegations()).toEqual([brought, added]);
  expect((await register.delegatorsOf('bob', 'general', null)).others).toEqual(['ada', 'carl']);
});

test('the list is the same array until something changes', async () => {
  const { register, world } = localRecords({ delegations: [brought] });
  const before = await register.delegations();
  expect(await register.delegations()).toBe(before);
  world.delegations = [brought, { ...brought, id: 8 }];
  expect(await register.delegations()).toHaveLength(2);
  await register.change(7, () => asBrought, 'ada');
  expect((await register.delegations()).map(({ version }) => version)).toEqual([3, 2]);
});

test('a change of what the tracker brought keeps its first version and counts from then on', async () => {
  const { register, world, kept } = localRecords({ delegations: [brought] });
  expect(await register.own?.versions(7)).toEqual([{ ...brought, savedBy: null, savedAt: null }]);
  const changed = await register.change(7, (kept) => ({ ...kept, delegates: ['carl'] }), 'dora');
  expect(changed).toEqual({ ...brought, delegates: ['carl'], version: 3 });
  expect((await register.delegatesOf('ada', 'general', null)).others).toEqual(['carl']);
  expect(await register.own?.versions(7)).toEqual([
    { ...brought, savedBy: null, savedAt: null },
    { ...changed, savedBy: 'dora', savedAt: world.now },
  ]);
  expect(await kept.versions(7)).toHaveLength(2);
  world.delegations = [];
  expect(await register.delegation(7)).toEqual(changed);
});

test('nobody and nothing of what is kept must be known any more for it to be changed or ended', async () => {
  const { register, world } = localRecords();
  const { id } = await register.add(aDelegation('ada').to('bob', 'carl').in(1).wish, 'ada');
  world.users = ['dora'];
  world.categories = [];
  const wish = aDelegation('ada').to('carl', 'bob').in(1).inactive().wish;
  expect(await register.change(id, () => wish, 'dora')).toEqual({ ...wish, id, version: 2 });
  await expect(register.change(id, () => ({ ...wish, delegates: ['erin'] }), 'dora')).rejects.toMatchObject({
    fields: { delegates: "delegates 'erin' is nobody who is known; allowed: the id of a known user." },
  });
  await expect(register.change(id, () => ({ ...wish, categoryIds: [1, 2] }), 'dora')).rejects.toMatchObject({
    fields: { categoryIds: "categoryIds '2' is no category; allowed: 1." },
  });
});

test('a category of the tracker is neither renamed nor removed here, and its name is taken', async () => {
  const { register } = localRecords();
  const own = register.own;
  const refusal = {
    code: 'not-allowed',
    message: 'Category with id "1" (Expense) belongs to the tracker\'s workspace and cannot be changed here.',
  };
  await expect(own?.changeCategory(1, { name: 'X', description: '' })).rejects.toMatchObject(refusal);
  await expect(own?.removeCategory(1)).rejects.toMatchObject(refusal);
  await expect(own?.addCategory({ name: 'EXPENSE', description: '' })).rejects.toMatchObject({
    code: 'bad-request',
    fields: {
      name: "name 'EXPENSE' is the name of another category; allowed: a name that no category has in any case.",
    },
  });
});

test('a category kept here that a delegation of the tracker names is not removed', async () => {
  const { register, world } = localRecords();
  const added = await register.own?.addCategory({ name: 'Hiring', description: '' });
  world.delegations = [{ ...brought, categoryIds: [added?.id ?? 0] }];
  await expect(register.own?.removeCategory(101)).rejects.toMatchObject({ code: 'bad-request' });
  world.delegations = [];
  await register.own?.removeCategory(101);
  expect((await register.categories()).map(({ id }) => id)).toEqual([1, 2]);
});
