import { describe, expect, test } from '#jest';
import { standInTimesOf } from '../../src/delegation/stand-in-times.ts';
import { surveyCoverage } from '../../src/delegation/survey-coverage.ts';
import type { Delegation } from '../../src/model/delegation.ts';
import { aDelegation } from '../support/a-delegation.ts';
import { BEGIN, MINUTE } from './any-delegations.ts';

const WEEK = 7 * 24 * 60 * MINUTE;
const span = { from: BEGIN, until: BEGIN + WEEK };
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
    const start = BEGIN + i * MINUTE;
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
    const start = BEGIN + 2 * i * MINUTE;
    const one = aDelegation('bob').to(`user${i % 20}`);
    return { ...(i % 3 === 0 ? one.in(1) : one).delegation, start, end: start + MINUTE };
  });

/** Everybody is away, from another minute on, with the next two standing in. */
const allAway = (count: number) =>
  Array.from({ length: count }, (_, i): Delegation => {
    const start = BEGIN + i * MINUTE;
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
      await surveyCoverage(watched, span);
      return told();
    };
    expect((await looks(240)) / (await looks(120))).toBeLessThan(2.5);
  });

  test('so does a look at who stood in when', () => {
    const looks = (count: number) => {
      const { watched, looks: told } = counting(make(count));
      const timesOf = standInTimesOf(watched, [general, expenses]);
      for (const owner of new Set(watched.map(({ delegator }) => delegator))) timesOf(owner);
      return told();
    };
    expect(looks(240) / looks(120)).toBeLessThan(2.5);
  });
});

test('others get their turn before every person, and whenever something changes for one', async () => {
  let asked = 0;
  const pace = () => {
    asked += 1;
    return asked % 2 === 0 ? null : Promise.resolve();
  };
  const delegations = allAway(20);
  const coverage = await surveyCoverage(delegations, span, { pace });
  expect(asked).toBeGreaterThan(2 * delegations.length);
  expect(coverage).toEqual(await surveyCoverage(delegations, span));
});
