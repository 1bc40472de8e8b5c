import { expect, test } from '#jest';
import { createSyncProgress } from '../../src/cli/sync-progress.ts';
import { aSync, filling } from '../support/stand-in-sync.ts';

function aProgress() {
  const clock = { now: 0 };
  const lineOf = createSyncProgress(() => clock.now);
  return {
    at(seconds: number, done: number, total: number | null = 50_000) {
      clock.now = seconds * 1000;
      return lineOf({ ...filling, done, total });
    },
    lineOf,
  };
}

test('a fill is told with its pace and what is left, once the pace says something', () => {
  const { at } = aProgress();
  expect(at(0, 3_900)).toBe('Filling: 3,900 of about 50,000 issues (7 %)');
  expect(at(4, 4_460)).toBe('Filling: 4,460 of about 50,000 issues (8 %)');
  expect(at(60, 12_300)).toBe(
    'Filling: 12,300 of about 50,000 issues (24 %), 8,400 a minute, about 5 min left',
  );
});

test('hours that are left are told as hours', () => {
  const { at } = aProgress();
  at(0, 0);
  expect(at(60, 100, 12_100)).toContain(', 100 a minute, about 2 h 0 min left');
});

test('without an estimate nobody knows what is left', () => {
  const { at } = aProgress();
  at(0, 0, null);
  expect(at(60, 600, null)).toBe('Filling: 600 issues so far, 600 a minute');
});

test('a fill that begins anew has a pace of its own', () => {
  const { at } = aProgress();
  at(0, 40_000);
  expect(at(60, 100)).toBe('Filling: 100 of about 50,000 issues (0 %)');
  expect(at(120, 200)).toContain(', 100 a minute');
});

test('other steps are told by what is done and how much is here', () => {
  const { lineOf } = aProgress();
  expect(lineOf(aSync({ step: 'compare', issues: 12_300 }))).toBe('Comparing all issues: 12,300 issues here');
  expect(lineOf(aSync({ step: 'lists' }))).toMatch(/^Reading statuses/);
});
