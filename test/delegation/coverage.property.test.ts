import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { delegateTimesOf } from '../../src/delegation/chain.ts';
import { surveyCoverage } from '../../src/delegation/coverage.ts';
import type { CategoryId, Delegation, TimeSpan } from '../../src/model/delegation.ts';
import { aDelegation } from '../support/a-delegation.ts';
import { runs } from '../support/soak.ts';
import { anyDelegations, anyMinute, BEGIN, categoryIds, MINUTES, people } from './any-delegations.ts';
import { naiveMinute } from './naive-minute.ts';

const GAP_MINUTES = 8;
const categories: readonly CategoryId[] = [null, ...categoryIds];
const anySpan = fc.tuple(anyMinute, anyMinute).map(([a, b]) => ({
  from: BEGIN + Math.min(a, b) * millisecondsInMinute,
  until: BEGIN + (Math.max(a, b) + 1) * millisecondsInMinute,
}));

/** What is true of a category and not of general; `tell` gives the facts of one category. */
function mostGeneral(tell: (categoryId: CategoryId) => readonly (readonly unknown[])[]): readonly string[] {
  const general = tell(null).map((fact) => JSON.stringify(fact));
  return categories.flatMap((id) =>
    tell(id)
      .map((fact) => JSON.stringify(fact))
      .filter((fact) => id === null || !general.includes(fact))
      .map((fact) => `${id} ${fact}`),
  );
}

/** Whether nobody stands in at a minute, but did before and will after it for longer, fewer than GAP_MINUTES apart. */
function inGap(delegations: readonly Delegation[], person: string, id: CategoryId, minute: number): boolean {
  const covered = (at: number) =>
    naiveMinute(delegations, BEGIN + at * millisecondsInMinute).delegates(person, id).length > 0;
  if (covered(minute)) return false;
  let [last, next] = [minute, minute];
  while (last >= 0 && !covered(last)) last -= 1;
  while (next <= MINUTES && !covered(next)) next += 1;
  let [first, end] = [last, next];
  while (first >= 0 && covered(first)) first -= 1;
  while (end <= MINUTES && covered(end)) end += 1;
  const gap = next - last - 1;
  return last >= 0 && next <= MINUTES && gap < Math.min(GAP_MINUTES, last - first, end - next);
}

function expectInOrder(stretches: readonly (TimeSpan & { readonly person: string })[], span: TimeSpan): void {
  const order = stretches.map(({ from, person }) => `${from} ${person}`);
  expect(order).toEqual(order.toSorted());
  expect(stretches.every(({ from, until }) => span.from <= from && from < until && until <= span.until)).toBe(
    true,
  );
  const meaning = ({ from: _, until: __, ...rest }: TimeSpan) => JSON.stringify(rest);
  for (const one of stretches) {
    const touching = stretches.filter((other) => meaning(other) === meaning(one) && other !== one);
    expect(touching.every(({ from, until }) => until < one.from || one.until < from)).toBe(true);
  }
}

test('stretches tell at every minute what a look at that minute tells, in order, joined and within the span', async () => {
  await fc.assert(
    fc.asyncProperty(anyDelegations, anySpan, async (delegations, span) => {
      const { uncovered, awayToo } = await surveyCoverage(delegations, span, {
        gapMs: GAP_MINUTES * millisecondsInMinute,
      });
      expectInOrder(uncovered, span);
      expectInOrder(awayToo, span);
      for (let at = span.from; at < span.until; at += millisecondsInMinute) {
        const naive = naiveMinute(delegations, at);
        const now = ({ from, until }: TimeSpan) => from <= at && at < until;
        for (const person of people) {
          const mine = <Stretch extends TimeSpan & { readonly person: string }>(all: readonly Stretch[]) =>
            all.filter((one) => now(one) && one.person === person);
          const expectedUncovered = mostGeneral((id) => [
            ...(naive.delegates(person, id).length > 0 && naive.ends(person, id).length === 0
              ? [['loop']]
              : []),
            ...(inGap(delegations, person, id, (at - BEGIN) / millisecondsInMinute) ? [['gap']] : []),
          ]);
          expect(
            mine(uncovered)
              .map((one) => `${one.categoryId} ["${one.reason}"]`)
              .sort(),
          ).toEqual(expectedUncovered.toSorted());
          const expectedAway = mostGeneral((id) =>
            naive
              .delegates(person, id)
              .filter((delegate) => naive.delegates(delegate, id).length > 0)
              .map((delegate) => [delegate, naive.ends(delegate, id)]),
          );
          expect(
            mine(awayToo)
              .map((one) => `${one.categoryId} ${JSON.stringify([one.delegate, one.standIns])}`)
              .sort(),
          ).toEqual(expectedAway.toSorted());
        }
      }
    }),
    { seed: 20260307, numRuns: runs(40) },
  );
});

