import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { growsIn, throughputChange } from '../../../../src/api/answers/forecast/past-weeks.ts';
import { seeded } from '../../../support/seeded.ts';

/** How often six of the weeks differ as much from the others as the last six do: of all that are masks with six bits. */
function chanceOf(weeks: readonly number[]): number {
  const differenceOf = (isChosen: (week: number) => boolean) => {
    const meanOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
    return meanOf(weeks.filter((_, i) => isChosen(i))) - meanOf(weeks.filter((_, i) => !isChosen(i)));
  };
  const found = Math.abs(differenceOf((week) => week >= weeks.length - 6));
  let [all, asFar] = [0, 0];
  for (let mask = 0; mask < 2 ** weeks.length; mask += 1) {
    const bits = weeks.filter((_, i) => (mask >> i) & 1).length;
    if (bits !== 6) continue;
    all += 1;
    if (Math.abs(differenceOf((week) => ((mask >> week) & 1) === 1)) >= found - 1e-9) asFar += 1;
  }
  return asFar / all;
}

describe('a change of throughput', () => {
  test('is said where few ways to choose six weeks differ as much, and the mean changed by a fifth', () => {
    const someWeeks = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 7, maxLength: 12 });
    let changes = 0;
    fc.assert(
      fc.property(someWeeks, (weeks) => {
        const change = throughputChange(weeks);
        if (change !== null) changes += 1;
        const [before, recent] = [weeks.slice(0, -6), weeks.slice(-6)].map(
          (some) => some.reduce((sum, one) => sum + one, 0) / some.length,
        );
        const isLarge = Math.abs((recent ?? 0) - (before ?? 0)) >= 0.2 * (before ?? 0);
        const isExpected = weeks.length >= 10 && isLarge && chanceOf(weeks) <= 0.1;
        expect(change).toEqual(
          isExpected ? { before, recent, chance: expect.closeTo(chanceOf(weeks), 10) } : null,
        );
      }),
      { numRuns: 60 },
    );
    expect(changes).toBeGreaterThan(0);
  });

  test('of half the pace is said with its two means', () => {
    expect(throughputChange([9, 11, 10, 10, 12, 8, 5, 4, 6, 5, 5, 5])).toEqual({
      before: 10,
      recent: 5,
      chance: 2 / 924,
    });
  });

  test.each([
    ['chance alone', [8, 6, 9, 7, 8, 6, 5, 9, 6, 8, 7, 6]],
    ['small, however sure', [50, 50, 50, 50, 50, 50, 45, 45, 45, 45, 45, 45]],
    ['of too few weeks', [10, 10, 10, 1, 1, 1, 1, 1, 1]],
    ['of nothing', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('that is %s is not said', (_, weeks) => {
    expect(throughputChange(weeks)).toBeNull();
  });

  test('of made-up teams is said of nearly all whose pace fell to a third, and of few whose pace stayed', () => {
    const poisson = (mean: number, chance: () => number) => {
      let drawn = 0;
      for (let product = chance(); product > Math.exp(-mean); product *= chance()) drawn += 1;
      return drawn;
    };
    const saidOf = (before: number, recent: number) =>
      Array.from({ length: 100 }, (_, team) => {
        const chance = seeded(team);
        return throughputChange(
          Array.from({ length: 12 }, (_, week) => poisson(week < 6 ? before : recent, chance)),
        );
      }).filter((change) => change !== null).length;
    expect(saidOf(12, 4)).toBeGreaterThanOrEqual(95);
    expect(saidOf(4, 12)).toBeGreaterThanOrEqual(95);
    expect(saidOf(8, 8)).toBeLessThanOrEqual(15);
  });
});

test.each([
  [{ arrived: 60, finished: 60 }, false],
  [{ arrived: 71, finished: 60 }, false],
  [{ arrived: 85, finished: 60 }, true],
  [{ arrived: 12, finished: 8 }, false],
  [{ arrived: 0, finished: 0 }, false],
])('of %j, that the scope grows is %s', (counts, grows) => {
  expect(growsIn(counts)).toBe(grows);
});
