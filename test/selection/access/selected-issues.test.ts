import { expect, test } from '#jest';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import type { Issue } from '../../../src/model/issue.ts';
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

/** The keys of the issues that are loaded for Ada, who sees all of these, once some of their fields have changed. */
async function loadedSince(
  issues: readonly Issue[],
  later: (issue: Issue) => Issue['fields'],
): Promise<readonly string[]> {
  const before = tableOf(issues);
  let isLater = false;
  const table: typeof before = {
    ...before,
    load: async (rows) =>
      (await before.load(rows)).map((one) =>
        one === null || !isLater ? one : { ...one, fields: { ...one.fields, ...later(one) } },
      ),
  };
  const directory = { ...emptyDirectory, permissions: null };
  const seen = await createVisibleIssues()(table, principalOf('ada'), directory);
  expect(seen.rows()).toHaveLength(issues.length);
  isLater = true;
  const loaded = await rowIssues(seen.rows(), seen, 0).load(0, issues.length);
  return loaded.map(({ key }) => key);
}

const board = { id: '7', name: 'Board' };
const bob = { id: 'bob', name: 'Bob' };
/** A restricted issue that Ada has reported. */
const own = (fields: Issue['fields'] = {}): Issue => {
  const { issue } = anIssue('WEB-1', '2026-03-02T09:00:00Z');
  const reporter = { id: 'ada', name: 'Ada' };
  return { ...issue, fields: { ...issue.fields, security: board, reporter, ...fields } };
};

test('an issue that was restricted since is not loaded for people who saw it before', async () => {
  const issues = ['WEB-1', 'WEB-2'].map((key) => anIssue(key, '2026-03-02T09:00:00Z').issue);
  const later = ({ key }: Issue) => (key === 'WEB-2' ? { security: board } : {});
  expect(await loadedSince(issues, later)).toEqual(['WEB-1']);
});

test.each([
  ['reporter', { reporter: bob }, []],
  ['level', { security: null, reporter: bob }, ['WEB-1']],
  ['summary', { summary: 'Other' }, ['WEB-1']],
])('a restricted issue that has another %s since is loaded for its people alone', async (_, later, keys) => {
  expect(await loadedSince([own()], () => later)).toEqual(keys);
});

test.each([
  ['reporter', { reporter: bob }, []],
  ['summary', { summary: 'Other' }, ['WEB-1']],
])('so is one that columns cannot speak for and that has another %s since', async (_, later, keys) => {
  const odd = own({ status: { id: 'other', name: 'Other' } });
  expect(await loadedSince([odd], () => later)).toEqual(keys);
});
