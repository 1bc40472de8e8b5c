import { afterAll, beforeAll, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { startDwellInSlack } from '../support/start-slack.ts';

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  place = await startDwellInSlack({ at: '2026-11-12T09:00:00Z' });
  const files = ['c6-team-managed-same-names.json', 'c6-statuses.json'];
  await place.dwell.types('import', ...files.map((name) => fixture(`cases/${name}`)));
});
afterAll(() => place.stop());

const both = { filterType: 'customJql', customJql: 'project in (PEA, OAK)' };
const pea = { filterType: 'project', projectKey: 'PEA' };
const get = async (path: string, parameters: Record<string, string>) =>
  (await place.dwell.get(path, { columnsBy: 'statusDuration', ...parameters })).json;
const values = (cells: readonly { readonly value: string }[]) => cells.map(({ value }) => value);
const inBoth = [
  'To Do (PEA)',
  'To Do (OAK)',
  'In Progress (PEA)',
  'In Progress (OAK)',
  'Done (PEA)',
  'Done (OAK)',
];
const plain = ['To Do', 'In Progress', 'Done'];

test('a question on two projects names the project of statuses that share a name, in columns and rows', async () => {
  const { table } = await get('/rest/issues', { ...both, fields: 'status' });
  expect(values(table.header.valueColumns).toSorted()).toEqual(inBoth.toSorted());
  const rows: Record<string, { value: string }[]>[] = table.body.rows;
  for (const { headerColumns, fieldColumns } of rows) {
    const project = headerColumns?.[0]?.value.split('-')[0];
    expect(fieldColumns?.[0]?.value).toMatch(new RegExp(`^(To Do|In Progress|Done) \\(${project}\\)$`));
  }
  for (const aggregated of [both, { ...both, customJql: 'project in (PEA, OAK) order by key' }]) {
    const { table: groups } = await get('/rest/issues/aggregation', {
      ...{ ...aggregated, aggregationType: 'average', groupByFields: 'status' },
    });
    const titles = values(groups.header.valueColumns);
    expect(titles.toSorted()).toEqual(inBoth.toSorted());
    for (const { groupByColumns } of groups.body.rows) expect(titles).toContain(groupByColumns[0].value);
  }
});

test('a status has the same title on every page of a question', async () => {
  const titles = new Set<string>();
  for (const startIssueIndex of ['0', '2', '4', '6']) {
    const page = { ...both, fields: 'status', startIssueIndex, pageSize: '2' };
    const { table } = await get('/rest/issues', page);
    for (const title of values(table.header.valueColumns)) titles.add(title);
    for (const { fieldColumns } of table.body.rows) expect(inBoth).toContain(fieldColumns[0].value);
  }
  expect([...titles].toSorted()).toEqual(inBoth.toSorted());
  const { table } = await get('/rest/issues', { ...pea, pageSize: '2' });
  for (const title of values(table.header.valueColumns)) expect(plain).toContain(title);
});

test('a question on one of them does not, however it is asked', async () => {
  expect(values((await get('/rest/issues', pea)).table.header.valueColumns)).toEqual(plain);
  const issue = (await get('/rest/issue', { issueKey: 'PEA-1' })).table;
  expect(values(issue.header.valueColumns)).toEqual(plain);
  const { table } = await get('/rest/issue/expanded', {
    issueKey: 'PEA-1',
    columnsBy: 'statusDurationExpanded',
  });
  const visits: { statusName: string }[] = table.body.rows[0].expanded.rows;
  expect(visits.map(({ statusName }) => statusName)).toEqual(plain);
  const groups = await get('/rest/issues/aggregation', {
    ...pea,
    aggregationType: 'average',
    groupByFields: 'status',
  });
  for (const { groupByColumns } of groups.table.body.rows) expect(plain).toContain(groupByColumns[0].value);
});

test('the key of the project is known though the list of statuses has its id only', async () => {
  const scopes = (await get('/rest/statuses', {})).map(
    (status: Record<string, string>) => status.scopeProjectKey,
  );
  expect(scopes.toSorted()).toEqual(['OAK', 'OAK', 'OAK', 'PEA', 'PEA', 'PEA']);
  const { includedStatuses } = await get('/rest/issue', { issueKey: 'PEA-1' });
  expect(includedStatuses.map((status: Record<string, string>) => status.scopeProjectKey)).toEqual([
    'PEA',
    'PEA',
    'PEA',
  ]);
});

test('/tis jql project in (PEA, OAK) by status', async () => {
  const answer = await place.slack.answerTo('/tis jql project in (PEA, OAK) by status');
  const text = JSON.stringify(answer);
  expect(text).toContain('In Progress (PEA)');
  expect(text).toContain('In Progress (OAK)');
  expect(text).not.toMatch(/\(10[12]0\d\)/);
});

test('/tis compare PEA with OAK has one row for the status that both sides call In Progress', async () => {
  const answer = await place.slack.answerTo('/tis compare PEA with OAK');
  const text = JSON.stringify(answer);
  expect(text).toContain('In Progress');
  expect(text).not.toMatch(/In Progress \(|\(10[12]0\d\)/);
});
