import { describe, expect, test } from '#jest';
import { json } from '../support/stand-in-keychain-faults.ts';
import type { KeychainRecord } from '../support/stand-in-keychain-register.ts';
import { failureOf, hostedNow, startHosted } from './start-hosted.ts';

/** A general delegation of ada's to bob. */
function record(startDate: string, endDate: string, more: Partial<KeychainRecord> = {}): KeychainRecord {
  return {
    delegationId: 1,
    version: 1,
    active: true,
    delegator: 'ada',
    delegates: ['bob'],
    categoryIds: [],
    startDate,
    endDate,
    notes: '',
    ...more,
  };
}

const times = (calls: readonly { readonly query: Readonly<Record<string, string>> }[]) =>
  calls.map(({ query }) => query.datetime);

describe('the instant asked about', () => {
  test('is told as the wall clock of the server, to the second, and answered as it was', async () => {
    const { service, register } = await startHosted();
    const at = hostedNow + 1999;
    expect(await register.delegatesOf('ada', 'expense', at)).toEqual({
      person: 'ada',
      category: 'Expense',
      asOf: at,
      others: [],
    });
    expect(service.calls).toEqual([
      {
        method: 'GET',
        path: '/rest/delegation/api/1.0/delegation/getDelegates',
        query: { delegator: 'ada', category: 'expense', datetime: '2026-03-16 09:00:01' },
        body: null,
      },
    ]);
  });

  test('is left out when it is now: the clock of the server counts', async () => {
    const { service, register } = await startHosted();
    expect(await register.delegatorsOf('bob', 'general', null)).toMatchObject({ asOf: hostedNow });
    expect(service.calls.map(({ query }) => query)).toEqual([{ delegate: 'bob', category: 'general' }]);
  });

  test.each(['Asia/Kathmandu', 'America/New_York', 'UTC'])(
    'is asked again on the clock of the server, when that is not TIME_ZONE but %s',
    async (zone) => {
      const records = [record('2026-03-16T08:00Z', '2026-03-16T08:01Z')];
      const { service, register } = await startHosted({ world: { timeZone: zone, records } });
      expect(await register.delegatesOf('ada', 'general', hostedNow)).toMatchObject({
        asOf: hostedNow,
        others: ['bob'],
      });
      expect(service.calls).toHaveLength(2);
    },
  );

  test('is not guessed when the server understands something else all the same', async () => {
    const { service, register, name } = await startHosted();
    const answer = {
      delegator: 'ada',
      asOf: '2026-03-16 08:00:01 +0000',
      category: 'general',
      delegates: ['bob'],
    };
    service.fail(json(answer), json(answer));
    expect(await failureOf(register.delegatesOf('ada', 'general', hostedNow))).toMatchObject({
      code: 'unavailable',
      message: `${name} was asked about 2026-03-16T08:00:00.000Z and tells of 2026-03-16T08:00:01.000Z; is TIME_ZONE (Europe/Berlin) the zone of its server?`,
    });
    expect(times(service.calls)).toEqual(['2026-03-16 09:00:00', '2026-03-16 08:00:00']);
  });
});

describe('a time that the clock of the server shows twice', () => {
  const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((at) => Date.parse(at));
  const records = [
    record('2026-10-25T00:00Z', '2026-10-25T01:00Z', { delegationId: 1, delegates: ['carl'] }),
    record('2026-10-25T01:00Z', '2026-10-25T02:00Z', { delegationId: 2, categoryIds: [1] }),
    record('2026-10-25T01:00Z', '2026-10-25T02:00Z', { delegationId: 3, delegates: ['carl', 'bob'] }),
    record('2026-10-25T00:59Z', '2026-10-25T02:00Z', { delegationId: 4, delegator: 'bob' }),
    record('2026-10-25T01:00Z', '2026-10-25T02:00Z', { delegationId: 5, active: false, delegates: ['dora'] }),
  ];

  test('is a question to the look-up the first time', async () => {
    const { service, register } = await startHosted({ world: { records } });
    expect(await register.delegatesOf('ada', 'general', first ?? null)).toMatchObject({ others: ['carl'] });
    expect(service.calls).toHaveLength(1);
  });

  test.each([
    ['general', ['carl', 'bob'], ['bob', 'ada']],
    ['EXPENSE', ['bob', 'carl'], ['bob', 'ada']],
  ])('is answered from the lists the second time: %s', async (category, delegates, delegators) => {
    const { service, register } = await startHosted({ world: { records } });
    expect(await register.delegatesOf('ada', category, second ?? null)).toMatchObject({
      asOf: second,
      others: delegates,
    });
    expect(await register.delegatorsOf('bob', category, second ?? null)).toMatchObject({
      others: delegators,
    });
    expect(service.calls.map(({ path }) => path.split('/').at(-1))).toEqual(
      expect.arrayContaining(['getDelegates', 'category', 'delegation']),
    );
  });

  test('cannot be told the second time without lists', async () => {
    const { register, name } = await startHosted({ world: { records }, lists: false });
    expect((await failureOf(register.delegatesOf('ada', 'general', second ?? null))).message).toBe(
      `${name} tells no lists of delegations (Keychain has them since 1.5).`,
    );
  });
});

test('nobody is told twice, and general is called as it is stored', async () => {
  const { service, register } = await startHosted();
  service.fail(
    json({
      delegate: 'bob',
      asOf: '2026-03-16 09:00:00 +0100',
      category: 'General',
      delegators: ['ada', 'carl', 'ada'],
    }),
  );
  expect(await register.delegatorsOf('bob', 'general', hostedNow)).toEqual({
    person: 'bob',
    category: 'General',
    asOf: hostedNow,
    others: ['ada', 'carl'],
  });
});
