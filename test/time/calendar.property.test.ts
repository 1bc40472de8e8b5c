import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { calendarOf, normalHours, workedBy, workedSince } from '../../src/time/calendar.ts';
import { shiftsBetween } from '../../src/time/working-time.ts';
import { runs } from '../support/soak.ts';
import { aCalendar } from './a-calendar.ts';
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

describe.each(clockChanges)('in %s around %s (%s)', (timeZone, date) => {
  const questions = fc.tuple(
    anyCalendar(timeZone, date, 15 * millisecondsInMinute).map(calendarOf),
    fc.integer({ min: -3 * millisecondsInDay, max: 3 * millisecondsInDay }),
    fc.oneof(
      fc.integer({ min: 1, max: 20 * millisecondsInDay }),
      fc.double({ min: 0.5, max: 9, noNaN: true }),
    ),
  );

  test('working time has passed by the first instant at which it has, and not before', () => {
    fc.assert(
      fc.property(questions, ([calendar, offset, ms]) => {
        const since = Date.parse(date) + offset;
        const at = workedBy(calendar, since, ms);
        // Shifts may all have no length.
        if (at === null) return expect(calendar.between(since, since + 90 * millisecondsInDay)).toBe(0);
        expect(calendar.between(since, at)).toBeGreaterThanOrEqual(ms);
        expect(calendar.between(since, at - 1)).toBeLessThan(ms);
      }),
      { numRuns: runs(100) },
    );
  });

  test('no more has passed since the first instant of which that is so', () => {
    fc.assert(
      fc.property(questions, ([calendar, offset, ms]) => {
        const until = Date.parse(date) + offset;
        const at = workedSince(calendar, until, ms);
        if (at === null) return expect(calendar.between(until - 90 * millisecondsInDay, until)).toBe(0);
        expect(calendar.between(at, until)).toBeLessThanOrEqual(ms);
        expect(calendar.between(at - 1, until)).toBeGreaterThan(ms);
      }),
      { numRuns: runs(100) },
    );
  });
});

test('with 24/7 it is the instant itself, no time is no way, and without work it never comes', () => {
  const at = Date.parse('2026-03-02T10:00:00Z');
  expect(workedBy(normalHours, at, millisecondsInDay)).toBe(at + millisecondsInDay);
  expect(workedSince(normalHours, at, millisecondsInDay)).toBe(at - millisecondsInDay);
  expect([workedBy(normalHours, at, 0), workedSince(normalHours, at, 0)]).toEqual([at, at]);
  const idle = calendarOf(aCalendar({ workingTimes: [] }));
  expect(workedBy(idle, at, 1)).toBeNull();
  expect(workedSince(idle, at, 1)).toBeNull();
});
