import { afterEach, describe, expect, test } from '#jest';
import { rightsOfPrincipal } from '../../../src/api/delegations/delegation-rights.ts';
import type { Coverage, DelegationPermissions } from '../../../src/model/delegation.ts';
import type { User } from '../../../src/model/issue.ts';
import type { Principal } from '../../../src/model/request.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { closeLocalRecords } from '../../support/local-records.ts';
import { principalOf } from '../../support/principal-of.ts';
import { ada, anOffice, bob, carl, dora, erin, everyDelegation, refusal, stranger } from './an-office.ts';

afterEach(closeLocalRecords);

const mayNot = (deed: string) => ['not-allowed', `You do not have permission to ${deed}.`];
const mayNotView = mayNot('view delegations');
const mayNotAsk = mayNot('query delegations of other users');
const mayNotSee = mayNot('view this delegation');
const mayNotEdit = mayNot('edit delegations of other users');
const mayNotEditCategories = mayNot('edit delegation categories');

/** Of carl, for whom dora stands in; nobody else has anything to do with it. */
const ofCarl = aDelegation('carl').to('dora').numbered(7);
const ofBob = aDelegation('bob').to('erin').numbered(8);
const delegations = [ofCarl.delegation, ofBob.delegation];
const span = { from: Date.parse('2026-03-02T00:00Z'), until: Date.parse('2026-03-09T00:00Z') };
const look = (principal: Principal, person: string, category = 'general') => ({
  principal,
  person,
  category,
  asOf: null,
});
const idsOf = ({ delegations: told, ending }: Coverage) => ({
  delegations: told.map(({ id }) => id),
  ending: ending.map(({ id }) => id),
});

describe('the right of a principal', () => {
  test.each<[string, Principal, Partial<DelegationPermissions>, string]>([
    ['an admin, whatever the lists say', ada, { view: [] }, 'edit'],
    ['everybody the tracker knows, where nobody has chosen', bob, {}, 'own'],
    ['nobody else', stranger, {}, 'none'],
    ['nobody else, not even where everyone may do everything', stranger, { editAll: ['everyone'] }, 'none'],
    ['somebody else who is named', stranger, { viewAll: ['zed'] }, 'all'],
    ['a user who is named', bob, { viewAll: ['bob'] }, 'all'],
    ['a user who is named as a user', bob, { editAll: ['user:bob'] }, 'edit'],
    ['a user who is called like a group', bob, { viewAll: ['group:bob'] }, 'own'],
    ['a member of a group', carl, { viewAll: ['web-team'] }, 'all'],
    ['a member of a group that is named as a group', carl, { editAll: ['group:web-team'] }, 'edit'],
    ['a member of a group that is named as a user', carl, { viewAll: ['user:web-team'] }, 'own'],
    ['nobody but the members', bob, { viewAll: ['web-team'] }, 'own'],
    ['nobody in another case', bob, { viewAll: ['BOB'] }, 'own'],
    ['the most that any list permits', bob, { view: [], viewAll: ['bob'], editAll: ['everyone'] }, 'edit'],
    ['nobody at all', bob, { view: [] }, 'none'],
  ])('is that of %s', async (_who, principal, permissions, right) => {
    const { api } = await anOffice({}, { permissions });
    expect(await api.rightOf(principal)).toBe(right);
  });
});

describe('people and principals by their logins', () => {
  const users = new Map<string, User>([
    ['J2', { id: 'J2', login: 'bob', name: 'Bob' }],
    ['J3', { id: 'J3', login: 'web-team', name: 'Carl' }],
    ['J4', { id: 'J4', login: 'everyone', name: 'Dora' }],
    ['J5', { id: 'J5', name: 'Erin' }],
  ]);
  const rightsOf = (account: string, viewAll: readonly string[]) =>
    rightsOfPrincipal(principalOf(account), {
      permissions: async () => ({ view: ['everyone'], viewAll, editAll: [] }),
      groups: async () => [{ id: 'web-team', name: 'Web Team', members: ['J5'] }],
      users: async () => users,
    });

  test.each<[string, readonly string[]]>([
    ['bob', ['J2']],
    ['J2', ['J2']],
    ['user:bob', ['J2']],
    ['Bob', []],
    ['zed', []],
    ['web-team', ['J5']],
    ['user:web-team', ['J3']],
    ['group:bob', []],
    ['everyone', ['J2', 'J3', 'J4', 'J5']],
    ['user:everyone', ['J4']],
  ])('%s in a list permits exactly %j', async (entry, ids) => {
    const all = await Promise.all([...users.keys()].map((id) => rightsOf(id, [entry])));
    expect(all.filter(({ seesAll }) => seesAll).map(({ account }) => account)).toEqual(ids);
  });

  test('a token for a login is that of its user', async () => {
    expect(await rightsOf('bob', ['J2'])).toMatchObject({ account: 'J2', right: 'all' });
    expect(await rightsOf('Bob', ['J2'])).toMatchObject({ account: 'Bob', right: 'none' });
  });
});

