import { beforeAll, expect, test } from '#jest';
import { exportFile, isAssignedTo, jiraIssue, movesTo, searchResult } from '../support/jira-export.ts';
import { until } from '../support/local-exports.ts';
import type { TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const base = '/rest/delegation/api/1.0';
// Bob has it from Monday 2 March, 09:00, on, Carl from Thursday, 09:00, on; asked on Friday, 09:00.
const issue = jiraIssue('WEB-1', { created: '2026-03-02T09:00:00.000Z', assignee: 'bob' })
  .at('2026-03-04T09:00:00.000Z', movesTo('In Progress'))
  .at('2026-03-05T09:00:00.000Z', isAssignedTo('carl'))
  .onDataCenter();
const people = ['ada', 'bob', 'carl', 'dora'].map((name) => ({
  self: 'https://demo.example/rest/api/2/user',
  key: name,
  name,
  displayName: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
}));

const dwell = suiteDwell({ at: '2026-03-06T09:00:00Z' });
let boss: ReturnType<TestDwell['as']>;
beforeAll(async () => {
  boss = dwell.as('ada', { admin: true });
  await dwell.types('import', exportFile(searchResult(issue)), exportFile(people, 'users.json'));
  const { json: expense } = await boss.postJson(`${base}/category`, { name: 'Expense' });
  const delegations = [
    {
      delegates: ['carl'],
      categoryIds: [expense.id],
      startDate: '2026-03-02T12:00Z',
      endDate: '2026-03-03T12:00Z',
    },
    { delegates: ['dora'], startDate: '2026-03-03T00:00Z', endDate: '2026-03-04T00:00Z' },
  ];
  for (const wish of delegations) {
    const { status } = await boss.postJson(`${base}/delegation`, { delegator: 'bob', ...wish });
    expect(status).toBe(200);
  }
});

const question = {
  filterType: 'project',
  projectKey: 'WEB',
  columnsBy: 'assigneeDuration',
  viewFormat: 'hours',
};

interface Told {
  readonly id: string;
  readonly value: string;
}

/** Hours by title of column. */
async function hours(path: string, parameters: Record<string, string> = {}) {
  const { json } = await boss.get(path, { ...question, ...parameters });
  const titles = new Map<string, string>(
    json.table.header.valueColumns.map(({ id, value }: Told) => [id, value] as const),
  );
  return Object.fromEntries(
    json.table.body.rows[0].valueColumns.map(({ id, value }: Told) => [titles.get(id), Number(value)]),
  );
}

test('Bob’s hours are his own until others stand in for him, and theirs then', async () => {
  expect(await hours('/rest/issues')).toEqual({ Bob: 72, Carl: 24 });
  // Everything first: Dora has all of Tuesday, Carl only the expenses' Monday from 12:00 on; Bob 3 h before and 33 h
  // after, Wednesday and Thursday until 09:00. 36 + 12 + 24 = 72.
  const everything = { Bob: 36, 'Carl for Bob (Expense)': 12, 'Dora for Bob': 24, Carl: 24 };
  for (const path of ['/rest/issues', '/rest/issues/v2']) {
    expect(await hours(path, { creditDelegates: 'true' })).toEqual(everything);
  }
  const one = { issueKey: 'WEB-1', creditDelegates: 'true' };
  expect(await hours('/rest/issue', one)).toEqual(everything);
});

test('of categories that overlap the one named first has the hours', async () => {
  // Tuesday until noon are Carl's expenses, and Dora has the rest of it.
  expect(await hours('/rest/issues', { creditDelegates: 'expense,general' })).toEqual({
    Bob: 36,
    'Carl for Bob (Expense)': 24,
    'Dora for Bob': 12,
    Carl: 24,
  });
  // Who stands in for everything does for expenses as well, once nobody else does.
  expect(await hours('/rest/issues', { creditDelegates: 'Expense' })).toEqual({
    Bob: 36,
    'Carl for Bob (Expense)': 24,
    'Dora for Bob (Expense)': 12,
    Carl: 24,
  });
  expect(await hours('/rest/issues', { creditDelegates: 'general' })).toEqual({
    Bob: 48,
    'Dora for Bob': 24,
    Carl: 24,
  });
});

test('a window of history and an instant in the past cut the hours of those who stood in as well', async () => {
  const window = { trimHistoryStartDate: '2026-03-03', trimHistoryEndDate: '2026-03-05' };
  expect(await hours('/rest/issues', { creditDelegates: 'true', ...window })).toEqual({
    Bob: 24,
    'Dora for Bob': 24,
  });
  const earlier = { asOf: '2026-03-03T01:00:00Z' };
  expect(await hours('/rest/issues', { creditDelegates: 'true', ...earlier })).toEqual({
    Bob: 3,
    'Carl for Bob (Expense)': 12,
    'Dora for Bob': 1,
  });
});

test('statistics, CSV and files tell the same hours', async () => {
  const crediting = { ...question, creditDelegates: 'true' };
  const aggregated = await hours('/rest/issues/aggregation', {
    creditDelegates: 'true',
    aggregationType: 'sum',
  });
  expect(aggregated).toEqual({ Bob: 36, 'Carl for Bob (Expense)': 12, 'Dora for Bob': 24, Carl: 24 });

  const csv = await boss.get('/rest/issues/v2', { ...crediting, outputType: 'csv' });
  const [titles, line] = csv.text.split('\r\n');
  expect(titles).toBe('Key,Summary,Bob,Carl for Bob (Expense),Dora for Bob,Carl,History');
  expect(line).toBe('WEB-1,What WEB-1 is about,36,12,24,24,complete');

  const { sheets } = (await boss.post('/rest/export/status', { ...crediting, outputType: 'JSON' })).json;
  for (const sheet of [sheets.list, sheets.sum]) {
    const told = sheet.columns.flatMap(
      ({ title, unit }: { title: string; unit: string | null }, i: number) =>
        unit === 'hours' ? [[title, sheet.rows[0][i]]] : [],
    );
    expect(Object.fromEntries(told)).toEqual({
      'Bob (hours)': 36,
      'Carl for Bob (Expense) (hours)': 12,
      'Dora for Bob (hours)': 24,
      'Carl (hours)': 24,
    });
  }
  expect(sheets.provenance.rows).toContainEqual(['Delegates credited', 'general; Expense']);
});

test('a queued file tells them too, and is not to be had by whoever may not know of them any more', async () => {
  const bob = dwell.as('bob');
  const wish = { ...question, creditDelegates: 'true', outputType: 'CSV' };
  expect((await bob.post('/rest/export', wish)).status).toBe(403);
  await dwell.types('delegates', '--view-all', 'bob');
  const { exportId } = (await bob.post('/rest/export', wish)).json;
  await until(async () => (await bob.get(`/rest/export/${exportId}`)).json.status === 'Successful');
  const download = () => bob.get(`/rest/export/${exportId}/download`);
  expect((await download()).text).toContain('Carl for Bob (Expense) (hours)');
  await dwell.types('delegates', '--view-all', 'none');
  const refused = await download();
  expect([refused.status, refused.json.message]).toEqual([
    404,
    'What you can see has changed since the export was made; please ask for it again.',
  ]);
});
