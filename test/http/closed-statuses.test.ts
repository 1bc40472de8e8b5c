import { afterAll, beforeAll, expect, test } from '#jest';
import { type Assistant, assistantOf } from '../mcp/assistant.ts';
import { exportFile, jiraIssue, movesTo, type RawIssue, searchResult } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

/** An issue as Jira Cloud exports it, in a project of its own. */
const inProject = (issue: RawIssue, id: string): RawIssue => ({
  ...issue,
  fields: { ...issue.fields, project: { id, key: issue.key.split('-')[0], name: `Project ${id}` } },
});

const issues = [
  inProject(
    jiraIssue('WEB-1')
      .at('2026-03-03T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-04T09:00:00.000Z', movesTo('74'))
      .onCloud(),
    '10001',
  ),
  inProject(
    jiraIssue('SEC-1')
      .at('2026-03-03T09:00:00.000Z', movesTo('Suing Acme'))
      .at('2026-03-04T09:00:00.000Z', movesTo('Firing Carl'))
      .onCloud(),
    '10900',
  ),
];

/** Cloud names the project of a team-managed status by its id alone. */
const ofProject = (id: string) => ({ type: 'PROJECT', project: { id } });
const status = (id: string, name: string, more: object = {}) => ({
  ...{ id, name, statusCategory: { key: 'indeterminate' } },
  ...more,
});

const list = [
  status('7', 'To Do', { statusCategory: { key: 'new' } }),
  status('8', 'In Progress'),
  status('Suing Acme', 'Suing Acme'),
  status('Firing Carl', 'Firing Carl'),
  status('70', 'Merger Talks', { scope: ofProject('10900') }),
  status('71', 'Buyout Signed', { scope: { type: 'PROJECT', project: { id: '10900', key: 'SEC' } } }),
  status('72', 'Waiting For Web', { scope: { type: 'PROJECT', project: { id: '10001', key: 'WEB' } } }),
  status('74', 'Live', { scope: ofProject('10001'), statusCategory: { key: 'done' } }),
  status('73', 'Used By No One Yet'),
];

const secrets = /suing|firing|merger|buyout/i;

let dwell: TestDwell;
let bob: Assistant;
beforeAll(async () => {
  dwell = await startDwell({ at: '2026-03-18T12:00:00Z', environment: { TRACKER: 'file' } });
  await dwell.types('import', exportFile(searchResult(...issues)), exportFile(list, 'statuses.json'));
  await dwell.types('access', 'SEC', '--to', 'grace');
  bob = await assistantOf(dwell, 'bob');
});
afterAll(async () => {
  await bob.close();
  await dwell.stop();
});

const names = async (user: string, rights?: { readonly admin: boolean }) =>
  (await dwell.as(user, rights).get('/rest/statuses')).json.map(({ name }: { name: string }) => name);

test('the list of statuses holds those of projects the principal can see, and those of no issue', async () => {
  const open = ['In Progress', 'Live', 'To Do', 'Used By No One Yet', 'Waiting For Web'];
  expect((await names('bob')).toSorted()).toEqual(open);
  const all = list.map(({ name }) => name).toSorted();
  expect((await names('grace')).toSorted()).toEqual(all);
  expect((await names('bob', { admin: true })).toSorted()).toEqual(all);
});

const web = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };
const jql = (customjql: string) => ({ filterType: 'customjql', customjql, columnsBy: 'statusDuration' });
const hidden = ['Merger Talks', '70', 'Buyout Signed', 'Suing Acme', 'Firing Carl'];

/** What is asked about a status by name or id. */
const questions: readonly (readonly [string, string, (name: string) => Record<string, string>])[] = [
  ['an issue', '/rest/issue', (statuses) => ({ issueKey: 'WEB-1', columnsBy: 'statusDuration', statuses })],
  ['a list', '/rest/issues', (statuses) => ({ ...web, statuses })],
  ['a list by JQL', '/rest/issues', (name) => jql(`status = "${name}"`)],
  ['a list by history', '/rest/issues', (name) => jql(`status was "${name}"`)],
  [
    'an average',
    '/rest/issues/aggregation',
    (name) => ({ ...jql(`status changed to "${name}"`), aggregationType: 'average' }),
  ],
  [
    'a merged status',
    '/rest/issues',
    (name) => ({ ...web, consolidatedStatuses: JSON.stringify({ Work: [name] }) }),
  ],
];

test.each(questions)(
  '%s answers for a status of a closed project as for one that never was',
  async (_what, path, about) => {
    const ask = async (name: string) =>
      (await dwell.as('bob').get(path, about(name))).text.replaceAll(name, 'NAME');
    const unknown = await ask('Nowhere');
    expect(unknown).not.toMatch(secrets);
    for (const name of hidden) expect([name, await ask(name)]).toEqual([name, unknown]);
  },
);

test('no tool of an assistant names one', async () => {
  const listed = await bob.call('list_statuses');
  expect(listed.text).toContain('Waiting For Web');
  const all = [
    listed,
    await bob.call('list_statuses', { name: 'talks' }),
    await bob.call('list_report', { jql: 'status = nope' }),
    await bob.call('time_in_status', { issueKeys: ['WEB-1'] }),
  ];
  for (const { text, content, failure } of all)
    expect(JSON.stringify([text, content, failure])).not.toMatch(secrets);
});
