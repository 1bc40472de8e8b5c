import { describe, expect, test } from '#jest';
import type { Directory } from '../../../src/model/directory.ts';
import type { User } from '../../../src/model/issue.ts';
import { createFileTracker } from '../../../src/trackers/file/create-file-tracker.ts';
import type { Membership, TrackerEntry } from '../../../src/trackers/tracker.ts';
import { exportFile, jiraIssue, searchResult } from '../../support/jira-export.ts';

async function entriesOf(...files: string[]): Promise<TrackerEntry[]> {
  const entries: TrackerEntry[] = [];
  for await (const entry of createFileTracker(files).entries()) entries.push(entry);
  return entries;
}

/** What these contents, a file each, tell; a word for each thing that could not be used. */
async function contentOf(...contents: unknown[]) {
  const entries = await entriesOf(...contents.map((content) => exportFile(content)));
  const parts = entries.flatMap((entry) => (entry.kind === 'directory' ? [entry.part] : []));
  const list = <Kind extends keyof Directory>(kind: Kind) =>
    parts.flatMap((part): readonly Directory[Kind][number][] => part[kind] ?? []);
  const users = entries.flatMap((entry): readonly User[] => (entry.kind === 'users' ? entry.users : []));
  const wrong = entries.flatMap(({ kind }) => (kind === 'rejected' || kind === 'unreadable' ? [kind] : []));
  const memberships = entries.flatMap((entry): readonly Membership[] =>
    entry.kind === 'membership' ? [entry.membership] : [],
  );
  return { list, users, memberships, wrong, kinds: entries.map(({ kind }) => kind) };
}

const sprint = { id: 5, name: 'Sprint 5', state: 'active', boardId: 1, startDate: '2026-03-02T08:30:00Z' };
const sprintText =
  'com.atlassian.greenhopper.service.sprint.Sprint@1f[id=5,rapidViewId=1,state=ACTIVE,name=Sprint 5,startDate=2026-03-02T08:30:00.000Z,endDate=<null>,completeDate=<null>]';
const withField = (key: string, id: string, content: unknown) => {
  const raw = jiraIssue(key).onCloud();
  return { ...raw, fields: { ...raw.fields, [id]: content } };
};
const cloudUser = (accountId: string, ...groups: string[]) => ({
  self: 'https://demo.example/rest/api/3/user',
  accountId,
  displayName: accountId.toUpperCase(),
  emailAddress: `${accountId}@example.com`,
  timeZone: 'Europe/Berlin',
  groups: { size: groups.length, items: groups.map((name) => ({ name, groupId: `id of ${name}` })) },
});

describe('sprints', () => {
  test.each([
    ['Cloud', sprint],
    ['Data Center', sprintText],
  ])('of %s are told from the field that holds them, which names them as values', async (_, content) => {
    const file = exportFile(searchResult(withField('DEMO-1', 'customfield_1', [content])));
    const entries = await entriesOf(file);
    expect(entries.find(({ kind }) => kind === 'directory')).toEqual({
      kind: 'directory',
      part: {
        ...{ issueTypes: [], versions: [] },
        sprints: [
          {
            id: '5',
            name: 'Sprint 5',
            state: 'active',
            start: Date.parse('2026-03-02T08:30:00Z'),
            end: null,
            completed: null,
            board: '1',
          },
        ],
        filters: [],
        fields: [],
      },
    });
    const issue = entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.issue] : []))[0];
    expect(issue?.fields.customfield_1).toEqual([{ id: '5', name: 'Sprint 5' }]);
  });

  test('are told once, and again when something about them is new', async () => {
    const later = { ...sprint, state: 'closed' };
    const issues = [sprint, sprint, later].map((one, i) =>
      withField(`DEMO-${i + 1}`, 'customfield_1', [one]),
    );
    const { list } = await contentOf(searchResult(...issues));
    expect(list('sprints').map(({ state }) => state)).toEqual(['active', 'closed']);
  });

  test('are also taken from a board’s list of them', async () => {
    const { boardId, ...bare } = sprint;
    const { list, wrong } = await contentOf({ isLast: true, values: [{ ...bare, originBoardId: boardId }] });
    expect([list('sprints')[0], wrong]).toEqual([expect.objectContaining({ id: '5', board: '1' }), []]);
  });
});

