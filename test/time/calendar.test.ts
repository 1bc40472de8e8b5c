import { readFileSync } from 'node:fs';
import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { type CalendarDefinition, type Holiday, weekdays } from '../../src/model/settings.ts';
import { calendarOf } from '../../src/time/calendar.ts';
import { firstInstantFrom } from '../../src/time/wall-clock.ts';
import { underZones } from '../support/under-zones.ts';
import { aCalendar, shifts } from './a-calendar.ts';

const hours = (definition: CalendarDefinition, from: string, until: string) =>
  calendarOf(definition).between(Date.parse(from), Date.parse(until)) / millisecondsInHour;
const night = aCalendar({ workingTimes: shifts(['22:00-6:00'], weekdays) });
const holiday = (date: string, recurring = false): Holiday => ({ name: 'Holiday', date, recurring });

underZones(() => {
  describe('a shift', () => {
    test('is worked on its weekday, in the zone of the calendar', () => {
      expect(hours(aCalendar(), '2026-01-05T00:00Z', '2026-01-12T00:00Z')).toBe(40);
      expect(hours(aCalendar(), '2026-01-05T08:00Z', '2026-01-05T16:00Z')).toBe(8);
      expect(hours(aCalendar({ timeZone: 'UTC' }), '2026-01-05T08:00Z', '2026-01-05T16:00Z')).toBe(7);
    });

    test('through the night is an hour shorter in spring and longer in autumn', () => {
      expect(hours(night, '2026-03-27T12:00+01:00', '2026-03-28T12:00+01:00')).toBe(8);
      expect(hours(night, '2026-03-28T12:00+01:00', '2026-03-29T12:00+02:00')).toBe(7);
      expect(hours(night, '2026-10-24T12:00+02:00', '2026-10-25T12:00+01:00')).toBe(9);
    });

    test('counts the night before a Monday to Sunday', () => {
      const sunday = aCalendar({ timeZone: 'UTC', workingTimes: shifts(['22:00-6:00'], ['SUNDAY']) });
      expect(hours(sunday, '2026-01-05T00:00Z', '2026-01-10T00:00Z')).toBe(6);
    });

    test('that ends when it starts lasts until then on the next day', () => {
      const whole = aCalendar({ timeZone: 'UTC', workingTimes: shifts(['9:00-9:00'], ['FRIDAY']) });
      expect(hours(whole, '2026-01-05T00:00Z', '2026-01-12T00:00Z')).toBe(24);
      expect(hours(whole, '2026-01-10T00:00Z', '2026-01-12T00:00Z')).toBe(9);
    });

    test('may end at midnight', () => {
      const late = aCalendar({
        timeZone: 'UTC',
        workingTimes: shifts(['20:00-24:00', '20:00-0:00'], ['MONDAY']),
      });
      expect(hours(late, '2026-01-05T00:00Z', '2026-01-12T00:00Z')).toBe(4);
    });

    test('is counted once where it overlaps another', () => {
      const twice = aCalendar({
        workingTimes: shifts(['8:00-12:00', '10:00-14:00', '11:00-11:30', '14:00-15:00']),
      });
      expect(hours(twice, '2026-01-05T00:00Z', '2026-01-06T00:00Z')).toBe(7);
    });

    test('leaves out lunch', () => {
      const lunch = aCalendar({ workingTimes: shifts(['9:00-12:30', '13:15-17:45']) });
      expect(hours(lunch, '2026-01-05T12:00+01:00', '2026-01-05T14:00+01:00')).toBe(1.25);
    });
  });

  describe('a boundary', () => {
    const inBerlin = (time: string) => aCalendar({ workingTimes: shifts([time], ['SUNDAY']) });
    const springDay = ['2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00'] as const;
    const autumnDay = ['2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00'] as const;

    test('that the clocks skip moves forward by an hour', () => {
      expect(hours(inBerlin('2:30-10:00'), ...springDay)).toBe(6.5);
      expect(hours(inBerlin('1:00-2:30'), ...springDay)).toBe(1.5);
    });

    test('that moves behind the end of its shift leaves nothing of it', () => {
      expect(hours(inBerlin('2:30-3:00'), ...springDay)).toBe(0);
      expect(hours(inBerlin('2:30-3:15'), ...springDay)).toBe(0);
    });

    test('that moves behind a later shift does not hide it', () => {
      const short = aCalendar({ workingTimes: shifts(['2:30-2:45', '3:00-3:15'], ['SUNDAY']) });
      expect(hours(short, ...springDay)).toBe(0.5);
    });

    test('that comes twice is meant the first time', () => {
      expect(hours(inBerlin('2:30-10:00'), ...autumnDay)).toBe(8.5);
      expect(hours(inBerlin('1:00-2:30'), ...autumnDay)).toBe(1.5);
    });

    test('within another shift changes nothing', () => {
      const both = aCalendar({ workingTimes: shifts(['0:00-3:00', '2:30-10:00'], ['SUNDAY']) });
      expect(hours(both, ...springDay)).toBe(9);
    });

    test('keeps its wall time in the week in which New York changes its clocks', () => {
      const newYork = aCalendar({ timeZone: 'America/New_York' });
      expect(hours(newYork, '2026-03-06T16:00-05:00', '2026-03-09T10:00-04:00')).toBe(2);
    });
  });

  describe('a holiday', () => {
    test('removes the shifts that start on it, not the night before', () => {
      const off = { ...night, holidays: [holiday('2026-01-06')] };
      expect(hours(off, '2026-01-05T12:00Z', '2026-01-06T12:00Z')).toBe(8);
      expect(hours(off, '2026-01-06T12:00Z', '2026-01-07T12:00Z')).toBe(0);
      expect(hours(off, '2027-01-06T12:00Z', '2027-01-07T12:00Z')).toBe(8);
    });

    test('that recurs is kept every year, before its date too', () => {
      const off = aCalendar({ holidays: [holiday('2026-01-01', true)] });
      expect(hours(off, '2024-12-31T23:00Z', '2025-01-01T23:00Z')).toBe(0);
      expect(hours(off, '2025-12-31T23:00Z', '2026-01-01T23:00Z')).toBe(0);
      expect(hours(off, '2026-12-31T23:00Z', '2027-01-01T23:00Z')).toBe(0);
      expect(hours(off, '2026-01-01T23:00Z', '2026-01-02T23:00Z')).toBe(8);
    });

    test('on February 29 is kept in leap years only', () => {
      const off = aCalendar({
        workingTimes: shifts(['9:00-17:00'], weekdays),
        holidays: [holiday('2024-02-29', true)],
      });
      expect(hours(off, '2024-02-26T00:00Z', '2024-03-04T00:00Z')).toBe(48);
      expect(hours(off, '2028-02-28T00:00Z', '2028-03-06T00:00Z')).toBe(48);
      expect(hours(off, '2026-02-23T00:00Z', '2026-03-02T00:00Z')).toBe(56);
    });

    test('is a day of the zone of the calendar', () => {
      const off = aCalendar({ timeZone: 'Pacific/Auckland', holidays: [holiday('2026-01-06')] });
      expect(hours(off, '2026-01-05T11:00Z', '2026-01-06T11:00Z')).toBe(0);
      expect(hours(off, '2026-01-06T11:00Z', '2026-01-07T11:00Z')).toBe(8);
    });
  });

  describe('a date that never was, because the place moved over the date line,', () => {
    const nineToFive = (timeZone: string) =>
      aCalendar({ timeZone, workingTimes: shifts(['9:00-17:00'], weekdays) });

    test('has no shift: of four days in Apia sixteen hours are worked', () => {
      const { between } = calendarOf(aCalendar({ timeZone: 'Pacific/Apia' }));
      expect(between(Date.parse('2011-12-30T00:00Z'), Date.parse('2012-01-03T00:00Z'))).toBe(57_600_000);
    });

    test.each([
      ['Pacific/Apia', '2011-12-30'],
      ['Pacific/Fakaofo', '2011-12-30'],
      ['Pacific/Kwajalein', '1993-08-21'],
      ['Pacific/Enderbury', '1994-12-31'],
      ['Pacific/Kiritimati', '1994-12-31'],
    ])('has no shift in %s, %s', (timeZone, date) => {
      const midnight = (days: number) =>
        firstInstantFrom(Date.parse(date) + days * millisecondsInDay, timeZone);
      const { between } = calendarOf(nineToFive(timeZone));
      expect(midnight(1)).toBe(midnight(0));
      expect(between(midnight(-3), midnight(4))).toBe(6 * 8 * millisecondsInHour);
      for (const day of [-2, -1, 1, 2]) {
        expect(between(midnight(day), midnight(day + 1))).toBe(8 * millisecondsInHour);
      }
    });

    test('leaves the night before as long as any other', () => {
      const nights = aCalendar({ timeZone: 'Pacific/Apia', workingTimes: shifts(['22:00-6:00'], weekdays) });
      expect(hours(nights, '2011-12-29T22:00Z', '2011-12-30T22:00Z')).toBe(8);
    });

    test('adds nothing where every day is worked from midnight to midnight, save a holiday', () => {
      const always = aCalendar({
        timeZone: 'Pacific/Apia',
        workingTimes: shifts(['0:00-24:00'], weekdays),
        holidays: [holiday('2011-12-25')],
      });
      expect(hours(always, '2011-12-29T10:00Z', '2012-01-01T10:00Z')).toBe(72);
    });
  });
});

