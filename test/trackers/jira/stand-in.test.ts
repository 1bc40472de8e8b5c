import { expect, test } from '#jest';
import { jiraAccount, startStandInJira } from '../../support/stand-in-jira.ts';
import { answerCheck } from '../../support/stand-in-jira-schemas.ts';
import { createJiraWorld } from '../../support/stand-in-jira-world.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');

test('everything Cloud is asked for is answered as the published documents say', async () => {
  const world = createJiraWorld({ issues: 60, seed: 7, clock: () => noon });
  const jira = await startStandInJira(world);
  const authorization = `Basic ${btoa(`${jiraAccount.email}:${jiraAccount.token}`)}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const jql = 'created >= "1970-01-01 00:00" ORDER BY created ASC, key ASC';
  const [id = ''] = world.ids();
  const questions: readonly (readonly [path: string, body?: object])[] = [
    ...['/rest/api/2/serverInfo', '/rest/agile/1.0/board', '/rest/agile/1.0/board/11/sprint'].map(
      (path) => [path] as const,
    ),
    ...['serverInfo', 'myself', 'status', 'field', 'users/search', 'project/search'].map(
      (path) => [`/rest/api/3/${path}`] as const,
    ),
    ['/rest/api/3/filter/search?expand=jql,owner,sharePermissions'],
    ...['filter/favourite', 'group/bulk', 'group/member?groupname=leads'].map(
      (path) => [`/rest/api/3/${path}`] as const,
    ),
    [`/rest/api/3/issue/${id}?expand=changelog`],
    [`/rest/api/3/issue/${id}/changelog?maxResults=5`],
    [
      '/rest/api/3/issue/bulkfetch',
      { issueIdsOrKeys: [id, '999999'], fields: ['*all'], expand: ['changelog'] },
    ],
    ['/rest/api/3/changelog/bulkfetch', { issueIdsOrKeys: [...world.keys()], maxResults: 10_000 }],
    ['/rest/api/3/search/jql', { jql, maxResults: 100, fields: ['*all'], expand: 'changelog' }],
    ['/rest/api/3/search/approximate-count', { jql }],
  ];

  const answers = await Promise.all(
    questions.map(([path, body]) =>
      fetch(
        `${jira.baseUrl}${path}`,
        body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) },
      ),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual(questions.map(() => 200));
  expect(jira.violations).toEqual([]);
  await jira.close();
});

test('an answer that the documents do not allow is noticed', () => {
  const check = answerCheck();

  expect(check('POST', '/rest/api/3/search/jql', 200, { issues: [{ id: 3 }] })).toContain('must be string');
  expect(check('GET', '/rest/api/3/status', 200, [{ id: '3', name: 'Open' }])).toBeNull();
  expect(check('GET', '/rest/agile/1.0/board', 200, { values: [{ id: 'x' }] })).toContain('must be integer');
});
