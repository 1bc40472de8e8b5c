import { tz } from '@date-fns/tz/tz';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { format } from 'date-fns/format';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import {
  coverWords,
  peopleOf,
  periodText,
  plainCoverWords,
  spanText,
} from '../../../src/slack/delegates/cover-words.ts';
import { readIsoDay, timeOfDayText, weekdays } from '../../../src/time/date-text.ts';
import { readDay, readDayOfWeek, spanOfDay, spanOfWeek, type TypedDay } from '../../../src/time/day-words.ts';
import { readPeriod, spanOfPeriod } from '../../../src/time/typed-periods.ts';
import { dayAt, weekdayOf } from '../../../src/time/wall-clock.ts';
import { runs } from '../../support/soak.ts';
import { underZones } from '../../support/under-zones.ts';

/** A wall day in full: `Friday 27 November 2026`. */
const fullDayText = (wall: number) => format(wall, 'EEEE d MMMM y', { in: tz('UTC') });

/** A typed day in full. */
const typedDayText = ({ day, time }: TypedDay) =>
  time === null ? fullDayText(day) : `${fullDayText(day)} at ${timeOfDayText(time)}`;

describe('delegates days', () => {
  /** A Saturday. */
  const today = Date.parse('2026-11-21T00:00:00Z');

  underZones(() => {
    describe('a day is read', () => {
      test.each([
        ['today', 'Saturday 21 November 2026'],
        ['Tomorrow', 'Sunday 22 November 2026'],
        ['saturday', 'Saturday 21 November 2026'],
        ['friday', 'Friday 27 November 2026'],
        ['FRI', 'Friday 27 November 2026'],
        ['next friday', 'Friday 27 November 2026'],
        ['next sunday', 'Sunday 29 November 2026'],
        ['in 3 days', 'Tuesday 24 November 2026'],
        ['in 1 day at 14:00', 'Sunday 22 November 2026 at 14:00'],
        ['24 Dec', 'Thursday 24 December 2026'],
        ['Dec 24', 'Thursday 24 December 2026'],
        ['Dec 24th, 2027', 'Friday 24 December 2027'],
        ['24th of December', 'Thursday 24 December 2026'],
        ['24.12.', 'Thursday 24 December 2026'],
        ['24.12.2027 14:00', 'Friday 24 December 2027 at 14:00'],
        ['thursday, dec 24', 'Thursday 24 December 2026'],
        ['24 december 2027', 'Friday 24 December 2027'],
        ['1. May 9:05', 'Saturday 1 May 2027 at 09:05'],
        ['20 Nov', 'Saturday 20 November 2027'],
        ['21 Nov', 'Saturday 21 November 2026'],
        ['29 Feb', 'Tuesday 29 February 2028'],
        ['2026-12-24', 'Thursday 24 December 2026'],
        ['2026-12-24 14:00', 'Thursday 24 December 2026 at 14:00'],
        ['2026-12-24T00:00', 'Thursday 24 December 2026 at 00:00'],
        ['  next   monday   at  08:30 ', 'Monday 23 November 2026 at 08:30'],
      ])('%s', (typed, text) => {
        const read = readDay(typed, today);
        expect(read && typedDayText(read)).toBe(text);
      });
    });

    describe('what is no day is not guessed', () => {
      test.each([
        '',
        'next',
        'next week',
        'may',
        '24',
        '30 Feb',
        '2026-02-30',
        '2026-12-24 24:00',
        '2026-12-24 14',
        '14:00',
        'in -3 days',
        'in 12345 days',
        'fridays',
        'frida',
        '24/12/2026',
      ])('%s', (typed) => {
        expect(readDay(typed, today)).toBeNull();
      });
    });

    describe('a week is read', () => {
      test.each([
        ['', 'Saturday 21 November 2026'],
        ['This week', 'Saturday 21 November 2026'],
        ['next  week', 'Saturday 28 November 2026'],
        ['last week', 'Saturday 14 November 2026'],
        ['next friday', 'Friday 27 November 2026'],
        ['2026-12-24', 'Thursday 24 December 2026'],
      ])('%s', (typed, text) => {
        const day = readDayOfWeek(typed, today);
        expect(day && fullDayText(day)).toBe(text);
      });

      test.each(['week', 'next', '47', 'next month', '2026-12-24 14:00', '2026-W52'])(
        '%s is none',
        (typed) => {
          expect(readDayOfWeek(typed, today)).toBeNull();
        },
      );
    });

    const anyDay = fc.integer({ min: 0, max: 60_000 }).map((days) => days * millisecondsInDay);

    test('whatever day it is, a weekday is one of the seven days from today on, and `next` is of the next ISO week', () => {
      fc.assert(
        fc.property(anyDay, fc.constantFrom(...weekdays), fc.boolean(), (day, name, short) => {
          const word = short ? name.slice(0, 3) : name;
          const soon = readDay(word, day)?.day ?? Number.NaN;
          expect(soon).toBeGreaterThanOrEqual(day);
          expect(soon).toBeLessThan(day + 7 * millisecondsInDay);
          expect(weekdays[weekdayOf(soon)]).toBe(name);
          const next = readDay(`next ${word}`, day)?.day ?? Number.NaN;
          const nextMonday = day - weekdayOf(day) * millisecondsInDay + 7 * millisecondsInDay;
          expect(next).toBe(nextMonday + weekdays.indexOf(name) * millisecondsInDay);
        }),
        { numRuns: runs(100) },
      );
    });

    test('a day as it is written, without its weekday, and as ISO date is the day itself', () => {
      fc.assert(
        fc.property(anyDay, anyDay, fc.integer({ min: 0, max: 1_439 }), (day, now, minute) => {
          const [, ...rest] = fullDayText(day).split(' ');
          expect(readDay(rest.join(' '), now)).toEqual({ day, time: null });
          const wall = new Date(day + minute * millisecondsInMinute).toISOString().slice(0, 16);
          expect(readDay(wall, now)).toEqual({ day, time: minute * millisecondsInMinute });
          expect(readDay(wall.replace('T', ' '), now)).toEqual({ day, time: minute * millisecondsInMinute });
        }),
        { numRuns: runs(100) },
      );
    });

    test('a day of a month without its year is the next there is', () => {
      fc.assert(
        fc.property(anyDay, anyDay, (day, now) => {
          const [, date, month] = fullDayText(day).split(' ');
          const read = readDay(`${date} ${month}`, now)?.day ?? Number.NaN;
          expect(fullDayText(read).split(' ').slice(1, 3)).toEqual([date, month]);
          expect(read).toBeGreaterThanOrEqual(now);
          const year = new Date(read).getUTCFullYear();
          const before = Array.from({ length: 9 }, (_, i) =>
            readIsoDay(`${year - 1 - i}${new Date(day).toISOString().slice(4, 10)}`),
          );
          for (const earlier of before) expect(earlier === null || earlier < now).toBe(true);
        }),
        { numRuns: runs(100) },
      );
    });

    test('whatever is typed is read as a day or not at all', () => {
      const words = fc.array(
        fc.constantFrom(
          'next',
          'in',
          'at',
          'on',
          'today',
          'fri',
          '24',
          '2026-12-24',
          'dec',
          'days',
          '3',
          '14:00',
          '‮',
          '😀',
        ),
        { maxLength: 5 },
      );
      fc.assert(
        fc.property(
          fc.oneof(
            words.map((all) => all.join(' ')),
            fc.string(),
          ),
          anyDay,
          (typed, now) => {
            const read = readDay(typed, now);
            if (read !== null) expect(read.day % millisecondsInDay).toBe(0);
          },
        ),
        { numRuns: runs(200) },
      );
    });

    describe('what a day is on the clocks of a zone', () => {
      const iso = ({ from, until }: { readonly from: number; readonly until: number }) =>
        [from, until].map((at) => new Date(at).toISOString());
      const day = (text: string) => ({ day: Date.parse(`${text}T00:00:00Z`), time: null });

      test('a day on which clocks are set forward has 23 hours, one on which they are set back 25', () => {
        expect(iso(spanOfDay(day('2026-03-29'), 0, 'Europe/Berlin'))).toEqual([
          '2026-03-28T23:00:00.000Z',
          '2026-03-29T22:00:00.000Z',
        ]);
        expect(iso(spanOfDay(day('2026-10-25'), 0, 'Europe/Berlin'))).toEqual([
          '2026-10-24T22:00:00.000Z',
          '2026-10-25T23:00:00.000Z',
        ]);
      });

      test('a time that clocks skip moves forward, of one that comes twice the first is meant', () => {
        const at = (text: string, time: number) => ({ ...day(text), time });
        expect(iso(spanOfDay(at('2026-03-29', 150 * millisecondsInMinute), 0, 'Europe/Berlin'))[0]).toBe(
          '2026-03-29T01:30:00.000Z',
        );
        expect(iso(spanOfDay(at('2026-10-25', 150 * millisecondsInMinute), 0, 'Europe/Berlin'))[0]).toBe(
          '2026-10-25T00:30:00.000Z',
        );
      });

      test('now is the minute that runs', () => {
        expect(iso(spanOfDay(null, Date.parse('2026-11-21T15:04:59.999Z'), 'UTC'))).toEqual([
          '2026-11-21T15:04:00.000Z',
          '2026-11-21T15:05:00.000Z',
        ]);
      });

      test('it is another day elsewhere, and another week', () => {
        const at = Date.parse('2026-11-22T23:30:00Z');
        expect(fullDayText(dayAt(at, 'UTC'))).toBe('Sunday 22 November 2026');
        expect(fullDayText(dayAt(at, 'Asia/Tokyo'))).toBe('Monday 23 November 2026');
        expect(iso(spanOfWeek(dayAt(at, 'UTC'), 'UTC'))).toEqual([
          '2026-11-16T00:00:00.000Z',
          '2026-11-23T00:00:00.000Z',
        ]);
        expect(iso(spanOfWeek(dayAt(at, 'Europe/Berlin'), 'Europe/Berlin'))).toEqual([
          '2026-11-22T23:00:00.000Z',
          '2026-11-29T23:00:00.000Z',
        ]);
      });
    });
  });
});

