import fc from 'fast-check';
import { expect, test } from '#jest';
import { cellText, dateCells, isFormulaLike } from '../../../src/output/spreadsheet/excel-cells.ts';
import { dateText } from '../../../src/time/date-text.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/soak.ts';

const MOST = 32_767;

test('a text that fits stays as it is, to the last character', () => {
  const text = 'x'.repeat(MOST);
  expect(cellText(text)).toBe(text);
  expect(cellText(`${text}x`)).toBe(`${'x'.repeat(MOST - 1)}…`);
});

test.each(['𝒳', '👩‍👩‍👧', 'e\u0301\u0323'])('%s is never cut in two', (character) => {
  for (let shift = 0; shift < character.length; shift += 1) {
    const cut = cellText('x'.repeat(shift) + character.repeat(MOST));
    expect(cut.length).toBeLessThanOrEqual(MOST);
    expect(cut.length).toBeGreaterThan(MOST - 1 - character.length);
    expect(cut.slice(shift, -1).replaceAll(character, '')).toBe('');
  }
});

test('a character of thousands of marks is cut between them', () => {
  expect(cellText(`a${'\u0301'.repeat(40_000)}`)).toHaveLength(MOST);
});

test('whatever is given, the result is well-formed and fits', () => {
  const long = fc
    .string({ unit: anyCharacter, minLength: 0, maxLength: 40 })
    .map((text) => text.repeat(2000));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), long), (text) => {
      const told = cellText(text);
      expect(told.isWellFormed()).toBe(true);
      expect(told.length).toBeLessThanOrEqual(MOST);
      if (text.length <= MOST) expect(told).toBe(text.toWellFormed());
    }),
    { seed: 20260318, numRuns: runs(200) },
  );
});

test('halves of characters become the replacement character', () => {
  expect(cellText('a\ud800b\udc00')).toBe('a\ufffdb\ufffd');
});

test.each([
  "=cmd|' /C calc'!A0",
  '+1',
  '+49 30 1234',
  '-2+3',
  '-',
  '-5.5',
  '- item',
  '@SUM(A1)',
  '＝1+1',
  '＋1',
  '－1+1',
  '＠x',
  ' =1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '\u0000=1',
  '\t',
  '\rx',
  '\nx',
  '\t\n =1',
])('%j is told from a harmless text', (text) => {
  expect(isFormulaLike(text)).toBe(text !== '-' && text !== '-5.5');
});

test.each([
  '',
  ' ',
  'WEB-1',
  'a=b',
  '1=1',
  '5',
  '-0',
  '-12.25',
  ' -',
  '(=1)',
  "'=1",
  '"=1"',
  '#=1',
  '–1',
  'é=',
])('%j is no formula', (text) => {
  expect(isFormulaLike(text)).toBe(false);
});

test('whatever stands behind the sign and whatever blanks before it, it is a formula', () => {
  const blanks = fc.string({ unit: fc.constantFrom(' ', '\u00a0', '\u3000', '\u200b', '\u0001', '\ufeff') });
  const sign = fc.constantFrom('=', '+', '@', '＝', '＋', '－', '＠');
  fc.assert(
    fc.property(blanks, sign, fc.string(), (before, first, rest) => {
      expect(isFormulaLike(before + first + rest)).toBe(true);
    }),
    { seed: 20260318 },
  );
});

/** The cells of dates in a zone; those of a clock to the millisecond have the milliseconds in their pattern. */
const cellsIn = (timeZone: string, dateFormat = 'yyyy-MM-dd', dateTimeFormat = 'yyyy-MM-dd HH:mm:ss') =>
  dateCells({ timeZone, formats: { dateFormat, dateTimeFormat } });
const serialOf = (instant: number, timeZone: string, dateTimeFormat?: string) => {
  const cell = cellsIn(timeZone, undefined, dateTimeFormat).instantCell(instant);
  return typeof cell === 'number' ? cell : null;
};
const TO_THE_MS = 'HH:mm:ss.SSS';

test.each([
  ['1900-03-01T00:00:00Z', 'UTC', 61],
  ['1900-02-28T23:59:59Z', 'UTC', null],
  ['1970-01-01T00:00:00Z', 'UTC', 25_569],
  ['2024-02-29T12:00:00Z', 'UTC', 45_351.5],
  ['2024-02-29T23:00:00Z', 'Europe/Berlin', 45_352],
  ['9999-12-31T23:59:59Z', 'UTC', 2_958_465 + 86_399 / 86_400],
  ['9999-12-31T23:00:00Z', 'Europe/Berlin', null],
  ['+010000-01-01T00:00:00Z', 'UTC', null],
  ['1850-01-01T00:00:00Z', 'UTC', null],
])('%s in %s has the serial number %s', (instant, timeZone, serial) => {
  expect(serialOf(Date.parse(instant), timeZone, TO_THE_MS)).toBe(serial);
});