test('who may not view anything is refused everything, also about themselves', async () => {
  const { api } = await anOffice({ delegations }, { permissions: { view: ['bob'] } });
  for (const asked of [
    api.delegatesOf(look(carl, 'carl')),
    api.delegatorsOf(look(carl, 'carl')),
    api.chainOf(look(carl, 'carl')),
    api.coverage(carl, span),
    api.categories(carl),
    api.delegation(carl, 7),
    api.delegations(carl, everyDelegation),
    api.create(carl, ofCarl.wish),
    api.update(carl, 7, ofCarl.wish),
    api.end(carl, 7),
    api.versions(carl, 7),
    api.createCategory(carl, { name: 'X', description: '' }),
    api.updateCategory(carl, 1, { name: 'X', description: '' }),
    api.deleteCategory(carl, 1),
    api.delegateTimes(carl, null),
  ]) {
    expect(await refusal(asked)).toEqual(mayNotView);
  }
});

describe('a question about others', () => {
  test('needs the right to view all, and does not tell whether somebody or something exists', async () => {
    const { api } = await anOffice({ delegations });
    for (const person of ['carl', 'CARL', 'zed', '']) {
      expect(await refusal(api.delegatesOf(look(bob, person)))).toEqual(mayNotAsk);
      expect(await refusal(api.delegatorsOf(look(bob, person)))).toEqual(mayNotAsk);
      expect(await refusal(api.delegatesOf(look(bob, person, 'nothing')))).toEqual(mayNotAsk);
    }
    expect(await refusal(api.chainOf(look(bob, 'carl')))).toEqual(mayNotAsk);
    expect(await refusal(api.delegateTimes(bob, ['nothing']))).toEqual(mayNotAsk);
  });

  test('is answered with that right', async () => {
    const { api } = await anOffice({ delegations }, { permissions: { viewAll: ['bob'] } });
    expect(await api.delegatesOf(look(bob, 'Carl'))).toMatchObject({ person: 'carl', others: ['dora'] });
    expect(await api.delegatorsOf(look(bob, 'dora'))).toMatchObject({ others: ['carl'] });
    expect(await refusal(api.delegatesOf(look(bob, 'zed')))).toEqual([
      'not-found',
      'User with name "zed" could not be found.',
    ]);
    expect(await refusal(api.delegatesOf(look(bob, 'carl', 'test')))).toEqual([
      'not-found',
      'Category with name "test" could not be found.',
    ]);
  });
});

test('a question about oneself needs no more than to view one’s own, in whatever case', async () => {
  const { api } = await anOffice({ delegations });
  for (const person of ['bob', 'BOB', ' bob ']) {
    expect(await api.delegatesOf(look(bob, person))).toMatchObject({ person: 'bob', others: ['erin'] });
    expect(await api.delegatorsOf(look(bob, person))).toMatchObject({ person: 'bob', others: [] });
  }
  expect(await refusal(api.delegatesOf(look(bob, 'bob', 'test')))).toEqual([
    'not-found',
    'Category with name "test" could not be found.',
  ]);
});

test('whoever is called alike in another case is somebody else', async () => {
  const { api } = await anOffice({ users: ['bob', 'Bob'] });
  expect(await refusal(api.delegatesOf(look(bob, 'Bob')))).toEqual(mayNotAsk);
  expect(await api.delegatesOf(look(bob, 'bob'))).toMatchObject({ person: 'bob' });
});

test('a chain is about others, whoever stands at its beginning', async () => {
  const { api } = await anOffice({ delegations });
  expect(await refusal(api.chainOf(look(bob, 'bob')))).toEqual(mayNotAsk);
});

describe('the versions of a record', () => {
  test('are all for the delegator, and for a delegate those that name them', async () => {
    const { api } = await anOffice({ delegations }, { permissions: { viewAll: ['erin'] } });
    await api.update(carl, 7, { ...ofCarl.wish, notes: 'not for bob' });
    await api.update(carl, 7, { ...ofCarl.wish, delegates: ['bob', 'dora'] });
    await api.update(carl, 7, { ...ofCarl.wish, delegates: ['bob'] });
    const numbers = async (principal: Principal) =>
      (await api.versions(principal, 7)).map(({ version }) => version);
    expect(await numbers(bob)).toEqual([3, 4]);
    for (const principal of [carl, erin, ada]) expect(await numbers(principal)).toEqual([1, 2, 3, 4]);
    expect(await refusal(api.versions(dora, 7))).toEqual(mayNotSee);
  });
});

