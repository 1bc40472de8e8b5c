import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { chainEnds, delegateTimesOf, followChain } from '../../src/delegation/chain.ts';
import type { CategoryId } from '../../src/model/delegation.ts';
import { aDelegation, type DelegationTold, delegationsOf } from '../support/a-delegation.ts';
import { runs } from '../support/soak.ts';
import {
  anyCategory,
  anyDelegations,
  anyMinute,
  anyPerson,
  BEGIN,
  categoryIds,
  MINUTES,
  people,
} from './any-delegations.ts';
import { naiveMinute } from './naive-minute.ts';

const at = Date.parse('2026-03-03T12:00Z');
const chainOf = (told: readonly DelegationTold[], person: string, categoryId: number | null = null) =>
  followChain(delegationsOf(told), { person, categoryId, at });

test('ada → bob → carl is one path', () => {
  const delegations = [aDelegation('bob').to('carl'), aDelegation('ada').to('bob')];
  expect(chainOf(delegations, 'ada')).toEqual({
    paths: [{ people: ['ada', 'bob', 'carl'], backTo: null }],
    more: false,
  });
});

test('ada → bob → ada is told as a loop and not followed', () => {
  const delegations = [aDelegation('ada').to('bob'), aDelegation('bob').to('ada')];
  expect(chainOf(delegations, 'ada').paths).toEqual([{ people: ['ada', 'bob'], backTo: 'ada' }]);
});

test('a loop further on leads back to where it begins', () => {
  const delegations = [
    aDelegation('ada').to('bob'),
    aDelegation('bob').to('carl', 'dora'),
    aDelegation('carl').to('bob'),
  ];
  expect(chainOf(delegations, 'ada').paths).toEqual([
    { people: ['ada', 'bob', 'carl'], backTo: 'bob' },
    { people: ['ada', 'bob', 'dora'], backTo: null },
  ]);
});

test('of two delegates the one who is away leads on, the other is an end', () => {
  const delegations = [aDelegation('ada').to('bob', 'carl'), aDelegation('bob').to('dora')];
  expect(chainOf(delegations, 'ada').paths).toEqual([
    { people: ['ada', 'bob', 'dora'], backTo: null },
    { people: ['ada', 'carl'], backTo: null },
  ]);
});

test('a general delegation leads on in a category, one of the category does not in general', () => {
  const delegations = [aDelegation('ada').to('bob'), aDelegation('bob').to('carl').in(1)];
  expect(chainOf(delegations, 'ada', 1).paths).toEqual([{ people: ['ada', 'bob', 'carl'], backTo: null }]);
  expect(chainOf(delegations, 'ada').paths).toEqual([{ people: ['ada', 'bob'], backTo: null }]);
});

test('who has no delegate has no path', () => {
  expect(chainOf([aDelegation('ada').to('bob')], 'bob')).toEqual({ paths: [], more: false });
});

test.each([
  [100, false],
  [101, true],
])('of %d paths 100 are told', (count, more) => {
  const delegates = Array.from({ length: count }, (_, i) => `user${i}`);
  const chain = chainOf([aDelegation('ada').to(...delegates)], 'ada');
  expect(chain.more).toBe(more);
  expect(chain.paths.map(({ people }) => people.at(-1))).toEqual(delegates.slice(0, 100));
});

test('paths that double with every step end soon', () => {
  const delegations = Array.from({ length: 60 }, (_, i) => [
    aDelegation(`a${i}`).to(`a${i + 1}`, `b${i + 1}`),
    aDelegation(`b${i}`).to(`a${i + 1}`, `b${i + 1}`),
  ]).flat();
  const chain = chainOf(delegations, 'a0');
  expect([chain.paths.length, chain.more]).toEqual([100, true]);
});

test('a chain of very many people is followed to its end', () => {
  const delegations = Array.from({ length: 2000 }, (_, i) => aDelegation(`a${i}`).to(`a${i + 1}`));
  expect(chainOf(delegations, 'a0').paths[0]?.people).toHaveLength(2001);
});

