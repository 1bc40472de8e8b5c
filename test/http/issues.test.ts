import { describe, expect, test } from '#jest';
import { keysIn } from '../support/listed-keys.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const question = { filterType: 'project', projectKey: 'APP', columnsBy: 'statusDuration' };

describe('pages by index', () => {
  const page = async (startIssueIndex: number, pageSize: number) =>
    (
      await dwell.get('/rest/issues', {
        ...question,
        startIssueIndex: String(startIssueIndex),
        pageSize: String(pageSize),
      })
    ).json;

  test('tell where they are, how many issues there are, and the query', async () => {
    const json = await page(10, 5);
    expect(json).toMatchObject({
      startIssueIndex: 10,
      endIssueIndex: 14,
      pageSize: 5,
      query: 'project = "APP"',
    });
    expect(json.total).toBeGreaterThan(100);
    expect(json).not.toHaveProperty('nextPageToken');
    expect(json.table.body.rows).toHaveLength(5);
  });

  test('adjoin', async () => {
    const whole = keysIn(await page(0, 20));
    expect([...keysIn(await page(0, 7)), ...keysIn(await page(7, 13))]).toEqual(whole);
  });

  test('hold a hundred issues unless told otherwise', async () => {
    const { json } = await dwell.get('/rest/issues', question);
    expect(json).toMatchObject({ startIssueIndex: 0, endIssueIndex: 99, pageSize: 100 });
    expect(json.table.body.rows).toHaveLength(100);
  });

  test('behind the last issue are empty, and say so', async () => {
    const { total } = await page(0, 1);
    const json = await page(total, 5);
    expect(json).toMatchObject({ startIssueIndex: total, endIssueIndex: total - 1, total });
    expect(keysIn(json)).toEqual([]);
  });

  test('take no token', async () => {
    const { status, json } = await dwell.get('/rest/issues', { ...question, nextPageToken: 'abc' });
    expect(status).toBe(400);
    expect(json.messages).toEqual(["nextPageToken 'abc' belongs to /rest/issues/v2. Try: startIssueIndex."]);
  });
});

describe('pages by token', () => {
  const ask = (parameters: Record<string, string> = {}) =>
    dwell.get('/rest/issues/v2', { ...question, pageSize: '1000', ...parameters });

  test('lead to every issue once, and the last one has no token', async () => {
    const whole = keysIn((await ask()).json);
    const size = Math.ceil(whole.length / 3);
    const keys: string[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const next: Record<string, string> = token === undefined ? {} : { nextPageToken: token };
      const { json } = await ask({ pageSize: String(size), ...next });
      keys.push(...keysIn(json));
      expect(json).toMatchObject({ pageSize: size, query: 'project = "APP"' });
      expect(json).not.toHaveProperty('total');
      token = json.nextPageToken;
      pages += 1;
    } while (token !== undefined);
    expect(pages).toBe(3);
    expect(keys).toEqual(whole);
  });

  test('are the same in jsonSimplified and, by a header, in csv', async () => {
    const simplified = await ask({ pageSize: '2', outputType: 'jsonSimplified' });
    const csv = await ask({ pageSize: '2', outputType: 'csv' });
    const second = keysIn((await ask({ pageSize: '4' })).json).slice(2);
    expect(simplified.json.results).toHaveLength(2);
    for (const nextPageToken of [simplified.json.nextPageToken, csv.headers.get('x-next-page-token') ?? '']) {
      expect(keysIn((await ask({ pageSize: '2', nextPageToken })).json)).toEqual(second);
    }
    expect(csv.text.split('\r\n')).toHaveLength(4);
    expect((await ask({ outputType: 'csv' })).headers.get('x-next-page-token')).toBeNull();
  });

  test.each(['abc', '%', 'e30'])('refuse the token %s', async (nextPageToken) => {
    const { status, json } = await ask({ nextPageToken });
    expect(status).toBe(400);
    expect(json.messages[0]).toContain(`nextPageToken '${nextPageToken}' is not known`);
  });
});

test('the aliases answer alike', async () => {
  const pairs = [
    ['/rest/issues', '/rest/list', {}],
    ['/rest/issues/v2', '/rest/list2', {}],
    ['/rest/issues/aggregation', '/rest/aggregation', { aggregationType: 'sum' }],
  ] as const;
  for (const [path, alias, more] of pairs) {
    const parameters = { ...question, ...more, pageSize: '1000' };
    const one = await dwell.get(path, parameters);
    expect(one.status).toBe(200);
    expect((await dwell.get(alias, parameters)).json).toEqual(one.json);
    expect((await dwell.post(alias, parameters)).json).toEqual(one.json);
  }
});

describe('the ways to choose issues', () => {
  const choose = (parameters: Record<string, string>) =>
    dwell.get('/rest/issues', { columnsBy: 'statusDuration', ...parameters });

  test.each([
    [{ filterType: 'user', user: 'bob' }, 'assignee was "bob"'],
    [{ filterType: 'project', projectKey: 'web' }, 'project = "WEB"'],
    [{ filterType: 'customjql', customJQL: 'key = WEB-1' }, 'key = WEB-1'],
    [{ filterType: 'jqlfilter', jqlFilterID: '10001' }, expect.stringContaining('project = WEB')],
    [{ filterType: 'ADVANCED', JQLFILTERID: '10001' }, expect.stringContaining('project = WEB')],
  ] as [Record<string, string>, unknown][])('%j', async (parameters, query) => {
    const { status, json } = await choose(parameters);
    expect(status).toBe(200);
    expect(json.query).toEqual(query);
    expect(json.total).toBeGreaterThan(0);
  });

  test('sprint', async () => {
    const { json } = await choose({ filterType: 'SPRINT', sprintID: '10' });
    expect(json.query).toBe('sprint = 10');
  });

  test.each([
    ['user', 'user'],
    ['project', 'projectKey'],
    ['jqlfilter', 'jqlFilterID'],
    ['customjql', 'customjql'],
    ['sprint', 'sprintID'],
  ])('%s needs %s', async (filterType, name) => {
    const { status, json } = await choose({ filterType });
    expect(status).toBe(400);
    expect(json.messages).toEqual([`${name} is required with filterType ${filterType}.`]);
  });
});

