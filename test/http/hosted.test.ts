import { afterEach, describe, expect, test } from '#jest';
import { caseWorld } from '../support/case-world.ts';
import {
  startStandInTimepiece,
  type TimepieceOptions,
  timepieceToken,
} from '../support/stand-in-timepiece.ts';
import { startDwell } from '../support/start-dwell.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** Our REST over a time-in-status service elsewhere. */
async function start(options: TimepieceOptions = {}) {
  const service = await startStandInTimepiece(options);
  open.push(service);
  const dwell = await startDwell({
    at: caseWorld.now,
    environment: { TIME_ZONE: 'UTC', TIS_BASE_URL: service.baseUrl, TIS_TOKEN: timepieceToken },
  });
  open.push({ close: () => dwell.stop() });
  return { service, dwell };
}

describe('calendars of the service', () => {
  test('the built-in one, of which it tells no hours, counts every hour', async () => {
    const { dwell } = await start();
    const { json } = await dwell.get('/rest/calendars');
    expect(json[0]).toMatchObject({ id: null, is7x24Calendar: true, dailyWorkingHours: 24 });
    expect(json[0].workingTimes).toHaveLength(7);
  });

  test('the default is the one it says', async () => {
    const { dwell } = await start({ defaultCalendar: 'Office' });
    const { json } = await dwell.get('/rest/calendars');
    expect(json).toMatchObject([
      { name: 'normalHours', isDefault: false },
      { name: 'Office', isDefault: true },
    ]);
    expect((await dwell.get('/rest/calendars/7')).json).toMatchObject({ isDefault: true });
  });
});

test('a report on a sprint is refused where the service has no list of sprints', async () => {
  const { dwell } = await start();
  const { status, json } = await dwell.get('/rest/sprints/1/report');
  expect([status, json.reason]).toEqual([503, 'unsupported-by-service']);
  expect(json.message).toMatch(/has no list of sprints/);
});

describe('paths that the service has under another name', () => {
  const list = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };

  test.each(['page', 'refusal'] as const)(
    'are found where others are answered by a %s',
    async (unknownPaths) => {
      const { dwell, service } = await start({ unknownPaths });
      for (const path of ['/rest/calendars', '/rest/reportSettings', '/rest/statuses']) {
        expect((await dwell.get(path)).status).toBe(200);
      }
      for (const path of ['/rest/issues', '/rest/issues/v2']) {
        expect((await dwell.get(path, list)).json.table.body.rows).toHaveLength(3);
      }
      const { json } = await dwell.get('/rest/issues/aggregation', { ...list, aggregationType: 'sum' });
      expect(json.table.body.rows).toMatchObject([{ issueCount: 3 }]);
      const asked = service.calls.length;
      await dwell.get('/rest/calendars');
      await dwell.get('/rest/issues', { ...list, columnsBy: 'statusCount' });
      expect(service.paths().slice(asked)).toEqual([
        'GET /rest/calendar',
        'GET /rest/list',
        'GET /rest/formatSettings',
      ]);
    },
  );

  test('are found with an id as well, before anything else was asked there', async () => {
    const { dwell } = await start({ unknownPaths: 'refusal' });
    expect((await dwell.get('/rest/calendars/7')).json).toMatchObject({ name: 'Office' });
    expect((await dwell.get('/rest/calendars/8')).status).toBe(404);
  });

  test('are not what is missing where the service has no such filter', async () => {
    const { dwell } = await start({ unknownPaths: 'refusal' });
    const missing = { filterType: 'jqlfilter', jqlFilterID: '999', columnsBy: 'statusDuration' };
    const { status, json } = await dwell.get('/rest/issues', missing);
    expect([status, json.messages]).toEqual([400, ['The filter could not be found.']]);
  });
});

describe('a finished report does not fail', () => {
  const list = {
    filterType: 'project',
    projectKey: 'WEB',
    columnsBy: 'lastTransitionToStatusDate',
    fields: 'created',
  };

  test('because nobody says how dates are written', async () => {
    const { dwell } = await start({ refusing: { '/rest/formatSettings': 500 } });
    const { status, json } = await dwell.get('/rest/issues', list);
    expect([status, json.dateTimeFormat]).toEqual([200, 'dd/MMM/yy h:mm a']);
    expect(json.table.body.rows).toHaveLength(3);
    expect(json.notes).toEqual([
      expect.stringMatching(
        /^Dates are written as dd\/MMM\/yy h:mm a: the date formats could not be read \(.*HTTP 500/,
      ),
    ]);
    const own = { dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'yyyy-MM-dd HH:mm' };
    expect((await dwell.get('/rest/issues', { ...list, ...own })).json.notes).toBeUndefined();
    const csv = await dwell.get('/rest/issues', { ...list, outputType: 'csv' });
    expect([csv.status, csv.headers.get('x-notes')]).toEqual([200, expect.stringContaining('HTTP 500')]);
    expect((await dwell.get('/rest/formatSettings')).status).toBe(503);
    const file = await dwell.post('/rest/export/status', {
      ...list,
      outputType: 'CSV',
      withProvenance: 'false',
    });
    expect(file.text).toContain('WEB-3');
    expect(file.headers.get('x-notes')).toContain('HTTP 500');
  });

  test('because the calendars are not for the user of the token', async () => {
    const { dwell } = await start({ refusing: { '/rest/calendar': 403, '/rest/calendars': 403 } });
    const days = {
      columnsBy: 'statusDuration',
      calendar: '7',
      viewFormat: 'days',
      dayLength: 'businessDays',
    };
    const { status, json } = await dwell.get('/rest/issues', { ...list, ...days });
    expect([status, json.calendar.dailyWorkingHours]).toEqual([200, 7]);
    expect(json.notes).toEqual([
      expect.stringMatching(
        /^Whether the working days of the calendar are equally long is unknown \(This is refused/,
      ),
    ]);
    const weekly = await dwell.get('/rest/issues/weekly', {
      ...list,
      week: '2026-W10',
      ...days,
      columnsBy: '',
    });
    expect([weekly.status, weekly.json.notes]).toEqual([200, json.notes]);
  });

  test('because its date cannot be read', async () => {
    const { dwell } = await start({ reportDate: 'the day before yesterday' });
    const { status, json } = await dwell.get('/rest/issues', list);
    expect([status, json.asOf]).toEqual([200, '2026-03-20T12:00:00.000Z']);
    expect(json.notes).toEqual([
      "As of is when the service was asked: its report date 'the day before yesterday' could not be read.",
    ]);
    const simple = await dwell.get('/rest/issues', { ...list, outputType: 'jsonSimplified' });
    expect(simple.json.notes).toEqual(json.notes);
  });
});

describe('a service that refuses what its documents do not know', () => {
  test('is asked nothing else', async () => {
    const { dwell, service } = await start({ unknownParameters: 'refused' });
    const list = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };
    const { json } = await dwell.get('/rest/issues', { ...list, asOf: '2026-03-10T12:00:00Z' });
    expect(json).toMatchObject({ asOf: '2026-03-10T12:00:00.000Z', complete: true });
    for (const aggregationType of ['average', 'standardDeviation', 'percentile']) {
      const { status } = await dwell.get('/rest/issues/aggregation', { ...list, aggregationType });
      expect(status).toBe(200);
    }
    expect(service.answered).not.toContain(400);
  });
});
