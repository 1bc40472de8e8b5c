import { afterEach, describe, expect, test } from '@jest/globals';
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
