import { expect, test } from '#jest';
import { bestOf, compareRatios, missingFrom, type Verdict } from '../../bench/check/ratios.ts';

test.each<readonly [kept: number, found: number, verdict: Verdict]>([
  [2, 2, 'kept'],
  [2, 3, 'kept'],
  [2, 3.001, 'slower'],
  [2, Number.NaN, 'slower'],
  [3, 2, 'kept'],
  [3, 1.999, 'faster'],
])('kept %d, found %d: %s', (kept, found, verdict) => {
  expect(compareRatios({ weekly: kept }, { weekly: found })).toEqual([
    { question: 'weekly', kept, found, verdict },
  ]);
});

test('a question without a kept ratio is unknown, and a kept one that was not measured is missing', () => {
  const [kept, found] = [
    { weekly: 1, aging: 2 },
    { aging: 2, sprint: 3 },
  ];
  expect(compareRatios(kept, found)).toContainEqual({
    question: 'sprint',
    kept: null,
    found: 3,
    verdict: 'unknown',
  });
  expect(missingFrom(kept, found)).toEqual(['weekly']);
});

test('of two measurements the lower ratio counts, whichever questions the second one has', () => {
  expect(bestOf({ weekly: 3, aging: 2, sprint: 1 }, { weekly: 2, aging: 4 })).toEqual({
    weekly: 2,
    aging: 2,
    sprint: 1,
  });
});
