import { describe, expect, test } from '#jest';
import { ask, type ReportRequest, type Selection } from '../../../src/model/request.ts';
import { caseWorld } from '../../support/case-world.ts';
import { type CaseParts, everything, only, principal } from './case-parts.ts';

/** What is asked before, beside and about reports. */
export function questionCases({ report, whereTold, reporting }: CaseParts): void {
  describe('before anything is measured', () => {
    test('issues are counted', async () => {
      const count = (selection: Selection) =>
        reporting().count(ask({ principal, reportType: 'statusDuration', selection }));
      expect(await count(everything)).toBe(5);
      expect(await count({ by: 'project', project: 'OPS' })).toBe(2);
      expect(await count(only('WEB-1', 'OPS-2'))).toBe(2);
      expect(await count({ by: 'jql', jql: 'project = OPS AND status = Done' })).toBe(0);
      await expect(count(only('WEB-404'))).rejects.toMatchObject({ code: 'not-found' });
    });

    whereTold('the contents of an answer')('it is told what issues they are', async () => {
      const request = ask({ principal, reportType: 'statusDuration', selection: everything });
      expect(await reporting().audienceScope(request)).toEqual({
        projects: ['OPS', 'WEB'],
        issues: 5,
        withLevel: 0,
      });
    });

    test.each<[string, Partial<ReportRequest>]>([
      ['report type', { reportType: 'moonPhase' }],
      ['query', { selection: { by: 'jql', jql: 'status = = 3' } }],
      ['calendar', { calendar: '404' }],
      ['saved filter', { selection: { by: 'savedFilter', id: '404' } }],
      ['field', { fields: ['customfield_40404'] }],
    ])('a wrong %s is refused', async (_what, choices) => {
      const request = ask({ principal, reportType: 'statusDuration', selection: everything, ...choices });
      await expect(reporting().check(request)).rejects.toMatchObject({ code: 'bad-request' });
      await expect(reporting().report(request)).rejects.toMatchObject({ code: 'bad-request' });
    });

    test('what is right is not', async () => {
      await reporting().check(ask({ principal, reportType: 'statusDuration', selection: everything }));
      await reporting().check(ask({ principal, reportType: 'statusDuration', selection: only('WEB-1') }));
      await expect(
        reporting().check(ask({ principal, reportType: 'statusDuration', selection: only('WEB-404') })),
      ).rejects.toMatchObject({ code: 'not-found' });
    });
  });

  describe('beside reports', () => {
    test('every living status is told with its id', async () => {
      const living = (await reporting().statuses(principal)).filter(({ deleted }) => !deleted);
      expect(living.map(({ id, name }) => [id, name]).toSorted()).toEqual([
        ['1', 'To Do'],
        ['3', 'Doing'],
        ['4', 'Review'],
        ['5', 'Done'],
      ]);
    });

    test('examples are issues that exist', async () => {
      const keys = await reporting().exampleKeys(principal, 3);
      expect(new Set(keys).size).toBe(3);
      expect(caseWorld.issues.map(({ key }) => key)).toEqual(expect.arrayContaining([...keys]));
    });

    test('the zone of the principal is known', async () => {
      await report({ selection: only('WEB-1') });
      expect(await reporting().timeZoneOf(principal)).toBe(caseWorld.timeZone);
    });

    test('an answer tells what it is of', async () => {
      const { provenance } = await report();
      expect(provenance).toMatchObject({
        reportType: 'statusDuration',
        asOf: Date.parse(caseWorld.now),
        askedAt: Date.parse(caseWorld.now),
        timeZone: caseWorld.timeZone,
        complete: true,
        issues: 5,
        cutHistories: 0,
        undecided: 0,
        trim: { from: null, to: null },
        calendar: { id: null, name: 'normalHours', continuous: true },
      });
    });
  });
}
