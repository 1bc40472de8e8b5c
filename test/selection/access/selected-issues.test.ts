import { expect, test } from '#jest';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import { holdTexts, rowIssues } from '../../../src/selection/access/selected-issues.ts';
import { createVisibleIssues } from '../../../src/selection/access/visible-issues.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';

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

test('an issue that was restricted since is not loaded for people who saw it before', async () => {
  const issues = ['WEB-1', 'WEB-2'].map((key) => anIssue(key, '2026-03-02T09:00:00Z').issue);
  const before = tableOf(issues);
  const restricted = { security: { id: '7', name: 'Board' } };
  const table: typeof before = {
    ...before,
    load: async (rows) =>
      (await before.load(rows)).map((issue) =>
        issue?.key === 'WEB-2' ? { ...issue, fields: { ...issue.fields, ...restricted } } : issue,
      ),
  };
  const seen = await createVisibleIssues()(table, principalOf('ada'), {
    ...emptyDirectory,
    permissions: null,
  });
  expect(seen.rows()).toHaveLength(2);
  const loaded = await rowIssues(seen.rows(), seen, 0).load(0, 2);
  expect(loaded.map(({ key }) => key)).toEqual(['WEB-1']);
});

test.each([
  ['reporter', { reporter: { id: 'bob', name: 'Bob' } }, []],
  ['level', { security: null, reporter: { id: 'bob', name: 'Bob' } }, ['WEB-1']],
  ['summary', { summary: 'Other' }, ['WEB-1']],
])('a restricted issue that has another %s since is loaded for its people alone', async (_, later, keys) => {
  const { issue } = anIssue('WEB-1', '2026-03-02T09:00:00Z');
  const own = { security: { id: '7', name: 'Board' }, reporter: { id: 'ada', name: 'Ada' } };
  const before = tableOf([{ ...issue, fields: { ...issue.fields, ...own } }]);
  const table: typeof before = {
    ...before,
    load: async (rows) =>
      (await before.load(rows)).map((one) => one && { ...one, fields: { ...one.fields, ...later } }),
  };
  const seen = await createVisibleIssues()(table, principalOf('ada'), {
    ...emptyDirectory,
    permissions: null,
  });
  expect(seen.rows()).toHaveLength(1);
  const loaded = await rowIssues(seen.rows(), seen, 0).load(0, 1);
  expect(loaded.map(({ key }) => key)).toEqual(keys);
});

test.each([
  ['reporter', { reporter: { id: 'bob', name: 'Bob' } }, []],
  ['summary', { summary: 'Other' }, ['WEB-1']],
])('so is one that columns cannot speak for and that has another %s since', async (_, later, keys) => {
  const { issue } = anIssue('WEB-1', '2026-03-02T09:00:00Z');
  const own = { security: { id: '7', name: 'Board' }, reporter: { id: 'ada', name: 'Ada' } };
  const shown = { status: { id: 'other', name: 'Other' } };
  const before = tableOf([{ ...issue, fields: { ...issue.fields, ...own, ...shown } }]);
  let since = {};
  const table: typeof before = {
    ...before,
    load: async (rows) =>
      (await before.load(rows)).map((one) => one && { ...one, fields: { ...one.fields, ...since } }),
  };
  const seen = await createVisibleIssues()(table, principalOf('ada'), {
    ...emptyDirectory,
    permissions: null,
  });
  expect(seen.rows()).toHaveLength(1);
  since = later;
  const loaded = await rowIssues(seen.rows(), seen, 0).load(0, 1);
  expect(loaded.map(({ key }) => key)).toEqual(keys);
});
