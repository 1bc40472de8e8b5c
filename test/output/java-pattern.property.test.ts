import { TZDate } from '@date-fns/tz';
import { millisecondsInMinute } from 'date-fns/constants';
import { format } from 'date-fns/format';
import { getWeekOfMonth } from 'date-fns/getWeekOfMonth';
import { enUS } from 'date-fns/locale/en-US';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { dateText, patternProblem } from '../../src/time/date-text.ts';
import { runs } from '../support/soak.ts';

const aZone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Auckland',
);
const between = (from: string, to: string) => fc.integer({ min: Date.parse(from), max: Date.parse(to) });
const seeded = { seed: 20260318, numRuns: runs(2000) };

/** What date-fns writes alike, and how it is spelled there where it is spelled differently. */
const shared: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'G y yy yyyy YY YYYY M MM MMM MMMM LLL LLLL w ww d dd EEE EEEE H HH k kk K KK h hh m mm s ss SSS XX XXX a'
      .split(' ')
      .map((letters) => [letters, letters]),
  ),
  D: 'D',
  DDD: 'DDD',
  u: 'i',
  Z: 'xx',
};

test('the letters that date-fns has too mean the same at any time and anywhere', () => {
  const pieces = fc.array(fc.constantFrom(...Object.keys(shared)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(between('1975-01-01', '2090-01-01'), aZone, pieces, (instant, timeZone, letters) => {
      const reference = format(
        new TZDate(instant, timeZone),
        letters.map((letter) => shared[letter]).join(' '),
        { locale: enUS, useAdditionalDayOfYearTokens: true, useAdditionalWeekYearTokens: true },
      );
      expect(dateText(instant, letters.join(' '), timeZone)).toBe(reference);
    }),
    seeded,
  );
});

test('the week of the month is the row in an American calendar sheet', () => {
  fc.assert(
    fc.property(between('1975-01-01', '2090-01-01'), aZone, (instant, timeZone) => {
      const reference = getWeekOfMonth(new TZDate(instant, timeZone), { locale: enUS });
      expect(dateText(instant, 'W', timeZone)).toBe(String(reference));
    }),
    seeded,
  );
});

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The wall clock as Intl tells it field by field. */
function intlClock(instant: number, timeZone: string): string {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  clocks.set(timeZone, clock);
  const of = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${of.year}-${of.month}-${of.day} ${of.hour}:${of.minute}:${of.second}`;
}

test("clocks are Intl's, also in times when they were set by the sun", () => {
  const zone = fc.oneof(aZone, fc.constantFrom('Africa/Monrovia', 'Europe/Amsterdam', 'Asia/Tehran'));
  fc.assert(
    fc.property(between('1850-01-01', '2100-01-01'), zone, (instant, timeZone) => {
      expect(dateText(instant, 'yyyy-MM-dd HH:mm:ss', timeZone)).toBe(intlClock(instant, timeZone));
    }),
    seeded,
  );
});

test.each([
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Asia/Kathmandu', '1985-12-31T18:30:00Z'],
  ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
  ['Pacific/Kwajalein', '1993-08-21T12:00:00Z'],
])('around the change of clocks in %s at %s every minute is right', (timeZone, change) => {
  const near = Array.from({ length: 4000 }, (_, i) => Date.parse(change) + (i - 2000) * millisecondsInMinute);
  const exact = [-1000, -1, 0, 1, 999].map((ms) => Date.parse(change) + ms);
  const wrong = [...near, ...exact].filter(
    (instant) => dateText(instant, 'yyyy-MM-dd HH:mm:ss', timeZone) !== intlClock(instant, timeZone),
  );
  expect(wrong).toEqual([]);
});

test('text in quotes comes out as it is', () => {
  const text = fc
    .string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 })
    // Java reads nothing but quotes in pairs from the left, so that a pair around them is two more.
    .filter((given) => /[^']/.test(given));
  fc.assert(
    fc.property(text, (given) => {
      const pattern = `d'${given.replaceAll("'", "''")}'d`;
      expect(dateText(0, pattern, 'UTC')).toBe(`1${given}1`);
    }),
    seeded,
  );
});

test('whatever is asked for is either written or refused with a reason', () => {
  const letter = fc.constantFrom(...'dMyHmsEaXbQ\'" :é'.split(''));
  const pattern = fc.string({ unit: letter, maxLength: 12 });
  fc.assert(
    fc.property(pattern, (given) => {
      const why = patternProblem(given);
      if (why === null) expect(typeof dateText(0, given, 'UTC')).toBe('string');
      else expect(() => dateText(0, given, 'UTC')).toThrow(why);
      const bad = given.replaceAll(/'[^']*'/g, '');
      expect(why === null).toBe(given.trim() !== '' && !/['bQ]|XXXX/.test(bad));
    }),
    seeded,
  );
});
