import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { delegateTimesOf } from '../../src/delegation/chain.ts';
import { surveyCoverage } from '../../src/delegation/coverage.ts';
import type { CategoryId, Delegation, TimeSpan } from '../../src/model/delegation.ts';
import { aDelegation, type DelegationTold, delegationsOf } from '../support/a-delegation.ts';
import { runs } from '../support/soak.ts';
import { anyDelegations, anyMinute, BEGIN, categoryIds, MINUTES, people } from './any-delegations.ts';
import { naiveMinute } from './naive-minute.ts';

/** Two weeks, from Monday to Monday. */
const span: TimeSpan = { from: Date.parse('2026-03-02T00:00Z'), until: Date.parse('2026-03-16T00:00Z') };

/** Coverage in short. */
async function survey(told: readonly DelegationTold[], gapMs?: number) {
  const text = (at: number) => new Date(at).toISOString().slice(5, 16);
  const when = ({ from, until }: TimeSpan) => `${text(from)} ${text(until)}`;
  const coverage = await surveyCoverage(delegationsOf(told), span, gapMs === undefined ? {} : { gapMs });
  return {
    delegations: coverage.delegations.map(({ id }) => id),
    uncovered: coverage.uncovered.map(
      (one) => `${when(one)} ${one.person} ${one.categoryId ?? 'general'} ${one.reason}`,
    ),
    awayToo: coverage.awayToo.map(
      (one) =>
        `${when(one)} ${one.person} ${one.categoryId ?? 'general'} ${one.delegate}: ${one.standIns?.join(', ')}`,
    ),
    ending: coverage.ending.map(({ id }) => id),
  };
}

const uncoveredOf = async (...told: DelegationTold[]) => (await survey(told)).uncovered;
const awayTooOf = async (...told: DelegationTold[]) => (await survey(told)).awayToo;
const endingOf = async (...told: DelegationTold[]) => (await survey(told)).ending;

/** Weekdays of the two weeks. */
const first = (delegator: string) =>
  aDelegation(delegator).from('2026-03-02T09:00Z').until('2026-03-06T17:00Z');
const second = (delegator: string) =>
  aDelegation(delegator).from('2026-03-09T09:00Z').until('2026-03-13T17:00Z');
const wednesday = (delegator: string) =>
  aDelegation(delegator).from('2026-03-04T00:00Z').until('2026-03-05T00:00Z');

test('where everybody is covered there is nothing to tell but who is away', async () => {
  const open = first('ada').to('bob').until('2026-05-01T00:00Z').numbered(7);
  expect(await survey([open])).toEqual({ delegations: [7], uncovered: [], awayToo: [], ending: [] });
});

test('delegations in force in the span are told by their start', async () => {
  const ids = await survey([
    second('ada').to('bob').numbered(1),
    first('ada').to('bob').numbered(2),
    first('carl').to('bob').inactive().numbered(3),
    aDelegation('ada').to('bob').from('2026-02-02T00:00Z').until('2026-03-02T00:00Z').numbered(4),
    aDelegation('ada').to('bob').from('2026-02-02T00:00Z').until('2026-03-02T00:01Z').numbered(5),
    aDelegation('ada').to('bob').from('2026-03-16T00:00Z').until('2026-03-20T00:00Z').numbered(6),
    aDelegation('ada').to('bob').from('2026-03-15T23:59Z').until('2026-03-20T00:00Z').numbered(7),
  ]);
  expect(ids.delegations).toEqual([5, 2, 1, 7]);
});

describe('a delegate who is away too', () => {
  test('is told with the time and with who stands in at the end', async () => {
    expect(await awayTooOf(first('ada').to('bob'), wednesday('bob').to('carl', 'dora'))).toEqual([
      '03-04T00:00 03-05T00:00 ada general bob: carl, dora',
    ]);
  });

  test('is told beside another one who is there', async () => {
    const { awayToo, uncovered } = await survey([
      first('ada').to('carl', 'bob'),
      wednesday('bob').to('dora'),
    ]);
    expect(awayToo).toEqual(['03-04T00:00 03-05T00:00 ada general bob: dora']);
    expect(uncovered).toEqual([]);
  });

  test('is told within the span only', async () => {
    const early = { from: '2026-02-20T00:00Z', until: '2026-04-01T00:00Z' };
    expect(
      await awayTooOf(
        aDelegation('ada').to('bob').from(early.from).until(early.until),
        aDelegation('bob').to('carl').from(early.from).until(early.until),
      ),
    ).toEqual(['03-02T00:00 03-16T00:00 ada general bob: carl']);
  });

  test('is told anew when somebody else stands in, and once while nothing changes', async () => {
    expect(
      await awayTooOf(
        first('ada').to('bob'),
        wednesday('ada').to('bob'),
        wednesday('bob').to('carl'),
        wednesday('bob').to('dora').from('2026-03-04T12:00Z'),
      ),
    ).toEqual([
      '03-04T00:00 03-04T12:00 ada general bob: carl',
      '03-04T12:00 03-05T00:00 ada general bob: carl, dora',
    ]);
  });

  test('of a general absence is told in general and not again in a category', async () => {
    expect(
      await awayTooOf(first('ada').to('bob'), first('ada').to('erik').in(1), wednesday('bob').to('carl')),
    ).toEqual(['03-04T00:00 03-05T00:00 ada general bob: carl']);
  });

  test('in one category is told in that category', async () => {
    expect(await awayTooOf(first('ada').to('bob'), wednesday('bob').to('carl').in(1))).toEqual([
      '03-04T00:00 03-05T00:00 ada 1 bob: carl',
    ]);
  });

  test('in two categories is told in each', async () => {
    expect(await awayTooOf(first('ada').to('bob').in(1, 2), wednesday('bob').to('carl'))).toEqual([
      '03-04T00:00 03-05T00:00 ada 1 bob: carl',
      '03-04T00:00 03-05T00:00 ada 2 bob: carl',
    ]);
  });
});

