import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { firstInstantFrom, instantOf, wallOf } from '../../src/time/wall-clock.ts';
import { isTimeZone, offsetAt } from '../../src/time/zones.ts';
import { runs } from '../support/soak.ts';
import { underZones } from '../support/under-zones.ts';
import { clockChanges } from './clock-changes.ts';

const seeded = { seed: 1883, numRuns: runs(300) };
const wall = (text: string) => Date.parse(`${text}Z`);
const utc = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z');
const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
/** Mostly in living memory, and from before standard time until long after. */
const anyInstant = fc.oneof(
  fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2040, 0) }),
  fc.integer({ min: Date.UTC(1001, 0), max: Date.UTC(4000, 0) }),
  fc
    .tuple(
      fc.constantFrom(...clockChanges),
      fc.integer({ min: -2 * millisecondsInDay, max: 2 * millisecondsInDay }),
    )
    .map(([[, date], offset]) => Date.parse(date) + offset),
);

underZones(() => {
  test.each(['Europe/Berlin', 'UTC', 'Etc/GMT+5', 'US/Pacific', 'America/Argentina/Buenos_Aires'])(
    '%s is a time zone',
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  test.each(['Mars/Base', '', '+02:00', '-0500', 'Z', ' UTC'])('%p is no time zone', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });

  test.each([
    ['Europe/Berlin', '2026-01-05T00:00:00Z', millisecondsInHour],
    ['Europe/Berlin', '2026-07-05T00:00:00Z', 2 * millisecondsInHour],
    ['Asia/Kathmandu', '2026-01-05T00:00:00Z', 5.75 * millisecondsInHour],
    ['Australia/Lord_Howe', '2026-01-05T00:00:00Z', 11 * millisecondsInHour],
    ['Australia/Lord_Howe', '2026-07-05T00:00:00Z', 10.5 * millisecondsInHour],
    ['Africa/Casablanca', '2026-03-01T12:00:00Z', 0],
    ['Africa/Casablanca', '2026-04-01T12:00:00Z', millisecondsInHour],
    ['Europe/Amsterdam', '1850-01-01T00:00:00Z', (17 * 60 + 30) * 1000],
    ['America/New_York', '1883-11-18T16:59:59Z', -(4 * 3600 + 56 * 60 + 2) * 1000],
    ['America/New_York', '1883-11-18T17:00:00Z', -5 * millisecondsInHour],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', -10 * millisecondsInHour],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', 14 * millisecondsInHour],
  ])('the clock of %s was or is at %s ahead by %d ms', (timeZone, instant, offset) => {
    expect(offsetAt(Date.parse(instant), timeZone)).toBe(offset);
    expect(wallOf(Date.parse(instant), timeZone)).toBe(Date.parse(instant) + offset);
  });

  test('a change that is undone within a week is not overlooked', () => {
    expect(offsetAt(Date.parse('2000-10-07T12:00Z'), 'America/Boa_Vista')).toBe(-4 * millisecondsInHour);
    expect(offsetAt(Date.parse('2000-10-11T12:00Z'), 'America/Boa_Vista')).toBe(-3 * millisecondsInHour);
    expect(offsetAt(Date.parse('2000-10-16T12:00Z'), 'America/Boa_Vista')).toBe(-4 * millisecondsInHour);
  });

  test('offsets are those that Intl tells, in every zone at any time', () => {
    const clocks = new Map<string, Intl.DateTimeFormat>();
    fc.assert(
      fc.property(anyZone, anyInstant, (timeZone, instant) => {
        const clock =
          clocks.get(timeZone) ??
          new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
        clocks.set(timeZone, clock);
        const second = Math.floor(instant / 1000) * 1000;
        const shown = Date.parse(`${clock.format(second).replace(' ', 'T')}Z`);
        expect(offsetAt(instant, timeZone)).toBe(shown - second);
      }),
      seeded,
    );
  });

  describe('a wall time', () => {
    test('that the clock shows once or twice is found, and the first one of two', () => {
      fc.assert(
        fc.property(anyZone, anyInstant, (timeZone, instant) => {
          const shown = wallOf(instant, timeZone);
          const found = instantOf(shown, timeZone);
          expect(wallOf(found, timeZone)).toBe(shown);
          expect(found).toBeLessThanOrEqual(instant);
          expect(firstInstantFrom(shown, timeZone)).toBe(found);
        }),
        seeded,
      );
    });

    test.each([
      ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00Z', '2026-03-29T01:00:00Z'],
      ['Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-03T15:40:00Z', '2026-10-03T15:30:00Z'],
      ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00Z', '2011-12-30T10:00:00Z'],
      ['America/Toronto', '1919-03-31T00:00', '1919-03-31T05:00:00Z', '1919-03-31T04:30:00Z'],
    ])('that %s skips, %s, moves forward by the gap', (timeZone, skipped, moved, change) => {
      expect(utc(instantOf(wall(skipped), timeZone))).toBe(moved);
      expect(utc(firstInstantFrom(wall(skipped), timeZone))).toBe(change);
    });

    test.each([
      ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
      ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00Z'],
      ['America/St_Johns', '2010-11-06T23:30', '2010-11-07T02:00:00Z'],
    ])('that comes twice in %s, %s, is meant the first time', (timeZone, twice, first) => {
      expect(utc(instantOf(wall(twice), timeZone))).toBe(first);
      expect(utc(firstInstantFrom(wall(twice), timeZone))).toBe(first);
    });
  });
});
