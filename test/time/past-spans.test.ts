import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { isoDay } from '../../src/time/date-text.ts';
import { readPastSpan } from '../../src/time/past-spans.ts';

/** Saturday. */
const today = Date.parse('2026-11-28T00:00:00Z');

const spanOf = (typed: string, at = today) => {
  const span = readPastSpan(typed, at);
  const day = (wall: number | null) => (wall === null ? '' : isoDay(wall));
  return span === null ? null : `${day(span.first)}/${day(span.last)}`;
};

describe('a time of the past', () => {
  test.each([
    ['october', '2026-10-01/2026-10-31'],
    ['in Oct', '2026-10-01/2026-10-31'],
    ['December', '2025-12-01/2025-12-31'],
    ['november', '2026-11-01/2026-11-30'],
    ['feb 2024', '2024-02-01/2024-02-29'],
    ['2026-02', '2026-02-01/2026-02-28'],
    ['Q3', '2026-07-01/2026-09-30'],
    ['Q4 2025', '2025-10-01/2025-12-31'],
    ['2026-Q1', '2026-01-01/2026-03-31'],
    ['H1', '2026-01-01/2026-06-30'],
    ['first half of 2025', '2025-01-01/2025-06-30'],
    ['first half of february', '2026-02-01/2026-02-15'],
    ['second half of october 2025', '2025-10-16/2025-10-31'],
    ['2026-W46', '2026-11-09/2026-11-15'],
    ['W53', '2020-12-28/2021-01-03'],
    ['week 1', '2025-12-29/2026-01-04'],
    ['in 2025', '2025-01-01/2025-12-31'],
    ['yesterday', '2026-11-27/2026-11-27'],
    ['Nov 1', '2026-11-01/2026-11-01'],
    ['1st of November', '2026-11-01/2026-11-01'],
    ['1.11.', '2026-11-01/2026-11-01'],
    ['1.11.2025', '2025-11-01/2025-11-01'],
    ['2 weeks ago', '2026-11-14/2026-11-14'],
    ['the summer', '2026-06-01/2026-08-31'],
    ['winter', '2025-12-01/2026-02-28'],
    ['last summer', '2026-06-01/2026-08-31'],
    ['last autumn', '2025-09-01/2025-11-30'],
    ['last november', '2025-11-01/2025-11-30'],
    ['this summer', '2026-06-01/2026-08-31'],
    ['this weekend', '2026-11-28/2026-11-29'],
    ['weekend', '2026-11-28/2026-11-29'],
    ['last weekend', '2026-11-21/2026-11-22'],
    ['previous quarter', '2026-07-01/2026-09-30'],
    ['month before last', '2026-09-01/2026-09-30'],
    ['ytd', '2026-01-01/2026-12-31'],
    ['since september', '2026-09-01/'],
    ['since the beginning of the year', '2026-01-01/'],
    ['after october', '2026-11-01/'],
    ['after the end of october', '2026-11-01/'],
    ['after the start of october', '2026-10-01/'],
    ['after Q3', '2026-10-01/'],
    ['after nov 1', '2026-11-02/'],
    ['after 2025', '2026-01-01/'],
    ['before Q2', '/2026-03-31'],
    ['until october', '/2026-10-31'],
    ['between october and november', '2026-10-01/2026-11-30'],
    ['1.10. - 15.11.', '2026-10-01/2026-11-15'],
    ['nov 2-13', '2026-11-02/2026-11-13'],
    ['2-13 nov', '2026-11-02/2026-11-13'],
    ['from July to September', '2026-07-01/2026-09-30'],
    ['dec 20 - jan 5', '2025-12-20/2026-01-05'],
    ['20 December until 5 January', '2025-12-20/2026-01-05'],
    ['between october and december', '2026-10-01/2026-12-31'],
    ['nov 20 - jan 5', '2026-11-20/2027-01-05'],
    ['2026-10-01..2026-10-15', '2026-10-01/2026-10-15'],
  ])('%s', (typed, span) => {
    expect(spanOf(typed)).toBe(span);
  });

  test.each([
    '',
    'soon',
    'first half of week 46',
    'second half of Q3',
    'last',
    'octo',
    'Q5',
    'W54 2026',
    '2026-13',
    '30 Feb',
    'between october',
    'to november',
    'this month to last month',
    'nov 20 - nov 1',
    'between november and october',
    'Q4 to Q3',
    'november to october of never',
  ])('%s is none', (typed) => {
    expect(spanOf(typed)).toBeNull();
  });

  test('a weekend that has not begun is not the past one', () => {
    const friday = Date.UTC(2026, 10, 27);
    const firstOf = (typed: string) => ((readPastSpan(typed, friday)?.first ?? 0) - friday) / 86_400_000;
    expect(['this weekend', 'weekend', 'last weekend'].map(firstOf)).toEqual([1, -6, -6]);
  });

  test('without a year it is the last one that has begun', () => {
    const names = ['january', 'jun', 'Q1', 'Q4', 'H2', 'W7', 'summer', '24 dec', 'week 52'];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        (name, at) => {
          const day = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
          const span = readPastSpan(name, day);
          const [first = Number.NaN, last = Number.NaN] = [span?.first ?? undefined, span?.last ?? undefined];
          expect(first).toBeLessThanOrEqual(day);
          expect(last).toBeGreaterThanOrEqual(first);
          // The same time of the next year has not begun.
          expect(day - first).toBeLessThan(373 * 86_400_000);
        },
      ),
    );
  });

  test('this winter is the running one, into the next year', () => {
    expect(spanOf('this winter', Date.parse('2027-01-02T00:00:00Z'))).toBe('2026-12-01/2027-02-28');
    expect(spanOf('this winter', Date.parse('2027-03-02T00:00:00Z'))).toBe('2027-12-01/2028-02-29');
  });
});
