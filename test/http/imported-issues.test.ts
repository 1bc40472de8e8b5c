import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { exportFile, jiraIssue, type RawIssue, searchResult } from '../support/jira-export.ts';
import { keysIn } from '../support/listed-keys.ts';
import type { TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

/** A real site whose statuses were renamed over the years, and several of which are called alike today. */
const real = ['devlake-jira-cloud.issues.json', 'devlake-jira-cloud.statuses.json'] as const;

/** An issue with other fields and with these changes instead of its own. */
function hubIssue(
  number: number,
  fields: object,
  ...items: readonly (readonly [string, object])[]
): RawIssue {
  const issue = jiraIssue(`HUB-${number}`).onCloud();
  const histories = items.map(([created, item], i) => ({
    id: String(500 + i),
    created,
    items: [{ ...item }],
  }));
  return {
    ...issue,
    fields: { ...issue.fields, ...fields },
    changelog: { startAt: 0, maxResults: 100, total: histories.length, histories },
  };
}

const called = (id: string, name: string) => ({ id, name, statusCategory: { key: 'indeterminate' } });
const status = (from: readonly string[], to: readonly string[]) => ({
  ...{ field: 'status', fieldId: 'status', from: from[0], fromString: from[1] },
  ...{ to: to[0], toString: to[1] },
});
const ada = { accountId: 'a-1', displayName: 'Ada Newname' };

/**
 * Status 50 was called Received until April and is Accepted now; today another one, 51, is called Received, and nothing
 * is called Boxed any more. HUB-4 to HUB-6 met 50 under its first name, HUB-7 under its second.
 */
const hub = [
  hubIssue(1, { issuetype: { id: '71', name: 'Story', subtask: false } }),
  hubIssue(2, { issuetype: { id: '72', name: 'Chore', subtask: true } }),
  hubIssue(3, { issuetype: { id: '73', name: 'Puzzle' } }),
  hubIssue(
    4,
    { status: called('50', 'Accepted') },
    ['2026-03-03T09:00:00.000+0000', status(['7', 'To Do'], ['50', 'Received'])],
    ['2026-03-04T09:00:00.000+0000', status(['50', 'Received'], ['7', 'To Do'])],
    ['2026-04-04T09:00:00.000+0000', status(['7', 'To Do'], ['50', 'Accepted'])],
  ),
  hubIssue(5, { status: called('7', 'To Do') }, [
    '2026-03-03T09:00:00.000+0000',
    status(['50', 'Received'], ['7', 'To Do']),
  ]),
  hubIssue(
    6,
    { status: called('7', 'To Do') },
    ['2026-03-03T09:00:00.000+0000', status(['7', 'To Do'], ['50', 'Received'])],
    ['2026-04-04T09:00:00.000+0000', status(['50', 'Accepted'], ['7', 'To Do'])],
  ),
  hubIssue(7, { status: called('50', 'Accepted') }, [
    '2026-04-04T09:00:00.000+0000',
    status(['7', 'To Do'], ['50', 'Accepted']),
  ]),
  hubIssue(8, { status: called('51', 'Received') }),
  hubIssue(
    9,
    { status: called('50', 'Accepted'), assignee: ada, priority: { id: '2', name: 'Urgent' } },
    [
      '2026-03-03T09:00:00.000+0000',
      { field: 'priority', fieldId: 'priority', from: '3', fromString: 'Fair', to: '2', toString: 'Boxed' },
    ],
    ['2026-03-05T09:00:00.000+0000', status(['7', 'To Do'], ['50', 'Boxed'])],
    [
      '2026-03-06T09:00:00.000+0000',
      { field: 'assignee', fieldId: 'assignee', from: null, to: 'a-1', toString: 'Ada Oldname' },
    ],
  ),
];

const key = (from: string, to: string) => ({
  ...{ field: 'Key', fieldtype: 'jira', from: null, fromString: from, to: null, toString: to },
});
const inProject = (issue: RawIssue, project: string): RawIssue => ({
  ...issue,
  key: `${project}-${issue.key.split('-')[1]}`,
  fields: { ...issue.fields, project: { id: `id-${project}`, key: project, name: `Project ${project}` } },
});

/** HUB-20 was OLD-3 and then MID-4, its child HUB-21 names it; SHUT-22 was OLD-5, and is eve's only. */
const moved = [
  hubIssue(
    20,
    { customfield_10016: 5 },
    ['2026-03-03T09:00:00.000+0000', key('OLD-3', 'MID-4')],
    ['2026-03-04T09:00:00.000+0000', { ...key('MID-4', 'HUB-20'), fieldId: 'issuekey' }],
  ),
  hubIssue(21, { parent: { id: '20020', key: 'HUB-20' } }),
  inProject(
    hubIssue(22, { customfield_999: 'secret' }, ['2026-03-03T09:00:00.000+0000', key('OLD-5', 'SHUT-22')]),
    'SHUT',
  ),
];
/** MOVE-6 as it was told before it became MOVED-7, and after. */
const [early, late] = [
  inProject(hubIssue(6, {}), 'MOVE'),
  inProject(
    {
      ...hubIssue(7, {}, ['2026-04-03T09:00:00.000+0000', key('MOVE-6', 'MOVED-7')]),
      id: '20006',
    },
    'MOVED',
  ),
];

const dwell = suiteDwell({ at: '2026-05-01T00:00:00.000Z' });
beforeAll(async () => {
  const { code } = await dwell.types(
    'import',
    ...real.map(fixture),
    exportFile(searchResult(...hub, ...moved), 'hub.json'),
    exportFile([{ accountId: 'eve', displayName: 'Eve' }], 'people.json'),
  );
  expect(code).toBe(0);
  await dwell.types('access', 'SHUT', '--to', 'eve');
});

type Json = Awaited<ReturnType<TestDwell['get']>>['json'];
const ask = (customjql: string) =>
  dwell.get('/rest/issues', { filterType: 'customjql', customjql, columnsBy: 'statusDuration' });
const found = async (customjql: string) => {
  const { status: code, json } = await ask(customjql);
  return code === 200 ? keysIn(json).toSorted() : json.messages;
};

describe('types of issues', () => {
  test.each([
    ['issuetype in subTaskIssueTypes()', ['HUB-2']],
    ['type in (subTaskIssueTypes())', ['HUB-2']],
    ['type in (STANDARDISSUETYPES(), Chore)', ['HUB-1', 'HUB-2']],
    ['issuetype not in subTaskIssueTypes()', ['HUB-1']],
    ['"issue type" not in standardIssueTypes()', ['HUB-2']],
    ['issuetype not in (subTaskIssueTypes(), Story)', []],
    ['issuetype was in subTaskIssueTypes()', ['HUB-2']],
  ])('%s', async (jql, keys) => {
    expect(await found(`project = HUB AND ${jql}`)).toEqual(keys);
  });

  test('that nothing tells the kind of are undecided', async () => {
    const { json } = await ask('project = HUB AND issuetype in standardIssueTypes()');
    expect(keysIn(json)).toEqual(['HUB-1']);
    expect(json).toMatchObject({ complete: false, undecided: 1 });
    const { json: named } = await ask('project = HUB AND issuetype in (Puzzle, standardIssueTypes())');
    expect(keysIn(named)).toEqual(['HUB-3', 'HUB-1']);
    expect(named).toMatchObject({ complete: true, undecided: 0 });
  });

  test('of a real site', async () => {
    expect(await found('created < 2025-01-01 AND issuetype in subTaskIssueTypes()')).toEqual([]);
    const all = await found('created < 2025-01-01');
    expect(await found('created < 2025-01-01 AND issuetype in standardIssueTypes()')).toEqual(all);
  });

  test('take no argument and stand for several', async () => {
    expect(await found('issuetype = standardIssueTypes()')).toEqual([
      "customjql: 'standardIssueTypes()' at position 12 gives several values. Try: IN or NOT IN before it.",
    ]);
    expect(await found('issuetype in subTaskIssueTypes(Web)')).toEqual([
      "customjql: 'subTaskIssueTypes(Web)' at position 13 has 1 arguments. Try: no arguments.",
    ]);
  });
});

describe('the past by name', () => {
  test.each([
    ['status was Received', ['HUB-4', 'HUB-5', 'HUB-6', 'HUB-8']],
    ['status was received before 2026-04-01', ['HUB-4', 'HUB-5', 'HUB-6', 'HUB-8']],
    ['status was Received after 2026-04-10', ['HUB-8']],
    ['status was not Received', ['HUB-1', 'HUB-2', 'HUB-20', 'HUB-21', 'HUB-3', 'HUB-7', 'HUB-9']],
    ['status was not in (Received, Boxed)', ['HUB-1', 'HUB-2', 'HUB-20', 'HUB-21', 'HUB-3', 'HUB-7']],
    ['status was Accepted', ['HUB-4', 'HUB-5', 'HUB-6', 'HUB-7', 'HUB-9']],
    ['status was 50', ['HUB-4', 'HUB-5', 'HUB-6', 'HUB-7', 'HUB-9']],
    ['status was Boxed', ['HUB-9']],
    ['status changed to Received', ['HUB-4', 'HUB-6']],
    ['status changed from Received', ['HUB-4', 'HUB-5']],
    ['status changed to Boxed', ['HUB-9']],
    ['status changed from "to do" to Received', ['HUB-4', 'HUB-6']],
    ['priority was Boxed', ['HUB-9']],
    ['priority changed from fair to urgent', ['HUB-9']],
    ['assignee was "Ada Oldname"', ['HUB-9']],
    ['assignee was "ada newname"', ['HUB-9']],
    ['assignee changed to "Ada Oldname"', ['HUB-9']],
    ['status = Received', ['HUB-8']],
  ])('%s', async (jql, keys) => {
    expect(await found(`project = HUB AND ${jql}`)).toEqual(keys);
  });

  test('of a real site is what its changes say', async () => {
    const { issues } = JSON.parse(readFileSync(fixture(real[0]), 'utf8'));
    const keysOf = (
      fits: (item: { fromString: string; toString: string }) => boolean,
      isNow: string | null = null,
    ) =>
      issues
        .filter(
          ({ changelog, fields }: Json) =>
            fields.status.name === isNow ||
            changelog.histories.some(({ items }: Json) =>
              items.some((item: Json) => item.field === 'status' && fits(item)),
            ),
        )
        .map(({ key }: Json) => key)
        .toSorted();
    const met = keysOf((item) => [item.fromString, item.toString].includes('To Do'), 'To Do');
    expect(met.length).toBeGreaterThan(0);
    expect(await found('created < 2025-01-01 AND status was "To Do"')).toEqual(met);
    const left = keysOf((item) => item.fromString === 'To Do');
    expect(await found('created < 2025-01-01 AND status changed from "To Do"')).toEqual(left);
  });

  test('a name that nothing ever had is refused', async () => {
    expect((await ask('status was Recieved')).status).toBe(400);
  });

  test('a status stays its id in tables', async () => {
    const { json } = await dwell.get('/rest/issue', { issueKey: 'HUB-4', columnsBy: 'statusDuration' });
    expect(json.table.header.valueColumns.map(({ id }: { id: string }) => id).toSorted()).toEqual([
      '50',
      '7',
    ]);
  });
});

describe('a key that an issue had before', () => {
  const single = (issueKey: string, user = 'ada') =>
    dwell.as(user).get('/rest/issue', { issueKey, columnsBy: 'statusDuration' });

  test.each(['OLD-3', 'old-3', 'MID-4', 'HUB-20'])('leads to it: %s', async (issueKey) => {
    const { status: code, json } = await single(issueKey);
    expect(code).toBe(200);
    expect(keysIn(json)).toEqual(['HUB-20']);
    expect(json.table.body.rows[0].headerColumns[1].value).toBe('What HUB-20 is about');
  });

  test.each([
    ['key = OLD-3', ['HUB-20']],
    ['issuekey in (old-3, HUB-20, HUB-21)', ['HUB-20', 'HUB-21']],
    ['project = HUB AND key > MID-4', ['HUB-21']],
    ['parent = OLD-3', ['HUB-21']],
    ['key = MID-4 AND status = "To Do"', ['HUB-20']],
  ])('in a query: %s', async (jql, keys) => {
    expect(await found(jql)).toEqual(keys);
  });

  test('leads nobody to an issue that is closed to them', async () => {
    const refusal = async (issueKey: string) => {
      const { status: code, text } = await single(issueKey);
      return [code, text.replaceAll(issueKey, 'KEY').replace(/"(?:timestamp|askedAt)":"[^"]*"/g, '')];
    };
    expect(await refusal('OLD-5')).toEqual(await refusal('OLD-9'));
    expect((await refusal('OLD-5'))[0]).toBe(404);
    expect((await ask('key = OLD-5')).text.replaceAll('OLD-5', 'OLD-9')).toBe(
      (await ask('key = OLD-9')).text,
    );
    expect(keysIn((await single('OLD-5', 'eve')).json)).toEqual(['SHUT-22']);
  });

  test('is not kept as an issue of its own when another file tells of the move', async () => {
    const now = async () => [await found('project in (MOVED)'), keysIn((await single('MOVE-6')).json)];
    await dwell.types('import', exportFile(searchResult(early), 'early.json'));
    expect(keysIn((await single('MOVE-6')).json)).toEqual(['MOVE-6']);
    await dwell.types('import', exportFile(searchResult(late), 'late.json'));
    expect(await now()).toEqual([['MOVED-7'], ['MOVED-7']]);
    await dwell.types('import', exportFile(searchResult(early), 'early.json'));
    expect(await now()).toEqual([['MOVED-7'], ['MOVED-7']]);
    expect((await ask('project = MOVE')).status).toBe(400);
  });
});

describe('a field that an issue lacks', () => {
  const cellOf = ({ json }: { json: Json }, row = 0) => json.table.body.rows[row].fieldColumns[0]?.value;
  const columnsBy = 'statusDuration';

  test('has an empty history', async () => {
    const asked = { issueKey: 'HUB-1', columnsBy: 'anyFieldDuration', historyFields: 'customfield_10016' };
    const { status: code, json } = await dwell.get('/rest/issue', asked);
    expect([code, keysIn(json)]).toEqual([200, ['HUB-1']]);
  });

  test('is "-", alone and in a list', async () => {
    const fields = 'customfield_10016';
    const one = await dwell.get('/rest/issue', { issueKey: 'HUB-1', columnsBy, fields });
    expect([one.status, cellOf(one)]).toEqual([200, '-']);
    const list = await dwell.get('/rest/issues', {
      ...{ filterType: 'customjql', customjql: 'key in (HUB-1, HUB-20) ORDER BY key', columnsBy, fields },
    });
    expect([cellOf(list), cellOf(list, 1)]).toEqual(['-', '5']);
  });

  test.each(['customfield_77', 'customfield_999'])('and nobody may see is refused: %s', async (fields) => {
    const { status: code, json } = await dwell.get('/rest/issue', { issueKey: 'HUB-1', columnsBy, fields });
    expect(code).toBe(400);
    expect(json.messages[0]).toContain(`fields '${fields}' is not a field of these issues. Try: `);
  });
});
