import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from '#jest';
import { countInUtc, startClock } from '../../src/time/start-clock.ts';
import { underZones } from '../support/under-zones.ts';

/** The clocks of each zone go back, and forward, in the middle of four hours from here. */
const nights = [
  ['Europe/Berlin', 'autumn', '2026-10-24T23:30:00Z'],
  ['Europe/Berlin', 'spring', '2026-03-28T23:30:00Z'],
  ['America/New_York', 'autumn', '2026-11-01T04:30:00Z'],
  ['America/New_York', 'spring', '2026-03-08T05:30:00Z'],
  ['America/St_Johns', 'autumn', '2026-11-01T03:00:00Z'],
  ['America/St_Johns', 'spring', '2026-03-08T04:00:00Z'],
  ['Australia/Lord_Howe', 'autumn', '2026-04-04T13:30:00Z'],
  ['Australia/Lord_Howe', 'spring', '2026-10-03T13:30:00Z'],
] as const;

afterEach(() => mock.timers.reset());

/** The minutes, counted from `from`, in which the clock calls, within four hours. */
async function minutesCalled(from: number): Promise<readonly number[]> {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: from });
  const called: number[] = [];
  const clock = startClock(
    [async () => void called.push(Math.floor((Date.now() - from) / millisecondsInMinute))],
    pino({ level: 'silent' }),
  );
  for (let passed = 0; passed < 4 * millisecondsInHour; passed += millisecondsInMinute / 2) {
    mock.timers.tick(millisecondsInMinute / 2);
    // What a call sets off is over before time goes on.
    await setImmediate();
  }
  await clock.stop();
  return called;
}

const everyMinute = Array.from({ length: 240 }, (_, minute) => minute + 1);

describe.each(nights)('the clock calls in every minute: %s in %s', (zone, _season, from) => {
  underZones(() => {
    test('of the night in which clocks change', async () => {
      // Node sees the zone that was set for this night.
      expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
      countInUtc(process.env);
      expect(await minutesCalled(Date.parse(from))).toEqual(everyMinute);
    });
  }, [zone]);
});
