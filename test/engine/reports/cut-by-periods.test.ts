import { millisecondsInDay } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { cutByPeriods } from '../../../src/engine/reports/status-by-period.ts';
import { type TimePeriod, timePeriods } from '../../../src/model/request.ts';
import { type Period, periodAt } from '../../../src/time/periods.ts';
import { runs } from '../../support/soak.ts';
import { clockChanges } from '../../time/clock-changes.ts';

const seeded = { seed: 11, numRuns: runs(40) };
const utc = (at: number) => `${new Date(at).toISOString().slice(0, 16)}Z`;

/** A span cut by all the periods there are around it. */
function cut(start: number, end: number, period: TimePeriod, timeZone: string) {
  const periods: Period[] = [];
  for (
    let at = start - 400 * millisecondsInDay;
    at <= end + 400 * millisecondsInDay;
    at = periods.at(-1)?.end ?? 0
  ) {
    periods.push(periodAt(at, period, timeZone));
  }
  return cutByPeriods(start, end, periods);
}

describe('a span cut by periods', () => {
  test('has one part for each', () => {
    const parts = cut(Date.UTC(2026, 0, 30), Date.UTC(2026, 2, 2), 'Month', 'UTC');
    expect(parts.map(({ period, start, end }) => [period.id, utc(start), utc(end)])).toEqual([
      ['2026-01', '2026-01-30T00:00Z', '2026-02-01T00:00Z'],
      ['2026-02', '2026-02-01T00:00Z', '2026-03-01T00:00Z'],
      ['2026-03', '2026-03-01T00:00Z', '2026-03-02T00:00Z'],
    ]);
  });

  test('that ends with a period has no part in the next', () => {
    const parts = cut(Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1), 'Month', 'UTC');
    expect(parts.map(({ period }) => period.id)).toEqual(['2026-01']);
  });

  test('of no length is one part of no length', () => {
    const at = Date.UTC(2026, 1, 1);
    const parts = cut(at, at, 'Month', 'UTC');
    expect(parts).toEqual([{ period: periodAt(at, 'Month', 'UTC'), start: at, end: at }]);
  });

  test.each(clockChanges)('is tiled by its parts in %s around %s (%s)', (timeZone, date) => {
    const offset = fc.integer({ min: -30 * millisecondsInDay, max: 30 * millisecondsInDay });
    const period = fc.constantFrom(...timePeriods);
    fc.assert(
      fc.property(period, offset, fc.nat({ max: 40 * millisecondsInDay }), (wanted, start, length) => {
        const from = Date.parse(date) + start;
        const parts = cut(from, from + length, wanted, timeZone);
        expect(parts[0]?.start).toBe(from);
        expect(parts.at(-1)?.end).toBe(from + length);
        for (const [i, part] of parts.entries()) {
          expect(part.start).toBeGreaterThanOrEqual(part.period.start);
          expect(part.end).toBeLessThanOrEqual(part.period.end);
          if (i > 0) expect(part.start).toBe(parts[i - 1]?.end);
          if (i > 0) expect(part.period.start).toBe(parts[i - 1]?.period.end);
          if (length > 0) expect(part.end).toBeGreaterThan(part.start);
        }
      }),
      seeded,
    );
  });
});
