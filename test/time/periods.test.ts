import { millisecondsInDay, millisecondsInWeek } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { type TimePeriod, timePeriods } from '../../src/model/request.ts';
import { mondayOf, readWeekName } from '../../src/time/day-words.ts';
import { addPeriods, isoWeek, lastWeekOf, periodAt, startOfPeriod } from '../../src/time/periods.ts';
import { runs } from '../support/soak.ts';
import { underZones } from '../support/under-zones.ts';

const utc = (instant: number) => new Date(instant).toISOString().replace(':00.000Z', 'Z');
const told = (instant: string, period: TimePeriod, timeZone = 'Europe/Berlin') => {
  const { id, start, end } = periodAt(Date.parse(instant), period, timeZone);
  return [id, utc(start), utc(end)];
};

/** What the library is asked for, on the fields of a UTC date. */
function plainStart(wall: number, period: TimePeriod): number {
  const date = new Date(wall);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (period) {
    case 'Day':
      return Date.UTC(year, month, day);
    case 'Week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
    case 'Month':
      return Date.UTC(year, month);
    case 'Quarter':
      return Date.UTC(year, month - (month % 3));
    case 'Year':
      return Date.UTC(year, 0);
  }
}

underZones(() => {
  // Found periods are kept, so this asks for what is computed anew under each zone of the machine.
  test('the start of a period is that of the wall clock, whatever the clock of the machine does then', () => {
    const wall = fc.integer({ min: Date.UTC(1700, 0), max: Date.UTC(2500, 0) });
    fc.assert(
      fc.property(wall, fc.constantFrom(...timePeriods), (at, period) => {
        const start = plainStart(at, period);
        expect(startOfPeriod(at, period)).toBe(start);
        const next = addPeriods(start, period, 1);
        expect(plainStart(next, period)).toBe(next);
        expect(plainStart(next - 1, period)).toBe(start);
      }),
      { seed: 4, numRuns: runs(300) },
    );
  });

  test('months are added to the day, or to the last one of a shorter month', () => {
    const day = (text: string) => Date.parse(`${text}Z`);
    expect(addPeriods(day('2026-01-31T02:30'), 'Month', 1)).toBe(day('2026-02-28T02:30'));
    expect(addPeriods(day('2024-02-29T00:00'), 'Year', -1)).toBe(day('2023-02-28T00:00'));
    expect(addPeriods(day('2026-11-30T23:59'), 'Quarter', 1)).toBe(day('2027-02-28T23:59'));
    expect(addPeriods(day('2026-09-27T02:30'), 'Week', 1)).toBe(day('2026-10-04T02:30'));
  });

  test('a week without its year is the last that has begun, or the next that is not over', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60_000 }).map((days) => days * millisecondsInDay),
        fc.integer({ min: 0, max: 99 }),
        (today, number) => {
          const named = readWeekName(`week ${number}`);
          expect(named).toEqual({ year: null, number });
          const [past, ahead] = (['past', 'ahead'] as const).map((direction) =>
            mondayOf({ year: null, number }, today, direction),
          );
          if (number < 1 || number > 53) return expect([past, ahead]).toEqual([null, null]);
          const week = String(number).padStart(2, '0');
          for (const monday of [past, ahead]) {
            expect(periodAt(monday ?? 0, 'Week', 'UTC').id.slice(4)).toBe(`-W${week}`);
            expect(startOfPeriod(monday ?? 0, 'Week')).toBe(monday);
          }
          const starts = [past ?? 0, ahead ?? 0];
          expect(starts[0]).toBeLessThanOrEqual(today);
          expect(starts[1]).toBeGreaterThan(today - millisecondsInWeek);
          // No such week is between them and today.
          for (let at = (past ?? 0) + millisecondsInWeek; at <= today; at += millisecondsInWeek)
            expect(periodAt(at, 'Week', 'UTC').id.slice(4)).not.toBe(`-W${week}`);
          for (let at = startOfPeriod(today, 'Week'); at < (ahead ?? 0); at += millisecondsInWeek)
            expect(periodAt(at, 'Week', 'UTC').id.slice(4)).not.toBe(`-W${week}`);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  test.each(['W', 'week', '46', 'w461', '26-W46', 'this week', ''])('%s is no number of a week', (typed) => {
    expect(readWeekName(typed)).toBeNull();
  });

  test('an ISO week is found by its number, if its year has it', () => {
    expect(isoWeek(2026, 53, 'Europe/Berlin')?.start).toBe(Date.parse('2026-12-27T23:00Z'));
    expect(isoWeek(2027, 53, 'Europe/Berlin')).toBeNull();
    expect(isoWeek(2027, 0, 'Europe/Berlin')).toBeNull();
    expect([2020, 2026, 2027].map(lastWeekOf)).toEqual(['2020-W53', '2026-W53', '2027-W52']);
  });

  test.each<[TimePeriod, string, string, string]>([
    ['Day', '2026-05-06', '2026-05-05T22:00Z', '2026-05-06T22:00Z'],
    ['Week', '2026-W19', '2026-05-03T22:00Z', '2026-05-10T22:00Z'],
    ['Month', '2026-05', '2026-04-30T22:00Z', '2026-05-31T22:00Z'],
    ['Quarter', '2026-Q2', '2026-03-31T22:00Z', '2026-06-30T22:00Z'],
    ['Year', '2026', '2025-12-31T23:00Z', '2026-12-31T23:00Z'],
  ])('noon of May 6, 2026 in Berlin lies in the %s %s', (period, ...expected) => {
    expect(told('2026-05-06T10:00Z', period)).toEqual(expected);
  });

  test('the title of a period is its id', () => {
    expect(periodAt(0, 'Quarter', 'UTC')).toEqual({
      id: '1970-Q1',
      title: '1970-Q1',
      start: 0,
      end: Date.UTC(1970, 3, 1),
    });
  });

  test('a period has its first instant and not its end', () => {
    const { start, end } = periodAt(Date.parse('2026-05-06T10:00Z'), 'Week', 'Europe/Berlin');
    expect(periodAt(start, 'Week', 'Europe/Berlin').id).toBe('2026-W19');
    expect(periodAt(start - 1, 'Week', 'Europe/Berlin').id).toBe('2026-W18');
    expect(periodAt(end - 1, 'Week', 'Europe/Berlin').id).toBe('2026-W19');
    expect(periodAt(end, 'Week', 'Europe/Berlin').id).toBe('2026-W20');
  });

  test.each([
    ['2024-12-29', '2024-W52'],
    ['2024-12-30', '2025-W01'],
    ['2026-01-05', '2026-W02'],
    ['2026-12-31', '2026-W53'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2020-12-31', '2020-W53'],
    ['2022-01-02', '2021-W52'],
  ])('%s is in the ISO week %s', (date, id) => {
    expect(periodAt(Date.parse(date), 'Week', 'UTC').id).toBe(id);
  });

  describe('a day', () => {
    test('has 23 hours in spring and 25 in autumn', () => {
      expect(told('2026-03-29T10:00Z', 'Day')).toEqual([
        '2026-03-29',
        '2026-03-28T23:00Z',
        '2026-03-29T22:00Z',
      ]);
      expect(told('2026-10-25T10:00Z', 'Day')).toEqual([
        '2026-10-25',
        '2026-10-24T22:00Z',
        '2026-10-25T23:00Z',
      ]);
    });

    test('whose midnight is skipped starts with its first instant', () => {
      expect(told('2026-09-06T12:00Z', 'Day', 'America/Santiago')).toEqual([
        '2026-09-06',
        '2026-09-06T04:00Z',
        '2026-09-07T03:00Z',
      ]);
      expect(told('1919-03-31T12:00Z', 'Day', 'America/Toronto')[1]).toBe('1919-03-31T04:30Z');
    });

    test('that is left out is followed by the next', () => {
      expect(told('2011-12-30T09:59Z', 'Day', 'Pacific/Apia')).toEqual([
        '2011-12-29',
        '2011-12-29T10:00Z',
        '2011-12-30T10:00Z',
      ]);
      expect(told('2011-12-30T10:00Z', 'Day', 'Pacific/Apia')[0]).toBe('2011-12-31');
    });

    test('has begun although the clock is put back over midnight', () => {
      expect(told('2010-11-07T02:30Z', 'Day', 'America/St_Johns')).toEqual([
        '2010-11-07',
        '2010-11-07T02:30Z',
        '2010-11-08T03:30Z',
      ]);
      // The wall shows 23:30 of the day before.
      expect(told('2010-11-07T03:00Z', 'Day', 'America/St_Johns')[0]).toBe('2010-11-07');
    });
  });
});
