import { expect, test } from '#jest';
import { fillShare, fillText, stillText } from '../../src/output/sync-text.ts';

test.each([
  [{ done: 12_300, total: 50_000 }, '12,300 of about 50,000 issues (24%)'],
  [{ done: 0, total: 7 }, '0 of about 7 issues (0%)'],
  [{ done: 1, total: null }, '1 issue so far'],
  [{ done: 1_200, total: null }, '1,200 issues so far'],
  [{ done: 0, total: 0 }, '0 issues so far'],
])('%j is told as %s', (fill, told) => {
  expect(fillText(fill)).toBe(told);
});

test('an estimate that was too low is never told as more than all', () => {
  expect(fillText({ done: 60_000, total: 50_000 })).toBe('60,000 of about 60,000 issues (99%)');
  expect(fillShare({ done: 50_000, total: 50_000 })).toBe(99);
});

test('a fill that goes on no further is told without its share', () => {
  expect(stillText({ done: 0, total: null })).toBe('stopped at 0 issues');
  expect(stillText({ done: 1, total: 50_000 })).toBe('stopped at 1 of about 50,000 issues');
});
