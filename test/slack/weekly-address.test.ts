import { expect, test } from '#jest';
import type { Selection } from '../../src/model/request.ts';
import { weeklyAddress } from '../../src/slack/exports/weekly-address.ts';

const asOf = Date.parse('2026-11-18T12:00:00Z');
const addressOf = (selection: Selection) =>
  weeklyAddress(
    { kind: 'weekly', selection, week: 'last', calendar: '1', timeZone: 'Europe/Berlin' },
    asOf,
    'https://dwell.example/in',
  );

test('names the week itself, so that it tells the same later', () => {
  expect(addressOf({ by: 'project', project: 'WEB' })).toBe(
    'https://dwell.example/in/rest/issues/weekly?filterType=project&projectKey=WEB&week=2026-W46&calendar=1&timeZone=Europe%2FBerlin&asOf=2026-11-18T12%3A00%3A00.000Z&viewFormat=hours&outputType=csv',
  );
});

test.each([
  [
    { by: 'keys', keys: ['WEB-1', 'WEB-2'] },
    { filterType: 'customjql', customjql: 'key in (WEB-1, WEB-2)' },
  ],
  [
    { by: 'jql', jql: 'summary ~ "a`b&c"' },
    { filterType: 'customjql', customjql: 'summary ~ "a`b&c"' },
  ],
  [
    { by: 'savedFilter', id: '7' },
    { filterType: 'jqlfilter', jqlFilterID: '7' },
  ],
] as const)('%j is asked for as REST takes it', (selection, parameters) => {
  const address = addressOf(selection);
  expect(address).not.toContain('`');
  expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject(parameters);
});
