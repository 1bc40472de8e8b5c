import { expect, test } from '#jest';
import type { User } from '../../../src/model/issue.ts';
import { createFileTracker } from '../../../src/trackers/file/create-file-tracker.ts';
import { exportFile, jiraIssue, searchResult } from '../../support/jira-export.ts';

async function usersOf(content: unknown): Promise<readonly User[]> {
  const users: User[] = [];
  for await (const entry of createFileTracker([exportFile(content)]).entries()) {
    if (entry.kind === 'users') users.push(...entry.users);
  }
  return users;
}

test.each([
  [
    'a key of its own and a name',
    { key: 'JIRAUSER10002', name: 'bob' },
    { id: 'JIRAUSER10002', login: 'bob' },
  ],
  ['a key that is the name', { key: 'bob', name: 'bob' }, { id: 'bob' }],
  ['a key that was the name once', { key: 'bob', name: 'robert' }, { id: 'bob', login: 'robert' }],
  ['a name and no key', { name: 'bob' }, { id: 'bob' }],
  ['a key and no name', { key: 'JIRAUSER10002', name: '' }, { id: 'JIRAUSER10002' }],
  ['an account of Cloud, where nobody has a name', { accountId: '5b10', name: 'bob' }, { id: '5b10' }],
])('a person with %s', async (_, told, known) => {
  expect(await usersOf([{ ...told, displayName: 'Bob' }])).toEqual([{ ...known, name: 'Bob' }]);
});

test('an issue tells the logins of those it mentions', async () => {
  const issue = jiraIssue('DEMO-1').onDataCenter();
  const assignee = { key: 'JIRAUSER10002', name: 'bob', displayName: 'Bob' };
  const [told] = await usersOf(searchResult({ ...issue, fields: { ...issue.fields, assignee } }));
  expect(told).toEqual({ id: 'JIRAUSER10002', login: 'bob', name: 'Bob' });
});
