import { beforeAll, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell({ at: '2022-06-01T00:00:00.000Z' });
beforeAll(async () => {
  const snapshots = ['jirametrics-testdata.issues.json', 'jirametrics-complete-sample.issues.json'];
  await dwell.types('import', ...snapshots.map(fixture));
});

/** Asks for SP-10, which was in progress twice and selected twice. */
const ask = (parameters: Record<string, string> = {}) =>
  dwell.get('/rest/issue', { issueKey: 'SP-10', columnsBy: 'statusDuration', ...parameters });
const cell = async (id: string, parameters: Record<string, string>) => {
  const { json } = await ask(parameters);
  return json.table.body.rows[0].valueColumns.find((column: { id: string }) => column.id === id);
};

test('the whole answer reads as clients of the compatible product expect it', async () => {
  const { status, json } = await ask({ viewFormat: 'hours', fields: 'issuetype,priority' });
  expect(status).toBe(200);
  expect(json).toEqual({
    dateFormat: 'dd/MMM/yy',
    dateTimeFormat: 'dd/MMM/yy h:mm a',
    timeZone: 'UTC',
    locale: 'en_US',
    reportDate: '01/Jun/22 12:00 AM',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    columnsBy: 'statusDuration',
    viewFormat: 'hours',
    trimHistoryStartDate: null,
    trimHistoryEndDate: null,
    isComposite: false,
    isAggregationType: false,
    isOverall: false,
    isAverage: false,
    isSum: false,
    isMedian: false,
    isStddev: false,
    calendar: { id: null, name: 'normalHours', timeZone: 'UTC', dailyWorkingHours: 24, is7x24Calendar: true },
    includedStatuses: [
      {
        id: '10000',
        name: 'Backlog',
        deleted: false,
        statusCategory: { name: 'To Do' },
        categorySource: 'neighbors',
      },
      {
        id: '10001',
        name: 'Selected for Development',
        deleted: false,
        statusCategory: { name: 'In Progress' },
      },
      { id: '3', name: 'In Progress', deleted: false, statusCategory: { name: 'In Progress' } },
      { id: '10011', name: 'Review', deleted: false, statusCategory: { name: 'In Progress' } },
      { id: '10002', name: 'Done', deleted: false, statusCategory: { name: 'Done' } },
    ],
    excludedStatuses: [],
    deletedStatuses: [],
    asOf: '2022-06-01T00:00:00.000Z',
    askedAt: '2022-06-01T00:00:00.000Z',
    dataAsOf: '2022-06-01T00:00:00.000Z',
    complete: true,
    cutHistories: 0,
    undecided: 0,
    table: {
      header: {
        headerColumns: [
          { id: 'issuekey', value: 'Key' },
          { id: 'summary', value: 'Summary' },
        ],
        groupByColumns: [],
        fieldColumns: [
          { id: 'issuetype', value: 'Issue Type' },
          { id: 'priority', value: 'Priority' },
        ],
        valueColumns: [
          { id: '10000', value: 'Backlog', isConsolidated: false },
          { id: '10001', value: 'Selected for Development', isConsolidated: false },
          { id: '3', value: 'In Progress', isConsolidated: false },
          { id: '10011', value: 'Review', isConsolidated: false },
          { id: '10002', value: 'Done', isConsolidated: false },
        ],
      },
      body: {
        rows: [
          {
            headerColumns: [
              { id: 'issuekey', value: 'SP-10' },
              { id: 'summary', value: expect.any(String) },
            ],
            groupByColumns: [],
            fieldColumns: [
              { id: 'issuetype', value: expect.any(String) },
              { id: 'priority', value: 'Medium' },
            ],
            valueColumns: [
              { id: '10000', value: '1727.3933230556', raw: '6218615963', count: '1' },
              { id: '10001', value: '0.02164', raw: '77904', count: '2' },
              { id: '3', value: '178.44299', raw: '642394764', count: '2' },
              { id: '10011', value: '0.0013483333', raw: '4854', count: '1' },
              { id: '10002', value: '6427.4260447222', raw: '23138733761', count: '1' },
            ],
            currentState: [
              {
                id: '10002',
                value: '6427.4260447222',
                raw: '23138733761',
                since: '2021-09-06T04:34:26.239Z',
              },
            ],
            history: { complete: true, contradictions: 0 },
          },
        ],
      },
    },
  });
});

test('a value is the raw milliseconds in the asked unit, ten decimals at most', async () => {
  const { raw } = await cell('10000', {});
  expect(raw).toBe('6218615963');
  expect((await cell('10000', { viewFormat: 'seconds' })).value).toBe('6218615.963');
  expect((await cell('10000', {})).value).toBe('103643.5993833333');
  expect((await cell('10000', { viewFormat: 'HOURS' })).value).toBe('1727.3933230556');
  expect((await cell('10000', { viewFormat: 'days' })).value).toBe('71.974721794');
  expect((await cell('10000', { viewFormat: 'humanReadable' })).value).toBe('71d 23h');
});

test('multiVisitBehavior chooses among several visits', async () => {
  const raw = async (multiVisitBehavior: string) => Number((await cell('3', { multiVisitBehavior })).raw);
  const [total, first, last, average] = [
    await raw('total'),
    await raw('first'),
    await raw('last'),
    await raw('average'),
  ];
  expect(first + last).toBe(total);
  expect(average).toBe(Math.round(total / 2));
  expect((await cell('3', { multiVisitBehavior: 'first' })).count).toBe('2');
});

test('statuses choose the columns; one that was never visited is "-" and not 0', async () => {
  const { json } = await dwell.get('/rest/issue', {
    issueKey: 'SP-2',
    columnsBy: 'statusduration',
    statuses: '10000, 3',
  });
  expect(json.table.body.rows[0].valueColumns).toEqual([
    { id: '10000', value: '2.0064666667', raw: '120388', count: '1' },
    { id: '3', value: '-' },
  ]);
  expect(json.excludedStatuses).toMatchObject([{ id: '10001' }]);
  expect(json.table.body.rows[0].currentState).toEqual([]);
});

test('asOf answers as the world was then', async () => {
  const { json } = await ask({ asOf: '2021-08-29T18:06:40.000Z' });
  expect(json.asOf).toBe('2021-08-29T18:06:40.000Z');
  expect(json.table.body.rows[0].valueColumns).toMatchObject([
    { id: '10000', raw: '6218615963' },
    { id: '10001', raw: '11283' },
  ]);
  expect(json.table.body.rows[0].currentState).toMatchObject([{ id: '10001', raw: '11283' }]);
});

test('an issue that did not exist yet at asOf is not found', async () => {
  const { status, json } = await ask({ asOf: '2021-01-01T00:00:00Z' });
  expect(status).toBe(404);
  expect(json.messages).toEqual(["issueKey 'SP-10' did not exist at the asked instant."]);
});

test('trimming cuts the history to a window read in the tracker server’s zone', async () => {
  const { json } = await ask({ trimHistoryStartDate: '2021-08-29', trimHistoryEndDate: '2021-08-30 06:00' });
  const raws = json.table.body.rows[0].valueColumns.map((column: { raw: string }) => Number(column.raw));
  expect(raws.reduce((sum: number, ms: number) => sum + ms, 0)).toBe(30 * 3_600_000);
  expect(json.trimHistoryStartDate).toBe('29/Aug/21 12:00 AM');
  expect(json.table.body.rows[0].currentState).toEqual([]);
});

test('an issue outside the window still appears, without values', async () => {
  const { json } = await ask({ trimHistoryEndDate: '2020-01-01' });
  expect(json.table.body.rows).toHaveLength(1);
  expect(json.table.body.rows[0].valueColumns).toEqual([]);
});

test('csv holds the same figures under the titles, and whether the history is complete', async () => {
  const { type, text } = await ask({ outputType: 'csv', viewFormat: 'seconds', statuses: '10000,10001,3' });
  expect(type).toBe('text/csv; charset=utf-8');
  const [header, line, end] = text.split('\r\n');
  expect(header).toBe('Key,Summary,Backlog,Selected for Development,In Progress,History');
  expect(line).toMatch(/^SP-10,[^,]+,6218615\.963,[\d.]+,[\d.]+,complete$/);
  expect(end).toBe('');
});

test('jsonSimplified is one flat object per issue, keyed by the titles', async () => {
  const { json } = await ask({ outputType: 'JSONSIMPLIFIED', viewFormat: 'seconds', statuses: '10000' });
  expect(json).toEqual({
    results: [{ Key: 'SP-10', Summary: expect.any(String), Backlog: '6218615.963', History: 'complete' }],
    complete: true,
    undecided: 0,
  });
});

test('names of parameters and the key itself are matched in any case', async () => {
  const { status, json } = await dwell.get('/rest/issue', { ISSUEKEY: 'sp-10', columnsby: 'STATUSDURATION' });
  expect(status).toBe(200);
  expect(json.table.body.rows[0].headerColumns[0].value).toBe('SP-10');
});

describe('a wrong parameter is named with its value and what is allowed', () => {
  test.each([
    [{}, 'issueKey is required.'],
    [{}, 'columnsBy is required.'],
    [
      { issueKey: 'SP 10' },
      "issueKey 'SP 10' is not an issue key. Try: a project key, a hyphen and a number, such as WEB-12.",
    ],
    [
      { columnsBy: 'nonsense' },
      expect.stringMatching(
        /^columnsBy 'nonsense' is not known. Try: statusDuration, assigneeDuration, .*currentStateAge, .*/,
      ),
    ],
    [
      { columnsBy: 'statusDurationExpanded' },
      expect.stringMatching(
        /^columnsBy 'statusDurationExpanded' shows the visits of one issue, as \/rest\/issue\/expanded does. Try: /,
      ),
    ],
    [{ dayLength: '7' }, "dayLength '7' is not known. Try: 24HourDays, businessDays."],
    [{ calendar: '7' }, "calendar '7' is not known. Try: normalHours."],
    [
      { multiVisitBehavior: 'max' },
      "multiVisitBehavior 'max' is not known. Try: total, first, last, average.",
    ],
    [{ includeDeletedStatuses: 'yes' }, "includeDeletedStatuses 'yes' is not known. Try: true, false."],
    [
      { asOf: 'yesterday' },
      "asOf 'yesterday' is not an ISO 8601 instant with an offset. Try: 2026-01-05T09:30:00.000Z.",
    ],
    [
      { asOf: '2022-07-01T02:00+02:00' },
      "asOf '2022-07-01T00:00:00.000Z' is in the future. Try: any instant up to now.",
    ],
    [
      { trimHistoryStartDate: '2022-02-30' },
      "trimHistoryStartDate '2022-02-30' is not a date. Try: yyyy-MM-dd or yyyy-MM-dd HH:mm.",
    ],
    [
      { trimHistoryStartDate: '2022-02-02', trimHistoryEndDate: '2022-02-02' },
      "trimHistoryEndDate '2022-02-02' is not after trimHistoryStartDate '2022-02-02'.",
    ],
    [
      { statuses: '10000,In Progress' },
      "statuses 'In Progress' is not a status id. Try: the ids of GET /rest/statuses.",
    ],
    [
      { fields: 'colour' },
      expect.stringMatching(/^fields 'colour' is not a field of these issues. Try: .*assignee/),
    ],
  ] as [Record<string, string>, unknown][])('%j', async (wrong, message) => {
    const { status, json } = await dwell.get('/rest/issue', {
      ...(message === 'issueKey is required.' ? {} : { issueKey: 'SP-10' }),
      ...(message === 'columnsBy is required.' ? {} : { columnsBy: 'statusDuration' }),
      ...wrong,
    });
    expect(status).toBe(400);
    expect(json).toEqual({
      status: 400,
      message: 'Bad request',
      messages: [message],
      errors: { [Object.keys(wrong).at(-1) ?? json.messages[0].split(' ')[0]]: message },
      reason: expect.any(String),
      pluginVersion: expect.any(String),
      time: '2022-06-01 00:00:00',
    });
  });
});

test('an unknown issue is not found, in the wire format', async () => {
  const { status, json } = await dwell.get('/rest/issue', {
    issueKey: 'NOPE-1',
    columnsBy: 'statusDuration',
  });
  expect(status).toBe(404);
  expect(json).toEqual({
    status: 404,
    message: 'The issue could not be found or you do not have permission to view it.',
    messages: ["issueKey 'NOPE-1' could not be found."],
    errors: { issueKey: "issueKey 'NOPE-1' could not be found." },
    reason: expect.any(String),
    pluginVersion: expect.any(String),
    time: '2022-06-01 00:00:00',
  });
});
