import { millisecondsInMinute, minutesInDay } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { fireTimes } from '../../src/time/cron.ts';
import { runs } from '../support/soak.ts';
import { anyCron, type PlainCron } from './any-cron.ts';
import { clockChanges } from './clock-changes.ts';
import { type MinuteClock, readMinuteClock } from './minute-clock.ts';

/** The minutes at which a schedule fires, found by looking at the clock every minute. */
function plainTimes(cron: PlainCron, { walls }: MinuteClock): number[] {
  if (cron.isRhythm) return [...walls.keys()].filter((i) => cron.fits(walls[i] ?? 0));
  const found = new Set<number>();
  const [first = 0, last = 0] = [walls[0], walls.at(-1)];
  let shown = first;
  for (const [i, wall] of walls.entries()) {
    // Each time between what was shown before and what is shown now was either reached or skipped.
    for (; shown <= wall && shown <= last; shown += 1) if (cron.fits(shown)) found.add(i);
  }
  return [...found];
}

test.each(clockChanges)('fires in %s around %s (%s) as a watcher of the clock would', (timeZone, date) => {
  const clock = readMinuteClock(timeZone, Date.parse(date) - 4 * minutesInDay * millisecondsInMinute, 9);
  const after = fc.integer({
    min: 2 * minutesInDay * millisecondsInMinute,
    max: 6 * minutesInDay * millisecondsInMinute,
  });
  const end = 8 * minutesInDay * millisecondsInMinute;
  fc.assert(
    fc.property(anyCron, after, (cron, from) => {
      const expected = plainTimes(cron, clock).map((i) => i * millisecondsInMinute);
      const within = expected.filter((at) => at > from && at < end).slice(0, 300);
      const start = clock.first * millisecondsInMinute;
      const found = fireTimes({ cron: cron.text, timeZone }, start + from, within.length + 1);
      const told = found.map((at) => at - start);
      expect(told.slice(0, within.length)).toEqual(within);
      // And nothing between what is expected.
      const beyond = told[within.length];
      expect(within.length === 300 || beyond === undefined || beyond >= end).toBe(true);
    }),
    { numRuns: runs(40) },
  );
});
