import { expect, test } from '@jest/globals';
import { ageText } from '../../src/formats/age-text.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [-5 * MINUTE, 'just now'],
  [59_999, 'just now'],
  [MINUTE, '1 min ago'],
  [HOUR - 1, '59 min ago'],
  [HOUR, '1 h ago'],
  [3 * HOUR + 5 * MINUTE, '3 h 5 min ago'],
  [24 * HOUR - 1, '23 h 59 min ago'],
  [24 * HOUR, '1 day ago'],
  [100 * HOUR, '4 days ago'],
])('%d ms are %s', (ms, told) => {
  expect(ageText(ms)).toBe(told);
});