describe('a record', () => {
  test('is shown to both sides and to those who may view all', async () => {
    const { api } = await anOffice({ delegations }, { permissions: { viewAll: ['erin'] } });
    for (const principal of [carl, dora, erin, ada]) {
      expect(await api.delegation(principal, 7)).toEqual(ofCarl.delegation);
      expect(await api.versions(principal, 7)).toHaveLength(1);
    }
  });

  test('is hidden from others as one is that does not exist', async () => {
    const { api } = await anOffice({ delegations });
    for (const id of [7, 999]) {
      expect(await refusal(api.delegation(bob, id))).toEqual(mayNotSee);
      expect(await refusal(api.versions(bob, id))).toEqual(mayNotSee);
    }
    const unknown = ['not-found', 'Delegation with id "999" could not be found.'];
    expect(await refusal(api.delegation(ada, 999))).toEqual(unknown);
    expect(await refusal(api.versions(ada, 999))).toEqual(unknown);
  });

  test('is changed by its delegator, and by no one else who cannot edit all', async () => {
    const { api } = await anOffice({ delegations }, { permissions: { viewAll: ['erin'] } });
    for (const [principal, id] of [
      [dora, 7],
      [bob, 7],
      [bob, 999],
      [erin, 7],
    ] as const) {
      expect(await refusal(api.update(principal, id, ofCarl.wish))).toEqual(mayNotEdit);
      expect(await refusal(api.end(principal, id))).toEqual(mayNotEdit);
    }
    expect(await refusal(api.update(erin, 999, ofCarl.wish))).toEqual([
      'not-found',
      'Delegation with id "999" could not be found.',
    ]);
    expect(await api.update(carl, 7, { ...ofCarl.wish, notes: 'mine' })).toMatchObject({ version: 2 });
    expect(await api.update(ada, 7, { ...ofCarl.wish, notes: 'hers' })).toMatchObject({ version: 3 });
    const versions = await api.versions(dora, 7);
    expect(versions.map(({ savedBy, notes }) => [savedBy, notes])).toEqual([
      [null, ''],
      ['carl', 'mine'],
      ['ada', 'hers'],
    ]);
  });

  test('is made for oneself, in whatever case, and for others with the right to edit all', async () => {
    const { api } = await anOffice({}, { permissions: { viewAll: ['erin'], editAll: ['dora'] } });
    expect(await api.create(bob, { ...ofBob.wish, delegator: 'BOB' })).toMatchObject({ delegator: 'bob' });
    for (const principal of [bob, erin]) {
      for (const delegator of ['carl', 'zed']) {
        expect(await refusal(api.create(principal, { ...ofCarl.wish, delegator }))).toEqual(mayNotEdit);
      }
    }
    expect(await api.create(dora, { ...ofCarl.wish, delegates: ['erin'] })).toMatchObject({
      delegator: 'carl',
    });
    expect(await refusal(api.create(dora, { ...ofCarl.wish, delegator: 'zed' }))).toMatchObject([
      'bad-request',
      'Bad request',
      expect.stringContaining("delegator 'zed'"),
    ]);
  });
});

test('a list has what the principal may see', async () => {
  const { api } = await anOffice({ delegations }, { permissions: { viewAll: ['erin'] } });
  const ids = async (principal: Principal) =>
    (await api.delegations(principal, everyDelegation)).values.map(({ id }) => id);
  expect(await ids(bob)).toEqual([8]);
  expect(await ids(carl)).toEqual([7]);
  expect(await ids(dora)).toEqual([7]);
  expect(await ids(erin)).toEqual([7, 8]);
  expect(await ids(ada)).toEqual([7, 8]);
});

test('coverage is of one’s own delegations for those who may not view all', async () => {
  const { api } = await anOffice({ delegations });
  const ids = async (principal: Principal) =>
    (await api.coverage(principal, span)).delegations.map(({ id }) => id);
  expect(await ids(bob)).toEqual([8]);
  expect(await ids(dora)).toEqual([7]);
  expect(await ids(ada)).toEqual([7, 8]);
});

