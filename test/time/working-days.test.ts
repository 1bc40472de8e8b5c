import { describe, expect, test } from '#jest';
import type { CalendarDefinition } from '../../src/model/settings.ts';
import { isWorkingDay, nextWorkingDay } from '../../src/time/working-days.ts';
import { underZones } from '../support/under-zones.ts';
import { aCalendar, shifts } from './a-calendar.ts';

const normalHours = aCalendar({
  id: null,
  timeZone: 'UTC',
  workingTimes: shifts(
    ['0:00-24:00'],
    ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
  ),
});

function works(definition: CalendarDefinition, at: string, timeZone = definition.timeZone): boolean {
  return isWorkingDay(definition, Date.parse(at), timeZone);
}

function next(definition: CalendarDefinition, at: string, timeZone = definition.timeZone): string | null {
  const found = nextWorkingDay(definition, Date.parse(at), timeZone);
  return found === null ? null : new Date(found).toISOString().slice(0, 16);
}

underZones(() => {
  describe('a working day', () => {
    test('is one with work on it, at whatever time of day', () => {
      expect(works(aCalendar(), '2026-03-06T22:30:00Z')).toBe(true);
      expect(works(aCalendar(), '2026-03-06T23:30:00Z')).toBe(false);
      expect(works(aCalendar(), '2026-03-08T22:30:00Z')).toBe(false);
      expect(works(aCalendar(), '2026-03-08T23:30:00Z')).toBe(true);
    });

    test('is no holiday', () => {
      const calendar = aCalendar({ holidays: [{ name: 'Feast', date: '2026-03-04', recurring: false }] });
      expect(works(calendar, '2026-03-04T12:00:00Z')).toBe(false);
      expect(works(calendar, '2026-03-05T12:00:00Z')).toBe(true);
    });

    test('is a Saturday to which the shift of Friday night lasts', () => {
      const nights = aCalendar({ workingTimes: shifts(['22:00-6:00'], ['FRIDAY']) });
      expect(works(nights, '2026-03-06T12:00:00Z')).toBe(true);
      expect(works(nights, '2026-03-07T12:00:00Z')).toBe(true);
      expect(works(nights, '2026-03-08T12:00:00Z')).toBe(false);
    });

    test('is meant by the date of whoever asks, where the calendar has another day already', () => {
      const friday = '2026-03-07T01:00:00Z';
      expect(works(aCalendar(), friday, 'America/Los_Angeles')).toBe(true);
      expect(works(aCalendar(), friday, 'Europe/Berlin')).toBe(false);
    });

    test('is every day of normal hours', () => {
      expect(works(normalHours, '2026-03-08T12:00:00Z', 'Asia/Kathmandu')).toBe(true);
    });

    test('is no day that the place of the calendar left out', () => {
      const apia = aCalendar({ timeZone: 'Pacific/Apia' });
      expect(works(apia, '2011-12-30T12:00:00Z', 'UTC')).toBe(false);
      expect(works(apia, '2011-12-29T12:00:00Z', 'UTC')).toBe(true);
    });
  });

  describe('the next working day', () => {
    test('is the day after, and after Friday it is Monday, at the same time of day', () => {
      expect(next(aCalendar(), '2026-03-04T08:00:00Z')).toBe('2026-03-05T08:00');
      expect(next(aCalendar(), '2026-03-06T08:00:00Z')).toBe('2026-03-09T08:00');
    });

    test('has the same time on the wall when the clocks are changed over the weekend', () => {
      expect(next(aCalendar(), '2026-03-27T08:00:00Z')).toBe('2026-03-30T07:00');
    });

    test('begins after the gap where the clocks skip the time', () => {
      const sundays = aCalendar({ workingTimes: shifts(['9:00-17:00'], ['SUNDAY']) });
      expect(next(sundays, '2026-03-28T01:30:00Z')).toBe('2026-03-29T01:00');
    });

    test('is looked for on the clocks of whoever asks', () => {
      expect(next(aCalendar(), '2026-03-07T01:00:00Z', 'America/Los_Angeles')).toBe('2026-03-10T00:00');
    });

    test('is not the day that the asking place left out', () => {
      expect(next(normalHours, '2011-12-29T19:00:00Z', 'Pacific/Apia')).toBe('2011-12-30T19:00');
    });

    test('may be nearly a year ahead, and is none where there is no work in a year', () => {
      const idleFor = (weeks: number) =>
        aCalendar({
          timeZone: 'UTC',
          workingTimes: shifts(['9:00-17:00'], ['MONDAY']),
          holidays: Array.from({ length: weeks }, (_, week) => ({
            name: 'Rest',
            date: new Date(Date.UTC(2026, 0, 12 + 7 * week)).toISOString().slice(0, 10),
            recurring: false,
          })),
        });
      expect(next(idleFor(51), '2026-01-05T09:00:00Z')).toBe('2027-01-04T09:00');
      expect(next(idleFor(52), '2026-01-05T09:00:00Z')).toBeNull();
    });
  });
});