describe('names of fields', () => {
  const names = { summary: 'Summary', customfield_1: 'Story Points' };
  const expected = [
    { id: 'summary', name: 'Summary' },
    { id: 'customfield_1', name: 'Story Points' },
  ];
  const issue = jiraIssue('DEMO-1').onCloud();

  test.each([
    ['behind the issues of a search answer', { ...searchResult(issue), names }],
    ['before them', { names, ...searchResult(issue) }],
    ['in a list of answers', [{ ...searchResult(issue), names }]],
    [
      'in Cloud’s list of fields',
      [
        { id: 'summary', key: 'summary', name: 'Summary', custom: false, clauseNames: ['summary'] },
        { id: 'customfield_1', key: 'customfield_1', name: 'Story Points', custom: true },
      ],
    ],
    [
      'in a page of it',
      {
        values: [
          { id: 'summary', name: 'Summary', schema: { type: 'string', system: 'summary' } },
          { id: 'customfield_1', name: 'Story Points', schema: { type: 'number' } },
        ],
      },
    ],
  ])('are told when they stand %s', async (_, content) => {
    const { list, wrong } = await contentOf(content);
    expect([list('fields'), wrong]).toEqual([expected, []]);
  });

  test('are told once, though every page repeats them', async () => {
    const { list } = await contentOf({ ...searchResult(issue), names }, { ...searchResult(issue), names });
    expect(list('fields')).toEqual(expected);
  });
});

describe('saved filters', () => {
  const filter = { id: '10001', name: 'Open', jql: 'project = DEMO', owner: { accountId: 'ada' } };

  test.each([
    ['an answer', { maxResults: 50, values: [filter] }],
    ['a bare list', [filter]],
  ])('are told from %s', async (_, content) => {
    const { list, wrong } = await contentOf(content);
    expect(wrong).toEqual([]);
    expect(list('filters')).toEqual([
      { id: '10001', name: 'Open', jql: 'project = DEMO', owner: 'ada', shared: false },
    ]);
  });

  test.each([
    ['with everybody on the internet', [{ id: 1, type: 'global' }], true],
    ['with everybody who signed in, on Data Center', [{ type: 'loggedin' }], true],
    ['with everybody who signed in, on Cloud', [{ type: 'authenticated' }], true],
    ['with a group and with everybody', [{ type: 'group', group: { name: 'hr' } }, { type: 'global' }], true],
    ['with a group', [{ type: 'group', group: { name: 'hr' } }], false],
    ['with a person', [{ type: 'user', user: { accountId: 'bob' } }], false],
    ['with a project', [{ type: 'project', project: { id: '1' } }, { type: 'projectRole' }], false],
    ['with nobody', [], false],
    ['with nobody knows whom', undefined, false],
    ['in a way that cannot be read', 'global', false],
    ['with one entry that cannot be read and with everybody', ['broken', { type: 'global' }], true],
  ])('shared %s are everybody’s: %j → %j', async (_, sharePermissions, shared) => {
    const { list, wrong } = await contentOf([{ ...filter, sharePermissions }]);
    expect([list('filters').map((one) => one.shared), wrong]).toEqual([[shared], []]);
  });

  test('without an owner are nobody’s', async () => {
    const { list } = await contentOf([{ ...filter, owner: undefined }]);
    expect(list('filters')[0]?.owner).toBeNull();
  });
});