test('paths are those found by trying every way; none repeats a person, and every loop is told', () => {
  fc.assert(
    fc.property(
      anyDelegations,
      anyPerson,
      anyCategory,
      anyMinute,
      (delegations, person, categoryId, minute) => {
        const instant = BEGIN + minute * millisecondsInMinute;
        const naive = naiveMinute(delegations, instant);
        const { paths, more } = followChain(delegations, { person, categoryId, at: instant });
        expect({ paths, more }).toEqual({ paths: naive.paths(person, categoryId), more: false });
        for (const { people, backTo } of paths) {
          expect(new Set(people).size).toBe(people.length);
          expect(backTo === null || people.includes(backTo)).toBe(true);
        }
      },
    ),
    { seed: 20260303, numRuns: runs(200) },
  );
});

test('the ends of all paths are found, in order, without following every path', () => {
  const anyGraph = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { minLength: 1, maxLength: 4 }),
  );
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const told = Object.entries(graph).map(([delegator, delegates]) =>
        aDelegation(delegator).to(...delegates),
      );
      const naive = naiveMinute(delegationsOf(told), at);
      const delegatesOf = (person: string) => naive.delegates(person, null);
      expect([...chainEnds('a', delegatesOf)]).toEqual(naive.ends('a', null));
    }),
    { seed: 20260304, numRuns: runs(300) },
  );
});

const general = { id: null, name: 'general' };
const expenses = { id: 1, name: 'Expenses' };
const approvals = { id: 2, name: 'Approvals' };

/** The times of ada in short: from, until, who, in what. */
function timesOfAda(
  told: readonly DelegationTold[],
  categories: readonly { id: CategoryId; name: string }[] = [general, expenses, approvals],
) {
  const text = (at: number) => new Date(at).toISOString().slice(5, 16);
  return delegateTimesOf(
    delegationsOf(told),
    categories,
  )('ada').map(({ start, end, delegate, category }) =>
    [text(start), text(end), delegate, category.name].join(' '),
  );
}

const week = (delegator: string) =>
  aDelegation(delegator).from('2026-03-02T09:00Z').until('2026-03-06T17:00Z');
const wednesday = (delegator: string) =>
  aDelegation(delegator).from('2026-03-04T00:00Z').until('2026-03-05T00:00Z');

test('the first delegate who is there stood in from start to end', () => {
  expect(timesOfAda([week('ada').to('bob', 'carl')])).toEqual(['03-02T09:00 03-06T17:00 bob general']);
});

test('nobody stood in for who has no delegate, or an inactive delegation only', () => {
  expect(timesOfAda([week('bob').to('ada'), week('ada').to('bob').inactive()])).toEqual([]);
});

test('while the first delegate is away whoever stands in for that one does, before the second is asked', () => {
  expect(timesOfAda([week('ada').to('bob', 'carl'), wednesday('bob').to('dora')])).toEqual([
    '03-02T09:00 03-04T00:00 bob general',
    '03-04T00:00 03-05T00:00 dora general',
    '03-05T00:00 03-06T17:00 bob general',
  ]);
});

test('while the first delegate is away in a circle the second is asked', () => {
  expect(timesOfAda([week('ada').to('bob', 'carl'), wednesday('bob').to('ada')])).toEqual([
    '03-02T09:00 03-04T00:00 bob general',
    '03-04T00:00 03-05T00:00 carl general',
    '03-05T00:00 03-06T17:00 bob general',
  ]);
});

test('while all are away in a circle nobody stands in', () => {
  expect(timesOfAda([week('ada').to('bob'), wednesday('bob').to('ada')])).toEqual([
    '03-02T09:00 03-04T00:00 bob general',
    '03-05T00:00 03-06T17:00 bob general',
  ]);
});

test('delegations to the same person that overlap or adjoin are one stretch', () => {
  expect(
    timesOfAda([
      week('ada').to('bob'),
      wednesday('ada').to('bob'),
      aDelegation('ada').to('bob').from('2026-03-06T17:00Z').until('2026-03-09T09:00Z'),
    ]),
  ).toEqual(['03-02T09:00 03-09T09:00 bob general']);
});