test('delegations of the span and those of them that end are those found one by one', async () => {
  await fc.assert(
    fc.asyncProperty(anyDelegations, anySpan, async (delegations, span) => {
      const minutes = Array.from(
        { length: (span.until - span.from) / millisecondsInMinute },
        (_, i) => span.from + i * millisecondsInMinute,
      );
      const inForceAt = (delegation: Delegation, at: number) =>
        naiveMinute(delegations, at).inForce.includes(delegation);
      const present = delegations.filter((one) => minutes.some((at) => inForceAt(one, at)));
      const ending = present.filter(({ delegator, categoryIds: own, end }) => {
        const after = naiveMinute(delegations, end);
        const open = (own.length === 0 ? [null] : own).filter(
          (id) => after.delegates(delegator, id).length === 0,
        );
        return end <= span.until && open.length > 0;
      });
      const coverage = await surveyCoverage(delegations, span, { gapMs: 0 });
      expect(coverage.delegations).toEqual(present.toSorted((a, b) => a.start - b.start || a.id - b.id));
      expect(coverage.ending).toEqual(ending.toSorted((a, b) => a.end - b.end || a.id - b.id));
    }),
    { seed: 20260308, numRuns: runs(100) },
  );
});

const WEEK = 7 * 24 * 60 * millisecondsInMinute;
const longSpan = { from: BEGIN, until: BEGIN + WEEK };
const general = { id: null, name: 'general' };
const expenses = { id: 1, name: 'Expenses' };

/** The delegations, and how often anything of any of them has been read. */
function counting(delegations: readonly Delegation[]) {
  let looks = 0;
  const watched = delegations.map(
    (delegation) =>
      new Proxy(delegation, {
        get(target, member) {
          looks += 1;
          return Reflect.get(target, member);
        },
      }),
  );
  return { watched, looks: () => looks };
}

/** `count` of bob, each begun a minute after the one before, for a day: nearly all of them overlap. */
const overlapping = (count: number) =>
  Array.from({ length: count }, (_, i): Delegation => {
    const start = BEGIN + i * millisecondsInMinute;
    const delegates = Array.from({ length: 20 }, (__, j) => `user${(i + j) % 40}`);
    const categoryIds = [1, 2, 3].slice(0, i % 4);
    return {
      ...aDelegation('bob')
        .to(...delegates)
        .in(...categoryIds).delegation,
      start,
      end: start + WEEK / 7,
    };
  });

/** `count` of bob one after the other, every third in a category alone. */
const consecutive = (count: number) =>
  Array.from({ length: count }, (_, i): Delegation => {
    const start = BEGIN + 2 * i * millisecondsInMinute;
    const one = aDelegation('bob').to(`user${i % 20}`);
    return { ...(i % 3 === 0 ? one.in(1) : one).delegation, start, end: start + millisecondsInMinute };
  });

/** Everybody is away, from another minute on, with the next two standing in. */
const allAway = (count: number) =>
  Array.from({ length: count }, (_, i): Delegation => {
    const start = BEGIN + i * millisecondsInMinute;
    const [next, afterNext] = [`user${(i + 1) % count}`, `user${(i + 2) % count}`];
    return { ...aDelegation(`user${i}`).to(next, afterNext).delegation, start, end: start + WEEK };
  });

describe.each([
  ['overlapping each other', overlapping],
  ['one after the other', consecutive],
  ['of people who are all away', allAway],
] as const)('with twice as many delegations %s', (_, make) => {
  test('a survey looks at them hardly more than twice as often', async () => {
    const looks = async (count: number) => {
      const { watched, looks: told } = counting(make(count));
      await surveyCoverage(watched, longSpan);
      return told();
    };
    expect((await looks(120)) / (await looks(60))).toBeLessThan(2.5);
  });

  test('so does a look at who stood in when', () => {
    const looks = (count: number) => {
      const { watched, looks: told } = counting(make(count));
      const timesOf = delegateTimesOf(watched, [general, expenses]);
      for (const owner of new Set(watched.map(({ delegator }) => delegator))) timesOf(owner);
      return told();
    };
    expect(looks(120) / looks(60)).toBeLessThan(2.5);
  });
});

test('others get their turn before every person, and whenever something changes for one', async () => {
  let asked = 0;
  const pace = () => {
    asked += 1;
    return asked % 2 === 0 ? null : Promise.resolve();
  };
  const delegations = allAway(20);
  const coverage = await surveyCoverage(delegations, longSpan, { pace });
  expect(asked).toBeGreaterThan(2 * delegations.length);
  expect(coverage).toEqual(await surveyCoverage(delegations, longSpan));
});
