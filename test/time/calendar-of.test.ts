import { expect, test } from '#jest';
import { calendarOf } from '../../src/time/calendar.ts';
import { aCalendar } from './a-calendar.ts';

test('an equal definition is compiled once', () => {
  expect(calendarOf(aCalendar())).toBe(calendarOf(aCalendar()));
});

test('a changed definition is another calendar', () => {
  expect(calendarOf(aCalendar({ name: 'Changed' }))).not.toBe(calendarOf(aCalendar()));
  expect(calendarOf(aCalendar({ name: 'Changed' })).name).toBe('Changed');
});

test('the calendars used last are kept, the others forgotten', () => {
  const used = calendarOf(aCalendar({ id: 100 }));
  const unused = calendarOf(aCalendar({ id: 101 }));
  for (let id = 102; id < 140; id += 1) {
    calendarOf(aCalendar({ id }));
    calendarOf(aCalendar({ id: 100 }));
  }
  expect(calendarOf(aCalendar({ id: 100 }))).toBe(used);
  expect(calendarOf(aCalendar({ id: 101 }))).not.toBe(unused);
});