describe('people and groups', () => {
  const web = { id: 'id of web', name: 'web' };

  test('are told from lists of people: who somebody is and which groups they are in', async () => {
    const { list, users, memberships, wrong } = await contentOf([cloudUser('ada', 'web', 'admins')], {
      values: [cloudUser('eve', 'web'), cloudUser('bob')],
    });
    expect(wrong).toEqual([]);
    expect(users[0]).toEqual({
      id: 'ada',
      name: 'ADA',
      email: 'ada@example.com',
      timeZone: 'Europe/Berlin',
    });
    expect(memberships).toEqual([
      { user: 'ada', groups: [web, { id: 'id of admins', name: 'admins' }], whole: true },
      { user: 'eve', groups: [web], whole: true },
      { user: 'bob', groups: [], whole: true },
    ]);
    // What some people say of a group is not the group.
    expect(list('groups')).toEqual([]);
  });

  test('a person’s groups are not whole when Jira counts more than it tells, and unknown when it tells none', async () => {
    const ada = cloudUser('ada', 'web');
    const { groups, ...eve } = cloudUser('eve');
    const { memberships } = await contentOf([
      { ...ada, groups: { ...ada.groups, size: 2 } },
      { ...ada, groups: { items: ada.groups.items } },
      { ...ada, groups: { size: 3, items: [] } },
      eve,
    ]);
    expect([groups.size, memberships]).toEqual([
      0,
      [
        { user: 'ada', groups: [web], whole: false },
        { user: 'ada', groups: [web], whole: true },
        { user: 'ada', groups: [], whole: false },
      ],
    ]);
  });

  test('of Data Center are known by user key and group name', async () => {
    const user = { key: 'JIRAUSER1', name: 'ada', displayName: 'Ada', groups: { items: [{ name: 'web' }] } };
    const { users, memberships } = await contentOf([user]);
    expect(users).toEqual([{ id: 'JIRAUSER1', login: 'ada', name: 'Ada' }]);
    expect(memberships).toEqual([{ user: 'JIRAUSER1', groups: [{ id: 'web', name: 'web' }], whole: true }]);
  });

  test.each([
    ['one group', (group: unknown) => group],
    ['a list of groups', (group: unknown) => [group]],
  ])('are told from %s with its people', async (_, wrap) => {
    const group = { name: 'web', self: 'x', users: { size: 1, items: [{ key: 'ada', displayName: 'Ada' }] } };
    const { list, users, wrong } = await contentOf(wrap(group));
    expect([users, wrong]).toEqual([[{ id: 'ada', name: 'Ada' }], []]);
    expect(list('groups')).toEqual([{ id: 'web', name: 'web', members: ['ada'] }]);
  });

  test('the people of a group that come in several pages are all in it', async () => {
    const page = (...keys: string[]) => ({
      name: 'web',
      users: { items: keys.map((key) => ({ key, displayName: key })) },
    });
    const { list } = await contentOf(page('ada', 'bob'), page('bob', 'eve'));
    expect(list('groups')).toEqual([{ id: 'web', name: 'web', members: ['ada', 'bob', 'eve'] }]);
  });

  test('a zone that does not exist is not told', async () => {
    const { users } = await contentOf([{ ...cloudUser('ada'), timeZone: 'Mars/Olympus' }]);
    expect(users).toEqual([{ id: 'ada', name: 'ADA', email: 'ada@example.com' }]);
  });

  test('the reporter of an issue is one of the people it mentions', async () => {
    const { users } = await contentOf([
      withField('DEMO-1', 'reporter', { accountId: 'eve', displayName: 'Eve', timeZone: 'Asia/Tokyo' }),
    ]);
    expect(users).toEqual([{ id: 'eve', name: 'Eve', timeZone: 'Asia/Tokyo' }]);
  });
});

describe('what is none of these', () => {
  test.each([
    ['a filter without its JQL', { id: '1', name: 'Open', self: 'x' }],
    ['a group without its people', { name: 'web', groupId: '1' }],
    ['an issue whose fields have a displayName', { key: 'DEMO-1', displayName: 'x', fields: {} }],
  ])('%s is rejected', async (_, entry) => {
    expect((await contentOf([entry])).kinds).toEqual(['rejected']);
  });

  test('an answer that is no list and no group cannot be read', async () => {
    expect((await contentOf({ errorMessages: ['no'] })).kinds).toEqual(['unreadable']);
  });
});

test('security level and reporter are fields of an issue only where the export has them, empty or not', async () => {
  const access = { reporter: null, security: null };
  const entries = await entriesOf(
    exportFile(
      [jiraIssue('DEMO-1'), jiraIssue('DEMO-2')].map((issue, i) => {
        const { reporter, security, ...fields } = issue.onCloud().fields;
        return { ...issue.onCloud(), fields: i === 0 ? fields : { ...fields, ...access } };
      }),
    ),
  );
  const ids = entries.flatMap((entry) => (entry.kind === 'issue' ? [Object.keys(entry.issue.fields)] : []));
  expect(ids.map((ids) => ids.filter((id) => id in access).toSorted())).toEqual([
    [],
    ['reporter', 'security'],
  ]);
});

test('the security level and the description of an issue are among its fields', async () => {
  const level = { self: 'x', id: '10700', description: 'for few', name: 'Confidential' };
  const content = [
    { type: 'paragraph', content: [{ type: 'text', text: 'It is broken' }] },
    { type: 'paragraph', content: [{ type: 'text', text: 'since Monday' }] },
  ];
  const fieldsOf = async (id: string, value: unknown) => {
    const entries = await entriesOf(exportFile([withField('DEMO-1', id, value)]));
    return entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.issue.fields] : []))[0];
  };
  expect((await fieldsOf('security', level))?.security).toEqual({ id: '10700', name: 'Confidential' });
  expect((await fieldsOf('description', 'plain'))?.description).toBe('plain');
  expect((await fieldsOf('description', { type: 'doc', version: 1, content }))?.description).toBe(
    'It is broken\nsince Monday',
  );
});