describe('without who is left', () => {
  const hidden = async (told: readonly DelegationTold[]) =>
    (await surveyCoverage(delegationsOf(told), span, { withRemaining: false })).awayToo;

  test('it is not to be seen either when that changes', async () => {
    const away = wednesday('bob');
    expect(
      await hidden([first('ada').to('bob'), away.to('carl'), away.to('dora').from('2026-03-04T12:00Z')]),
    ).toEqual([
      {
        person: 'ada',
        delegate: 'bob',
        categoryId: null,
        standIns: null,
        from: Date.parse('2026-03-04T00:00Z'),
        until: Date.parse('2026-03-05T00:00Z'),
      },
    ]);
  });

  test('nor that others are left in a category than in general', async () => {
    const told = [first('ada').to('bob'), wednesday('bob').to('carl'), wednesday('bob').to('dora').in(1)];
    expect((await hidden(told)).map(({ categoryId }) => categoryId)).toEqual([null]);
    expect((await survey(told)).awayToo).toHaveLength(2);
  });
});

describe('a circle', () => {
  test('leaves everybody in it uncovered while it lasts', async () => {
    expect(await survey([first('ada').to('bob'), wednesday('bob').to('ada')])).toMatchObject({
      uncovered: ['03-04T00:00 03-05T00:00 ada general loop', '03-04T00:00 03-05T00:00 bob general loop'],
      awayToo: ['03-04T00:00 03-05T00:00 ada general bob: ', '03-04T00:00 03-05T00:00 bob general ada: '],
    });
  });

  test('does no harm where one way leads out of it', async () => {
    expect(await uncoveredOf(first('ada').to('bob', 'carl'), wednesday('bob').to('ada'))).toEqual([]);
  });

  test('of general is told in general alone, though a category has it too', async () => {
    expect(
      await uncoveredOf(first('ada').to('bob'), wednesday('ada').to('bob').in(1), wednesday('bob').to('ada')),
    ).toEqual(['03-04T00:00 03-05T00:00 ada general loop', '03-04T00:00 03-05T00:00 bob general loop']);
  });

  test('of a category is told of the category, also of who is away in general', async () => {
    expect(await uncoveredOf(first('ada').to('bob'), wednesday('bob').to('ada').in(1))).toEqual([
      '03-04T00:00 03-05T00:00 ada 1 loop',
      '03-04T00:00 03-05T00:00 bob 1 loop',
    ]);
  });
});

describe('a delegate nobody knows', () => {
  const withoutBob = async (...told: DelegationTold[]) => {
    const { uncovered, awayToo } = await surveyCoverage(delegationsOf(told), span, {
      isKnown: (id) => id !== 'bob',
    });
    return {
      uncovered: uncovered.map(({ person, reason }) => `${person} ${reason}`),
      awayToo: awayToo.map(({ person, delegate, standIns }) => `${person} ${delegate}: ${standIns}`),
    };
  };

  test('leaves who has nobody else uncovered', async () => {
    expect(await withoutBob(first('ada').to('bob'))).toEqual({ uncovered: ['ada unknown'], awayToo: [] });
    expect((await withoutBob(first('ada').to('bob', 'carl'))).uncovered).toEqual([]);
  });

  test('is nobody at the end of a chain either', async () => {
    expect(await withoutBob(first('ada').to('carl'), first('carl').to('bob'))).toEqual({
      uncovered: ['ada unknown', 'carl unknown'],
      awayToo: ['ada carl: '],
    });
  });
});

