import { describe, expect, test } from '@jest/globals';
import { businessDay } from '../../src/calendar/business-day.ts';
import { weekdays } from '../../src/model/settings.ts';
import { shifts } from './a-calendar.ts';

const HOUR = 3_600_000;

describe('a business day', () => {
  test('from 8 to 17 and from 21 to 23 has 11 hours', () => {
    const day = businessDay(shifts(['8:00-17:00', '21:00-23:00']));
    expect(day).toEqual({ dailyMs: 11 * HOUR, equalDays: true, wholeWeek: false });
  });

  test('counts what overlaps once', () => {
    expect(businessDay(shifts(['8:00-12:00', '10:00-14:00'])).dailyMs).toBe(6 * HOUR);
  });

  test('has the night that starts on it', () => {
    expect(businessDay(shifts(['22:00-6:00'])).dailyMs).toBe(8 * HOUR);
    expect(businessDay(shifts(['9:00-9:00'], ['MONDAY'])).dailyMs).toBe(24 * HOUR);
  });

  test('of which the night before has a part is shorter by that', () => {
    const day = businessDay(shifts(['0:00-24:00', '22:00-6:00'], weekdays));
    expect(day).toEqual({ dailyMs: 24 * HOUR, equalDays: true, wholeWeek: true });
  });

  test('is the mean where days differ', () => {
    const day = businessDay([
      ...shifts(['9:00-17:00'], ['MONDAY', 'TUESDAY']),
      ...shifts(['9:00-14:00'], ['FRIDAY']),
    ]);
    expect(day).toEqual({ dailyMs: 7 * HOUR, equalDays: false, wholeWeek: false });
  });
});
