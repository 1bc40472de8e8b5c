import { describe, expect, test } from '#jest';
import { json, page } from '../support/stand-in-keychain-faults.ts';
import { aWish, failureOf, hostedNow, startHosted } from './start-hosted.ts';

const record = {
  delegationId: 5,
  version: 1,
  active: true,
  delegator: 'ada',
  delegates: ['bob'],
  categoryIds: [],
  startDate: '2026-03-16T08:00Z',
  endDate: '2026-03-16T09:00Z',
  notes: '',
};
const unsure = 'Nobody knows whether the delegation was saved: look at the list before trying again.';

describe('an answer to another look-up', () => {
  const asOf = '2026-03-16 09:00:00 +0100';

  test.each([
    ['mallory', 'Expense'],
    ['ada', 'Approval'],
    ['ada', 'General'],
  ])('about %s in %s is passed on to nobody', async (person, category) => {
    const { service, register, name } = await startHosted();
    service.fail(
      json({ delegator: person, asOf, category, delegates: ['carl'] }),
      json({ delegate: person, asOf, category, delegators: ['carl'] }),
    );
    for (const asked of [register.delegatesOf, register.delegatorsOf]) {
      expect(await failureOf(asked('ada', 'expense', hostedNow))).toMatchObject({
        code: 'unavailable',
        message: `${name} was asked about 'ada' in 'expense' and tells of '${person}' in '${category}'.`,
      });
    }
  });

  test('is told by case and writing from one in other letters', async () => {
    const { service, register } = await startHosted();
    const person = 'Zoë';
    service.fail(json({ delegator: person, asOf, category: 'EXPENSE', delegates: [] }));
    const told = await register.delegatesOf(person.normalize('NFD').toUpperCase(), 'expense', hostedNow);
    expect(told).toMatchObject({ person, category: 'EXPENSE' });
  });

  test('does not tell a secret that comes back in it', async () => {
    const { service, register } = await startHosted();
    service.fail(json({ delegator: 'correct horse', asOf, category: 'general', delegates: [] }));
    const { message } = await failureOf(register.delegatesOf('ada', 'general', hostedNow));
    expect(message).toContain("tells of '…' in 'general'.");
  });
});

describe('a record that was not asked about', () => {
  test('is not told in place of the one that was', async () => {
    const { service, register, name } = await startHosted();
    service.fail(json({ ...record, delegationId: 777 }));
    expect(await failureOf(register.delegation(5))).toMatchObject({
      code: 'unavailable',
      message: `${name} was asked about the delegation 5 and tells of the delegation 777.`,
    });
  });

  test('is not changed in its place', async () => {
    const { service, register, methods } = await startHosted();
    service.fail(json({ ...record, delegationId: 777 }));
    await failureOf(register.change(5, (kept) => kept, 'ada'));
    expect(methods()).toEqual(['GET']);
  });

  test('is not taken for the new one: its fate is unknown', async () => {
    const { service, register, name } = await startHosted();
    service.fail(json({ ...record, delegator: 'zz' }));
    expect(await failureOf(register.add(aWish, 'ada'))).toMatchObject({
      code: 'unavailable',
      message: `${name} was asked about a delegation of 'ada' and tells of the delegation 5 of 'zz'. ${unsure}`,
    });
  });

  test.each([
    [{ delegationId: 777 }, "the delegation 777 of 'ada'"],
    [{ delegator: 'zz' }, "the delegation 5 of 'zz'"],
  ])('is not taken for the changed one: %j', async (other, told) => {
    const { service, register, name } = await startHosted();
    service.fail(json(record), json({ ...record, version: 2, ...other }));
    expect((await failureOf(register.change(5, (kept) => kept, 'ada'))).message).toBe(
      `${name} was asked about the delegation 5 of 'ada' and tells of ${told}. ${unsure}`,
    );
  });
});

describe('an empty name', () => {
  const good = {
    delegator: 'ada',
    asOf: '2026-03-16 09:00:00 +0100',
    category: 'general',
    delegates: ['bob'],
  };

  test.each([
    [{ delegator: '' }, 'delegator is \'""\''],
    [{ category: ' ' }, 'category is \'" "\''],
    [{ delegates: ['bob', ''] }, 'delegates[1] is \'""\''],
  ])('in a look-up is refused: %j', async (more, told) => {
    const { service, register, name } = await startHosted();
    service.fail(json({ ...good, ...more }));
    expect((await failureOf(register.delegatesOf('ada', 'general', hostedNow))).message).toBe(
      `${name} answered in an unknown shape: ${told}.`,
    );
  });

  test.each([
    [{ delegate: '\t' }, String.raw`delegate is '"\t"'`],
    [{ delegators: [''] }, 'delegators[0] is \'""\''],
  ])('in the other look-up as well: %j', async (more, told) => {
    const { service, register } = await startHosted();
    service.fail(json({ ...good, delegate: 'bob', delegators: ['ada'], ...more }));
    const { message } = await failureOf(register.delegatorsOf('bob', 'general', hostedNow));
    expect(message).toContain(told);
  });

  test.each([
    [{ delegator: '' }, 'delegator is \'""\''],
    [{ delegates: [' '] }, 'delegates[0] is \'" "\''],
  ])('in a record is refused: %j', async (more, told) => {
    const { service, register } = await startHosted();
    service.fail(json({ ...record, ...more }));
    expect((await failureOf(register.delegation(5))).message).toContain(told);
  });

  test('of a category is refused', async () => {
    const { service, register } = await startHosted();
    service.fail(json({ values: [{ id: 1, name: '' }] }));
    expect((await failureOf(register.categories())).message).toContain('values[0].name is \'""\'');
  });
});

describe('404 in JSON', () => {
  const message = 'Delegation with id "5" could not be found.';

  test.each([
    { status: 404, message, timestamp: 1_630_043_290_559 },
    { status: '404', message, timestamp: '2024-12-20 10:35:20 +0000' },
  ])('is the word of the service itself with its status and timestamp: %j', async (body) => {
    const { service, register } = await startHosted();
    service.fail(json(body, 404));
    expect(await failureOf(register.delegation(5))).toMatchObject({ code: 'not-found', message });
    expect(service.calls).toHaveLength(1);
  });

  test.each([
    { message: 'no Route matched with those values' },
    { message, timestamp: 1 },
    { message, status: 404 },
    { message, status: 404, timestamp: null },
    { message, status: 200, timestamp: 1 },
    { message, status: null, timestamp: 1 },
    { message, status: '', timestamp: 1 },
  ])('is somebody else’s otherwise, and the other base path is tried: %j', async (body) => {
    const { service, register } = await startHosted({ bases: 'new' });
    service.fail(json(body, 404));
    expect(await register.delegatesOf('ada', 'general', hostedNow)).toMatchObject({ person: 'ada' });
    expect(service.calls).toHaveLength(2);
  });

  test('of a gateway on both paths means that there is no service', async () => {
    const { service, register, name } = await startHosted();
    service.fail(json({ message: 'no Route matched' }, 404), page(404, 'Dead link', 'Nothing here'));
    expect(await failureOf(register.delegatesOf('ada', 'general', hostedNow))).toMatchObject({
      code: 'unavailable',
      message: `${name} has no delegation interface (HTTP 404); is DELEGATION_BASE_URL right?`,
    });
  });
});
