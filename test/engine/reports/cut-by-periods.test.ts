import { millisecondsInDay } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { statusDurationByTimePeriod } from '../../../src/engine/reports/status-by-period.ts';
import { type TimePeriod, timePeriods } from '../../../src/model/request.ts';
import { type Period, periodAt } from '../../../src/time/periods.ts';
import { anIssue } from '../../support/issue-story.ts';
import { asked, measureOf } from '../../support/measuring.ts';
import { runs } from '../../support/soak.ts';
import { clockChanges } from '../../time/clock-changes.ts';

const seeded = { seed: 11, numRuns: runs(40) };

/** The parts (ms by period) of a visit that is cut by all the periods there are around it. */
function cut(start: number, end: number, period: TimePeriod, timeZone: string) {
  const periods: Period[] = [];
  for (
    let at = start - 400 * millisecondsInDay;
    at <= end + 400 * millisecondsInDay;
    at = periods.at(-1)?.end ?? 0
  ) {
    periods.push(periodAt(at, period, timeZone));
  }
  const { issue } = anIssue('WEB-1', new Date(start).toISOString());
  const { columns, lines } = measureOf(
    statusDurationByTimePeriod,
    issue,
    asked(new Date(end).toISOString(), { periods }),
  );
  return columns.map(({ id, child }) => ({
    period: periods.find((one) => one.id === child?.id),
    ms: Number(lines[0]?.[id]?.value),
  }));
}

describe('a visit cut by periods', () => {
  test('has one part for each', () => {
    const parts = cut(Date.UTC(2026, 0, 30), Date.UTC(2026, 2, 2), 'Month', 'UTC');
    expect(parts.map(({ period, ms }) => [period?.id, ms / millisecondsInDay])).toEqual([
      ['2026-01', 2],
      ['2026-02', 28],
      ['2026-03', 1],
    ]);
  });

  test('that ends with a period has no part in the next', () => {
    const parts = cut(Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1), 'Month', 'UTC');
    expect(parts.map(({ period }) => period?.id)).toEqual(['2026-01']);
  });

  test('of no length is one part of no length', () => {
    const at = Date.UTC(2026, 1, 1);
    expect(cut(at, at, 'Month', 'UTC')).toEqual([{ period: periodAt(at, 'Month', 'UTC'), ms: 0 }]);
  });

  test.each(clockChanges)('is tiled by its parts in %s around %s (%s)', (timeZone, date) => {
    const offset = fc.integer({ min: -30 * millisecondsInDay, max: 30 * millisecondsInDay });
    const period = fc.constantFrom(...timePeriods);
    fc.assert(
      fc.property(period, offset, fc.nat({ max: 40 * millisecondsInDay }), (wanted, start, length) => {
        const from = Date.parse(date) + start;
        const until = from + length;
        const parts = cut(from, until, wanted, timeZone);
        expect(parts.reduce((sum, { ms }) => sum + ms, 0)).toBe(length);
        for (const { period: own, ms } of parts) {
          expect(ms).toBe(Math.min(own?.end ?? 0, until) - Math.max(own?.start ?? 0, from));
          if (length > 0) expect(ms).toBeGreaterThan(0);
        }
      }),
      seeded,
    );
  });
});
