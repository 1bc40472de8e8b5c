import { afterEach, describe, expect, test } from '#jest';
import type { DelegationInput } from '../../../src/model/delegation.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { closeLocalRecords, localRecords } from '../../support/local-records.ts';

afterEach(closeLocalRecords);

/** What is said of a name, the characters nobody sees replaced. */
const unseen = (legible: string) =>
  `name '${legible}' has invisible characters. Try: letters, digits, signs and blanks, in one line.`;

const good = aDelegation('ada').to('bob').in(1).wish;

describe.each<[string, Partial<DelegationInput>, Record<string, string>]>([
  [
    'an unknown delegator',
    { delegator: 'zed' },
    { delegator: "delegator 'zed' is not a known user. Try: the id of a known user." },
  ],
  ['nobody', { delegates: [] }, { delegates: 'delegates has 0 entries. Try: 1 to 20 users.' }],
  [
    'a crowd',
    { delegates: Array.from({ length: 21 }, (_, i) => `user ${i}`) },
    { delegates: 'delegates has 21 entries. Try: 1 to 20 users.' },
  ],
  [
    'an unknown delegate',
    { delegates: ['bob', 'zed'] },
    { delegates: "delegates 'zed' is not a known user. Try: the id of a known user." },
  ],
  [
    'the same delegate in two spellings',
    { delegates: ['bob', 'BOB'] },
    { delegates: "delegates 'BOB' is named twice. Try: each user once." },
  ],
  [
    'the delegator as delegate',
    { delegates: ['bob', 'Ada'] },
    { delegates: "delegates 'Ada' is the delegator. Try: someone else." },
  ],
  [
    'an unknown category',
    { categoryIds: [1, 9] },
    { categoryIds: "categoryIds '9' is not a category. Try: 1, 2." },
  ],
  [
    'a category twice',
    { categoryIds: [1, 2, 1] },
    { categoryIds: "categoryIds '1' is named twice. Try: each category once." },
  ],
  [
    'seconds',
    { start: good.start + 1_000, end: good.end + 1 },
    {
      startDate: "startDate '2026-03-02T09:00:01.000Z' has seconds. Try: whole minutes.",
      endDate: "endDate '2026-03-13T17:00:00.001Z' has seconds. Try: whole minutes.",
    },
  ],
  [
    'an end at the start',
    { end: good.start },
    {
      endDate:
        "endDate '2026-03-02T09:00:00.000Z' is not after the start. Try: a time after '2026-03-02T09:00:00.000Z'.",
    },
  ],
  [
    'times that are none',
    { start: Number.NaN, end: Number.POSITIVE_INFINITY },
    {
      startDate: 'startDate is out of range. Try: a time of the years 1970 to 9999.',
      endDate: 'endDate is out of range. Try: a time of the years 1970 to 9999.',
    },
  ],
  [
    'a time before all times',
    { start: -60_000 },
    { startDate: 'startDate is out of range. Try: a time of the years 1970 to 9999.' },
  ],
  [
    'long notes',
    { notes: 'x'.repeat(2_001) },
    { notes: `notes '${'x'.repeat(60)}…' has 2001 characters. Try: at most 2000 characters.` },
  ],
  [
    'everything wrong at once',
    { delegator: 'zed', delegates: [], categoryIds: [9], start: 1, notes: 'x'.repeat(2_001) },
    {
      delegator: "delegator 'zed' is not a known user. Try: the id of a known user.",
      delegates: 'delegates has 0 entries. Try: 1 to 20 users.',
      categoryIds: "categoryIds '9' is not a category. Try: 1, 2.",
      startDate: "startDate '1970-01-01T00:00:00.001Z' has seconds. Try: whole minutes.",
      notes: `notes '${'x'.repeat(60)}…' has 2001 characters. Try: at most 2000 characters.`,
    },
  ],
])('a delegation with %s is refused', (_what, wrong, fields) => {
  test('by name, value and what is allowed', async () => {
    const { records } = await localRecords();
    await expect(records.add({ ...good, ...wrong }, 'ada')).rejects.toMatchObject({
      code: 'bad-request',
      details: Object.values(fields),
      fields,
    });
    expect(await records.delegations()).toEqual([]);
  });
});

test('the most that is allowed is allowed', async () => {
  const users = ['ada', ...Array.from({ length: 20 }, (_, i) => `user ${i}`)];
  const { records } = await localRecords({ users });
  const wish = {
    ...good,
    delegates: users.slice(1),
    notes: 'x'.repeat(2_000),
    start: 0,
    end: Date.parse('9999-12-31T23:59Z'),
  };
  expect(await records.add(wish, 'ada')).toMatchObject(wish);
});

