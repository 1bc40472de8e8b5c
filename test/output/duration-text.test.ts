import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { ageText, durationText, durationWords } from '../../src/output/readable-text.ts';

test.each([
  [618_862_970, 'minutes', millisecondsInDay, '10314.3828333333'],
  [606_244_371, 'minutes', millisecondsInDay, '10104.07285'],
  [269_376_188, 'days', 8 * 3_600_000, '9.3533398611'],
  [6_218_615_963, 'seconds', millisecondsInDay, '6218615.963'],
  [0, 'hours', millisecondsInDay, '0'],
  [36_000_000, 'hours', millisecondsInDay, '10'],
  [1, 'days', millisecondsInDay, '0.0000000116'],
] as const)('%d ms in %s', (ms, unit, dayMs, text) => {
  expect(durationText(ms, unit, dayMs)).toBe(text);
});

test.each([
  [0, '0s'],
  [1, '1ms'],
  [999, '999ms'],
  [1000, '1s'],
  [59_999, '59s'],
  [61_000, '1m 1s'],
  [3_600_000, '1h'],
  [3_659_000, '1h'],
  [90_061_000, '1d 1h'],
  [86_400_000 * 400, '400d'],
])('%d ms in words: %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});

test('no unit shows digits that are not there: the text leads back to the milliseconds', () => {
  const units = { hours: 3_600_000, minutes: 60_000, seconds: 1000 } as const;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 12 }),
      fc.constantFrom('hours', 'minutes', 'seconds'),
      (ms, unit) => {
        const text = durationText(ms, unit);
        expect(text).toMatch(/^\d+(\.\d{0,9}[1-9])?$/);
        expect(Math.round(Number(text) * units[unit])).toBe(ms);
      },
    ),
  );
});

test.each([
  [-5 * millisecondsInMinute, 'just now'],
  [59_999, 'just now'],
  [millisecondsInMinute, '1 min ago'],
  [millisecondsInHour - 1, '59 min ago'],
  [millisecondsInHour, '1 h ago'],
  [3 * millisecondsInHour + 5 * millisecondsInMinute, '3 h 5 min ago'],
  [24 * millisecondsInHour - 1, '23 h 59 min ago'],
  [24 * millisecondsInHour, '1 day ago'],
  [100 * millisecondsInHour, '4 days ago'],
])('%d ms are %s', (ms, told) => {
  expect(ageText(ms)).toBe(told);
});
