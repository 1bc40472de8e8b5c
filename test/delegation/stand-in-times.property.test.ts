import fc from 'fast-check';
import { expect, test } from '#jest';
import { standInTimesOf } from '../../src/delegation/stand-in-times.ts';
import { runs } from '../support/soak.ts';
import { anyDelegations, BEGIN, categoryIds, MINUTE, MINUTES, people } from './any-delegations.ts';
import { naiveMinute } from './naive-minute.ts';

const anyOrder = fc
  .shuffledSubarray([null, ...categoryIds])
  .map((ids) => ids.map((id) => ({ id, name: `category ${id}` })));

test('at every minute exactly the one who is found by trying stands in, in disjoint stretches in order', () => {
  fc.assert(
    fc.property(anyDelegations, anyOrder, (delegations, categories) => {
      const timesOf = standInTimesOf(delegations, categories);
      const asked = categories.map(({ id }) => id);
      for (let minute = -1; minute <= MINUTES; minute += 1) {
        const at = BEGIN + minute * MINUTE;
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
        const times = standInTimesOf(delegations, categories)(owner);
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
