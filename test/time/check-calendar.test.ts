import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { badRequest } from '../../src/model/error.ts';
import type { CalendarInput, WorkingTime } from '../../src/model/settings.ts';
import { checkCalendar } from '../../src/time/check-calendar.ts';
import { aCalendar, shifts } from './a-calendar.ts';

const complaints = (parts: Partial<CalendarInput>) =>
  badRequest(...checkCalendar({ ...aCalendar(), ...parts })).details;
const shift = (parts: Partial<Record<keyof WorkingTime, unknown>>) => {
  const [first] = shifts(['9:00-17:00']);
  return complaints({ workingTimes: [Object.assign({ ...first }, parts) as WorkingTime] });
};
const day = (date: string, name = 'Holiday') => complaints({ holidays: [{ name, date, recurring: false }] });

test('a calendar that can be kept draws no complaint', () => {
  const wish = aCalendar({
    workingTimes: shifts(['9:00-12:00', '22:00-6:00', '0:00-24:00', '7:00-7:00']),
    holidays: [
      { name: 'Leap day', date: '2024-02-29', recurring: true },
      { name: '', date: '2026-12-25', recurring: false },
    ],
  });
  expect(checkCalendar(wish)).toEqual([]);
});

test('everything wrong is told at once', () => {
  const wish = {
    name: '',
    timeZone: '',
    workingTimes: [],
    holidays: [{ name: '', date: '', recurring: false }],
  };
  expect(checkCalendar(wish)).toHaveLength(4);
});

describe('a name', () => {
  test('has to be there', () => {
    expect(complaints({ name: '  ' })).toEqual(["name '  ' has 0 characters. Try: 1 to 200 characters."]);
  });

  test('has 200 characters at most', () => {
    expect(complaints({ name: 'x'.repeat(200) })).toEqual([]);
    expect(complaints({ name: 'x'.repeat(201) })).toEqual([
      `name '${'x'.repeat(201)}' has 201 characters. Try: 1 to 200 characters.`,
    ]);
  });

  test.each(['normalHours', 'NORMALHOURS', ' normalhours '])('may not be %p', (name) => {
    expect(complaints({ name })).toEqual([
      `name '${name}' is the name of the built-in calendar. Try: any other name.`,
    ]);
  });
});

test.each(['Mars/Base', '', '+02:00', 'Europe/Berlin '])('%p is no time zone', (timeZone) => {
  expect(complaints({ timeZone })).toEqual([
    `timeZone '${timeZone}' is not an IANA time zone. Try: names such as Europe/Berlin.`,
  ]);
});

describe('working times', () => {
  test('have to be there', () => {
    expect(complaints({ workingTimes: [] })).toEqual(['workingTimes is empty. Try: one shift or more.']);
  });

  test('are on weekdays', () => {
    expect(shift({ weekday: 'Monday' })).toEqual([
      "workingTimes[0].weekday 'Monday' is not a weekday. Try: MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY.",
    ]);
  });

  test.each([-1, 24 * millisecondsInHour, 1.5, Number.NaN])('do not start %d ms after midnight', (start) => {
    expect(shift({ start })).toEqual([
      `workingTimes[0].start '${start}' is not a time of day in whole milliseconds. Try: 0 to 86399999.`,
    ]);
  });

  test.each([-1, 24 * millisecondsInHour + 1, 1.5, Number.NaN])('do not end %d ms after midnight', (end) => {
    expect(shift({ end })).toEqual([
      `workingTimes[0].end '${end}' is not a time of day in whole milliseconds. Try: 0 to 86400000.`,
    ]);
  });

  test('are not given twice', () => {
    const workingTimes = shifts(['9:00-17:00', '18:00-19:00', '9:00-17:00'], ['MONDAY']);
    expect(complaints({ workingTimes })).toEqual([
      "workingTimes[2] 'MONDAY 32400000 to 61200000' is the same as workingTimes[0]. Try: each shift once.",
    ]);
  });

  test('are 50 a day at most', () => {
    const many = Array.from({ length: 51 }, (_, i) => `0:${i}-1:00`);
    expect(complaints({ workingTimes: shifts(many.slice(1)) })).toEqual([]);
    expect(complaints({ workingTimes: shifts(many, ['MONDAY', 'FRIDAY']) })).toEqual([
      'workingTimes has 51 shifts on MONDAY. Try: 50 a day.',
      'workingTimes has 51 shifts on FRIDAY. Try: 50 a day.',
    ]);
  });
});

describe('holidays', () => {
  test.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '01.01.2026',
    '2026-01-01T00:00Z',
    '',
    '1799-12-31',
    '2200-01-01',
  ])('do not fall on %p', (date) => {
    expect(day(date)).toEqual([
      `holidays[0].date '${date}' is not a date. Try: yyyy-MM-dd from 1800-01-01 to 2199-12-31.`,
    ]);
  });

  test.each(['1800-01-01', '2024-02-29', '2199-12-31'])('may fall on %s', (date) => {
    expect(day(date)).toEqual([]);
  });

  test('have names of 200 characters at most', () => {
    expect(day('2026-01-01', 'x'.repeat(200))).toEqual([]);
    expect(day('2026-01-01', 'x'.repeat(201))).toEqual([
      `holidays[0].name '${'x'.repeat(201)}' has 201 characters. Try: up to 200.`,
    ]);
  });

  test('are 5000 at most', () => {
    const holidays = Array.from({ length: 5001 }, () => ({ name: '', date: '2026-01-01', recurring: false }));
    expect(complaints({ holidays: holidays.slice(1) })).toEqual([]);
    expect(complaints({ holidays })).toEqual(['holidays has 5001 entries. Try: 5000.']);
  });
});