describe('a compiled calendar', () => {
  test('tells its facts', () => {
    expect(calendarOf(aCalendar())).toMatchObject({
      id: 7,
      name: 'Office',
      timeZone: 'Europe/Berlin',
      dailyMs: 8 * millisecondsInHour,
      equalDays: true,
      continuous: false,
    });
  });

  test('is continuous when every minute of the week is worked and there are no holidays', () => {
    const always = aCalendar({ workingTimes: shifts(['7:00-19:00', '19:00-7:00'], weekdays) });
    expect(calendarOf(always).continuous).toBe(true);
    expect(hours(always, '2026-03-28T00:00Z', '2026-03-30T00:00Z')).toBe(48);
    expect(calendarOf({ ...always, holidays: [holiday('2026-01-01')] }).continuous).toBe(false);
    expect(calendarOf({ ...always, workingTimes: always.workingTimes.slice(1) }).continuous).toBe(false);
  });

  test('counts to the millisecond', () => {
    const { between } = calendarOf(aCalendar());
    const start = Date.parse('2026-01-05T09:00+01:00');
    expect(between(start - 1, start)).toBe(0);
    expect(between(start, start + 1)).toBe(1);
    expect(between(start - 5, start + 7)).toBe(7);
    expect(between(start + 8 * millisecondsInHour - 3, start + 8 * millisecondsInHour + 9)).toBe(3);
  });

  test('counts nothing of a span that does not run forward', () => {
    const { between } = calendarOf(aCalendar());
    const noon = Date.parse('2026-01-05T12:00Z');
    expect(between(noon, noon)).toBe(0);
    expect(between(noon + millisecondsInHour, noon)).toBe(0);
  });

  test('has the same answers in whatever order years are asked about', () => {
    const years = [2026, 2020, 2031, 1971, 2199, 2026, 1999];
    const grown = calendarOf(aCalendar({ holidays: [holiday('2020-12-25', true)] }));
    for (const year of years) {
      const span = [Date.UTC(year, 0, 3, 4), Date.UTC(year, 11, 29, 11)] as const;
      const fresh = calendarOf(aCalendar({ name: `fresh ${year}`, holidays: [holiday('2020-12-25', true)] }));
      expect(grown.between(...span)).toBe(fresh.between(...span));
    }
  });

  test('goes on before and after the centuries that are compiled', () => {
    const { between } = calendarOf(aCalendar());
    // The same weekdays and rules, 400 and 8,000 years apart.
    const week = [Date.UTC(2210, 2, 26), Date.UTC(2210, 3, 2, 8, 0, 0, 1)] as const;
    const cycle = 146_097 * millisecondsInDay;
    for (const cycles of [1, 20]) {
      expect(between(week[0] + cycles * cycle, week[1] + cycles * cycle)).toBe(between(...week));
    }
    const newYear = [Date.UTC(2199, 11, 1), Date.UTC(2200, 1, 1)] as const;
    expect(between(newYear[0] + cycle, newYear[1] + cycle)).toBe(between(...newYear));
    expect(between(week[0], week[0] + 3 * cycle)).toBe(3 * between(week[0], week[0] + cycle));
    const old = [Date.UTC(1500, 2, 26), Date.UTC(1500, 3, 2, 8, 0, 0, 1)] as const;
    expect(between(old[0] - 2 * cycle, old[1] - 2 * cycle)).toBe(between(...old));
    expect(between(old[0] - 2 * cycle, week[1] + cycle)).toBe(
      between(old[0] - 2 * cycle, 0) + between(0, week[1] + cycle),
    );
  });
});

