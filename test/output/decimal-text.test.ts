import fc from 'fast-check';
import { expect, test } from '#jest';
import { decimalText } from '../../src/output/decimal-text.ts';
import { runs } from '../support/soak.ts';

test.each([
  [0, '0'],
  [-0, '0'],
  [-1e-12, '0'],
  [1e-7, '0.0000001'],
  [1e-10, '0.0000000001'],
  [0.1 + 0.2, '0.3'],
  [1.5, '1.5'],
  [1 / 3, '0.3333333333'],
  [99.99999999999, '100'],
  [1e21, '1000000000000000000000'],
  [-1.5e22, '-15000000000000000000000'],
])('%s is %s', (value, text) => {
  expect(decimalText(value)).toBe(text);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s is refused', (value) => {
  expect(() => decimalText(value)).toThrow(RangeError);
});

test('there is never an exponent, and the figure is right to ten decimals', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(value, (given) => {
      const text = decimalText(given);
      expect(text).toMatch(/^-?\d+(\.\d{0,9}[1-9])?$/);
      expect(Math.abs(Number(text) - given)).toBeLessThanOrEqual(5.1e-11 + Math.abs(given) * Number.EPSILON);
    }),
    { seed: 20260318, numRuns: runs(2000) },
  );
});
