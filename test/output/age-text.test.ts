import { millisecondsInMinute } from 'date-fns/constants';
import { expect, test } from '#jest';
import { ageText } from '../../src/output/age-text.ts';

const HOUR = 60 * millisecondsInMinute;

test.each([
  [-5 * millisecondsInMinute, 'just now'],
  [59_999, 'just now'],
  [millisecondsInMinute, '1 min ago'],
  [HOUR - 1, '59 min ago'],
  [HOUR, '1 h ago'],
  [3 * HOUR + 5 * millisecondsInMinute, '3 h 5 min ago'],
  [24 * HOUR - 1, '23 h 59 min ago'],
  [24 * HOUR, '1 day ago'],
  [100 * HOUR, '4 days ago'],
])('%d ms are %s', (ms, told) => {
  expect(ageText(ms)).toBe(told);
});
