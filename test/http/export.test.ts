import { unzipSync } from 'fflate';
import { describe, expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const question = { filterType: 'project', projectKey: 'OPS', columnsBy: 'statusDuration' };

/** The bytes of an answer. */
async function bytesOf(parameters: Record<string, string>): Promise<Buffer> {
  const query = new URLSearchParams({ ...question, ...parameters });
  const answer = await fetch(`${dwell.url}/rest/smallexport?${query}`, {
    headers: await dwell.headerOf('ada'),
  });
  return Buffer.from(await answer.arrayBuffer());
}

/** The cells of a line; a report is rounded to milliseconds, a file is not. */
function cellsOf(line: string): (string | number)[] {
  return line
    .split(',')
    .map((cell) => (/^\d+(\.\d+)?$/.test(cell) ? Number(Number(cell).toFixed(3)) : cell.replace(/^-$/, '')));
}

test('the list is a file with a line per issue, whatever their number', async () => {
  const answer = await dwell.post('/rest/export/status', { ...question, outputType: 'csv' });
  expect(answer.status).toBe(200);
  expect(answer.type).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="dwell-statusDuration-2026-03-18-1300.csv"',
  );
  expect([answer.headers.get('x-complete'), answer.headers.get('x-undecided')]).toEqual(['false', '0']);
  const { json } = await dwell.get('/rest/issues', { ...question, pageSize: '1' });
  expect(json.total).toBeGreaterThan(100);
  expect(answer.text.trimEnd().split('\r\n')).toHaveLength(1 + json.total);
});

describe('a statistic is a file of its own, with the figures of an aggregation', () => {
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
    const [titles = '', ...lines] = answer.text.split('\r\n');
    const [ownTitles = '', ...wanted] = text.split('\r\n');
    // A file tells the unit in its titles, and "never" by an empty cell.
    expect(titles).toContain('In Progress (minutes)');
    expect(titles.replaceAll(' (minutes)', '')).toBe(ownTitles);
    expect(lines.map(cellsOf)).toEqual(wanted.map(cellsOf));
  });
});

test('the contract’s path and the live one answer alike', async () => {
  const asked = { ...question, outputType: 'CSVSUM', pageSize: '1' };
  const { text } = await dwell.post('/rest/export/status', asked);
  expect((await dwell.get('/rest/smallexport', asked)).text).toBe(text);
  expect((await dwell.post('/rest/smallexport', asked)).text).toBe(text);
});

describe('each type of file is what its name says', () => {
  test.each([
    ['XLSX', 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', '504b0304'],
    ['XLS', 'xls', 'application/vnd.ms-excel', 'd0cf11e0a1b11ae1'],
    ['JSON', 'json', 'application/json', '7b'],
    ['CSV', 'csv', 'text/csv; charset=utf-8', '4b6579'],
  ])('%s', async (outputType, extension, mediaType, start) => {
    const head = await dwell.send(
      'HEAD',
      `/rest/smallexport?${new URLSearchParams({ ...question, outputType })}`,
      undefined,
    );
    expect([head.status, head.type?.startsWith(mediaType)]).toEqual([200, true]);
    expect(head.headers.get('content-disposition')).toBe(
      `attachment; filename="dwell-statusDuration-2026-03-18-1300.${extension}"`,
    );
    const bytes = await bytesOf({ outputType });
    expect(bytes.toString('hex').startsWith(start)).toBe(true);
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
  });

  test('a byte order mark stands before CSV when it is asked for', async () => {
    const plain = await bytesOf({ outputType: 'CSV' });
    const marked = await bytesOf({ outputType: 'CSV', byteOrderMark: 'true' });
    expect(marked.equals(Buffer.concat([Buffer.from('efbbbf', 'hex'), plain]))).toBe(true);
  });

  test('CSV comes with what it is made from when that is asked for', async () => {
    const plain = await bytesOf({ outputType: 'CSVSUM' });
    const files = Object.entries(unzipSync(await bytesOf({ outputType: 'CSVSUM', withProvenance: 'true' })));
    expect(files).toHaveLength(2);
    expect(files.some(([, content]) => plain.equals(content))).toBe(true);
  });

  test('JSON has the list and every statistic', async () => {
    const { sheets } = JSON.parse((await bytesOf({ outputType: 'JSON' })).toString());
    expect(Object.keys(sheets)).toEqual(
      expect.arrayContaining(['list', 'average', 'sum', 'median', 'standardDeviation']),
    );
  });
});

describe('a parameter set', () => {
  test('may hold the kind of file, and what else is about the file', async () => {
    const parameters = { ...question, columnsBy: 'statusCount', outputType: 'csvsum', byteOrderMark: true };
    const verdict = await dwell.postJson('/rest/parameterSets/validate', parameters);
    expect(verdict.json).toEqual({ valid: true, messages: [] });
    const { json } = await dwell.postJson('/rest/parameterSets', { name: 'A file', parameters });
    const answer = await dwell.post('/rest/export/status', { paramSetId: json.id });
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="dwell-statusCount-sum-2026-03-18-1300.csv"',
    );
    // A report has a form of its own.
    const report = await dwell.get('/rest/issues', { paramSetId: json.id, pageSize: '1' });
    expect([report.status, report.json.columnsBy]).toEqual([200, 'statusCount']);
  });
});

test.each([
  [{}, 'outputType is required.'],
  [
    { outputType: 'pdf' },
    "outputType 'pdf' is not known. Try: XLSX, XLS, JSON, CSV, CSVAVERAGE, CSVSUM, CSVMEDIAN, CSVSTDDEV.",
  ],
  [{ outputType: 'CSV', async: 'maybe' }, "async 'maybe' is not known. Try: true, false."],
] as [Record<string, string>, string][])('%j is refused with what is allowed', async (wrong, sentence) => {
  const { status, json } = await dwell.post('/rest/export/status', { ...question, ...wrong });
  expect([status, json.messages]).toEqual([400, [sentence]]);
});

test.each(['CSVSUM', 'CSVSTDDEV'])('%s of a report of dates is refused', async (outputType) => {
  for (const path of ['/rest/smallexport', '/rest/export/status', '/rest/export']) {
    const { status, json } = await dwell.post(path, {
      ...question,
      columnsBy: 'firstTransitionToStatusDate',
      outputType,
    });
    expect([status, json.messages]).toEqual([400, [expect.stringContaining('firstTransitionToStatusDate')]]);
  }
});
