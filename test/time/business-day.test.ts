import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { weekdays } from '../../src/model/settings.ts';
import { businessDay } from '../../src/time/calendar.ts';
import { shifts } from './a-calendar.ts';

describe('a business day', () => {
  test('from 8 to 17 and from 21 to 23 has 11 hours', () => {
    const day = businessDay(shifts(['8:00-17:00', '21:00-23:00']));
    expect(day).toEqual({ dailyMs: 11 * millisecondsInHour, equalDays: true, wholeWeek: false });
  });

  test('counts what overlaps once', () => {
    expect(businessDay(shifts(['8:00-12:00', '10:00-14:00'])).dailyMs).toBe(6 * millisecondsInHour);
  });

  test('has the night that starts on it', () => {
    expect(businessDay(shifts(['22:00-6:00'])).dailyMs).toBe(8 * millisecondsInHour);
    expect(businessDay(shifts(['9:00-9:00'], ['MONDAY'])).dailyMs).toBe(24 * millisecondsInHour);
  });

  test('of which the night before has a part is shorter by that', () => {
    const day = businessDay(shifts(['0:00-24:00', '22:00-6:00'], weekdays));
    expect(day).toEqual({ dailyMs: 24 * millisecondsInHour, equalDays: true, wholeWeek: true });
  });

  test('is the mean where days differ', () => {
    const day = businessDay([
      ...shifts(['9:00-17:00'], ['MONDAY', 'TUESDAY']),
      ...shifts(['9:00-14:00'], ['FRIDAY']),
    ]);
    expect(day).toEqual({ dailyMs: 7 * millisecondsInHour, equalDays: false, wholeWeek: false });
  });
});
