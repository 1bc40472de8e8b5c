import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { type CalendarDefinition, weekdays } from '../../src/model/settings.ts';
import { aCalendar } from './a-calendar.ts';

const weekday = fc.constantFrom(...weekdays);

/** A time of day on quarters or so, more often where clocks are changed. */
function timeOfDay(stepMs: number, last: number): fc.Arbitrary<number> {
  const steps = (most: number) => fc.nat({ max: Math.floor(most / stepMs) }).map((n) => n * stepMs);
  return fc.oneof(steps(last), steps(3 * 60 * millisecondsInMinute));
}

/**
 * Calendars of all sorts with boundaries on multiples of a step: shifts that overlap, pass midnight, last a day, and
 * holidays within a few days of a date.
 */
export function anyCalendar(
  timeZone: string,
  near: string,
  stepMs: number,
): fc.Arbitrary<CalendarDefinition> {
  const shift = fc.record({
    weekday,
    start: timeOfDay(stepMs, millisecondsInDay - stepMs),
    end: timeOfDay(stepMs, millisecondsInDay),
  });
  const holiday = fc.record({
    name: fc.constant('Holiday'),
    date: fc
      .integer({ min: -5, max: 5 })
      .map((days) => new Date(Date.parse(near) + days * millisecondsInDay).toISOString().slice(0, 10)),
    recurring: fc.boolean(),
  });
  return fc
    .record({
      workingTimes: fc.array(shift, { minLength: 1, maxLength: 12 }),
      holidays: fc.array(holiday, { maxLength: 2 }),
    })
    .map((parts) => aCalendar({ ...parts, timeZone }));
}
