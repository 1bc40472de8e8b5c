import { millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import { readInstant } from '../../src/time/date-text.ts';
import { underZones } from '../support/under-zones.ts';

underZones(() => {
  test.each([
    ['2024-12-18T18:00Z', '2024-12-18T18:00:00Z', 0],
    ['2024-12-18T18:00:30Z', '2024-12-18T18:00:30Z', 0],
    ['2024-12-18T18:00:30.999Z', '2024-12-18T18:00:30.999Z', 0],
    ['2024-12-18T21:00+03:00', '2024-12-18T18:00:00Z', 3 * millisecondsInHour],
    ['2021-08-27 05:45:36 +0000', '2021-08-27T05:45:36Z', 0],
    ['2021-08-27 05:45:36 -0330', '2021-08-27T09:15:36Z', -3.5 * millisecondsInHour],
    ['2028-02-29 00:00:00 +1400', '2028-02-28T10:00:00Z', 14 * millisecondsInHour],
    ['1969-12-31 23:59:59 +0000', '1969-12-31T23:59:59Z', 0],
  ])('%s is read as %s, with its offset', (text, instant, offset) => {
    expect(readInstant(text)).toEqual({ instant: Date.parse(instant), offset });
  });

  test.each([
    '',
    'now',
    '2026-02-29T18:00Z',
    '2026-13-01T18:00Z',
    '2026-03-16T24:00Z',
    '2026-03-16T08:60Z',
    '2026-03-16T08:00',
    '2026-03-16 08:00:00 CET',
    '2026-03-16',
    '2026-03-16T08:00Z and more',
    '1773648000000',
  ])('%j is read as nothing', (text) => {
    expect(readInstant(text)).toBeNull();
  });
});
