import { describe, expect, test } from '#jest';
import type { DelegationRecords } from '../../../src/api/delegations/delegation-api.ts';
import { held, json, switchedOff, together } from '../../support/stand-in-keychain-faults.ts';
import { aWish, failureOf, record, records, startHosted } from './start-hosted.ts';

const lists: readonly (readonly [string, (register: DelegationRecords) => Promise<readonly unknown[]>])[] = [
  ['delegations', (register) => register.delegations()],
  ['categories', (register) => register.categories()],
];

describe.each(lists)('the list of %s', (_name, read) => {
  test('is remembered for ten seconds after it was read', async () => {
    const { service, register, pass } = await startHosted({ world: { records: records(3) } });
    const first = await read(register);
    pass(9_999);
    expect(await read(register)).toBe(first);
    expect(service.calls).toHaveLength(1);
    pass(1);
    expect(await read(register)).toEqual(first);
    expect(service.calls).toHaveLength(2);
  });

  test('is remembered from the end of its reading on', async () => {
    const { service, register, pass } = await startHosted();
    service.fail((_response, goOn) => {
      pass(60_000);
      goOn();
    });
    await read(register);
    pass(9_999);
    await read(register);
    expect(service.calls).toHaveLength(1);
  });

  test('is not remembered longer because the clock was set back', async () => {
    const { service, register, pass } = await startHosted();
    await read(register);
    pass(-1);
    await read(register);
    expect(service.calls).toHaveLength(2);
  });

  test('is read once for all who ask meanwhile', async () => {
    const { service, register } = await startHosted();
    const [first, ...others] = await Promise.all([read(register), read(register), read(register)]);
    expect(others).toEqual([first, first]);
    expect(service.calls).toHaveLength(1);
  });

  test('is read again after it could not be read', async () => {
    const { service, register } = await startHosted({ world: { records: records(1) } });
    service.fail(switchedOff, switchedOff, switchedOff);
    const failures = await Promise.all([failureOf(read(register)), failureOf(read(register))]);
    expect(failures.map(({ code }) => code)).toEqual(['unavailable', 'unavailable']);
    expect(service.calls).toHaveLength(3);
    expect(await read(register)).toHaveLength(1);
  });

  test('is read again after a change of our own, whether it was made or not', async () => {
    const { service, register } = await startHosted({ world: { records: records(1) } });
    const reads = () => service.calls.filter(({ path, query }) => isRead(path, query)).length;
    await read(register);
    await register.add(aWish, 'ada');
    await read(register);
    expect(reads()).toBe(2);
    await register.change(1, (kept) => ({ ...kept, notes: 'Longer' }), 'ada');
    await read(register);
    expect(reads()).toBe(3);
    service.fail(switchedOff);
    await failureOf(register.add(aWish, 'ada'));
    await read(register);
    expect(reads()).toBe(4);
  });
});

test('what was being read while a change was made is told to nobody who asks after it', async () => {
  const { service, register } = await startHosted();
  const slow = held();
  const begun = Promise.withResolvers<void>();
  service.fail((response, goOn) => {
    slow.fault(response, () => json({ total: 0, values: [] })(response, goOn));
    begun.resolve();
  });
  const before = register.delegations();
  await begun.promise;
  const added = await register.add(aWish, 'ada');
  expect(await register.delegations()).toEqual([added]);
  slow.release();
  expect(await before).toEqual([]);
  expect(await register.delegations()).toEqual([added]);
});

test('a single delegation is never one that is remembered', async () => {
  const { service, register } = await startHosted({ world: { records: records(1) } });
  await register.delegations();
  service.fail(json({ ...record(1), version: 2, notes: 'Changed elsewhere' }));
  expect(await register.delegation(1)).toMatchObject({ version: 2, notes: 'Changed elsewhere' });
});

describe('a long list', () => {
  test('is read four pages at a time once its first page tells how long it is', async () => {
    const { service, register } = await startHosted({ world: { records: records(900) } });
    const four = [together(4), together(4)].flatMap((fault) => [fault, fault, fault, fault]);
    service.fail((_response, goOn) => goOn(), ...four);
    expect((await register.delegations()).map(({ id }) => id)).toEqual(
      records(900).map((one) => one.delegationId),
    );
    expect(service.calls.map(({ query }) => Number(query.startAt)).toSorted((a, b) => a - b)).toEqual([
      0, 100, 200, 300, 400, 500, 600, 700, 800,
    ]);
  });

  test('that does not end is given up after a thousand pages', async () => {
    const { service, register, name } = await startHosted();
    service.fail(...records(1001).map((one) => json({ total: '999999999999999', values: [one] })));
    expect(await failureOf(register.delegations())).toMatchObject({
      code: 'unavailable',
      message: `${name} tells a list that does not end: after 1000 pages there is still more.`,
    });
    expect(service.calls).toHaveLength(1000);
  });
});

function isRead(path: string, query: Readonly<Record<string, string>>): boolean {
  return path.endsWith('/category') || query.includeExpired === 'true';
}
