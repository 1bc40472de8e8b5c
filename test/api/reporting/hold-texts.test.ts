import { expect, test } from '#jest';
import { holdTexts } from '../../../src/api/reporting/chosen-issues.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { anIssue } from '../../support/issue-story.ts';

test('texts are held once that spares reading many issues, and once only', async () => {
  const issues = Array.from({ length: 16 }, (_, i) => anIssue(`WEB-${i + 1}`, '2026-03-02T09:00:00Z').issue);
  const table = tableOf(issues);
  const { columns } = table;
  expect(await holdTexts(table, ['summary'], 2)).toBe(false);
  expect(await holdTexts(table, [], 16)).toBe(false);
  expect(columns.hasTexts('summary')).toBe(false);
  expect(await holdTexts(table, ['summary', 'description'], 3)).toBe(true);
  expect([columns.hasTexts('summary'), columns.hasTexts('description')]).toEqual([true, true]);
  expect(await holdTexts(table, ['summary', 'description'], 16)).toBe(false);
});
