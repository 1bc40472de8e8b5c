import { millisecondsInMinute } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { type CaseParts, doingOfWeb2, everything, hours, only } from './case-parts.ts';
import { linesOf, titlesOf, valuesOf, visitsOf } from './tables.ts';

/** The report of time in status, and every choice that changes it. */
export function timeInStatusCases({ report, figures, keysOf, at, tells, whereTold }: CaseParts): void {
  describe('time in status', () => {
    test('is told per status, exact to the millisecond, with the number of visits', async () => {
      const table = await report();
      expect(valuesOf(table)).toEqual({
        'WEB-1': { 'To Do': hours(2), Doing: hours(40), Review: hours(6), Done: hours(388) },
        'WEB-2': { 'To Do': hours(93), Doing: doingOfWeb2 },
        'WEB-3': { 'To Do': hours(1), Doing: 0, Review: hours(24), Done: hours(314) },
        'OPS-1': { 'To Do': hours(196), Doing: hours(48) },
        'OPS-2': { 'To Do': hours(100) },
      });
      expect(visitsOf(table)).toMatchObject({
        'WEB-1': { 'To Do': 1, Doing: 2 },
        'WEB-3': { Doing: 1 },
      });
    });

    test('has an absent cell where an issue has never been, and 0 where it was for no time', async () => {
      expect(await figures('WEB-3')).toHaveProperty('Doing', 0);
      expect(valuesOf(await report())['OPS-2']).not.toHaveProperty('Doing');
    });

    test('names the columns by status id and tells the kind', async () => {
      const { columns } = await report();
      expect(columns.filter(({ part }) => part === 'header').map(({ id }) => id)).toEqual([
        'issuekey',
        'summary',
      ]);
      expect(columns.filter(({ part }) => part === 'value')).toEqual([
        expect.objectContaining({ id: '1', title: 'To Do', kind: 'duration' }),
        expect.objectContaining({ id: '3', title: 'Doing', kind: 'duration' }),
        expect.objectContaining({ id: '4', title: 'Review', kind: 'duration' }),
        expect.objectContaining({ id: '5', title: 'Done', kind: 'duration' }),
      ]);
    });

    test('comes with key and summary', async () => {
      const table = await report({ selection: only('OPS-2') });
      expect(linesOf(table)).toEqual([{ Key: 'OPS-2', Summary: 'Summary of OPS-2', 'To Do': hours(100) }]);
      expect(table.issues).toMatchObject([
        { key: 'OPS-2', cells: { summary: { value: 'Summary of OPS-2' } } },
      ]);
      expect(table.rows).toMatchObject([{ issueKey: 'OPS-2' }]);
    });

    test('tells where the issue is now', async () => {
      const { issues } = await report({ selection: everything });
      expect(
        Object.fromEntries(issues.map(({ key, current }) => [key, current.map(({ title }) => title)])),
      ).toEqual({
        'WEB-1': ['Done'],
        'WEB-2': ['Doing'],
        'WEB-3': ['Done'],
        'OPS-1': ['To Do'],
        'OPS-2': ['To Do'],
      });
    });

    whereTold('since when an issue is where it is')('tells since when', async () => {
      const { issues } = await report({ selection: only('WEB-2') });
      expect(issues[0]?.current).toMatchObject([{ columnId: '3', since: at('2026-03-09T09:00:30Z') }]);
    });

    test.each([
      ['total', 40],
      ['first', 24],
      ['last', 16],
      ['average', 20],
    ] as const)('of several visits is that of the %s', async (multiVisitBehavior, count) => {
      expect(await figures('WEB-1', { multiVisitBehavior })).toEqual({
        'To Do': hours(2),
        Doing: hours(count),
        Review: hours(6),
        Done: hours(388),
      });
    });

    test('counts inside a trim window only', async () => {
      const trim = { from: Date.parse('2026-03-02T23:00:00Z'), to: Date.parse('2026-03-03T23:00:00Z') };
      const table = await report({ trim });
      expect(valuesOf(table)).toEqual({
        'WEB-1': { Doing: hours(18), Review: hours(6) },
        'WEB-2': {},
        'WEB-3': {},
        'OPS-1': {},
        'OPS-2': {},
      });
      expect(visitsOf(table)).toMatchObject({ 'WEB-1': { Doing: 2, Review: 1 } });
      expect(table.provenance.trim).toEqual(trim);
    });

    test('is trimmed to the minute, on one side alone as well', async () => {
      const from = Date.parse('2026-03-03T10:17:00Z');
      expect(await figures('WEB-1', { trim: { from, to: null } })).toEqual({
        Doing: hours(16),
        Review: hours(6) - 17 * millisecondsInMinute,
        Done: hours(388),
      });
    });

    test('counts the hours of a calendar, without lunch and holidays', async () => {
      const table = await report({ calendar: '7' });
      expect(valuesOf(table)).toMatchObject({
        'WEB-1': { 'To Do': hours(2), Doing: hours(7), Review: hours(5), Done: hours(80) },
        'WEB-3': { 'To Do': hours(1), Doing: 0, Review: hours(5), Done: hours(59) },
        'OPS-1': { 'To Do': hours(45), Doing: hours(7) },
      });
      expect(table.provenance.calendar).toMatchObject({
        id: 7,
        name: 'Office',
        timeZone: 'Europe/Berlin',
        dailyMs: hours(7),
        continuous: false,
      });
    });

    test('shows the statuses asked for, in that order, visited or not', async () => {
      const chosen = await report({ statuses: ['5', '3'] });
      expect(titlesOf(chosen)).toEqual(['Done', 'Doing']);
      expect(valuesOf(chosen)['WEB-1']).toEqual({ Done: hours(388), Doing: hours(40) });
      expect(titlesOf(await report({ statuses: ['4'], selection: only('OPS-2') }))).toEqual(['Review']);
    });

    test('leaves out statuses that are gone from the tracker, unless they are wanted', async () => {
      const usual = await report();
      expect(titlesOf(usual)).not.toContain('Old Step');
      expect(usual.statuses.deleted).toMatchObject([{ id: '9', name: 'Old Step', deleted: true }]);
      expect(await figures('OPS-1', { includeDeletedStatuses: true })).toEqual({
        'Old Step': hours(24),
        'To Do': hours(196),
        Doing: hours(48),
      });
      const { issues } = await report({ selection: only('OPS-1') });
      expect(issues).toMatchObject([{ leftOut: ['Old Step'] }]);
    });

    whereTold('consolidated statuses')('adds up in consolidated statuses', async () => {
      const consolidated = [{ name: 'Active', statuses: ['3', '4'] }];
      const table = await report({ selection: only('WEB-1'), consolidated });
      expect(valuesOf(table)['WEB-1']).toEqual({ 'To Do': hours(2), Active: hours(46), Done: hours(388) });
      expect(table.columns.find(({ title }) => title === 'Active')).toMatchObject({ consolidated: true });
    });

    if (!tells('consolidated statuses')) {
      test('is not told as if nobody had asked for a consolidated status', async () => {
        const consolidated = [{ name: 'Active', statuses: ['3', '4'] }];
        await expect(report({ consolidated })).rejects.toMatchObject({ code: 'bad-request' });
      });
    }

    whereTold('what is not known of an issue')('is told of what is known, and how much is not', async () => {
      const table = await report({ selection: only('CUT-1') });
      expect(valuesOf(table)['CUT-1']).toEqual({ Doing: hours(24), Review: hours(244) });
      expect(table.issues).toMatchObject([
        {
          history: { complete: false, reason: expect.stringMatching(/newest changes only/) },
          unknown: {
            from: Date.parse('2026-03-02T08:00:00Z'),
            until: Date.parse('2026-03-09T08:00:00Z'),
            ms: hours(168),
          },
        },
      ]);
      expect(table.provenance).toMatchObject({ complete: false, cutHistories: 1 });
    });

    test('is told as of a past instant as it was then', async () => {
      const asOf = Date.parse('2026-03-03T12:00:00Z');
      const table = await report({ selection: only('WEB-1'), asOf });
      expect(valuesOf(table)['WEB-1']).toEqual({ 'To Do': hours(2), Doing: hours(24), Review: hours(2) });
      expect(table.provenance.asOf).toBe(asOf);
    });

    whereTold('whether an issue existed')('is not told of issues that came later', async () => {
      expect(await keysOf({ asOf: Date.parse('2026-03-06T09:30:00Z') })).toEqual(['WEB-3', 'WEB-2', 'WEB-1']);
    });
  });
}
