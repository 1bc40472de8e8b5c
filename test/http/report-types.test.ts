import { describe, expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const ask = async (columnsBy: string, parameters: Record<string, string> = {}) => {
  const { status, json } = await dwell.get('/rest/issues', {
    filterType: 'project',
    projectKey: 'WEB',
    pageSize: '40',
    columnsBy,
    ...parameters,
  });
  expect([status, json.messages]).toEqual([200, undefined]);
  return json;
};
type Value = { id: string; value: string; raw?: string; count?: string; state?: string };
type Row = { valueColumns: Value[]; currentState: Value[]; fieldColumns: Value[] };
const told = (json: { table: { body: { rows: Row[] } } }) =>
  json.table.body.rows.flatMap((row) => row.valueColumns.filter(({ value }) => value !== '-'));

test('dates are texts in the pattern for dates with a time, without raw, count or current state', async () => {
  const json = await ask('firstTransitionToStatusDate', { dateTimeFormat: "yyyy-MM-dd'T'HH:mm" });
  expect(told(json).length).toBeGreaterThan(40);
  for (const cell of told(json)) {
    expect(Object.keys(cell)).toEqual(['id', 'value']);
    expect(cell.value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  }
  for (const row of json.table.body.rows) expect(row.currentState).toEqual([]);
});

test('counts are plain numbers in every member', async () => {
  const json = await ask('statusCount');
  for (const { value, raw, count } of told(json)) expect([raw, count]).toEqual([value, value]);
  expect(told(json).some(({ value }) => Number(value) > 1)).toBe(true);
});

test.each(['statusDurationByAssignee', 'assigneeDurationByStatus', 'statusDurationByTimePeriod'])(
  '%s has two levels, told by its columns',
  async (columnsBy) => {
    const json = await ask(columnsBy);
    expect(json.isComposite).toBe(true);
    for (const column of json.table.header.valueColumns) {
      expect(column).toEqual({
        id: `${column.parentId}|${column.childId}`,
        value: `${column.parentValue}: ${column.childValue}`,
        isConsolidated: false,
        parentId: expect.any(String),
        parentValue: expect.any(String),
        childId: expect.any(String),
        childValue: expect.any(String),
      });
    }
  },
);

test('several statuses in one column are flagged, and their times add up', async () => {
  const consolidatedStatuses = JSON.stringify([{ name: 'Active', statuses: [3, 'In Review'] }]);
  const json = await ask('statusDuration', { consolidatedStatuses });
  const plain = await ask('statusDuration');
  const column = json.table.header.valueColumns.find(({ value }: { value: string }) => value === 'Active');
  expect(column).toMatchObject({ isConsolidated: true });
  const merged = plain.table.header.valueColumns.filter(({ value }: { value: string }) =>
    ['In Progress', 'In Review'].includes(value),
  );
  expect(merged).toHaveLength(2);
  const sum = (rows: Row[], ids: string[]) =>
    rows.map((row) =>
      row.valueColumns
        .filter(({ id }) => ids.includes(id))
        .reduce((total, { raw }) => total + Number(raw ?? 0), 0),
    );
  expect(sum(json.table.body.rows, [column.id])).toEqual(
    sum(
      plain.table.body.rows,
      merged.map(({ id }: { id: string }) => id),
    ),
  );
});

describe('metrics between statuses', () => {
  const metric = (more: object) => JSON.stringify([{ name: 'Work', ...more }]);
  const raws = async (dbsMetrics: string) =>
    (await ask('durationBetweenStatuses', { dbsMetrics })).table.body.rows.map(
      (row: Row) => row.valueColumns[0],
    );

  test('are read in both public spellings', async () => {
    const byIds = metric({
      startAt: { type: 'status', ids: [3] },
      stopAt: { type: 'status', ids: ['10002'] },
      pauseAt: { type: 'status', ids: [10006] },
    });
    const byValue = metric({
      startAt: { type: 'STATUS', value: 'In Progress', visitType: 'first' },
      stopAt: { type: 'status', value: 'Done', visitType: 'last' },
      pausedOn: [{ type: 'status', value: '10006' }],
    });
    const cells = await raws(byIds);
    expect(await raws(byValue)).toEqual(cells);
    expect(cells.some(({ raw }: Value) => Number(raw) > 0)).toBe(true);
  });

  test('tell how far their clock has come, also where there is no figure', async () => {
    const cells: Value[] = await raws(metric({ startAt: { ids: ['3'] }, stopAt: { ids: ['10002'] } }));
    expect(new Set(cells.map(({ state }) => state))).toEqual(new Set(['notStarted', 'running', 'completed']));
    for (const { value, state } of cells) expect(value === '-').toBe(state === 'notStarted');
  });

  test('may start with the issue', async () => {
    const creation = await raws(
      metric({ startAt: { type: 'issueCreation' }, stopAt: { value: ['Done'], visitType: 'FIRST' } }),
    );
    const without = await raws(metric({ stopAt: { value: 'Done', visitType: 'first' } }));
    expect(creation).toEqual(without);
    expect(creation.every(({ state }: Value) => state !== 'notStarted')).toBe(true);
  });

  test.each([
    ['nonsense', "dbsMetrics 'nonsense' is wrong. Try: a JSON list of 1 to 50 metrics such as"],
    ['[]', 'dbsMetrics is required with columnsBy durationBetweenStatuses.'],
    [
      '[{"name":"Work","startAt":{"ids":["3"]}}]',
      'dbsMetrics \'[{"name":"Work","startAt":{"ids":["3"]}}]\' is wrong at 0.stopAt. Try:',
    ],
    [
      '[{"name":"Work","stopAt":{"type":"assignee","ids":["3"]}}]',
      'is wrong at 0.stopAt.type: there status or issueCreation; in all a JSON list',
    ],
    ['[{"name":"Work","stopAt":{"ids":[]}}]', "dbsMetrics 'Work' has no statuses to stop at"],
    [
      '[{"name":"Work","stopAt":{"ids":["nonsense"]}}]',
      "dbsMetrics 'nonsense' is neither the id nor the name of a status",
    ],
  ])('%s is refused', async (dbsMetrics, sentence) => {
    const { status, json } = await dwell.get('/rest/issues', {
      filterType: 'project',
      projectKey: 'WEB',
      columnsBy: 'durationBetweenStatuses',
      dbsMetrics,
    });
    expect(status).toBe(400);
    expect(json.messages[0]).toContain(sentence);
  });
});

test('computed fields are told in the unit asked for', async () => {
  const json = await ask('statusDuration', {
    fields: 'calc:age,calc:transitions,created',
    viewFormat: 'days',
  });
  const [age, transitions, created] = json.table.body.rows[0].fieldColumns;
  expect(age).toEqual({ id: 'calc:age', value: expect.stringMatching(/^\d+(\.\d+)?$/) });
  expect(Number(transitions.value)).toBeGreaterThanOrEqual(0);
  expect(created.value).toMatch(/^\d\d\/\w{3}\/\d\d \d+:\d\d [AP]M$/);
});

describe('days', () => {
  test('are as long as the calendar says, where its days are equally long', async () => {
    const boss = dwell.as('ada', { admin: true });
    const shift = { start: 9 * 3_600_000, end: 16 * 3_600_000 };
    const workingTimes = ['MONDAY', 'TUESDAY', 'WEDNESDAY'].map((weekday) => ({ weekday, ...shift }));
    const { json: kept } = await boss.postJson('/rest/calendars', {
      name: 'Seven hours',
      timeZone: 'UTC',
      workingTimes,
    });
    const days = { viewFormat: 'days', calendar: 'seven HOURS', dayLength: 'businessdays' };
    const json = await ask('statusDuration', days);
    expect(json.calendar).toEqual({
      id: kept.id,
      name: 'Seven hours',
      timeZone: 'UTC',
      dailyWorkingHours: 7,
      is7x24Calendar: false,
    });
    const cell = told(json).find(({ raw }) => Number(raw) > 0);
    expect(Number(cell?.value)).toBeCloseTo(Number(cell?.raw) / (7 * 3_600_000), 8);
    const whole = await ask('statusDuration', { ...days, dayLength: '24HourDays' });
    expect(told(whole).map(({ raw }) => raw)).toEqual(told(json).map(({ raw }) => raw));
    expect(told(whole)[0]?.value).not.toBe(told(json)[0]?.value);
  });

  test('of different lengths are no unit', async () => {
    const { status, json } = await dwell.get('/rest/issues', {
      filterType: 'project',
      projectKey: 'WEB',
      columnsBy: 'statusDuration',
      calendar: '1',
      dayLength: 'businessDays',
    });
    expect(status).toBe(400);
    expect(json.messages).toEqual([
      "dayLength 'businessDays' cannot be used with calendar 'Berlin', whose working days differ in length. Try: 24HourDays.",
    ]);
  });

  test('of the built-in calendar have 24 hours', async () => {
    const parameters = { viewFormat: 'days', calendar: 'normalHour' };
    expect(told(await ask('statusDuration', { ...parameters, dayLength: 'businessDays' }))).toEqual(
      told(await ask('statusDuration', parameters)),
    );
  });
});

test.each([
  ['dateFormat', 'yyyy-MM-ddb', "dateFormat 'yyyy-MM-ddb' has the unknown letter 'b' at position 11. Try: "],
  ['dateTimeFormat', "h 'o", "dateTimeFormat 'h 'o' has a quote at position 3 that is never closed"],
])('a bad %s is refused', async (name, pattern, sentence) => {
  const { status, json } = await dwell.get('/rest/issue', {
    issueKey: 'WEB-1',
    columnsBy: 'statusDuration',
    [name]: pattern,
  });
  expect(status).toBe(400);
  expect(json.messages).toEqual([expect.stringContaining(sentence)]);
});
