import { describe, expect, test } from '#jest';
import type { DelegationInput } from '../../src/model/delegation.ts';
import { json, page } from '../support/stand-in-keychain-faults.ts';
import { failureOf, hostedNow, record, records, startHosted } from './start-hosted.ts';

const wish: DelegationInput = {
  active: true,
  delegator: 'ada',
  delegates: ['bob', 'carl'],
  categoryIds: [1],
  start: hostedNow,
  end: Date.parse('2028-02-29T23:59:00Z'),
  notes: 'Grüße aus Köln 🏖️',
};

const oldBase = '/rest/delegation/api/1.0';
const newBase = '/rest/delegation/1.0/api';

describe('what is sent to save', () => {
  test('is exactly the members the service knows, dates in UTC to the minute', async () => {
    const { service, register } = await startHosted();
    const { id } = await register.add(wish, 'carl');
    await register.change(id, (kept) => ({ ...kept, active: false, categoryIds: [] }), 'carl');
    const body = {
      active: true,
      delegator: 'ada',
      delegates: ['bob', 'carl'],
      categoryIds: [1],
      startDate: '2026-03-16T08:00Z',
      endDate: '2028-02-29T23:59Z',
      notes: 'Grüße aus Köln 🏖️',
    };
    expect(service.calls).toEqual([
      { method: 'POST', path: `${oldBase}/delegation`, query: {}, body },
      { method: 'GET', path: `${oldBase}/delegation/${id}`, query: {}, body: null },
      {
        method: 'PUT',
        path: `${oldBase}/delegation/${id}`,
        query: {},
        body: { ...body, active: false, categoryIds: [] },
      },
    ]);
  });
});

describe('a list', () => {
  test('is read in pages of a hundred, with what is over', async () => {
    const { service, register } = await startHosted({ world: { records: records(201) } });
    expect(await register.delegations()).toHaveLength(201);
    expect(service.calls.map(({ query }) => query)).toEqual(
      ['0', '100', '200'].map((startAt) => ({ startAt, maxResults: '100', includeExpired: 'true' })),
    );
  });

  test('ends with its total, without a further question', async () => {
    const { service, register } = await startHosted({ world: { records: records(200) } });
    expect(await register.delegations()).toHaveLength(200);
    expect(service.calls).toHaveLength(2);
  });

  test('ends with an empty page, whatever total is told', async () => {
    const { service, register } = await startHosted();
    const none = json({ total: 3, values: [] });
    service.fail(json({ total: 3, values: [record(2), record(1)] }), none);
    expect((await register.delegations()).map(({ id }) => id)).toEqual([1, 2]);
    expect(service.calls.map(({ query }) => query.startAt)).toEqual(['0', '2']);
  });

  test('ends when the same page comes again and again', async () => {
    const { service, register } = await startHosted();
    const same = json({ total: 500, values: [record(1), record(2)] });
    service.fail(same, same, same, same, same);
    expect(await register.delegations()).toHaveLength(2);
    expect(service.calls).toHaveLength(5);
  });

  test('of categories may come in pages as well', async () => {
    const { service, register } = await startHosted();
    service.fail(
      json({ total: 2, values: [{ id: 7, name: 'Late', description: 'Night shifts' }] }),
      json({ total: 2, values: [{ id: 3, name: 'Early' }] }),
    );
    expect(await register.categories()).toEqual([
      { id: 3, name: 'Early', description: '' },
      { id: 7, name: 'Late', description: 'Night shifts' },
    ]);
    expect(service.calls.map(({ path, query }) => [path, query])).toEqual([
      [`${oldBase}/category`, {}],
      [`${oldBase}/category`, { startAt: '1' }],
    ]);
  });
});

describe('a service of version 1.4', () => {
  test('answers look-ups, and has no lists', async () => {
    const { register, name } = await startHosted({ lists: false });
    expect(await register.delegatesOf('ada', 'general', hostedNow)).toMatchObject({ others: [] });
    for (const asked of [
      () => register.delegations(),
      () => register.categories(),
      () => register.delegation(1),
      () => register.add(wish, 'ada'),
      () => register.change(1, () => wish, 'ada'),
    ]) {
      expect(await failureOf(asked())).toMatchObject({
        code: 'unavailable',
        message: `${name} tells no lists of delegations (Keychain has them since 1.5).`,
      });
    }
  });
});

describe('the base path', () => {
  test('is the newer one where the older leads nowhere, and stays so', async () => {
    const { service, register } = await startHosted({ bases: 'new' });
    await register.delegatesOf('ada', 'general', hostedNow);
    await register.add(wish, 'ada');
    expect(service.calls.map(({ method, path }) => [method, path])).toEqual([
      ['GET', `${oldBase}/delegation/getDelegates`],
      ['GET', `${newBase}/delegation/getDelegates`],
      ['POST', `${newBase}/delegation`],
    ]);
  });

  test('is found with a new delegation as well, which is saved once', async () => {
    const { service, register } = await startHosted({ bases: 'new' });
    const added = await register.add(wish, 'ada');
    expect(service.calls.map(({ path }) => path)).toEqual([`${oldBase}/delegation`, `${newBase}/delegation`]);
    expect(await register.delegations()).toEqual([added]);
  });

  test('is found again when the service changes it', async () => {
    const { service, register, pass } = await startHosted({ bases: 'both' });
    await register.categories();
    pass(10_000);
    service.fail(page(404, 'Dead link', 'Nothing here'));
    await register.categories();
    pass(10_000);
    await register.categories();
    expect(service.calls.map(({ path }) => path)).toEqual(
      [oldBase, oldBase, newBase, newBase].map((base) => `${base}/category`),
    );
  });

  test('is right where the service itself says that something is not there', async () => {
    const { service, register } = await startHosted({ bases: 'new' });
    for (const id of [7, 8]) {
      expect(await failureOf(register.delegation(id))).toMatchObject({ code: 'not-found' });
    }
    expect(service.calls.map(({ path }) => path)).toEqual([
      `${oldBase}/delegation/7`,
      `${newBase}/delegation/7`,
      `${newBase}/delegation/8`,
    ]);
  });

  test.each([
    ['a page of the tracker', page(403, 'Forbidden', 'Not from here')],
    ['what a gateway says in JSON', json({ message: 'Not from here' }, 403)],
  ])('is not taken for right because of %s', async (_what, fault) => {
    const { service, register } = await startHosted({ bases: 'old' });
    service.fail(page(404, 'Dead link', 'A restart'), fault);
    await failureOf(register.categories());
    await register.categories();
    expect(service.calls.map(({ path }) => path)).toEqual(
      [oldBase, newBase, oldBase].map((base) => `${base}/category`),
    );
  });
});

test('a hosted register has nothing that only one of our own can do', async () => {
  const { register } = await startHosted();
  expect(register.own).toBeNull();
});
