import { expect, test } from '#jest';
import { reportPeriods } from '../../../src/api/reporting/measure-context.ts';
import { anIssue } from '../../support/issue-story.ts';
import { underZones } from '../../support/under-zones.ts';

const { issue } = anIssue('WEB-1', '2023-01-01T12:00:00Z');
const asOf = Date.parse('2026-01-01T12:00:00Z');
const untrimmed = { from: null, to: null };

underZones(() => {
  test('periods adjoin from the birth of the oldest issue to the asked instant', () => {
    const periods = reportPeriods(issue.created, 'Quarter', {
      asOf,
      trim: untrimmed,
      timeZone: 'Europe/Berlin',
    });
    expect(periods.map(({ id }) => id)).toHaveLength(13);
    expect(periods[0]?.id).toBe('2023-Q1');
    expect(periods.at(-1)?.id).toBe('2026-Q1');
    for (const [i, { start }] of periods.entries()) expect(start).toBe(periods[i - 1]?.end ?? start);
  });

  test('too many of them are refused with a way out, a window makes them few', () => {
    const daily = (trim: typeof untrimmed | { from: number; to: null }) =>
      reportPeriods(issue.created, 'Day', { asOf, trim, timeZone: 'UTC' });
    expect(() => daily(untrimmed)).toThrow(
      expect.objectContaining({
        details: [expect.stringMatching(/more than 1000 periods.*trimHistoryStartDate/)],
      }),
    );
    expect(daily({ from: Date.parse('2025-12-30T00:00:00Z'), to: null }).map(({ id }) => id)).toEqual([
      '2025-12-30',
      '2025-12-31',
      '2026-01-01',
    ]);
  });

  test('without any issue the period of the asked instant is left', () => {
    const periods = reportPeriods(asOf, 'Month', { asOf, trim: untrimmed, timeZone: 'UTC' });
    expect(periods.map(({ id }) => id)).toEqual(['2026-01']);
  });
});
