import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import {
  countOfPercent,
  dayOfPercent,
  drawCounts as drawCountsInTurns,
  drawDays as drawDaysInTurns,
  NO_WORK,
  type TrialInput,
} from '../../../../src/api/answers/forecast/draw-trials.ts';

const drawDays = (input: TrialInput, count: number) => drawDaysInTurns(input, count, () => null);
const drawCounts = (input: TrialInput, lastDay: number) => drawCountsInTurns(input, lastDay, () => null);

const totalOf = (trials: Int32Array) => trials.reduce((sum, one) => sum + one, 0);

const WEEKS_AHEAD = 3;
const TRIALS_PER_CASE = 4_000;

const aDay = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.constant(NO_WORK) },
);
const anInput: fc.Arbitrary<TrialInput> = fc.integer({ min: 1, max: 4 }).chain((weeks) =>
  fc
    .record({
      past: fc.array(aDay, { minLength: 7 * weeks, maxLength: 7 * weeks }),
      weights: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: weeks, maxLength: weeks }),
      future: fc.array(fc.constantFrom(0, 1, 1, 1), {
        minLength: 7 * WEEKS_AHEAD,
        maxLength: 7 * WEEKS_AHEAD,
      }),
      firstDayShare: fc.constantFrom(0, 0.25, 0.5, 1),
      seed: fc.nat(),
    })
    .map(({ past, weights, future, ...rest }) => ({
      past: Int32Array.from(past),
      weights: Float64Array.from(weights),
      future: Uint8Array.from(future),
      trials: TRIALS_PER_CASE,
      ...rest,
    })),
);

/** Probabilities by number of issues. */
type Distribution = ReadonlyMap<number, number>;

function sumOf(one: Distribution, other: Distribution): Distribution {
  const sum = new Map<number, number>();
  for (const [a, p] of one) for (const [b, q] of other) sum.set(a + b, (sum.get(a + b) ?? 0) + p * q);
  return sum;
}

/** One of several distributions, each as likely as its weight. */
function oneOf(all: readonly (readonly [Distribution, number])[]): Distribution {
  const total = all.reduce((sum, [, weight]) => sum + weight, 0);
  const mixed = new Map<number, number>();
  for (const [one, weight] of all)
    for (const [a, p] of one) mixed.set(a, (mixed.get(a) ?? 0) + (p * weight) / total);
  return mixed;
}

const exactly = (count: number): Distribution => new Map([[count, 1]]);

/** The issues of one day of the future, given the week that was drawn for it: the definition, without any chance. */
function ofDay(
  { past, weights, future, firstDayShare }: TrialInput,
  day: number,
  drawn: number,
): Distribution {
  if (future[day] !== 1) return exactly(0);
  const weekday = day % 7;
  const at = (week: number) => past[week * 7 + weekday] ?? NO_WORK;
  const others = [...weights].flatMap((weight, week) =>
    at(week) === NO_WORK ? [] : [[exactly(at(week)), weight] as const],
  );
  if (others.length === 0) return exactly(0);
  const whole = at(drawn) === NO_WORK ? oneOf(others) : exactly(at(drawn));
  if (day > 0) return whole;
  const coin: Distribution = new Map([
    [1, firstDayShare],
    [0, 1 - firstDayShare],
  ]);
  return oneOf(
    [...whole].map(
      ([count, p]) => [Array.from({ length: count }, () => coin).reduce(sumOf, exactly(0)), p] as const,
    ),
  );
}

/** The chance that at least so many issues are finished by the end of a day, by adding up every possibility. */
function chanceOf(input: TrialInput, count: number, lastDay: number): number {
  let all = exactly(0);
  for (let week = 0; week * 7 <= lastDay; week += 1) {
    const days = Array.from({ length: Math.min(7, lastDay - week * 7 + 1) }, (_, i) => week * 7 + i);
    const ofWeek = [...input.weights].map(
      (weight, drawn) =>
        [days.map((day) => ofDay(input, day, drawn)).reduce(sumOf, exactly(0)), weight] as const,
    );
    all = sumOf(all, oneOf(ofWeek));
  }
  return [...all].filter(([issues]) => issues >= count).reduce((sum, [, p]) => sum + p, 0);
}

/**
 * Chance alone makes a share of trials differ by more about once in three million. What hardly ever happens comes in whole trials,
 * some more of which are no surprise.
 */
