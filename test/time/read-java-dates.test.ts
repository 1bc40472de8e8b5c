import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { dateText } from '../../src/time/date-text.ts';
import { readJavaDate } from '../../src/time/read-java-dates.ts';
import { underZones } from '../support/under-zones.ts';

const instants = fc.integer({ min: Date.UTC(2000, 0, 3), max: Date.UTC(2099, 11, 30) });
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');

underZones(() => {
  describe('a date that was written is read back', () => {
    test.each([
      ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", 1],
      ['dd/MMM/yy h:mm:ss a Z', 1000],
      ['EEEE, d MMMM yyyy k:mm X', 60_000],
    ])('in %s to the last part of the pattern', (pattern, unit) => {
      fc.assert(
        fc.property(instants, zones, (instant, timeZone) => {
          // X alone tells whole hours.
          fc.pre(!pattern.endsWith(' X') || timeZone !== 'Asia/Kolkata');
          const told = dateText(instant, pattern, timeZone);
          expect(readJavaDate(told, { pattern, timeZone, locale: 'en_US' })).toBe(instant - (instant % unit));
        }),
      );
    });

    test('without an offset on the clocks of the zone, the first time where they show it twice', () => {
      const writing = { pattern: 'dd/MMM/yy h:mm a', timeZone: 'Europe/Berlin', locale: 'en_US' };
      expect(readJavaDate('29/Mar/26 3:00 AM', writing)).toBe(Date.parse('2026-03-29T01:00:00Z'));
      expect(readJavaDate('25/Oct/26 2:30 AM', writing)).toBe(Date.parse('2026-10-25T00:30:00Z'));
    });
  });

  test.each([
    ['de_DE', 'dd/MMM/yy HH:mm', '05/März/26 09:20'],
    ['de_DE', 'dd.MM.yyyy HH:mm', '05.03.2026 09:20'],
    ['en_GB', 'dd/MMM/yy h:mm a', '05/Mar/26 9:20 am'],
    ['en_US', 'dd/MMM/yy h:mm a', '05/Mar/26 9:20\u202fAM'],
    ['fr_FR', 'd MMMM yyyy HH:mm', '5 mars 2026 09:20'],
    ['of nowhere', 'yyyy/MM/dd HH:mm', '2026/03/05 09:20'],
  ])('the words of %s are known: %s', (locale, pattern, told) => {
    expect(readJavaDate(told, { pattern, timeZone: 'UTC', locale })).toBe(Date.UTC(2026, 2, 5, 9, 20));
  });

  test.each(['', '-', '31/Feb/26 9:20 AM', '05/Foo/26 9:20 AM', '05/Mar/26 9:61 AM', '05/Mar/26'])(
    'the text %p is no date',
    (told) => {
      expect(
        readJavaDate(told, { pattern: 'dd/MMM/yy h:mm a', timeZone: 'UTC', locale: 'en_US' }),
      ).toBeNull();
    },
  );
});
