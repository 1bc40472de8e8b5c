import fc from 'fast-check';
import { expect, test } from '#jest';
import { addingWords, columnWords, durationWords } from '../../src/output/readable-text.ts';
import { sharesOf, shareTexts } from '../../src/output/shares.ts';

const amounts = fc.array(fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e12, noNaN: true })), {
  minLength: 1,
  maxLength: 40,
});

test('shares of a whole add up to 100, and each differs from its own by less than one step', () => {
  fc.assert(
    fc.property(amounts, fc.constantFrom(0, 1), (parts, decimals) => {
      const whole = parts.reduce((sum, part) => sum + part, 0);
      fc.pre(whole > 0);
      const step = 10 ** -decimals;
      const shares = sharesOf(parts, decimals);
      expect(shares.reduce((sum, share) => sum + Math.round(share / step), 0)).toBe(Math.round(100 / step));
      for (const [index, share] of shares.entries()) {
        expect(Math.abs(share - (100 * (parts[index] ?? 0)) / whole)).toBeLessThan(step);
      }
    }),
  );
});

test('shares as they are read add up to 100; what is cut to nothing is still something', () => {
  expect(shareTexts([1, 1, 1])).toEqual(['34%', '33%', '33%']);
  expect(shareTexts([1, 9999])).toEqual(['<1%', '>99%']);
  expect(shareTexts([0, 5])).toEqual(['0%', '100%']);
  expect(shareTexts([0, 0])).toEqual(['0%', '0%']);
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const unitMs: Readonly<Record<string, number>> = { h: hour, m: minute, s: 1000, ms: 1 };

/** Lengths of days; where durations are in hours, a day never ends. */
const days = [day, 8 * hour, 7.5 * hour, 7 * hour + 36_001, Number.POSITIVE_INFINITY] as const;

/** A duration in words, read back. */
function msOf(words: string, dayMs: number): number {
  return words.split(' ').reduce((sum, word) => {
    const [, count = '', unit = ''] = /^(\d+)(d|h|ms|m|s)$/.exec(word) ?? [];
    return sum + Number(count) * (unit === 'd' ? dayMs : (unitMs[unit] ?? Number.NaN));
  }, 0);
}

test('durations in words add up to their whole, and none of them reads like none', () => {
  const [long, short] = [2 * day + 3 * hour + 40 * minute, day + 4 * hour + 25 * minute];
  expect(addingWords([long, short], day)).toEqual({ parts: ['2d 3h 40m', '1d 4h 25m'], sum: '3d 8h 5m' });
  expect(addingWords([long, day], day)).toEqual({ parts: ['2d 3h', '1d'], sum: '3d 3h' });
  expect(addingWords([long + 40_600, short + 20_500], day)).toEqual({
    parts: ['2d 3h 40m 41s', '1d 4h 25m 20s'],
    sum: '3d 8h 6m 1s',
  });
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 400 * day }), { minLength: 1, maxLength: 30 }),
      fc.constantFrom(...days),
      (parts, dayMs) => {
        const words = addingWords(parts, dayMs);
        const whole = parts.reduce((sum, part) => sum + part, 0);
        const read = words.parts.map((part) => msOf(part, dayMs));
        expect(read.reduce((sum, part) => sum + part, 0)).toBe(msOf(words.sum, dayMs));
        expect(words.sum.startsWith(durationWords(whole, dayMs).split(' ')[0] ?? '')).toBe(true);
        for (const [index, part] of parts.entries()) {
          expect(Math.abs((read[index] ?? 0) - part)).toBeLessThan(hour);
          expect(read[index] === 0).toBe(part === 0);
        }
      },
    ),
  );
});

test('durations in a column add up to the one below, and say no more than they must', () => {
  expect(columnWords([day + 17 * hour, 19 * minute, 122 * minute], day)).toEqual({
    parts: ['1d 17h', '19m', '2h 2m'],
    sum: '1d 19h',
  });
  const long = [7 * day + 49.6 * minute, 525.4 * minute, 533.7 * minute];
  expect(columnWords(long, day)).toEqual({ parts: ['7d 49m', '8h 45m', '8h 54m'], sum: '7d 18h 28m' });
  expect(columnWords(long, Number.POSITIVE_INFINITY).sum).toBe('186h 28m');
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 400 * day }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(day, 8 * hour, 7.5 * hour, Number.POSITIVE_INFINITY),
      (parts, dayMs) => {
        const { parts: words, sum } = columnWords(parts, dayMs);
        const cut = words.reduce((ms, part) => ms + msOf(part, dayMs), 0);
        expect(durationWords(cut, dayMs)).toBe(durationWords(msOf(sum, dayMs), dayMs));
        expect(sum.split(' ').length).toBeLessThanOrEqual(3);
        for (const [index, part] of parts.entries())
          expect(Math.abs(msOf(words[index] ?? '', dayMs) - part)).toBeLessThan(hour);
      },
    ),
  );
});
