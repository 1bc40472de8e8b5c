import { describe, expect, test } from '#jest';
import { type CaseParts, HALF_MINUTE, hours, only } from './case-parts.ts';
import { valuesOf } from './tables.ts';

/** Reports about people, and those of two levels. */
export function peopleCases({ report, figures, whereTold }: CaseParts): void {
  describe('time with people', () => {
    test('is told per assignee, with nobody among them', async () => {
      const of = (key: string) =>
        figures(key, { reportType: 'assigneeDuration', includeDeletedStatuses: true });
      expect(await of('WEB-1')).toEqual({
        Unassigned: hours(2),
        'Ada Ash': hours(428),
        'Bob Birch': hours(6),
      });
      expect(await of('WEB-2')).toEqual({ 'Bob Birch': hours(360) - HALF_MINUTE });
      expect(await of('OPS-1')).toEqual({ 'Ada Ash': hours(48), 'Carl Cedar': hours(220) });
    });

    test('counts in the statuses asked for only', async () => {
      expect(await figures('WEB-1', { reportType: 'assigneeDuration', statuses: ['3', '4'] })).toEqual({
        'Ada Ash': hours(40),
        'Bob Birch': hours(6),
      });
    });

    test('is told per group, of every group somebody is in', async () => {
      const of = (key: string) => figures(key, { reportType: 'groupDuration', includeDeletedStatuses: true });
      expect(await of('WEB-1')).toEqual({ Builders: hours(434), Readers: hours(6) });
      expect(await of('OPS-1')).toEqual({ Builders: hours(48), Readers: hours(220) });
    });

    test('is told of the groups asked for', async () => {
      expect(await figures('OPS-1', { reportType: 'groupDuration', groups: ['Readers'] })).toEqual({
        Readers: hours(220),
      });
    });
  });

  describe('reports of two levels', () => {
    test.each([
      [
        'statusDurationByAssignee',
        {
          'Unassigned: To Do': hours(2),
          'Ada Ash: Doing': hours(40),
          'Bob Birch: Review': hours(6),
          'Ada Ash: Done': hours(388),
        },
      ],
      [
        'assigneeDurationByStatus',
        {
          'To Do: Unassigned': hours(2),
          'Doing: Ada Ash': hours(40),
          'Review: Bob Birch': hours(6),
          'Done: Ada Ash': hours(388),
        },
      ],
    ])('%s tells time per pair', async (reportType, expected) => {
      const table = await report({ selection: only('WEB-1'), reportType });
      expect(valuesOf(table)['WEB-1']).toEqual(expected);
      expect(table.composite).toBe(true);
    });

    test.each([
      ['Week', { '2026-W10': 112, '2026-W11': 168, '2026-W12': 108 }],
      ['Month', { '2026-03': 388 }],
      ['Quarter', { '2026-Q1': 388 }],
      ['Year', { '2026': 388 }],
    ] as const)('time per %s adds up to the time in the status', async (timePeriod, done) => {
      const reportType = 'statusDurationByTimePeriod';
      const told = await figures('WEB-1', { reportType, timePeriod, statuses: ['5'] });
      expect(told).toEqual(
        Object.fromEntries(Object.entries(done).map(([period, count]) => [`Done: ${period}`, hours(count)])),
      );
    });

    test('time per day and status is told in the other order as well', async () => {
      const reportType = 'timePeriodDurationByStatus';
      expect(await figures('WEB-1', { reportType, timePeriod: 'Day', statuses: ['3', '4'] })).toEqual({
        '2026-03-02: Doing': hours(14),
        '2026-03-03: Doing': hours(18),
        '2026-03-03: Review': hours(6),
        '2026-03-04: Doing': hours(8),
      });
    });

    whereTold('the levels of a column')('name both levels apart', async () => {
      const { columns } = await report({ selection: only('WEB-1'), reportType: 'statusDurationByAssignee' });
      expect(columns.find(({ title }) => title === 'Ada Ash: Doing')).toMatchObject({
        parent: { id: 'ada', title: 'Ada Ash' },
        child: { id: '3', title: 'Doing' },
      });
    });
  });
}