describe('the dates of the issues', () => {
  const count = async (parameters: Record<string, string>, user = 'carl') => {
    const { status, json } = await dwell
      .as(user)
      .get('/rest/issues', { ...question, projectKey: 'WEB', pageSize: '1', ...parameters });
    expect([status, json.messages]).toEqual([200, undefined]);
    return json;
  };

  test('the end includes its day, and is told in the query', async () => {
    const json = await count({ startDate: '2026-03-02', endDate: '2026-03-06' });
    expect(json.query).toBe(
      '(project = "WEB") AND created >= "2026-03-02 00:00" AND created < "2026-03-07 00:00"',
    );
    expect(json.total).toBeGreaterThan(0);
    const days = await Promise.all(
      [2, 3, 4, 5, 6].map((day) => count({ startDate: `2026-03-0${day}`, endDate: `2026-03-0${day}` })),
    );
    expect(days.reduce((sum, { total }) => sum + total, 0)).toBe(json.total);
  });

  test('an end with a time does not include its minute', async () => {
    const json = await count({ endDate: '2026-03-06 10:30' });
    expect(json.query).toBe('(project = "WEB") AND created < "2026-03-06 10:30"');
  });

  test('are read in the zone of the principal', async () => {
    const day = { startDate: '2026-03-06', endDate: '2026-03-06' };
    const [berlin, newYork] = [await count(day, 'carl'), await count(day, 'bob')];
    expect([berlin.timeZone, newYork.timeZone]).toEqual(['Europe/Berlin', 'America/New_York']);
    const hours = { startDate: '2026-03-06 06:00', endDate: '2026-03-07 06:00' };
    expect((await count(hours, 'carl')).total).toBe(newYork.total);
  });

  test.each([
    ['resolved', 'resolved'],
    ['RESOLUTION', 'resolved'],
    ['resolutiondate', 'resolved'],
    ['updated', 'updated'],
    ['Created', 'created'],
  ])('may be those of %s', async (dateRangeField, field) => {
    const json = await count({ startDate: '2026-03-02', dateRangeField });
    expect(json.query).toBe(`(project = "WEB") AND ${field} >= "2026-03-02 00:00"`);
  });

  test.each([
    [{ startDate: '2.3.2026' }, "startDate '2.3.2026' is not a date. Try: yyyy-MM-dd or yyyy-MM-dd HH:mm."],
    [{ endDate: '2026-02-30' }, "endDate '2026-02-30' is not a date. Try: yyyy-MM-dd or yyyy-MM-dd HH:mm."],
    [
      { startDate: '2026-03-07', endDate: '2026-03-06' },
      "endDate '2026-03-06' is not after startDate '2026-03-07'.",
    ],
  ] as [Record<string, string>, string][])('%j is refused', async (wrong, sentence) => {
    const { status, json } = await dwell.get('/rest/issues', { ...question, ...wrong });
    expect([status, json.messages]).toEqual([400, [sentence]]);
  });
});

test('groups stand together in a list, with their values before the fields', async () => {
  const { json } = await dwell.get('/rest/issues/v2', {
    ...question,
    groupByFields: 'issuetype, priority',
    fields: 'status',
    pageSize: '1000',
  });
  expect(json.table.header.groupByColumns).toEqual([
    { id: 'issuetype', value: 'Issue Type' },
    { id: 'priority', value: 'Priority' },
  ]);
  const groups = json.table.body.rows.map((row: { groupByColumns: { value: string }[] }) =>
    row.groupByColumns.map(({ value }) => value).join(' / '),
  );
  const changes = groups.filter((group: string, i: number) => group !== groups[i - 1]);
  expect(changes.length).toBeGreaterThan(2);
  expect(new Set(changes).size).toBe(changes.length);
  const { text } = await dwell.get('/rest/issues', {
    ...question,
    groupByFields: 'issuetype',
    fields: 'priority',
    outputType: 'csv',
  });
  expect(text).toMatch(/^Key,Summary,Issue Type,Priority,/);
});

test('issues nobody but their own people may see are missing for everybody else', async () => {
  const confidential = {
    filterType: 'customjql',
    customjql: 'level is not EMPTY',
    columnsBy: 'statusDuration',
  };
  const total = async (user: string, admin: boolean) =>
    (await dwell.as(user, { admin }).get('/rest/issues', confidential)).json.total;
  const all = await total('ada', true);
  expect(all).toBeGreaterThan(0);
  expect(await total('owen', false)).toBe(all);
  expect(await total('bob', false)).toBeLessThan(all);
  const { json } = await dwell.as('ada', { admin: true }).get('/rest/issues', confidential);
  const bobs = (await dwell.as('bob').get('/rest/issues', confidential)).json;
  const hidden = keysIn(json).find((key) => !keysIn(bobs).includes(key)) ?? '';
  const refused = await dwell.as('bob').get('/rest/issue', { issueKey: hidden, columnsBy: 'statusDuration' });
  expect(refused.status).toBe(404);
  expect(refused.json.messages).toEqual([`issueKey '${hidden}' could not be found.`]);
});