function isNear(share: number, chance: number): boolean {
  const variance = Math.max(0, chance * (1 - chance)) / TRIALS_PER_CASE;
  return Math.abs(share - chance) <= 5 * Math.sqrt(variance) + 10 / TRIALS_PER_CASE;
}

describe('trials come out as often as every possibility added up says', () => {
  test('by day', () => {
    return fc.assert(
      fc.asyncProperty(anInput, fc.integer({ min: 1, max: 25 }), async (input, count) => {
        const days = await drawDays(input, count);
        expect(totalOf(days)).toBe(TRIALS_PER_CASE);
        for (const day of [0, 1, 6, 7, 12, 20]) {
          const share = totalOf(days.subarray(0, day + 1)) / TRIALS_PER_CASE;
          const chance = chanceOf(input, count, day);
          expect({ day, share, chance, isNear: isNear(share, chance) }).toMatchObject({ isNear: true });
        }
      }),
    );
  });

  test('by number of issues', () => {
    return fc.assert(
      fc.asyncProperty(anInput, fc.integer({ min: 0, max: 20 }), async (input, lastDay) => {
        const counts = await drawCounts(input, lastDay);
        expect(totalOf(counts)).toBe(TRIALS_PER_CASE);
        for (const count of [1, 3, 6, 10, 20]) {
          const share = totalOf(counts.subarray(count)) / TRIALS_PER_CASE;
          const chance = chanceOf(input, count, lastDay);
          expect({ count, share, chance, isNear: isNear(share, chance) }).toMatchObject({ isNear: true });
        }
      }),
    );
  });

  test('and the same seed gives the same twice, whoever goes on meanwhile', () => {
    return fc.assert(
      fc.asyncProperty(anInput, fc.integer({ min: 1, max: 25 }), async (input, count) => {
        const inTurns = () => Promise.resolve();
        expect(await drawDays(input, count)).toEqual(await drawDaysInTurns(input, count, inTurns));
        expect(await drawCounts(input, count - 1)).toEqual(
          await drawCountsInTurns(input, count - 1, inTurns),
        );
      }),
    );
  });
});

describe('with one week that is always drawn', () => {
  const everyDay = new Uint8Array(7 * 4).fill(1);
  const input = (more: Partial<TrialInput>): TrialInput => ({
    past: Int32Array.from([2, 1, 1, 1, 0, NO_WORK, NO_WORK]),
    weights: Float64Array.of(1),
    future: everyDay,
    firstDayShare: 1,
    seed: 1,
    trials: 10,
    ...more,
  });
  const dayOf = async (count: number, more: Partial<TrialInput> = {}) =>
    dayOfPercent(await drawDays(input(more), count), 85);
  const daysOf = (counts: readonly number[], more: Partial<TrialInput> = {}) =>
    Promise.all(counts.map((count) => dayOf(count, more)));

  test('each issue is finished on its day', async () => {
    expect(await daysOf([1, 2, 3, 4, 5, 6, 7, 8])).toEqual([0, 0, 1, 2, 3, 7, 7, 8]);
  });

  test('nothing is finished on a day without work, nor what it would have been', async () => {
    const future = Uint8Array.from(everyDay, (_, day) => Number(day !== 1 && day !== 7));
    expect(await daysOf([2, 3, 4, 5, 6], { future })).toEqual([0, 2, 3, 8, 9]);
  });

  test('nothing more is finished on a first day that is over', async () => {
    expect(await daysOf([1, 3, 4], { firstDayShare: 0 })).toEqual([1, 3, 7]);
  });

  test('more issues than there are days for have no day', async () => {
    expect(await daysOf([20, 21])).toEqual([24, null]);
  });

  test('as many issues are done by a day as it and those before it have', async () => {
    const counts = [0, 1, 4, 6, 7, 8].map(async (day) =>
      countOfPercent(await drawCounts(input({}), day), 85),
    );
    expect(await Promise.all(counts)).toEqual([2, 3, 5, 5, 7, 8]);
  });
});

test('the percentile of days is the first by which the share is reached, that of counts the last', () => {
  const days = Int32Array.of(50, 34, 1, 10, 5);
  expect([50, 51, 84, 85, 95, 96].map((percent) => dayOfPercent(days, percent))).toEqual([
    0,
    1,
    1,
    2,
    3,
    null,
  ]);
  const counts = Int32Array.of(5, 10, 35, 50);
  expect([50, 51, 85, 86, 95, 96].map((percent) => countOfPercent(counts, percent))).toEqual([
    3, 2, 2, 1, 1, 0,
  ]);
});
