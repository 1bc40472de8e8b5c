import { expect, test } from '#jest';
import { rangeOf } from '../../../src/api/answers/figures/moving-range.ts';
import type { When } from '../../../src/model/question.ts';
import { underZones } from '../../support/under-zones.ts';

const asOf = Date.parse('2026-03-18T12:00:00Z');
const iso = (when: When, timeZone = 'Europe/Berlin') => {
  const { from = null, to = null } = rangeOf({ field: 'created', when }, { asOf, timeZone }) ?? {};
  return [from, to].map((at) => (at === null ? null : new Date(at).toISOString()));
};

underZones(() => {
  test('days are counted back from the instant spoken of, and end open', () => {
    expect(iso({ by: 'days', days: 30 })).toEqual(['2026-02-16T12:00:00.000Z', null]);
  });

  test('more days than any tracker is old reach to 1900', () => {
    expect(iso({ by: 'days', days: 10_000_000 })).toEqual(['1900-01-02T00:00:00.000Z', null]);
  });

  test.each([
    ['week', 0, '2026-03-15T23:00:00.000Z', '2026-03-22T23:00:00.000Z'],
    ['week', 1, '2026-03-08T23:00:00.000Z', '2026-03-15T23:00:00.000Z'],
    ['month', 0, '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['month', 13, '2025-01-31T23:00:00.000Z', '2025-02-28T23:00:00.000Z'],
    ['quarter', 1, '2025-09-30T22:00:00.000Z', '2025-12-31T23:00:00.000Z'],
    ['year', 1, '2024-12-31T23:00:00.000Z', '2025-12-31T23:00:00.000Z'],
  ] as const)('the %s %i back is one of the zone', (period, back, from, to) => {
    expect(iso({ by: 'period', period, back })).toEqual([from, to]);
  });

  test('dates are what they are, and a range open at both ends is none', () => {
    expect(iso({ by: 'dates', from: 0, to: null })).toEqual(['1970-01-01T00:00:00.000Z', null]);
    const open = { field: 'created', when: { by: 'dates', from: null, to: null } } as const;
    expect(rangeOf(open, { asOf, timeZone: 'UTC' })).toBeNull();
    expect(rangeOf(null, { asOf, timeZone: 'UTC' })).toBeNull();
    const when = { by: 'days', days: 1 } as const;
    expect(rangeOf({ field: 'updated', when }, { asOf, timeZone: 'UTC' })).toEqual({
      field: 'updated',
      from: asOf - 86_400_000,
      to: null,
    });
  });
});
