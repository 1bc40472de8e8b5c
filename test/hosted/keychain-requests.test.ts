import { describe, expect, test } from '#jest';
import type { DelegationRecords } from '../../src/api/delegations/delegation-api.ts';
import { held, json, page, switchedOff } from '../support/stand-in-keychain-faults.ts';
import { failureOf, input, keychainNow, record, startKeychain } from './start-keychain.ts';

const oldBase = '/rest/delegation/api/1.0';
const newBase = '/rest/delegation/1.0/api';
const records = (count: number) => Array.from({ length: count }, (_, i) => record(i + 1));

describe('a lookup', () => {
  test('has the instant as the wall clock of the server, to the second', async () => {
    const { service, register } = await startKeychain();
    const at = keychainNow + 1999;
    const none = { person: 'ada', category: 'Expense', asOf: at, others: [] };
    expect(await register.delegatesOf('ada', 'expense', at)).toEqual(none);
    await register.delegatorsOf('bob', 'general', null);
    expect(service.calls.map(({ path, query }) => [path, query])).toEqual([
      [
        `${oldBase}/delegation/getDelegates`,
        { delegator: 'ada', category: 'expense', datetime: '2026-03-16 09:00:01' },
      ],
      [`${oldBase}/delegation/getDelegators`, { delegate: 'bob', category: 'general' }],
    ]);
  });

  test('is refused where the server is in another zone than TIME_ZONE', async () => {
    const { register, name } = await startKeychain({ world: { timeZone: 'UTC' } });
    expect((await failureOf(register.delegatesOf('ada', 'general', keychainNow))).message).toBe(
      `${name} was asked about 2026-03-16T08:00:00.000Z and answers as of 2026-03-16T09:00:00.000Z; is TIME_ZONE (Europe/Berlin) the zone of its server?`,
    );
  });

  test('of a time that the clock of the server shows twice is one of the first time', async () => {
    const { register } = await startKeychain();
    const [first, second] = [Date.parse('2026-10-25T00:30:00Z'), Date.parse('2026-10-25T01:30:00Z')];
    expect(await register.delegatesOf('ada', 'general', first)).toMatchObject({ asOf: first });
    expect(await failureOf(register.delegatesOf('ada', 'general', second))).toMatchObject({
      reason: 'unsupported-by-service',
      message: expect.stringContaining('its clock shows that time twice'),
    });
  });

  test('names everybody once, and names are the same in other letters', async () => {
    const { service, register } = await startKeychain();
    const asOf = '2026-03-16 09:00:00 +0100';
    service.fail(json({ delegate: 'Zoë', asOf, category: 'EXPENSE', delegators: ['ada', 'carl', 'ada'] }));
    expect(await register.delegatorsOf('Zoë'.normalize('NFD').toUpperCase(), 'expense', keychainNow)).toEqual(
      { person: 'Zoë', category: 'EXPENSE', asOf: keychainNow, others: ['ada', 'carl'] },
    );
  });
});

test('what is saved has exactly the members the service knows, dates in UTC to the minute', async () => {
  const { service, register } = await startKeychain();
  const { id } = await register.add({ ...input, categoryIds: [1], notes: 'Köln 🏖️' }, 'carl');
  await register.change(id, (stored) => ({ ...stored, active: false, categoryIds: [] }), 'carl');
  const {
    delegationId: _,
    version: __,
    ...members
  } = record(1, { notes: 'Köln 🏖️', endDate: '2026-03-16T09:00Z' });
  expect(service.calls).toEqual([
    { method: 'POST', path: `${oldBase}/delegation`, query: {}, body: { ...members, categoryIds: [1] } },
    { method: 'GET', path: `${oldBase}/delegation/${id}`, query: {}, body: null },
    { method: 'PUT', path: `${oldBase}/delegation/${id}`, query: {}, body: { ...members, active: false } },
  ]);
});

test.each([
  { delegationId: '122', version: '1', categoryIds: ['2'] },
  { categoryIds: [2], startDate: '2026-03-16T11:00+03:00', endDate: '2026-03-16T23:00-0900', added: 1 },
])('ways of writing a record that mean the same are read: %j', async (more) => {
  const { service, register } = await startKeychain();
  service.fail(json({ ...record(122), ...more, notes: undefined }));
  const [start, end] = [keychainNow, keychainNow + 86_400_000];
  expect(await register.delegation(122)).toEqual({
    ...input,
    id: 122,
    version: 1,
    categoryIds: [2],
    start,
    end,
  });
});

describe('a list', () => {
  test('is read in pages of a hundred, with what is over, up to its total', async () => {
    const { service, register } = await startKeychain({ world: { records: records(200) } });
    expect(await register.delegations()).toHaveLength(200);
    expect(service.calls.map(({ query }) => query)).toEqual(
      ['0', '100'].map((startAt) => ({ startAt, maxResults: '100', includeExpired: 'true' })),
    );
  });

  test.each([
    ['an empty page', { total: 3, values: [] }],
    ['the same page', { total: 500, values: [record(1), record(2)] }],
  ])('ends with %s, whatever the total is', async (_which, last) => {
    const { service, register } = await startKeychain();
    service.fail(json({ total: 500, values: [record(2), record(1)] }), json(last));
    expect((await register.delegations()).map(({ id }) => id)).toEqual([1, 2]);
    expect(service.calls.map(({ query }) => query.startAt)).toEqual(['0', '2']);
  });

  test('that does not end is given up after a thousand pages', async () => {
    const { service, register, name } = await startKeychain();
    service.fail(...records(1001).map((one) => json({ total: '999999999999999', values: [one] })));
    const words = 'returns a list that does not end: after 1000 pages there is still more.';
    expect((await failureOf(register.delegations())).message).toBe(`${name} ${words}`);
  });

  test('of categories may come in pages as well, and general is none of them', async () => {
    const { service, register } = await startKeychain();
    const late = { id: 7, name: 'Late', description: 'Night shifts' };
    const early = { id: 3, name: 'Early' };
    service.fail(
      json({ total: 3, values: [late, { id: 0, name: 'General' }] }),
      json({ total: 3, values: [early] }),
    );
    expect(await register.categories()).toEqual([{ ...early, description: '' }, late]);
    expect(service.calls.map(({ query }) => query)).toEqual([{}, { startAt: '2' }]);
  });
});

