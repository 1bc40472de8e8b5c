import fc from 'fast-check';
import { expect, test } from '#jest';
import { excelDay, excelInstant } from '../../../src/output/spreadsheet/excel-date.ts';
import { dateText } from '../../../src/time/java-dates.ts';

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
  expect(excelInstant(Date.parse(instant), timeZone, 1)).toBe(serial);
});

test('clocks skip an hour in spring and tell one twice in autumn', () => {
  const at = (instant: string) => excelInstant(Date.parse(instant), 'Europe/Berlin', 1000);
  const hour = (serial: number | null) => Math.round(((serial ?? 0) % 1) * 24 * 100) / 100;
  expect(['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'].map(at).map(hour)).toEqual([1.5, 3.5]);
  expect(at('2026-10-25T00:30:00Z')).toBe(at('2026-10-25T01:30:00Z'));
});

test('a clock is cut to its unit, not rounded', () => {
  const at = Date.parse('2026-03-18T11:59:59.999Z');
  expect(excelInstant(at, 'UTC', 1000)).toBe(excelInstant(at - 999, 'UTC', 1));
});

test('reading the serial number back gives the clock to the second', () => {
  const instants = fc.integer({ min: Date.UTC(1901, 0), max: Date.UTC(9999, 11, 30) });
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia');
  fc.assert(
    fc.property(instants, zones, (instant, timeZone) => {
      const serial = excelInstant(instant, timeZone, 1000) ?? Number.NaN;
      const clock = new Date(Math.round((serial - 25_569) * 86_400) * 1000).toISOString();
      expect(clock.slice(0, 19)).toBe(dateText(instant, "yyyy-MM-dd'T'HH:mm:ss", timeZone));
    }),
    { seed: 20260318, numRuns: 1000 },
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
  expect(excelDay(day)).toBe(serial);
});