test('clocks skip an hour in spring and tell one twice in autumn', () => {
  const at = (instant: string) => serialOf(Date.parse(instant), 'Europe/Berlin');
  const hour = (serial: number | null) => Math.round(((serial ?? 0) % 1) * 24 * 100) / 100;
  expect(['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'].map(at).map(hour)).toEqual([1.5, 3.5]);
  expect(at('2026-10-25T00:30:00Z')).toBe(at('2026-10-25T01:30:00Z'));
});

test('a clock is cut to its unit, not rounded', () => {
  const at = Date.parse('2026-03-18T11:59:59.999Z');
  expect(serialOf(at, 'UTC')).toBe(serialOf(at - 999, 'UTC', TO_THE_MS));
});

test('reading the serial number back gives the clock to the second', () => {
  const instants = fc.integer({ min: Date.UTC(1901, 0), max: Date.UTC(9999, 11, 30) });
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia');
  fc.assert(
    fc.property(instants, zones, (instant, timeZone) => {
      const serial = serialOf(instant, timeZone) ?? Number.NaN;
      const clock = new Date(Math.round((serial - 25_569) * 86_400) * 1000).toISOString();
      expect(clock.slice(0, 19)).toBe(dateText(instant, "yyyy-MM-dd'T'HH:mm:ss", timeZone));
    }),
    { seed: 20260318, numRuns: runs(1000) },
  );
});

test.each([
  ['1900-03-01', 61],
  ['1900-02-28', null],
  ['2024-02-29', 45_351],
  ['0050-01-01', null],
  ['0000-12-31', null],
  ['2025-02-29', null],
  ['2026-02-30', null],
  ['9999-12-31', 2_958_465],
  ['2026-3-1', null],
  ['2026-03-01T00:00', null],
  ['soon', null],
  ['', null],
])('the day %j has the serial number %s', (day, serial) => {
  const cell = cellsIn('UTC').dayCell(day);
  expect(typeof cell === 'number' ? cell : null).toBe(serial);
});

test.each([
  ['yyyy-MM-dd', 'yyyy-mm-dd'],
  ['yyyy-MM-dd HH:mm:ss', 'yyyy-mm-dd hh:mm:ss'],
  ['yyyy-MM-dd HH:mm:ss.SSS', 'yyyy-mm-dd hh:mm:ss.000'],
  ['HH:mm:ss,SSS', 'hh:mm:ss.000'],
  ['dd/MMM/yy', '[$-409]dd\\/mmm\\/yy'],
  ['dd/MMM/yy h:mm a', '[$-409]dd\\/mmm\\/yy h:mm AM/PM'],
  ['d.M.y', 'd\\.m\\.yyyy'],
  ['EEE, d MMMM yyyy', '[$-409]ddd\\, d mmmm yyyy'],
  ['EEEE LLL', '[$-409]dddd mmm'],
  ["d. MMM 'at' kk'h'mm", '[$-409]d\\. mmm "at" hh\\hmm'],
  ['K:mm a', '[$-409]h:mm AM/PM'],
  ['mm:ss', 'mm:ss'],
  ["yyyy''MM", "yyyy\\'mm"],
  ["yyyy'年'MM'月'", 'yyyy\\年mm\\月'],
  ['yyyy \'said "so"\'', 'yyyy "said" \\"\\s\\o\\"'],
])('the Java pattern %s is the number format %s', (pattern, code) => {
  expect(cellsIn('UTC', pattern).day.code).toBe(code);
});

test.each([
  ['a letter without counterpart', 'yyyy-MM-dd z'],
  ['an offset', 'yyyy-MM-dd HH:mm XXX'],
  ['the week', "YYYY-'W'ww"],
  ['the day of the year', 'yyyy D'],
  ['the number of the weekday', 'u'],
  ['an era', 'y G'],
  ['twelve hours without AM and PM', 'h:mm'],
  ['twenty-four hours with AM and PM', 'HH:mm a'],
  ['minutes on their own, which Excel takes for the month', 'mm'],
  ['minutes behind the date', 'yyyy-MM-dd mm'],
  ['a month behind the hour, which Excel takes for minutes', 'HH MM'],
  ['a month before seconds', 'MM ss'],
  ['milliseconds without seconds', 'HH:mm.SSS'],
  ['milliseconds without a decimal sign', 'HH:mm:ss SSS'],
  ['a part of the milliseconds', 'ss.S'],
  ['padded days', 'ddd'],
  ['padded years', 'yyyyy'],
  ['no date at all', "'never'"],
  ['a tab', "yyyy'\t'"],
  ['more than 255 characters', 'a.'.repeat(50)],
])('%s has no number format, and is shown in the order of ISO: %s', (_why, pattern) => {
  const { instant, day } = cellsIn('UTC', pattern, pattern);
  expect([instant.code, day.code]).toEqual(['yyyy-mm-dd hh:mm:ss', 'yyyy-mm-dd']);
});