describe.each<[string, (register: DelegationRecords) => Promise<readonly unknown[]>]>([
  ['delegations', (register) => register.delegations()],
  ['categories', (register) => register.categories()],
])('the list of %s', (_name, read) => {
  test('is remembered for ten seconds, and read once for all who ask meanwhile', async () => {
    const { service, register, pass } = await startKeychain({ world: { records: records(3) } });
    const [first] = await Promise.all([read(register), read(register)]);
    pass(9_999);
    expect(await read(register)).toBe(first);
    expect(service.calls).toHaveLength(1);
    pass(1);
    expect(await read(register)).toEqual(first);
    expect(service.calls).toHaveLength(2);
  });

  test('is read again after a failure, and after a change of our own, made or not', async () => {
    const { service, register } = await startKeychain({ world: { records: records(1) } });
    const reads = () =>
      service.calls.filter(({ path, query }) => path.endsWith('/category') || query.includeExpired).length;
    service.fail(switchedOff, switchedOff);
    await failureOf(read(register));
    await read(register);
    await register.add(input, 'ada');
    await read(register);
    service.fail(switchedOff);
    await failureOf(register.add(input, 'ada'));
    await read(register);
    expect(reads()).toBe(5);
  });
});

test('a list that was being read while a change was made is not remembered', async () => {
  const { service, register } = await startKeychain();
  const slow = held();
  const begun = Promise.withResolvers<void>();
  service.fail((response, goOn) => {
    slow.fault(response, () => json({ total: 0, values: [] })(response, goOn));
    begun.resolve();
  });
  const before = register.delegations();
  await begun.promise;
  const added = await register.add(input, 'ada');
  expect(await register.delegations()).toEqual([added]);
  slow.release();
  expect(await before).toEqual([]);
  expect(await register.delegations()).toEqual([added]);
});

describe('the base path', () => {
  test('is the newer one where the older leads nowhere, and is remembered; a change is made once', async () => {
    const { service, register } = await startKeychain({ bases: 'new' });
    const added = await register.add(input, 'ada');
    expect(await register.delegations()).toEqual([added]);
    expect(service.calls.map(({ method, path }) => [method, path])).toEqual([
      ['POST', `${oldBase}/delegation`],
      ['POST', `${newBase}/delegation`],
      ['GET', `${newBase}/delegation`],
    ]);
  });

  test.each([
    ['old', 'new', oldBase, newBase],
    ['new', 'old', newBase, oldBase],
  ] as const)(
    'that changes from %s to %s is found within the same question',
    async (was, is, first, second) => {
      const { service, register } = await startKeychain({ bases: was });
      await register.categories();
      await register.delegatesOf('ada', 'general', keychainNow);
      service.move(is);
      const asked = service.calls.length;
      expect(await register.delegatesOf('ada', 'general', keychainNow)).toMatchObject({ others: [] });
      expect(await register.delegations()).toEqual([]);
      expect(service.calls.slice(asked).map(({ path }) => path)).toEqual([
        `${first}/delegation/getDelegates`,
        `${second}/delegation/getDelegates`,
        `${second}/delegation`,
      ]);
    },
  );

  test('that changes before a change of a delegation makes it once', async () => {
    const { service, register } = await startKeychain({ bases: 'old' });
    await register.categories();
    service.move('new');
    const added = await register.add(input, 'ada');
    expect(await register.delegations()).toEqual([added]);
  });

  test('that leads nowhere on both is said with the setting', async () => {
    const { service, register, name } = await startKeychain();
    service.fail(json({ message: 'no Route matched' }, 404), page(404, 'Dead link', 'Nothing here'));
    expect(await failureOf(register.delegatesOf('ada', 'general', keychainNow))).toMatchObject({
      code: 'unavailable',
      reason: 'unsupported-by-service',
      message: `${name} has no delegation interface (HTTP 404); is DELEGATION_BASE_URL right?`,
    });
  });
});

test('a service of version 1.4 answers lookups, and has no lists', async () => {
  const { register, name } = await startKeychain({ lists: false });
  expect(await register.delegatesOf('ada', 'general', keychainNow)).toMatchObject({ others: [] });
  for (const ask of [
    () => register.delegations(),
    () => register.categories(),
    () => register.delegation(1),
    () => register.add(input, 'ada'),
    () => register.change(1, () => input, 'ada'),
  ]) {
    expect(await failureOf(ask())).toMatchObject({
      reason: 'service-too-old',
      message: `${name} has no lists of delegations (Keychain has them since 1.5).`,
    });
  }
  expect(register.own).toBeNull();
});
