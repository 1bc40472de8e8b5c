import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell();
});
afterAll(() => dwell.stop());

const question = { filterType: 'project', projectKey: 'OPS', columnsBy: 'statusDuration' };

test('the list is a file with a line per issue, whatever their number', async () => {
  const answer = await dwell.post('/rest/export/status', { ...question, outputType: 'csv' });
  expect(answer.status).toBe(200);
  expect(answer.type).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="dwell-statusDuration-2026-03-18-1300.csv"',
  );
  const { json } = await dwell.get('/rest/issues', { ...question, pageSize: '1' });
  expect(json.total).toBeGreaterThan(100);
  expect(answer.text.trimEnd().split('\r\n')).toHaveLength(1 + json.total);
});

describe('a statistic is a file of its own', () => {
  test.each([
    ['CSVAVERAGE', 'average'],
    ['csvsum', 'sum'],
    ['CsvMedian', 'median'],
    ['CSVSTDDEV', 'standardDeviation'],
  ])('%s', async (outputType, aggregationType) => {
    const answer = await dwell.get('/rest/smallexport', {
      ...question,
      outputType,
      groupByFields: 'issuetype',
    });
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="dwell-statusDuration-${aggregationType}-2026-03-18-1300.csv"`,
    );
    const { text } = await dwell.get('/rest/aggregation', {
      ...question,
      aggregationType,
      groupByFields: 'issuetype',
      outputType: 'csv',
    });
    expect(answer.text).toBe(text);
  });
});

test('the contract’s path and the live one answer alike', async () => {
  const asked = { ...question, outputType: 'CSVSUM', pageSize: '1' };
  const { text } = await dwell.post('/rest/export/status', asked);
  expect((await dwell.get('/rest/smallexport', asked)).text).toBe(text);
  expect((await dwell.post('/rest/smallexport', asked)).text).toBe(text);
});

test.each([
  [{}, 'outputType is required.'],
  ...['XLS', 'xlsx', 'json'].map((outputType) => [
    { outputType },
    `outputType '${outputType}' is not known; allowed: CSV, CSVAVERAGE, CSVSUM, CSVMEDIAN, CSVSTDDEV.`,
  ]),
] as [Record<string, string>, string][])('%j is refused with what is allowed', async (wrong, sentence) => {
  const { status, json } = await dwell.post('/rest/export/status', { ...question, ...wrong });
  expect([status, json.messages]).toEqual([400, [sentence]]);
});
