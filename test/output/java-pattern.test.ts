import { describe, expect, test } from '#jest';
import { dateText, patternProblem } from '../../src/time/date-text.ts';
import { underZones } from '../support/under-zones.ts';

// Every expected text here was written by java.text.SimpleDateFormat (OpenJDK 17, Locale.US), unless it says otherwise.
const evening = Date.parse('2026-02-03T04:05:06.007Z');
const inNewYork = (pattern: string) => dateText(evening, pattern, 'America/New_York');

/** Each letter once, twice and so on. */
const widths: readonly [string, readonly string[]][] = [
  ['G', ['AD', 'AD', 'AD', 'AD', 'AD']],
  ['y', ['2026', '26', '2026', '2026', '02026']],
  ['Y', ['2026', '26', '2026', '2026', '02026']],
  ['M', ['2', '02', 'Feb', 'February', 'February']],
  ['L', ['2', '02', 'Feb', 'February', 'February']],
  ['w', ['6', '06', '006', '0006', '00006']],
  ['W', ['1', '01', '001', '0001', '00001']],
  ['D', ['33', '33', '033', '0033', '00033']],
  ['d', ['2', '02', '002', '0002', '00002']],
  ['F', ['1', '01', '001', '0001', '00001']],
  ['E', ['Mon', 'Mon', 'Mon', 'Monday', 'Monday']],
  ['u', ['1', '01', '001', '0001', '00001']],
  ['a', ['PM', 'PM', 'PM', 'PM', 'PM']],
  ['H', ['23', '23', '023', '0023', '00023']],
  ['k', ['23', '23', '023', '0023', '00023']],
  ['K', ['11', '11', '011', '0011', '00011']],
  ['h', ['11', '11', '011', '0011', '00011']],
  ['m', ['5', '05', '005', '0005', '00005']],
  ['s', ['6', '06', '006', '0006', '00006']],
  ['S', ['7', '07', '007', '0007', '00007']],
  ['z', ['EST', 'EST', 'EST', 'Eastern Standard Time', 'Eastern Standard Time']],
  ['Z', ['-0500', '-0500', '-0500', '-0500', '-0500']],
  ['X', ['-05', '-0500', '-05:00']],
];

