import { describe, expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const question = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };
const ask = (parameters: Record<string, string> = {}) =>
  dwell.get('/rest/issues/aggregation', { ...question, ...parameters });

/** The milliseconds of every issue in a status, from the list. */
async function values(status: string): Promise<{ values: number[]; issues: number }> {
  const { json } = await dwell.get('/rest/issues', { ...question, pageSize: '1000' });
  const cells: { id: string; raw?: string }[] = json.table.body.rows.flatMap(
    (row: { valueColumns: unknown[] }) => row.valueColumns,
  );
  const own = cells.filter(({ id, raw }) => id === status && raw !== undefined);
  return { values: own.map(({ raw }) => Number(raw)), issues: json.total };
}

const figure = async (parameters: Record<string, string>, status = '3') => {
  const { status: code, json } = await ask(parameters);
  expect([code, json.messages]).toEqual([200, undefined]);
  const [row] = json.table.body.rows;
  return Number(row.valueColumns.find(({ id }: { id: string }) => id === status).raw);
};

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

test('the answer has a row of figures, the number of issues, and no header columns', async () => {
  const { json } = await ask({ aggregationType: 'average', viewFormat: 'hours' });
  expect(json).toMatchObject({
    isAggregationType: true,
    isOverall: true,
    isAverage: true,
    isSum: false,
    isMedian: false,
    isStddev: false,
    aggregationType: 'average',
    averageDenominator: 'nonNull',
    query: 'project = "WEB"',
  });
  expect(json).not.toHaveProperty('percentile');
  const { header, body } = json.table;
  expect([header.headerColumns, header.groupByColumns, header.fieldColumns]).toEqual([[], [], []]);
  const { issues } = await values('3');
  expect(body.rows).toEqual([
    {
      headerColumns: [],
      groupByColumns: [],
      fieldColumns: [],
      issueCount: issues,
      valueColumns: expect.arrayContaining([{ id: '3', value: expect.any(String), raw: expect.any(String) }]),
    },
  ]);
  const cell = body.rows[0].valueColumns.find(({ id }: { id: string }) => id === '3');
  expect(Number(cell.value)).toBeCloseTo(Number(cell.raw) / 3_600_000, 3);
});

describe('the figures are those of the list', () => {
  test('sum and average, of the issues with a value or of all', async () => {
    const { values: all, issues } = await values('3');
    expect(all.length).toBeGreaterThan(10);
    expect(all.length).toBeLessThan(issues);
    expect(await figure({ aggregationType: 'sum' })).toBe(sum(all));
    expect(await figure({ aggregationType: 'AVERAGE' })).toBe(Math.round(sum(all) / all.length));
    for (const averageDenominator of ['all', 'ALLISSUES']) {
      expect(await figure({ aggregationType: 'average', averageDenominator })).toBe(
        Math.round(sum(all) / issues),
      );
    }
  });

  test('median and percentiles', async () => {
    const { values: all } = await values('3');
    const sorted = all.toSorted((a, b) => a - b);
    expect(await figure({ aggregationType: 'percentile', percentile: '0' })).toBe(sorted[0]);
    expect(await figure({ aggregationType: 'percentile', percentile: '100' })).toBe(sorted.at(-1));
    expect(await figure({ aggregationType: 'percentile', percentile: '50' })).toBe(
      await figure({ aggregationType: 'median' }),
    );
    const { json } = await ask({ aggregationType: 'percentile' });
    expect(json).toMatchObject({ aggregationType: 'percentile', percentile: 85, isMedian: false });
  });

  test('standard deviation of the population or of a sample', async () => {
    const { values: all } = await values('3');
    const mean = sum(all) / all.length;
    const squares = sum(all.map((value) => (value - mean) ** 2));
    const aggregationType = 'standardDeviation';
    expect(await figure({ aggregationType })).toBeCloseTo(Math.sqrt(squares / all.length), -1);
    expect(await figure({ aggregationType, stddevType: 'sample' })).toBeCloseTo(
      Math.sqrt(squares / (all.length - 1)),
      -1,
    );
    expect((await ask({ aggregationType })).json).toMatchObject({ isStddev: true, stddevType: 'population' });
  });
});

test('a figure of many issues has no count, which would be of visits and is taken for one of issues', async () => {
  const { json } = await ask({ aggregationType: 'average', groupByFields: 'issuetype' });
  const cells = json.table.body.rows.flatMap((row: { valueColumns: object[] }) => row.valueColumns);
  expect(cells.some((cell: object) => 'raw' in cell)).toBe(true);
  expect(cells.filter((cell: object) => 'count' in cell)).toEqual([]);
  expect(json.table.body.rows.every((row: { issueCount: number }) => row.issueCount > 0)).toBe(true);
});

test('groups have a row each, and their issues add up', async () => {
  const { json } = await ask({ aggregationType: 'sum', groupByFields: 'issuetype' });
  const { header, body } = json.table;
  expect(json.isOverall).toBe(false);
  expect(header.groupByColumns).toEqual([{ id: 'issuetype', value: 'Issue Type' }]);
  expect(body.rows.length).toBeGreaterThan(1);
  for (const row of body.rows) {
    expect(row.groupByColumns).toEqual([{ id: 'issuetype', value: expect.any(String) }]);
  }
  const { issues, values: all } = await values('3');
  expect(sum(body.rows.map((row: { issueCount: number }) => row.issueCount))).toBe(issues);
  const raws = body.rows.map((row: { valueColumns: { id: string; raw?: string }[] }) =>
    Number(row.valueColumns.find(({ id }) => id === '3')?.raw ?? 0),
  );
  expect(sum(raws)).toBe(sum(all));
});

test('counts have statistics, too', async () => {
  const { json } = await ask({ columnsBy: 'statusCount', aggregationType: 'average' });
  const cell = json.table.body.rows[0].valueColumns[0];
  expect(cell.value).toMatch(/^\d+(\.\d{1,10})?$/);
  expect(cell.raw).toBe(cell.value);
});

test('csv and jsonSimplified tell the groups and how many issues they have', async () => {
  const parameters = { aggregationType: 'sum', groupByFields: 'issuetype', statuses: '3' };
  const { json } = await ask({ ...parameters, outputType: 'jsonSimplified' });
  expect(Object.keys(json.results[0])).toEqual(['Issue Type', 'Issues', 'In Progress', 'History']);
  const { text } = await ask({ ...parameters, outputType: 'csv' });
  expect(text.split('\r\n')[0]).toBe('Issue Type,Issues,In Progress,History');
});

test.each([
  [
    { aggregationType: 'average', averageDenominator: 'some' },
    "averageDenominator 'some' is not known. Try: nonNull, all.",
  ],
  [
    { aggregationType: 'average', stddevType: 'other' },
    "stddevType 'other' is not known. Try: population, sample.",
  ],
  [
    { aggregationType: 'sum', columnsBy: 'firstTransitionToStatusDate' },
    expect.stringMatching(/^columnsBy 'firstTransitionToStatusDate' shows dates, which have no sum/),
  ],
] as [Record<string, string>, unknown][])('%j is refused', async (wrong, sentence) => {
  const { status, json } = await ask(wrong);
  expect([status, json.messages]).toEqual([400, [sentence]]);
});