describe('a gap', () => {
  test('over a weekend is told', async () => {
    expect(await uncoveredOf(second('ada').to('bob'), first('ada').to('carl'))).toEqual([
      '03-06T17:00 03-09T09:00 ada general gap',
    ]);
  });

  test.each([
    [
      'one minute less than 72 hours is told',
      '2026-03-09T16:59Z',
      ['03-06T17:00 03-09T16:59 ada general gap'],
    ],
    ['72 hours is none', '2026-03-09T17:00Z', []],
    ['no time is none', '2026-03-06T17:00Z', []],
  ])('of %s', async (_, start, expected) => {
    expect(await uncoveredOf(first('ada').to('bob'), second('ada').to('bob').from(start))).toEqual(expected);
  });

  test('is none between evenings, for every night would be one', async () => {
    const onDay = (day: number) =>
      aDelegation('ada').to('bob').from(`2026-03-0${day}T09:00Z`).until(`2026-03-0${day}T17:00Z`);
    expect(await uncoveredOf(onDay(3), onDay(4), onDay(5))).toEqual([]);
  });

  test('is told once, not as the end of the delegation before it as well', async () => {
    const told = await survey([first('ada').to('bob').numbered(1), second('ada').to('carl').numbered(2)]);
    expect(told.uncovered).toEqual(['03-06T17:00 03-09T09:00 ada general gap']);
    expect(told.ending).toEqual([2]);
  });

  test('is as long as somebody says', async () => {
    const hour = 60 * 60 * 1000;
    expect((await survey([first('ada').to('bob'), second('ada').to('bob')], 64 * hour)).uncovered).toEqual(
      [],
    );
    expect(
      (await survey([first('ada').to('bob'), second('ada').to('bob')], 65 * hour)).uncovered,
    ).toHaveLength(1);
  });

  test('is told within the span only, and measured as it is', async () => {
    const before = aDelegation('ada').to('bob').from('2026-02-23T09:00Z').until('2026-02-27T17:00Z');
    expect(await uncoveredOf(before, first('ada').to('bob'))).toEqual([
      '03-02T00:00 03-02T09:00 ada general gap',
    ]);
  });

  test('between delegations to others, or of others, is none', async () => {
    expect(await uncoveredOf(first('ada').to('bob'), second('carl').to('bob'))).toEqual([]);
  });

  test('is none where an inactive delegation follows, or another bridges it', async () => {
    expect(await uncoveredOf(first('ada').to('bob'), second('ada').to('bob').inactive())).toEqual([]);
    expect(
      await uncoveredOf(first('ada').to('bob'), second('ada').to('bob'), aDelegation('ada').to('carl')),
    ).toEqual([]);
  });

  test('begins where the last of overlapping delegations ends', async () => {
    const late = second('ada').to('bob').from('2026-03-07T09:00Z');
    expect(await uncoveredOf(first('ada').to('bob'), wednesday('ada').to('carl'), late)).toEqual([
      '03-06T17:00 03-07T09:00 ada general gap',
    ]);
  });

  test('is not bounded by a delegation of no length', async () => {
    const none = aDelegation('ada').to('bob').from('2026-03-08T00:00Z').until('2026-03-08T00:00Z');
    expect(await uncoveredOf(first('ada').to('bob'), none)).toEqual([]);
  });

  test('is told of the category in which it is', async () => {
    expect(await uncoveredOf(first('ada').to('bob'), second('ada').to('bob').in(1))).toEqual([
      '03-06T17:00 03-09T09:00 ada 1 gap',
    ]);
  });

  test('of general is told in general alone, though a category has it too', async () => {
    expect(
      await uncoveredOf(first('ada').to('bob'), second('ada').to('bob'), wednesday('ada').to('carl').in(1)),
    ).toEqual(['03-06T17:00 03-09T09:00 ada general gap']);
  });
});

describe('what ends soon', () => {
  test('is what ends in the span, its end included, by the end', async () => {
    expect(
      await endingOf(
        second('ada').to('bob').until('2026-03-16T00:00Z').numbered(1),
        first('bob').to('carl').numbered(2),
        first('carl').to('dora').until('2026-03-16T00:01Z').numbered(3),
      ),
    ).toEqual([2, 1]);
  });

  test('is not what another delegation follows at once', async () => {
    expect(
      await endingOf(
        first('ada').to('bob').numbered(1),
        second('ada').to('carl').from('2026-03-06T17:00Z').until('2026-03-20T00:00Z').numbered(2),
      ),
    ).toEqual([]);
  });

  test('is what another follows much later, but not what a gap is told of', async () => {
    expect(
      await endingOf(
        first('ada').to('bob').numbered(1),
        second('ada').to('carl').from('2026-03-06T17:01Z').until('2026-03-20T00:00Z').numbered(2),
        first('bob').to('carl').numbered(3),
        second('bob').to('carl').from('2026-03-12T17:01Z').until('2026-03-20T00:00Z').numbered(4),
      ),
    ).toEqual([3]);
  });

  test.each([
    ['a general one of a category', [1, 2], [[]], []],
    ['one of the same categories', [1, 2], [[2, 1, 3]], []],
    ['two that share its categories', [1, 2], [[1], [2]], []],
    ['one of fewer categories not', [1, 2], [[1]], [1]],
    ['one of a category a general one not', [], [[1]], [1]],
  ])('is followed by %s', async (_, named, others, expected) => {
    expect(
      await endingOf(
        first('ada')
          .to('bob')
          .in(...named)
          .numbered(1),
        ...others.map((ids, i) =>
          aDelegation('ada')
            .to('carl')
            .in(...ids)
            .until('2026-03-20T00:00Z')
            .numbered(i + 2),
        ),
      ),
    ).toEqual(expected);
  });
});

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