describe('a period of cover', () => {
  /** A Wednesday. */
  const today = Date.parse('2026-11-18T00:00:00Z');
  const isoOf = (typed: string, days = 'Europe/Berlin', times = days) => {
    const period = readPeriod(typed, today);
    if (period === null) return null;
    const { from, until } = spanOfPeriod(period, { days, times });
    return [from, until].map((at) => new Date(at).toISOString().slice(0, 16)).join(' ');
  };
  const facts = (zones: readonly string[], own?: string) => ({
    reader: 'ada',
    users: new Map([['ada', { id: 'ada', name: 'Ada', ...(own === undefined ? {} : { timeZone: own }) }]]),
    categories: [],
    accounts: new Map<string, string>(),
    zones,
    now: Date.parse('2026-11-18T12:00:00Z'),
  });

  underZones(() => {
    test.each([
      ['dec 19 to jan 2', '2026-12-18T23:00 2027-01-02T23:00'],
      ['Dec 19 – Jan 2', '2026-12-18T23:00 2027-01-02T23:00'],
      ['dec 19-23', '2026-12-18T23:00 2026-12-23T23:00'],
      ['dec 19 to 23', '2026-12-18T23:00 2026-12-23T23:00'],
      // A bare day before the first is of the following month.
      ['dec 29 to 2', '2026-12-28T23:00 2027-01-02T23:00'],
      ['nov 29 to 2', '2026-11-28T23:00 2026-12-02T23:00'],
      ['dec 29-2', '2026-12-28T23:00 2027-01-02T23:00'],
      ['for 3 days', '2026-11-17T23:00 2026-11-20T23:00'],
      ['For a day', '2026-11-17T23:00 2026-11-18T23:00'],
      ['for a week', '2026-11-17T23:00 2026-11-24T23:00'],
      ['for 2 weeks', '2026-11-17T23:00 2026-12-01T23:00'],
      ['19 dec until 2 jan', '2026-12-18T23:00 2027-01-02T23:00'],
      ['from 2026-12-19 to 2027-01-02', '2026-12-18T23:00 2027-01-02T23:00'],
      ['until friday', '2026-11-17T23:00 2026-11-20T23:00'],
      ['tomorrow', '2026-11-18T23:00 2026-11-19T23:00'],
      ['on dec 24', '2026-12-23T23:00 2026-12-24T23:00'],
      ['monday to friday', '2026-11-22T23:00 2026-11-27T23:00'],
      ['this week', '2026-11-17T23:00 2026-11-22T23:00'],
      ['next week', '2026-11-22T23:00 2026-11-29T23:00'],
      ['dec 19 14:00 to dec 20 at 9:30', '2026-12-19T13:00 2026-12-20T08:30'],
      // Clocks are set forward on Mar 28 and back on Oct 31: days of 23 and 25 hours.
      ['2027-03-28', '2027-03-27T23:00 2027-03-28T22:00'],
      ['2027-10-31', '2027-10-30T22:00 2027-10-31T23:00'],
      ['2027-03-27 to 2027-03-28', '2027-03-26T23:00 2027-03-28T22:00'],
    ])('%s', (typed, span) => {
      expect(isoOf(typed)).toBe(span);
    });

    test.each([
      '',
      'to',
      'someday',
      'dec 19 to',
      'to jan',
      'dec 19 14:00',
      '30 feb',
      'dec 32 to jan 2',
      'for a while',
      'for 0 days',
      'jan 30 to 29',
      'friday to 3',
    ])('is not guessed: %s', (typed) => {
      expect(isoOf(typed)).toBeNull();
    });

    test('days are those of the person who is out, times those of the person who types', () => {
      expect(isoOf('dec 19 to dec 20', 'Asia/Tokyo', 'America/New_York')).toBe(
        '2026-12-18T15:00 2026-12-20T15:00',
      );
      expect(isoOf('dec 19 to dec 20 14:00', 'Asia/Tokyo', 'America/New_York')).toBe(
        '2026-12-18T15:00 2026-12-20T19:00',
      );
    });

    test('a day whose midnight the clocks skip begins with its first instant', () => {
      expect(isoOf('2027-09-05', 'America/Santiago')).toBe('2027-09-05T04:00 2027-09-06T03:00');
    });

    test('is shown in whole days where it was set so, whatever zone the reader is in', () => {
      const period = readPeriod('dec 19 to jan 2', today);
      if (period === null) throw new Error('not read');
      const span = spanOfPeriod(period, { days: 'Asia/Tokyo', times: 'Asia/Tokyo' });
      const shown = (zones: readonly string[], own?: string) =>
        spanText(span, ['ada'], plainCoverWords(facts(zones, own)));
      expect(shown(['Asia/Tokyo'])).toBe('Dec 19 – Jan 2');
      expect(shown(['America/New_York'], 'Asia/Tokyo')).toBe('Dec 19 – Jan 2');
      expect(shown(['America/New_York'])).toBe('Fri, Dec 18, 10:00 AM – Sat, Jan 2, 10:00 AM');
      expect(spanText(span, ['ada'], coverWords(facts(['UTC'])))).toMatch(
        /^<!date\^\d+\^.*> – <!date\^\d+\^/,
      );
    });

    test('names both months of two years', () => {
      const span = { from: Date.parse('2026-04-19T00:00Z'), until: Date.parse('2027-04-06T00:00Z') };
      expect(spanText(span, ['ada'], plainCoverWords(facts(['UTC'])))).toBe('Apr 19 – Apr 5');
    });

    test('is read back as it is shown', () => {
      const days = fc.integer({ min: 0, max: 250 }).map((n) => today + n * millisecondsInDay);
      const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'America/St_Johns');
      fc.assert(
        fc.property(days, days, zones, (a, b, zone) => {
          const [first, last] = [Math.min(a, b), Math.max(a, b)];
          const wall = (day: number) => ({ day, time: null });
          const span = spanOfPeriod({ first: wall(first), last: wall(last) }, { days: zone, times: zone });
          const text = spanText(span, ['ada'], plainCoverWords(facts([zone]))).replace(/^\w+, /, '');
          expect(readPeriod(text, today)).toEqual({ first: wall(first), last: wall(last) });
        }),
        { numRuns: runs(100) },
      );
    });
  });

  test('a cover that runs is shown until its last day, and one of hours until its end', () => {
    const one = {
      ...{
        id: 1,
        version: 1,
        active: true,
        delegator: 'ada',
        delegates: ['bob'],
        categoryIds: [],
        notes: '',
      },
      start: Date.parse('2026-11-10T23:00Z'),
      end: Date.parse('2026-12-31T23:00Z'),
    };
    const words = plainCoverWords(facts(['Europe/Berlin']));
    expect(periodText(one, facts([]).now, words)).toBe('until Thu, Dec 31');
    expect(periodText({ ...one, end: one.end - millisecondsInMinute }, facts([]).now, words)).toBe(
      'until Thu, Dec 31, 11:59 PM',
    );
    const later = { ...one, start: Date.parse('2026-12-30T23:00Z') };
    expect(periodText(later, facts([]).now, words)).toBe('Thu, Dec 31');
    expect(peopleOf(one)).toEqual(['ada', 'bob']);
  });
});
