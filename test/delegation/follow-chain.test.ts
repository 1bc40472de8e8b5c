import fc from 'fast-check';
import { expect, test } from '#jest';
import { chainEnds } from '../../src/delegation/chain-ends.ts';
import { followChain } from '../../src/delegation/follow-chain.ts';
import type { Delegation } from '../../src/model/delegation.ts';
import { aDelegation } from '../support/a-delegation.ts';
import { runs } from '../support/soak.ts';
import { anyCategory, anyDelegations, anyMinute, anyPerson, BEGIN, MINUTE } from './any-delegations.ts';
import { naiveMinute } from './naive-minute.ts';

const at = Date.parse('2026-03-03T12:00Z');
const chainOf = (delegations: readonly Delegation[], person: string, categoryId: number | null = null) =>
  followChain(delegations, { person, categoryId, at });

test('ada → bob → carl is one path', () => {
  const delegations = [aDelegation('bob').to('carl').delegation, aDelegation('ada').to('bob').delegation];
  expect(chainOf(delegations, 'ada')).toEqual({
    paths: [{ people: ['ada', 'bob', 'carl'], backTo: null }],
    more: false,
  });
});

test('ada → bob → ada is told as a loop and not followed', () => {
  const delegations = [aDelegation('ada').to('bob').delegation, aDelegation('bob').to('ada').delegation];
  expect(chainOf(delegations, 'ada').paths).toEqual([{ people: ['ada', 'bob'], backTo: 'ada' }]);
});

test('a loop further on leads back to where it begins', () => {
  const delegations = [
    aDelegation('ada').to('bob').delegation,
    aDelegation('bob').to('carl', 'dora').delegation,
    aDelegation('carl').to('bob').delegation,
  ];
  expect(chainOf(delegations, 'ada').paths).toEqual([
    { people: ['ada', 'bob', 'carl'], backTo: 'bob' },
    { people: ['ada', 'bob', 'dora'], backTo: null },
  ]);
});

test('of two delegates the one who is away leads on, the other is an end', () => {
  const delegations = [
    aDelegation('ada').to('bob', 'carl').delegation,
    aDelegation('bob').to('dora').delegation,
  ];
  expect(chainOf(delegations, 'ada').paths).toEqual([
    { people: ['ada', 'bob', 'dora'], backTo: null },
    { people: ['ada', 'carl'], backTo: null },
  ]);
});

test('a general delegation leads on in a category, one of the category does not in general', () => {
  const delegations = [
    aDelegation('ada').to('bob').delegation,
    aDelegation('bob').to('carl').in(1).delegation,
  ];
  expect(chainOf(delegations, 'ada', 1).paths).toEqual([{ people: ['ada', 'bob', 'carl'], backTo: null }]);
  expect(chainOf(delegations, 'ada').paths).toEqual([{ people: ['ada', 'bob'], backTo: null }]);
});

test('who has no delegate has no path', () => {
  expect(chainOf([aDelegation('ada').to('bob').delegation], 'bob')).toEqual({ paths: [], more: false });
});

test.each([
  [100, false],
  [101, true],
])('of %d paths 100 are told', (count, more) => {
  const delegates = Array.from({ length: count }, (_, i) => `user${i}`);
  const chain = chainOf([aDelegation('ada').to(...delegates).delegation], 'ada');
  expect(chain.more).toBe(more);
  expect(chain.paths.map(({ people }) => people.at(-1))).toEqual(delegates.slice(0, 100));
});

test('paths that double with every step end soon', () => {
  const delegations = Array.from({ length: 60 }, (_, i) => [
    aDelegation(`a${i}`).to(`a${i + 1}`, `b${i + 1}`).delegation,
    aDelegation(`b${i}`).to(`a${i + 1}`, `b${i + 1}`).delegation,
  ]).flat();
  const chain = chainOf(delegations, 'a0');
  expect([chain.paths.length, chain.more]).toEqual([100, true]);
});

test('a chain of very many people is followed to its end', () => {
  const delegations = Array.from({ length: 2000 }, (_, i) => aDelegation(`a${i}`).to(`a${i + 1}`).delegation);
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
        const instant = BEGIN + minute * MINUTE;
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
      const delegations = Object.entries(graph).map(
        ([delegator, delegates]) => aDelegation(delegator).to(...delegates).delegation,
      );
      const naive = naiveMinute(delegations, at);
      const delegatesOf = (person: string) => naive.delegates(person, null);
      expect([...chainEnds('a', delegatesOf)]).toEqual(naive.ends('a', null));
    }),
    { seed: 20260304, numRuns: runs(300) },
  );
});
