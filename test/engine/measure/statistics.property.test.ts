import fc from 'fast-check';
import { expect, test } from '#jest';
import { createAmounts, createSum } from '../../../src/engine/measure/statistics.ts';
import type { Statistic } from '../../../src/model/request.ts';
import { runs } from '../../support/soak.ts';

const durations = fc.array(fc.integer({ min: 0, max: 10 ** 11 }), { maxLength: 40 });
const some = fc.array(fc.integer({ min: 0, max: 10 ** 11 }), { minLength: 1, maxLength: 40 });
const statistic = (part: Partial<Statistic>): Statistic => ({
  type: 'average',
  denominator: 'nonNull',
  deviation: 'population',
  percentile: 85,
  ...part,
});

function condense(values: Iterable<number>, issues: number, chosen: Statistic): number | null {
  const amounts = createAmounts(chosen);
  for (const value of values) amounts.add(value);
  return amounts.condense(issues);
}

const percentile = (values: ArrayLike<number> & Iterable<number>, percent: number) =>
  condense(values, values.length, statistic({ type: 'percentile', percentile: percent }));

function exactSum(values: readonly number[]): number {
  const sum = createSum();
  for (const value of values) sum.add(value);
  return sum.total();
}

/** The textbook, in whole numbers: mean and variance as exact fractions. */
function textbook(values: readonly number[]): { mean: number; variance: number } {
  const n = BigInt(values.length);
  const sum = values.reduce((total, value) => total + BigInt(value), 0n);
  const squares = values.reduce((total, value) => total + BigInt(value) ** 2n, 0n);
  return { mean: Number(sum) / Number(n), variance: Number(n * squares - sum * sum) / Number(n * n) };
}

test('average and standard deviation are those of the textbook', () => {
  fc.assert(
    fc.property(some, (values) => {
      const { mean, variance } = textbook(values);
      expect(condense(values, values.length, statistic({}))).toBeCloseTo(mean, 3);
      const deviation = condense(values, values.length, statistic({ type: 'standardDeviation' }));
      expect(Math.abs(Number(deviation) - Math.sqrt(variance))).toBeLessThanOrEqual(
        1e-6 * Math.max(1, Math.sqrt(variance)),
      );
    }),
  );
});

test('the deviation of whole numbers is exact, whatever their size and order', () => {
  const whole = fc.oneof(
    fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
    fc.constantFrom(0, 1, 2 ** 19, 2 ** 20 - 1, 2 ** 20, 2 ** 21, 2 ** 40 - 1, 2 ** 45),
  );
  fc.assert(
    fc.property(
      fc.array(whole, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 200 }),
      (some, times) => {
        const values = Array.from({ length: times }, () => some).flat();
        const [n, sum, squares] = values.reduce(
          ([count, total, all], value) => [count + 1n, total + BigInt(value), all + BigInt(value) ** 2n],
          [0n, 0n, 0n],
        );
        const expected = Math.sqrt(Number(n * squares - sum * sum) / Number(n * n));
        expect(condense(values, values.length, statistic({ type: 'standardDeviation' }))).toBe(expected);
        expect(condense(values.toReversed(), values.length, statistic({ type: 'standardDeviation' }))).toBe(
          expected,
        );
      },
    ),
    { numRuns: runs(100) },
  );
});

test('issues without a value count as zeros only when all issues are the denominator', () => {
  fc.assert(
    fc.property(some, fc.nat({ max: 20 }), (values, without) => {
      const all = [...values, ...Array.from({ length: without }, () => 0)];
      for (const type of ['average', 'standardDeviation'] as const) {
        const counted = condense(values, all.length, statistic({ type, denominator: 'all' }));
        expect(counted).toBeCloseTo(Number(condense(all, all.length, statistic({ type }))), 2);
      }
      for (const type of ['sum', 'median', 'percentile'] as const) {
        expect(condense(values, all.length, statistic({ type, denominator: 'all' }))).toBe(
          condense(values, values.length, statistic({ type })),
        );
      }
    }),
  );
});

test('the sum loses no millisecond, however long the column', () => {
  fc.assert(
    fc.property(durations, (values) => {
      expect(exactSum(values)).toBe(Number(values.reduce((sum, value) => sum + BigInt(value), 0n)));
    }),
  );
});

test('a median splits the values in halves, and every percentile lies between the extremes in order', () => {
  fc.assert(
    fc.property(some, fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (values, p, q) => {
      const median = Number(percentile(values, 50));
      expect(values.filter((value) => value < median).length * 2).toBeLessThanOrEqual(values.length);
      expect(values.filter((value) => value > median).length * 2).toBeLessThanOrEqual(values.length);
      const [low, high] = [Math.min(p, q), Math.max(p, q)];
      expect(Number(percentile(values, low))).toBeLessThanOrEqual(Number(percentile(values, high)));
      expect(percentile(values, 0)).toBe(Math.min(...values));
      expect(percentile(values, 100)).toBe(Math.max(...values));
    }),
  );
});

test('percentiles of many values, which are counted first, are those of the same values in order', () => {
  const value = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 10 ** 11 }),
    fc.double({ min: 0, max: 2, noNaN: true }),
  );
  const values = fc.array(value, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 100 }), fc.boolean(), (some, percent, hasNegative) => {
      const many = Float64Array.from(
        { length: 20_000 },
        (_, i) => (some[i % some.length] ?? 0) * (1 + (i % 7)),
      );
      if (hasNegative) many[11] = -1;
      const sorted = many.toSorted();
      const rank = ((many.length - 1) * percent) / 100;
      const [below, above] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
      expect(percentile(many, percent)).toBeCloseTo(below + (above - below) * (rank - Math.floor(rank)), 3);
    }),
    { numRuns: runs(100) },
  );
});

test.each([
  [[10, 20, 30, 40], 50, 25],
  [[10, 20, 30, 40], 85, 35.5],
  [[5], 85, 5],
  [[1, 9], 25, 3],
])('percentiles of %j at %i are interpolated as spreadsheets do: %d', (values, at, expected) => {
  expect(percentile(values, at)).toBeCloseTo(expected, 10);
});

test('there is no figure of no values, and no sample deviation of one', () => {
  for (const type of ['average', 'sum', 'median', 'standardDeviation', 'percentile'] as const) {
    expect(condense([], 0, statistic({ type }))).toBeNull();
  }
  expect(condense([7], 1, statistic({ type: 'standardDeviation' }))).toBe(0);
  expect(condense([7], 1, statistic({ type: 'standardDeviation', deviation: 'sample' }))).toBeNull();
  expect(condense([2, 4], 2, statistic({ type: 'standardDeviation', deviation: 'sample' }))).toBeCloseTo(
    Math.SQRT2,
    12,
  );
});
