import { millisecondsInDay } from 'date-fns/constants';
import { afterEach, describe, expect, test } from '#jest';
import type { DelegationQuery } from '../../../src/api/delegations/delegation-api.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { closeLocalRecords } from '../../support/local-records.ts';
import { ada, anOffice, bob, everyDelegation, refusal } from './an-office.ts';

afterEach(closeLocalRecords);

const noon = Date.parse('2026-03-02T12:00:00Z');

describe('a list of delegations', () => {
  const week = aDelegation('ada').to('bob', 'carl').noted('Urlaub in KÖLN').numbered(1);
  const over = aDelegation('bob').to('dora').until('2026-03-02T12:00Z').noted('köln').numbered(2);
  const inactive = aDelegation('bob').to('ada').inactive().numbered(3);
  const delegations = [week, over, inactive].map(({ delegation }) => delegation);

  test.each<[string, Partial<DelegationQuery>, readonly number[]]>([
    ['all', {}, [1, 2, 3]],
    ['those not over yet, also inactive ones', { includeExpired: false }, [1, 3]],
    ['those of a delegator', { delegator: 'BOB' }, [2, 3]],
    ['those with a delegate', { delegate: 'carl' }, [1]],
    ['those of both', { delegator: 'bob', delegate: 'ada' }, [3]],
    ['those with a word in their notes, in whatever case', { notes: 'Köln' }, [1, 2]],
    ['none for somebody without any', { delegator: 'erin' }, []],
  ])('has %s', async (_which, more, ids) => {
    const { api } = await anOffice({ delegations });
    const { values, total } = await api.delegations(ada, { ...everyDelegation, ...more });
    expect([values.map(({ id }) => id), total]).toEqual([ids, ids.length]);
  });

  test('is told in pages, and how many there are in all', async () => {
    const { api } = await anOffice({ delegations });
    const page = async (start: number, size: number) => {
      const { values, total } = await api.delegations(ada, { ...everyDelegation, start, size });
      return [values.map(({ id }) => id), total];
    };
    expect(await page(0, 2)).toEqual([[1, 2], 3]);
    expect(await page(2, 2)).toEqual([[3], 3]);
    expect(await page(9, 2)).toEqual([[], 3]);
    expect(await page(0, 0)).toEqual([[], 3]);
  });

  test('names somebody unknown to those who may view all only; for others there is nothing to be seen', async () => {
    const { api } = await anOffice({ delegations });
    expect(await refusal(api.delegations(ada, { ...everyDelegation, delegator: 'zed' }))).toEqual([
      'not-found',
      'User with name "zed" could not be found.',
    ]);
    for (const delegator of ['zed', 'erin']) {
      expect(await api.delegations(bob, { ...everyDelegation, delegator })).toEqual({ values: [], total: 0 });
    }
    expect((await api.delegations(bob, { ...everyDelegation, delegate: 'Carl' })).total).toBe(1);
  });
});

describe('ending a delegation', () => {
  const running = aDelegation('bob').to('carl').numbered(1).delegation;
  const ended = async (told: Partial<typeof running>, now = noon + 30_500) => {
    const { api } = await anOffice({ delegations: [{ ...running, ...told }], now });
    return api.end(bob, 1);
  };

  test('ends it with the running minute, so that nobody stands in any more', async () => {
    const { api, world } = await anOffice({ delegations: [running], now: noon + 30_500 });
    expect(await api.end(bob, 1)).toEqual({ ...running, end: noon, version: 2 });
    const told = await api.delegatesOf({ principal: bob, person: 'bob', category: 'general', asOf: null });
    expect([told.asOf, told.others]).toEqual([world.now, []]);
    expect((await api.versions(bob, 1)).map(({ savedBy }) => savedBy)).toEqual([null, 'bob']);
  });

  test.each([
    ['is yet to begin', { start: noon + millisecondsInDay }],
    ['began with this very minute', { start: noon }],
  ])('makes one inactive that %s', async (_when, more) => {
    expect(await ended(more)).toEqual({ ...running, ...more, active: false, version: 2 });
  });

  test('loses nothing that somebody else saves at the same time', async () => {
    const { records, kept, over, apiOver } = await anOffice({
      delegations: [running],
      now: noon + 30_500,
    });
    const changed = { ...running, delegates: ['dora'], notes: 'anew', end: noon + millisecondsInDay };
    const racing = over({
      ...kept,
      async change(id, change) {
        await records.change(1, () => changed, 'ada');
        return kept.change(id, change);
      },
    });
    expect(await apiOver(racing).end(bob, 1)).toEqual({ ...changed, end: noon, version: 3 });
    expect((await records.own?.versions(1))?.map(({ savedBy, notes, end }) => [savedBy, notes, end])).toEqual(
      [
        [null, running.notes, running.end],
        ['ada', 'anew', noon + millisecondsInDay],
        ['bob', 'anew', noon],
      ],
    );
  });

  test('of one that somebody else ends at the same time is refused', async () => {
    const { api } = await anOffice({ delegations: [running], now: noon + 30_500 });
    const told = await Promise.all([refusal(api.end(bob, 1)), refusal(api.end(ada, 1))]);
    expect(told).toContainEqual({ answer: { ...running, end: noon, version: 2 } });
    expect(told).toContainEqual([
      'bad-request',
      'Bad request',
      expect.stringContaining('is over since 2026-03-02T12:00Z'),
    ]);
  });

  test('refuses what is over or inactive', async () => {
    const advice = 'Try: one that is active and not over yet.';
    expect(await refusal(ended({ end: noon }, noon))).toEqual([
      'bad-request',
      'Bad request',
      `delegation '1' is over since 2026-03-02T12:00Z. ${advice}`,
    ]);
    expect(await refusal(ended({ active: false }))).toEqual([
      'bad-request',
      'Bad request',
      `delegation '1' is inactive. ${advice}`,
    ]);
    expect(await ended({ end: noon + 60_000 }, noon + 59_999)).toMatchObject({ end: noon });
  });
});