underZones(() => {
  test.each(widths)('%s is as wide as it is repeated', (letter, texts) => {
    expect(texts.map((_, i) => inNewYork(letter.repeat(i + 1)))).toEqual(texts);
  });

  test('every letter that is allowed has its examples', () => {
    const allowed = /Try: (.*), and any text/.exec(patternProblem('b') ?? '')?.[1];
    expect(allowed).toBe(widths.map(([letter]) => letter).join(' '));
  });

  test.each([
    ['dd/MMM/yy h:mm a', '02/Feb/26 11:05 PM'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSZ", '2026-02-02T23:05:06.007-0500'],
    ['EEEE, d MMMM yyyy', 'Monday, 2 February 2026'],
    ["yyyy 'week' ww", '2026 week 06'],
    ["h 'o''clock' a", "11 o'clock PM"],
    ["''yy''", "'26'"],
    ["''''", "''"],
    ["'''a'", "'a"],
    ["'a'''", "a'"],
    ["dd.MM.yyyy – HH:mm 'Uhr'", '02.02.2026 – 23:05 Uhr'],
    ['yyMMdd', '260202'],
    ['d日é', '2日é'],
  ])('%s is %s', (pattern, text) => {
    expect(inNewYork(pattern)).toBe(text);
  });

  test.each([
    ['2026-01-01', 'Thu 4 1 1 2026 1 1'],
    ['2026-01-03', 'Sat 6 3 1 2026 1 1'],
    ['2026-01-04', 'Sun 7 4 2 2026 2 1'],
    ['2024-12-28', 'Sat 6 363 52 2024 4 4'],
    ['2024-12-29', 'Sun 7 364 1 2025 5 5'],
    ['2024-12-31', 'Tue 2 366 1 2025 5 5'],
    ['2025-01-01', 'Wed 3 1 1 2025 1 1'],
    ['2022-12-31', 'Sat 6 365 53 2022 5 5'],
    ['2023-01-01', 'Sun 7 1 1 2023 1 1'],
    ['2023-12-30', 'Sat 6 364 52 2023 5 5'],
    ['2023-12-31', 'Sun 7 365 1 2024 6 5'],
    ['2024-02-29', 'Thu 4 60 9 2024 5 5'],
    ['2026-05-31', 'Sun 7 151 23 2026 6 5'],
  ])('%s lies in its week as an American calendar shows it', (date, text) => {
    expect(dateText(Date.parse(`${date}T12:00:00Z`), 'EEE u D w YYYY W F', 'UTC')).toBe(text);
  });

  test.each([
    ['00:00', '0 24 0 12 AM'],
    ['00:59', '0 24 0 12 AM'],
    ['01:00', '1 1 1 1 AM'],
    ['11:59', '11 11 11 11 AM'],
    ['12:00', '12 12 0 12 PM'],
    ['13:00', '13 13 1 1 PM'],
    ['23:59', '23 23 11 11 PM'],
  ])('the hour of %s is counted in four ways', (time, text) => {
    expect(dateText(Date.parse(`2026-01-01T${time}:00Z`), 'H k K h a', 'UTC')).toBe(text);
  });

  test.each([
    ['UTC', '+0000 Z Z Z UTC Coordinated Universal Time'],
    ['Asia/Kolkata', '+0530 +05 +0530 +05:30 IST India Standard Time'],
    ['America/St_Johns', '-0230 -02 -0230 -02:30 NDT Newfoundland Daylight Time'],
    ['Europe/Berlin', '+0200 +02 +0200 +02:00 CEST Central European Summer Time'],
    ['Europe/London', '+0100 +01 +0100 +01:00 BST British Summer Time'],
    ['Australia/Sydney', '+1000 +10 +1000 +10:00 AEST Australian Eastern Standard Time'],
    ['Pacific/Auckland', '+1200 +12 +1200 +12:00 NZST New Zealand Standard Time'],
    ['America/Los_Angeles', '-0700 -07 -0700 -07:00 PDT Pacific Daylight Time'],
    ['Africa/Johannesburg', '+0200 +02 +0200 +02:00 SAST South Africa Standard Time'],
    // Java has JST, which no English-speaking country uses.
    ['Asia/Tokyo', '+0900 +09 +0900 +09:00 GMT+9 Japan Standard Time'],
  ])('the zone %s has a name and an offset', (timeZone, text) => {
    expect(dateText(Date.parse('2026-07-01T12:00:00Z'), 'Z X XX XXX z zzzz', timeZone)).toBe(text);
  });

  test('an offset of less than an hour and with seconds is as exact as its text allows', () => {
    const text = dateText(Date.parse('1960-01-01T00:00:00Z'), 'HH:mm:ss Z X XXX', 'Africa/Monrovia');
    expect(text).toBe('23:15:30 -0044 -00 -00:44');
  });

  test('years have all their digits but where two are asked for', () => {
    const years = (date: string) => dateText(Date.parse(date), 'G y yy yyy yyyyy', 'UTC');
    expect(years('2005-06-01T00:00:00Z')).toBe('AD 2005 05 2005 02005');
    expect(years('+010000-06-01T00:00:00Z')).toBe('AD 10000 00 10000 10000');
    expect(years('-000002-06-01T00:00:00Z')).toBe('BC 3 03 003 00003');
  });

  describe('a pattern is refused', () => {
    const known = widths.map(([letter]) => letter).join(' ');
    const quotes = "Try: 'text' in quotes, and '' for a quote";
    test.each([
      ['', 'is empty. Try: 1 to 100 characters'],
      ['  ', 'is empty. Try: 1 to 100 characters'],
      ['y'.repeat(101), 'is 101 characters long. Try: 1 to 100 characters'],
      ['ddbb', `has the unknown letter 'b' at position 3. Try: ${known}, and any text in quotes`],
      ["'b' Uhr", `has the unknown letter 'U' at position 5. Try: ${known}, and any text in quotes`],
      ['yyyy c', `has the unknown letter 'c' at position 6. Try: ${known}, and any text in quotes`],
      ["d 'T", `has a quote at position 3 that is never closed. ${quotes}`],
      ["'a''", `has a quote at position 1 that is never closed. ${quotes}`],
      ["yyyy'", `has a quote at position 5 that is never closed. ${quotes}`],
      ["'''", `has a quote at position 3 that is never closed. ${quotes}`],
      ['HH XXXX', "has 4 times the letter 'X' at position 4. Try: X, XX, XXX"],
    ])('%j', (pattern, why) => {
      expect(patternProblem(pattern)).toBe(why);
      expect(() => dateText(evening, pattern, 'UTC')).toThrow(why);
    });

    test.each(['dd/MMM/yy', 'dd/MMM/yy h:mm a', "'bcf'", "''", 'y'.repeat(100), 'XXX', '日'])(
      'but not %j',
      (pattern) => {
        expect(patternProblem(pattern)).toBeNull();
      },
    );
  });

  test('a zone that does not exist is refused', () => {
    expect(() => dateText(evening, 'dd', 'Mars/Base')).toThrow(RangeError);
  });
});
