import { expect, test } from '@jest/globals';
import { rightsOf } from '../../src/model/access.ts';
import type { Issue } from '../../src/model/issue.ts';
import { anIssue } from '../support/issue-story.ts';

const day = '2026-01-05T00:00:00Z';
const { issue } = anIssue('SEC-1', day);
const leveled = anIssue('WEB-1', day).changes('security', null, 'board', day).issue;
const groups = [{ id: 'rep', name: 'rep', members: ['mallory'] }];
const sees = (
  user: string,
  of: Issue,
  viewers: readonly string[] | null,
  kind: 'project' | 'level' = 'project',
) =>
  rightsOf(
    { user, admin: false },
    viewers === null ? [] : [{ kind, id: kind === 'project' ? 'sec' : 'board', viewers }],
    groups,
  )(of);

test('a project without a rule is open, one with a rule to its viewers and the members of its groups', () => {
  expect(sees('ann', issue, null)).toBe(true);
  expect(sees('ann', issue, [])).toBe(false);
  expect(sees('ann', issue, ['ann'])).toBe(true);
  expect(sees('mallory', issue, ['group:rep'])).toBe(true);
});

test('a user and a group called alike can be told apart', () => {
  expect(sees('rep', issue, ['user:rep'])).toBe(true);
  expect(sees('mallory', issue, ['user:rep'])).toBe(false);
  expect(sees('rep', issue, ['group:rep'])).toBe(false);
});

test('a security level is closed but to its viewers, the reporter, the assignee and admins', () => {
  expect(sees('ann', leveled, null)).toBe(false);
  expect(sees('ann', leveled, ['ann'], 'level')).toBe(true);
  expect(sees('ann', { ...leveled, assignee: { id: 'ann', name: 'Ann' } }, null)).toBe(true);
  const reported = { ...leveled, fields: { ...leveled.fields, reporter: { id: 'ann', name: 'Ann' } } };
  expect(sees('ann', reported, null)).toBe(true);
  expect(rightsOf({ user: 'root', admin: true }, [], [])(leveled)).toBe(true);
});
