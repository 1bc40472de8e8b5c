import { expect, test } from '#jest';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { trackerOf } from './tracker-of.ts';

const ada = principalOf('ada');
const now = () => 0;
const reportingOn = (...issues: Issue[]) => localReporting(createMemoryMirror(trackerOf(issues), now), now);

test('issues with something to tell come first, those without a history last', async () => {
  const silent = { complete: false, unknownFrom: null, unknownUntil: null, reason: 'cut' } as const;
  const reporting = reportingOn(
    anIssue('WEB-1', '2026-03-05T09:00:00Z').historyIs(silent).issue,
    anIssue('WEB-2', '2026-03-04T09:00:00Z').issue,
    anIssue('WEB-3', '2026-03-01T09:00:00Z')
      .moves('Doing', '2026-03-02T09:00:00Z')
      .moves('Done', '2026-03-03T09:00:00Z').issue,
  );
  expect(await reporting.exampleKeys(ada, 5)).toEqual(['WEB-3', 'WEB-2', 'WEB-1']);
  expect(await reporting.exampleKeys(ada, 1)).toEqual(['WEB-3']);
});

test('of a project there are those of it alone', async () => {
  const reporting = reportingOn(
    ...['WEB-1', 'APP-1', 'APPLE-1'].map((key) => anIssue(key, '2026-03-05T09:00:00Z').issue),
  );
  expect(await reporting.exampleKeys(ada, 5, 'APP')).toEqual(['APP-1']);
  expect(await reporting.exampleKeys(ada, 5, 'OPS')).toEqual([]);
});

test('there are none where there is no issue', async () => {
  expect(await reportingOn().exampleKeys(ada, 3)).toEqual([]);
});

test('what the principal may not see is no example', async () => {
  const secret = anIssue('WEB-1', '2026-03-05T09:00:00Z').changes(
    'security',
    null,
    'Confidential',
    '2026-03-05T09:00:00Z',
  );
  const reporting = reportingOn(secret.issue, anIssue('WEB-2', '2026-03-04T09:00:00Z').issue);
  expect(await reporting.exampleKeys(ada, 5)).toEqual(['WEB-2']);
  expect(await reporting.exampleKeys(principalOf('ada', 'admin'), 5)).toContain('WEB-1');
});
