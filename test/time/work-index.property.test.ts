import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { type Interval, indexWork } from '../../src/time/working-time.ts';
import { runs } from '../support/soak.ts';

const FROM = Date.UTC(2026, 0, 1);
const UNTIL = FROM + 3 * millisecondsInDay;
const seeded = { seed: 7, numRuns: runs(400) };

/** Disjoint intervals whose ends are multiples of a step. */
const intervalsOf = (step: number): fc.Arbitrary<Interval[]> =>
  fc.uniqueArray(fc.nat({ max: (3 * millisecondsInDay) / step }), { maxLength: 40 }).map((places) => {
    const ends = places.sort((a, b) => a - b).map((place) => FROM + place * step);
    return Array.from({ length: Math.floor(ends.length / 2) }, (_, i) => ({
      start: ends[2 * i] ?? 0,
      end: ends[2 * i + 1] ?? 0,
    }));
  });
const instants = fc.oneof(
  fc.integer({ min: FROM, max: UNTIL }),
  fc.nat({ max: 3 * 96 }).map((quarters) => FROM + quarters * 15 * millisecondsInMinute),
);

function added(intervals: readonly Interval[], instant: number): number {
  return intervals.reduce(
    (sum, { start, end }) => sum + Math.max(0, Math.min(instant, end) - Math.min(instant, start)),
    0,
  );
}

// The intervals of the first three fit a grid of such cells, those of the last need buckets.
test.each([15 * millisecondsInMinute, 5 * millisecondsInMinute, millisecondsInMinute, 1])(
  'intervals on cells of %d ms have the answer of adding them up',
  (cell) => {
    fc.assert(
      fc.property(intervalsOf(cell), instants, (intervals, instant) => {
        expect(indexWork(intervals, FROM, UNTIL)(instant)).toBe(added(intervals, instant));
      }),
      seeded,
    );
  },
);

test('a stretch too long for a grid has the same answers', () => {
  const [from, until] = [Date.UTC(1900, 0), Date.UTC(2100, 0)];
  const intervals = [
    { start: Date.UTC(1950, 5, 1, 9), end: Date.UTC(1950, 5, 1, 17) },
    { start: Date.UTC(2050, 5, 1, 9), end: Date.UTC(2050, 5, 1, 17) },
  ];
  const lookUp = indexWork(intervals, from, until);
  for (const instant of [
    from,
    Date.UTC(1950, 5, 1, 11),
    Date.UTC(2000, 0),
    Date.UTC(2050, 5, 1, 12),
    until,
  ]) {
    expect(lookUp(instant)).toBe(added(intervals, instant));
  }
});
