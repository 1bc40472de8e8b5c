import { expect, test } from '#jest';
import { agingTitle } from '../../../src/api/answers/aging/aging-kind.ts';
import { finishedTitle } from '../../../src/api/answers/weekly/weekly-kind.ts';

const web = { by: 'project', project: 'WEB' } as const;

test('a week is named by its number and its year', () => {
  expect(finishedTitle(6, web, '2026-W46')).toBe('6 issues of WEB finished in week 46 of 2026');
  expect(finishedTitle(1, web, '2027-W01')).toBe('1 issue of WEB finished in week 1 of 2027');
});

test('a query that chose the issues is not in a title', () => {
  const query = { by: 'jql', jql: 'summary ~ secret', title: 'about secret' } as const;
  expect(agingTitle(2, { kind: 'aging', selection: query, calendar: 'normalHours', timeZone: 'UTC' })).toBe(
    '2 started issues by age',
  );
  expect(finishedTitle(2, query, '2026-W46')).toBe('2 issues finished in week 46 of 2026');
});
