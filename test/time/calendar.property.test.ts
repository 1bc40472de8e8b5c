import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { calendarOf } from '../../src/time/calendar.ts';
import { shiftsBetween } from '../../src/time/working-time.ts';
import { runs } from '../support/soak.ts';
import { anyCalendar } from './any-calendar.ts';
import { clockChanges } from './clock-changes.ts';
import { readMinuteClock, workingMinutes } from './minute-clock.ts';

const seeded = { seed: 20260329, numRuns: runs(10) };
/** Any instants of the four days around a date. */
const around = (date: string) =>
  fc
    .array(fc.integer({ min: -2 * millisecondsInDay, max: 3 * millisecondsInDay }), {
      minLength: 2,
      maxLength: 6,
    })
    .map((offsets) => offsets.map((offset) => Date.parse(date) + offset).sort((a, b) => a - b));
const steps = fc.constantFrom(15 * millisecondsInMinute, 5 * millisecondsInMinute, millisecondsInMinute);

describe.each(clockChanges)('in %s around %s (%s)', (timeZone, date) => {
  const calendarAndInstants = steps.chain((step) =>
    fc.tuple(anyCalendar(timeZone, date, step), around(date)),
  );

  test('a compiled calendar counts what counting every minute counts', () => {
    const clock = readMinuteClock(timeZone, Date.parse(date) - 3 * millisecondsInDay, 7);
    fc.assert(
      fc.property(calendarAndInstants, ([definition, instants]) => {
        const working = workingMinutes(definition, clock);
        const [from = 0, until = 0] = [instants[0], instants.at(-1)];
        let counted = 0;
        for (
          let minute = Math.floor(from / millisecondsInMinute);
          minute * millisecondsInMinute < until;
          minute += 1
        ) {
          const part =
            Math.min(until, (minute + 1) * millisecondsInMinute) -
            Math.max(from, minute * millisecondsInMinute);
          if (working[minute - clock.first] === 1) counted += part;
        }
        expect(calendarOf(definition).between(from, until)).toBe(counted);
      }),
      seeded,
    );
  });

  test('adjoining spans add up', () => {
    fc.assert(
      fc.property(calendarAndInstants, ([definition, instants]) => {
        const { between } = calendarOf(definition);
        const [from = 0, until = 0] = [instants[0], instants.at(-1)];
        const parts = instants.slice(1).map((end, i) => between(instants[i] ?? 0, end));
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(between(from, until));
        expect(between(until, from)).toBe(0);
      }),
      seeded,
    );
  });

  test('shifts of any milliseconds are exact, and intervals never overlap', () => {
    fc.assert(
      fc.property(anyCalendar(timeZone, date, 7), around(date), (definition, instants) => {
        const [from = 0, until = 0] = [instants[0], instants.at(-1)];
        const intervals = shiftsBetween(definition, from, until);
        const inside = intervals.every(
          ({ start, end }, i) => start < end && start > (intervals[i - 1]?.end ?? from - 1) && end <= until,
        );
        expect(inside).toBe(true);
        const length = intervals.reduce((sum, { start, end }) => sum + end - start, 0);
        expect(calendarOf(definition).between(from, until)).toBe(length);
      }),
      seeded,
    );
  });
});
