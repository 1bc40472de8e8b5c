import { expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

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

/** Columns are in an order of their own where none is named, and that is known some moments after a start. */
const named = { ...asked, statuses: '3,10003' };
const list = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration', statuses: '3,10003' };
const metrics = '[{"name":"Work","startAt":{"ids":["3"]},"stopAt":{"value":"Done"}}]';
const statistic = { ...list, aggregationType: 'average' };

test.each([
  ['/rest/issue', named, { timePeriod: 'Week', groups: 'web-team' }],
  ['/rest/issue', named, { historyFields: 'assignee', dbsMetrics: metrics }],
  ['/rest/issue', { ...named, columnsBy: 'statusCount' }, { multiVisitBehavior: 'first' }],
  ['/rest/issue/expanded', { issueKey: 'WEB-1' }, { historyFields: 'assignee' }],
  ['/rest/issues', list, { customjql: 'project = APP', sprintID: '10', dateRangeField: 'updated' }],
  ['/rest/issues/v2', { ...list, startDate: '2026-01-05' }, { user: 'bob' }],
  ['/rest/issues/weekly', { filterType: 'project', projectKey: 'WEB' }, { jqlFilterID: '10001' }],
  ['/rest/issues/aggregation', statistic, { percentile: '50', stddevType: 'sample', fields: 'priority' }],
  [
    '/rest/issues/aggregation',
    { ...statistic, aggregationType: 'MEDIAN' },
    { averageDenominator: 'all', percentile: '50' },
  ],
] as [string, Record<string, string>, Record<string, string>][])(
  '%s with %j has no use for %j, says so, and answers the same without',
  async (path, parameters, unused) => {
    const without = await dwell.get(path, parameters);
    expect(without.json).not.toHaveProperty('ignoredParameters');
    const { json, headers } = await dwell.get(path, { ...parameters, ...unused });
    const { ignoredParameters, ...answer } = json;
    expect(ignoredParameters).toEqual(Object.keys(unused));
    expect(headers.get('x-ignored-parameters')).toBe(Object.keys(unused).join(', '));
    expect(answer).toEqual(without.json);
  },
);

test.each([
  ['/rest/issue', { ...asked, columnsBy: 'statusDurationByTimePeriod' }, { timePeriod: 'Week' }],
  ['/rest/issue', { ...asked, columnsBy: 'GROUPDURATION' }, { groups: 'web-team' }],
  ['/rest/issue', { ...asked, columnsBy: 'anyFieldDuration' }, { historyFields: 'assignee' }],
  ['/rest/issue', asked, { multiVisitBehavior: 'first', fields: 'priority' }],
  ['/rest/issues', { ...list, startDate: '2026-01-05' }, { dateRangeField: 'updated' }],
  ['/rest/issues', { ...list, filterType: 'advanced', projectKey: '' }, { jqlFilterID: '10001' }],
  ['/rest/issues/aggregation', { ...statistic, aggregationType: 'percentile' }, { percentile: '50' }],
  ['/rest/issues/aggregation', statistic, { averageDenominator: 'all' }],
  [
    '/rest/issues/aggregation',
    { ...statistic, aggregationType: 'standardDeviation' },
    { stddevType: 'sample', averageDenominator: 'all' },
  ],
] as [string, Record<string, string>, Record<string, string>][])(
  '%s with %j uses %j',
  async (path, parameters, used) => {
    const { status, json, headers } = await dwell.get(path, { ...parameters, ...used });
    expect([status, json.ignoredParameters, headers.get('x-ignored-parameters')]).toEqual([
      200,
      undefined,
      null,
    ]);
  },
);

test('a file says in its header what it has no use for', async () => {
  const { headers } = await dwell.get('/rest/smallexport', {
    ...list,
    outputType: 'CSVSUM',
    averageDenominator: 'all',
    stddevType: 'sample',
  });
  expect(headers.get('x-ignored-parameters')).toBe('averageDenominator, stddevType');
  const workbook = await dwell.get('/rest/smallexport', {
    ...list,
    outputType: 'JSON',
    stddevType: 'sample',
  });
  expect(workbook.headers.get('x-ignored-parameters')).toBeNull();
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
