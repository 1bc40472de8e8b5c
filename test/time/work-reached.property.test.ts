import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { calendarOf, normalHours, workedBy, workedSince } from '../../src/time/calendar.ts';
import { runs } from '../support/soak.ts';
import { aCalendar } from './a-calendar.ts';
import { anyCalendar } from './any-calendar.ts';
import { clockChanges } from './clock-changes.ts';

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
