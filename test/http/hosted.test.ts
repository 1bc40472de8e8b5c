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