describe('of one delegator there are at most 100 delegations that are active and not over', () => {
  const noon = Date.parse('2026-03-02T12:00Z');
  const ahead = (count: number) =>
    Array.from(
      { length: count },
      (_, i) =>
        aDelegation('ada')
          .to('bob')
          .numbered(1000 + i).delegation,
    );
  const fields = {
    delegator:
      "delegator 'ada' has 100 delegations that are active and not over, and no more than 100 are allowed; end one of them first.",
  };

  test('whoever keeps them', async () => {
    const { records } = await localRecords({ delegations: ahead(99) });
    const { id } = await records.add(good, 'ada');
    await expect(records.add(good, 'ada')).rejects.toMatchObject({ code: 'bad-request', fields });
    await records.add({ ...good, active: false }, 'ada');
    await records.add({ ...good, start: noon - 120_000, end: noon }, 'ada');
    await records.add({ ...good, delegator: 'carl' }, 'ada');
    await records.change(id, (kept) => ({ ...kept, end: noon }), 'ada');
    expect(await records.add(good, 'ada')).toMatchObject({ version: 1 });
  });

  test('also when one becomes active, or is no longer over', async () => {
    const { records } = await localRecords({ delegations: ahead(100) });
    const inactive = await records.add({ ...good, active: false }, 'ada');
    const over = await records.add({ ...good, end: noon }, 'ada');
    for (const { id } of [inactive, over]) {
      await expect(records.change(id, () => good, 'ada')).rejects.toMatchObject({ fields });
      expect(await records.delegation(id)).toMatchObject({ version: 1 });
    }
  });

  test('and those there are can be changed, though there be more', async () => {
    const { records } = await localRecords({ delegations: ahead(101) });
    expect(await records.change(1000, (kept) => ({ ...kept, notes: 'anew' }), 'ada')).toMatchObject({
      notes: 'anew',
    });
  });

  test('also when several are added at the same time', async () => {
    const { records } = await localRecords({ delegations: ahead(98) });
    const told = await Promise.allSettled(Array.from({ length: 4 }, () => records.add(good, 'ada')));
    expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});

test('people are kept by their stored ids, however they are spelt', async () => {
  const { records } = await localRecords();
  expect(await records.add({ ...good, delegator: 'ADA', delegates: ['Carl', 'bob'] }, 'ada')).toMatchObject({
    delegator: 'ada',
    delegates: ['carl', 'bob'],
  });
});

test('somebody else does not become the delegator, known or not; another spelling is nobody else', async () => {
  const { records } = await localRecords();
  const { id } = await records.add(good, 'ada');
  for (const delegator of ['carl', 'zed']) {
    await expect(records.change(id, () => ({ ...good, delegator }), 'ada')).rejects.toMatchObject({
      fields: {
        delegator: `delegator '${delegator}' cannot take the place of 'ada'. Try: the delegator it was created with.`,
      },
    });
  }
  expect(await records.change(id, () => ({ ...good, delegator: 'ADA' }), 'ada')).toMatchObject({
    delegator: 'ada',
    version: 2,
  });
});

describe('a name in a look-up', () => {
  test('means exactly that user, else the only one who is called so in another case', async () => {
    const { records } = await localRecords({ users: ['Ada', 'ada', 'Bob', 'ÖZLEM'] });
    const told = async (name: string) =>
      records.delegatesOf(name, 'general', null).then(
        ({ person }) => person,
        ({ message }: Error) => message,
      );
    expect(await told('ada')).toBe('ada');
    expect(await told('Ada')).toBe('Ada');
    expect(await told('ADA')).toBe('User with name "ADA" could not be found.');
    expect(await told('bOB')).toBe('Bob');
    expect(await told('özlem')).toBe('ÖZLEM');
    expect(await told('')).toBe('User with name "" could not be found.');
  });
});

describe('a category of our own', () => {
  test('is kept without blanks around its name, listed behind those of the tracker, and found', async () => {
    const { records } = await localRecords();
    const added = await records.own?.addCategory({ name: '  Hiring ', description: 'People' });
    expect(added).toEqual({ id: 101, name: 'Hiring', description: 'People' });
    expect((await records.categories()).map(({ name }) => name)).toEqual(['Expense', 'Approval', 'Hiring']);
    await records.add({ ...good, categoryIds: [101] }, 'ada');
    expect(await records.delegatesOf('ada', 'hiring', null)).toMatchObject({
      category: 'Hiring',
      others: ['bob'],
    });
  });

  test.each([
    ['', { name: "name '' has 0 characters. Try: 1 to 100 characters." }],
    ['x'.repeat(101), { name: `name '${'x'.repeat(60)}…' has 101 characters. Try: 1 to 100 characters.` }],
    [
      '\u{ff27}eneral',
      { name: "name '\u{ff27}eneral' is the reserved name for every category. Try: any other name." },
    ],
    ['gen\u{200b}eral', { name: unseen('gen\u{fffd}eral') }],
    ['Two\u{2028}lines', { name: unseen('Two\u{fffd}lines') }],
    ['Two\nlines', { name: unseen('Two\u{fffd}lines') }],
    ['nul\0', { name: unseen('nul\u{fffd}') }],
    ['half \u{d83c}', { name: unseen('half \u{fffd}') }],
    ['\u{3164}', { name: unseen('\u{3164}') }],
    [' General ', { name: "name 'General' is the reserved name for every category. Try: any other name." }],
  ])('cannot be called %p', async (name, fields) => {
    const { records } = await localRecords();
    await records.own?.addCategory({ name: 'Hiring', description: '' });
    const refusal = { code: 'bad-request', fields };
    await expect(records.own?.addCategory({ name, description: '' })).rejects.toMatchObject(refusal);
    await expect(records.own?.changeCategory(101, { name, description: '' })).rejects.toMatchObject(refusal);
    expect(await records.categories()).toHaveLength(3);
  });

  test('is changed, unless there is none, the name is taken or the description too long', async () => {
    const { records } = await localRecords();
    await records.own?.addCategory({ name: 'Hiring', description: '' });
    const wish = { name: 'People', description: 'x'.repeat(1_000) };
    expect(await records.own?.changeCategory(101, wish)).toEqual({ id: 101, ...wish });
    await expect(records.own?.changeCategory(102, wish)).rejects.toMatchObject({
      code: 'not-found',
      message: 'Category with id "102" could not be found.',
    });
    await expect(records.own?.changeCategory(101, { ...wish, name: 'approval' })).rejects.toMatchObject({
      fields: { name: expect.stringContaining('is the name of another category') },
    });
    await expect(
      records.own?.changeCategory(101, { ...wish, description: 'x'.repeat(1_001) }),
    ).rejects.toMatchObject({
      fields: { description: expect.stringContaining('has 1001 characters. Try: at most 1000') },
    });
  });

  test('may have any letters, and is found in other shapes of them', async () => {
    const { records } = await localRecords();
    await records.own?.addCategory({ name: 'Übermorgen', description: '' });
    await records.own?.addCategory({ name: '✈️ Office 経費', description: '' });
    for (const [asked, name] of [
      ['\u{ff35}\u{308}BERMORGEN', 'Übermorgen'],
      ['✈ oﬀice 経費', '✈️ Office 経費'],
    ] as const) {
      expect(await records.delegatesOf('ada', asked, null)).toMatchObject({ category: name });
      await expect(records.own?.addCategory({ name: asked, description: '' })).rejects.toMatchObject({
        fields: { name: expect.stringContaining('is the name of another category') },
      });
    }
  });

  test('is removed only while no version of any delegation names it', async () => {
    const { records } = await localRecords();
    await records.own?.addCategory({ name: 'Hiring', description: '' });
    const { id } = await records.add({ ...good, categoryIds: [101] }, 'ada');
    await records.change(id, () => ({ ...good, categoryIds: [], active: false }), 'ada');
    await expect(records.own?.removeCategory(101)).rejects.toMatchObject({
      code: 'bad-request',
      fields: {
        id: "id '101' is a category that delegations name, and all their versions are stored. Try: a category that none names.",
      },
    });
    await expect(records.own?.removeCategory(102)).rejects.toMatchObject({ code: 'not-found' });
    await expect(records.own?.versions(5)).rejects.toMatchObject({
      code: 'not-found',
      message: 'Delegation with id "5" could not be found.',
    });
  });

  test('that somebody removes while a delegation is saved is told as one that does not exist', async () => {
    const { records, kept, over } = await localRecords();
    const racing = over({
      ...kept,
      async addNumbered(series, make) {
        await records.own?.removeCategory(101);
        return kept.addNumbered(series, make);
      },
    });
    await records.own?.addCategory({ name: 'Hiring', description: '' });
    await expect(racing.add({ ...good, categoryIds: [101] }, 'ada')).rejects.toMatchObject({
      fields: { categoryIds: "categoryIds '101' is not a category. Try: 1, 2." },
    });
  });
});
