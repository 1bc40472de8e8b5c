import { expect, test } from '#jest';
import { shownBy } from '../../src/compose/app.ts';
import { aSync, filling } from '../support/stand-in-sync.ts';

test.each([
  [{ tracker: 'sample', empty: false, sync: null }, 'a fictional company (TRACKER=sample)'],
  [{ tracker: 'file', empty: false, sync: null }, 'the imported issues'],
  [{ tracker: 'file', empty: true, sync: null }, 'no issues yet: import some'],
  [{ tracker: 'hosted', empty: true, sync: null }, 'the issues of the hosted service (TIS_BASE_URL)'],
  [{ tracker: 'jira', empty: true, sync: aSync() }, 'the issues of https://example.atlassian.net'],
  [
    { tracker: 'jira', empty: true, sync: filling },
    'the issues of https://example.atlassian.net (initial sync: 24%)',
  ],
  [
    { tracker: 'jira', empty: true, sync: { ...filling, total: null } },
    'the issues of https://example.atlassian.net (initial sync: 12,300 issues so far)',
  ],
])('%j', (running, told) => {
  expect(shownBy(running)).toBe(told);
});
