import { describe, expect, test } from '#jest';
import { type CaseParts, only, sum } from './case-parts.ts';
import { kindsOf, linesOf, valuesOf } from './tables.ts';

/** Reports of counts and of dates. */
export function countAndDateCases({ report, figures, at }: CaseParts): void {
  describe('counts', () => {
    test('of entries are told per status', async () => {
      const table = await report({ selection: only('WEB-1'), reportType: 'statusCount' });
      expect(valuesOf(table)['WEB-1']).toEqual({ 'To Do': 1, Doing: 2, Review: 1, Done: 1 });
      expect(kindsOf(table)).toEqual(['count']);
    });

    test('of steps are told per pair of statuses', async () => {
      expect(await figures('WEB-1', { reportType: 'transitionCount' })).toEqual({
        'To Do → Doing': 1,
        'Doing → Review': 1,
        'Review → Doing': 1,
        'Doing → Done': 1,
      });
    });

    test('can be condensed', async () => {
      const table = await report({ reportType: 'statusCount', statistic: sum });
      expect(linesOf(table)).toEqual([{ 'To Do': 5, Doing: 5, Review: 2, Done: 2 }]);
    });
  });

  describe('dates', () => {
    const first = { 'To Do': '2026-03-02T08:00Z', Doing: '2026-03-02T10:00Z', Review: '2026-03-03T10:00Z' };
    const done = { Done: '2026-03-04T08:00Z' };
    test.each([
      ['firstTransitionToStatusDate', { ...first, ...done }],
      ['lastTransitionToStatusDate', { ...first, ...done, Doing: '2026-03-03T16:00Z' }],
      [
        'firstTransitionFromStatusDate',
        { 'To Do': '2026-03-02T10:00Z', Doing: '2026-03-03T10:00Z', Review: '2026-03-03T16:00Z' },
      ],
      [
        'lastTransitionFromStatusDate',
        { 'To Do': '2026-03-02T10:00Z', Doing: '2026-03-04T08:00Z', Review: '2026-03-03T16:00Z' },
      ],
    ])('%s tells an instant per status', async (reportType, expected) => {
      const table = await report({ selection: only('WEB-1'), reportType });
      expect(valuesOf(table)['WEB-1']).toEqual(
        Object.fromEntries(Object.entries(expected).map(([title, iso]) => [title, Date.parse(iso)])),
      );
      expect(kindsOf(table)).toEqual(['instant']);
    });

    test('are as exact as the dialect', async () => {
      expect(await figures('WEB-2', { reportType: 'firstTransitionToStatusDate' })).toEqual({
        'To Do': at('2026-03-05T12:00:30Z'),
        Doing: at('2026-03-09T09:00:30Z'),
      });
    });

    test('have no statistics', async () => {
      const request = { reportType: 'firstTransitionToStatusDate', statistic: sum };
      await expect(report(request)).rejects.toMatchObject({ code: 'bad-request' });
    });
  });
}