describe('a business day', () => {
  const ofDifferentDays = [
    ...shifts(['9:00-17:00'], ['MONDAY', 'TUESDAY']),
    ...shifts(['9:00-14:00'], ['FRIDAY']),
  ];

  test.each([
    ['from 8 to 17 and from 21 to 23', 11, shifts(['8:00-17:00', '21:00-23:00'])],
    ['whose shifts overlap', 6, shifts(['8:00-12:00', '10:00-14:00'])],
    ['with the night that starts on it', 8, shifts(['22:00-6:00'])],
    ['that lasts until its start on the next', 24, shifts(['9:00-9:00'], ['MONDAY'])],
    ['of which the night before has a part', 24, shifts(['0:00-24:00', '22:00-6:00'], weekdays)],
    ['that is the mean, as days differ,', 7, ofDifferentDays],
  ])('%s has %d hours', (_, hours, workingTimes) => {
    expect(calendarOf(aCalendar({ workingTimes }))).toMatchObject({
      dailyMs: hours * millisecondsInHour,
      equalDays: workingTimes !== ofDifferentDays,
    });
  });
});

interface Case {
  readonly id: string;
  readonly calendar: {
    readonly timeZone: string;
    readonly week: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  };
  readonly from: string;
  readonly to: string;
  readonly expectedMs: number;
}

const file = new URL('../fixtures/business-time.cases.json', import.meta.url);
const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync(file, 'utf8'));

underZones(() => {
  test('all published cases are there', () => {
    expect(cases.length).toBe(16);
  });

  test.each(cases)('answers as the authors of $id expect', ({ calendar, from, to, expectedMs }) => {
    const workingTimes = weekdays.flatMap((day) =>
      (calendar.week[day.slice(0, 3)] ?? []).flatMap(([start, end]) => shifts([`${start}-${end}`], [day])),
    );
    const { between } = calendarOf(aCalendar({ timeZone: calendar.timeZone, workingTimes }));
    expect(between(Date.parse(from), Date.parse(to))).toBe(expectedMs);
  });
});

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