describe('the coverage that somebody sees who may not view all', () => {
  const week = (delegator: string) =>
    aDelegation(delegator).from('2026-03-02T00:00Z').until('2026-03-03T00:00Z');
  const told = [
    week('erin').to('bob').numbered(1),
    week('carl').to('bob').numbered(2),
    week('carl').to('dora').numbered(3).from('2026-03-03T00:00Z').until('2026-03-04T00:00Z'),
    week('carl').to('bob').numbered(4).from('2026-03-04T00:00Z').until('2026-03-05T00:00Z'),
    week('bob').to('dora', 'ada').numbered(5),
    week('dora').to('ada').numbered(6),
  ].map(({ delegation }) => delegation);
  const monday = { from: Date.parse('2026-03-02T00:00Z'), until: Date.parse('2026-03-03T00:00Z') };

  test('is worked out from everything, and shown as far as it concerns them', async () => {
    const { api } = await anOffice({ delegations: told });
    const coverage = await api.coverage(bob, span);
    expect({ ...coverage, ...idsOf(coverage) }).toEqual({
      span,
      delegations: [1, 2, 5, 4],
      // Of carl somebody stands in on Tuesday, of which bob learns nothing: neither a gap nor that 2 ends.
      uncovered: [],
      awayToo: [{ person: 'bob', delegate: 'dora', categoryId: null, standIns: null, ...monday }],
      ending: [1, 5, 4],
    });
  });

  test('tells nothing of what their absence means for others', async () => {
    const { api } = await anOffice({ delegations: told });
    const ofBoth = (await api.coverage(ada, span)).awayToo.map(({ person, delegate }) => [person, delegate]);
    expect(ofBoth).toEqual([
      ['bob', 'dora'],
      ['carl', 'bob'],
      ['erin', 'bob'],
    ]);
    expect((await api.coverage(erin, span)).awayToo).toEqual([
      { person: 'erin', delegate: 'bob', categoryId: null, standIns: null, ...monday },
    ]);
  });

  test('tells gaps and circles of their own', async () => {
    const { api } = await anOffice({
      delegations: [
        week('bob').to('erin').numbered(1),
        week('erin').to('bob').numbered(2),
        week('bob').to('carl').numbered(3).from('2026-03-03T06:00Z').until('2026-03-20T00:00Z'),
      ].map(({ delegation }) => delegation),
    });
    const { uncovered } = await api.coverage(bob, span);
    expect(uncovered.map(({ person, reason }) => [person, reason])).toEqual([
      ['bob', 'loop'],
      ['bob', 'gap'],
    ]);
    expect((await api.coverage(ada, span)).uncovered).toHaveLength(3);
  });
});

test('categories are for everybody to read and for those to change who may edit all', async () => {
  const { api } = await anOffice({}, { permissions: { viewAll: ['erin'], editAll: ['dora'] } });
  const wish = { name: 'Hiring', description: '' };
  expect((await api.categories(bob)).map(({ id }) => id)).toEqual([1, 2]);
  for (const principal of [bob, erin]) {
    expect(await refusal(api.createCategory(principal, wish))).toEqual(mayNotEditCategories);
    expect(await refusal(api.updateCategory(principal, 999, wish))).toEqual(mayNotEditCategories);
    expect(await refusal(api.deleteCategory(principal, 999))).toEqual(mayNotEditCategories);
  }
  expect(await api.createCategory(dora, wish)).toEqual({ ...wish, id: 101 });
  expect(await api.updateCategory(dora, 101, { ...wish, name: 'People' })).toMatchObject({ name: 'People' });
  await api.deleteCategory(dora, 101);
  expect(await api.categories(bob)).toHaveLength(2);
});

test('where the tracker stores the delegations, its categories and old versions are read and changed there', async () => {
  const { api } = await anOffice({ delegations }, { hosted: true });
  const elsewhere = [
    'not-allowed',
    'Categories and versions of delegations are in the tracker; read and change them there.',
  ];
  const wish = { name: 'X', description: '' };
  expect(await refusal(api.versions(ada, 7))).toEqual(elsewhere);
  expect(await refusal(api.createCategory(ada, wish))).toEqual(elsewhere);
  expect(await refusal(api.updateCategory(ada, 1, wish))).toEqual(elsewhere);
  expect(await refusal(api.deleteCategory(ada, 1))).toEqual(elsewhere);
  expect(await refusal(api.versions(bob, 7))).toEqual(mayNotSee);
  expect(await refusal(api.createCategory(bob, wish))).toEqual(mayNotEditCategories);
  expect(await api.categories(bob)).toHaveLength(2);
  expect(await api.delegation(carl, 7)).toEqual(ofCarl.delegation);
});
