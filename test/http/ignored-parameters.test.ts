import { afterAll, beforeAll, expect, test } from '#jest';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell();
});
afterAll(() => dwell.stop());

const asked = { issueKey: 'WEB-1', columnsBy: 'statusDuration' };

test('a parameter nobody reads is named in the answer: a misspelt one must not look like a choice', async () => {
  const answer = await dwell.get('/rest/issue', { ...asked, calender: 'Berlin', 'böse Ω': '1' });
  expect(answer.status).toBe(200);
  expect(answer.json.calendar.name).toBe('normalHours');
  expect(answer.json.ignoredParameters).toEqual(['calender', 'böse Ω']);
  const csv = await dwell.get('/rest/issue', { ...asked, outputType: 'csv', calender: 'Berlin' });
  expect(csv.headers.get('x-ignored-parameters')).toBe('calender');
});

test('parameters that are read, in any case, and the token are not', async () => {
  const answer = await dwell.get('/rest/issue', {
    ISSUEKEY: 'WEB-1',
    columnsby: 'statusduration',
    Calendar: '1',
  });
  expect(answer.json.calendar.name).toBe('Berlin');
  expect(answer.json).not.toHaveProperty('ignoredParameters');
  expect(answer.headers.get('x-ignored-parameters')).toBeNull();
});

test('a page of more cells than anybody reads is refused with a way out', async () => {
  const parameters = {
    filterType: 'customjql',
    customjql: 'order by key',
    columnsBy: 'statusDurationByTimePeriod',
  };
  const wide = await dwell.get('/rest/issues/v2', { ...parameters, timePeriod: 'Day', pageSize: '1000' });
  expect(wide.status).toBe(400);
  expect(wide.json.messages[0]).toMatch(
    /^pageSize '1000' makes a page of \d+ cells; a page has at most 500000. Try: /,
  );
  const monthly = await dwell.get('/rest/issues/v2', { ...parameters, timePeriod: 'Month', pageSize: '100' });
  expect(monthly.status).toBe(200);
});

test('named statuses are columns in the order asked, on every page', async () => {
  const titles = async (startIssueIndex: string) => {
    const { text } = await dwell.get('/rest/issues', {
      filterType: 'project',
      projectKey: 'WEB',
      columnsBy: 'statusDuration',
      statuses: '10004,10002,3,10005',
      outputType: 'csv',
      pageSize: '2',
      startIssueIndex,
    });
    return text.split('\r\n')[0];
  };
  const first = await titles('0');
  for (const start of ['2', '40', '100']) expect(await titles(start)).toBe(first);
  const { json } = await dwell.get('/rest/issue', {
    issueKey: 'APP-350',
    columnsBy: 'statusDuration',
    statuses: '10004,10002,3',
  });
  expect(json.table.header.valueColumns.map((column: { id: string }) => column.id)).toEqual([
    '10004',
    '10002',
    '3',
  ]);
});

test('issues are grouped by a set of labels whatever their order', async () => {
  const { json } = await dwell.get('/rest/issues/aggregation', {
    filterType: 'customjql',
    customjql: 'labels is not empty',
    columnsBy: 'statusDuration',
    aggregationType: 'average',
    groupByFields: 'labels',
  });
  const sets = json.table.body.rows.map((row: { groupByColumns: { value: string }[] }) =>
    row.groupByColumns[0]?.value.split(', ').sort().join(),
  );
  expect(sets.length).toBeGreaterThan(10);
  expect(new Set(sets).size).toBe(sets.length);
});
