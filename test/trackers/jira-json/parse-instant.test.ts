import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { parseInstant } from '../../../src/trackers/jira-json/parse-instant.ts';
import { underZones } from '../../support/under-zones.ts';

const anyInstant = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.getTime());
const anyOffset = fc.integer({ min: -14 * 60, max: 14 * 60 });

/** The instant as a clock with this offset shows it. */
function spelled(at: number, offset: number, colon: string): string {
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  const minutes = String(size % 60).padStart(2, '0');
  const local = new Date(at + offset * 60_000).toISOString().slice(0, -1);
  return `${local}${offset < 0 ? '-' : '+'}${hours}${colon}${minutes}`;
}

underZones(() => {
  describe('parseInstant', () => {
    test('reads any instant back from any offset, with and without its colon', () =>
      fc.assert(
        fc.property(anyInstant, anyOffset, fc.constantFrom('', ':'), (at, offset, colon) => {
          expect(parseInstant(spelled(at, offset, colon))).toBe(at);
        }),
      ));

    test('reads epoch milliseconds as they are, and less than 1e11 as seconds', () =>
      fc.assert(
        fc.property(anyInstant, (at) => {
          expect(parseInstant(at)).toBe(Math.abs(at) < 1e11 ? at * 1000 : at);
          const second = Math.trunc(at / 1000);
          expect(parseInstant(second)).toBe(Math.abs(second) < 1e11 ? second * 1000 : second);
        }),
      ));

    test.each([
      ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z'],
      ['2026-03-01t10:00:00z', '2026-03-01T10:00:00.000Z'],
      ['2026-03-01T10:00+0100', '2026-03-01T09:00:00.000Z'],
      ['2026-03-01T00:30:00.5+0530', '2026-02-28T19:00:00.500Z'],
      ['2026-03-01T10:00:00.123999-0330', '2026-03-01T13:30:00.123Z'],
      ['2024-02-29T10:00:00.000-0000', '2024-02-29T10:00:00.000Z'],
      ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
    ])('%s is %s', (text, iso) => expect(parseInstant(text)).toBe(Date.parse(iso)));

    test.each([
      '2026-02-29T10:00:00.000+0000',
      '2026-04-31T10:00:00.000+0000',
      '2026-13-05T10:00:00.000+0000',
      '2026-00-05T10:00:00.000+0000',
      '2026-01-00T10:00:00.000+0000',
      '2026-01-05T24:00:00.000+0000',
      '2026-01-05T10:60:00.000+0000',
      '2026-01-05T10:00:60.000+0000',
      '2026-01-05T10:00:00.000+2400',
      '2026-01-05T10:00:00.000+0060',
    ])('%s is no instant, for there is no such day or time', (text) => expect(parseInstant(text)).toBeNull());

    test.each([
      ...['', 'yesterday', '2026-03-01', '2026-03-01T10:00:00', '2026-03-01 10:00:00Z', '1772359200000'],
      ...['2026-03-01T10:00:00Z\n', '+002026-03-01T10:00:00Z'],
      ...[null, undefined, true, {}, Number.NaN, Number.POSITIVE_INFINITY, 1e300],
    ])('%p is no instant', (value) => expect(parseInstant(value)).toBeNull());

    test('never throws, and gives a date or null', () =>
      fc.assert(
        fc.property(fc.anything(), (value) => {
          const at = parseInstant(value);
          expect(at === null || !Number.isNaN(new Date(at).getTime())).toBe(true);
        }),
      ));
  });
});