describe('with a general delegation to bob and one of expenses to carl on Wednesday', () => {
  const delegations = [week('ada').to('bob'), wednesday('ada').to('carl').in(1)];
  const bobAllWeek = (name: string) => [`03-02T09:00 03-06T17:00 bob ${name}`];
  const carlOnWednesday = (name: string) => [
    `03-02T09:00 03-04T00:00 bob ${name}`,
    '03-04T00:00 03-05T00:00 carl Expenses',
    `03-05T00:00 03-06T17:00 bob ${name}`,
  ];

  test.each([
    ['general first leaves nothing to expenses', [general, expenses], bobAllWeek('general')],
    ['expenses first has Wednesday, general the rest', [expenses, general], carlOnWednesday('general')],
    ['expenses alone has both, its own delegation first', [expenses], carlOnWednesday('Expenses')],
    ['general alone has its own only', [general], bobAllWeek('general')],
    ['approvals alone has the general one', [approvals], bobAllWeek('Approvals')],
    [
      'approvals before general leaves the general one to general',
      [approvals, general],
      bobAllWeek('general'),
    ],
    [
      'approvals before expenses has the general one, and leaves nothing',
      [approvals, expenses],
      bobAllWeek('Approvals'),
    ],
    ['no category, no stretch', [], []],
  ])('%s', (_, categories, expected) => {
    expect(timesOfAda(delegations, categories)).toEqual(expected);
  });
});

test('who is away in general is away in every category', () => {
  const delegations = [week('ada').to('bob').in(1), wednesday('bob').to('carl')];
  expect(timesOfAda(delegations, [expenses, general])).toEqual([
    '03-02T09:00 03-04T00:00 bob Expenses',
    '03-04T00:00 03-05T00:00 carl Expenses',
    '03-05T00:00 03-06T17:00 bob Expenses',
  ]);
});

test('who is away in another category is there', () => {
  const delegations = [week('ada').to('bob').in(1), wednesday('bob').to('carl').in(2)];
  expect(timesOfAda(delegations)).toEqual(['03-02T09:00 03-06T17:00 bob Expenses']);
});

test('where nobody stands in under the first category the next one counts', () => {
  const delegations = [
    week('ada').to('bob').in(1),
    week('bob').to('ada').in(1),
    wednesday('ada').to('carl').in(2),
  ];
  expect(timesOfAda(delegations, [expenses, approvals])).toEqual(['03-04T00:00 03-05T00:00 carl Approvals']);
});

test('an owner is worked out once', () => {
  const times = delegateTimesOf([week('ada').to('bob').delegation], [general]);
  expect(times('ada')).toBe(times('ada'));
});

const anyOrder = fc
  .shuffledSubarray([null, ...categoryIds])
  .map((ids) => ids.map((id) => ({ id, name: `category ${id}` })));

test('at every minute exactly the one who is found by trying stands in, in disjoint stretches in order', () => {
  fc.assert(
    fc.property(anyDelegations, anyOrder, (delegations, categories) => {
      const timesOf = delegateTimesOf(delegations, categories);
      const asked = categories.map(({ id }) => id);
      for (let minute = -1; minute <= MINUTES; minute += 1) {
        const at = BEGIN + minute * millisecondsInMinute;
        const naive = naiveMinute(delegations, at);
        for (const owner of people) {
          const found = timesOf(owner).filter(({ start, end }) => start <= at && at < end);
          const credit = naive.credit(owner, asked);
          expect(found.map(({ delegate, category }) => ({ delegate, id: category.id }))).toEqual(
            credit === null ? [] : [credit],
          );
        }
      }
    }),
    { seed: 20260305, numRuns: runs(60) },
  );
});

test('stretches are in order and as long as they can be, and nobody stands in for themselves', () => {
  fc.assert(
    fc.property(anyDelegations, anyOrder, (delegations, categories) => {
      for (const owner of people) {
        const times = delegateTimesOf(delegations, categories)(owner);
        for (const [i, { start, end, delegate, category }] of times.entries()) {
          const next = times[i + 1];
          expect(start).toBeLessThan(end);
          expect(delegate).not.toBe(owner);
          if (next === undefined) continue;
          expect(next.start).toBeGreaterThanOrEqual(end);
          expect([next.start, next.delegate, next.category]).not.toEqual([end, delegate, category]);
        }
      }
    }),
    { seed: 20260306, numRuns: runs(100) },
  );
});
