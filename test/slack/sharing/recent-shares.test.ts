import { expect, test } from '#jest';
import { inMemory } from '../../../src/cache/backing.ts';
import { createRecentShares } from '../../../src/slack/sharing/recent-shares.ts';

function open() {
  const clock = { now: 1_000_000 };
  return { clock, shares: createRecentShares(() => clock.now, inMemory) };
}

test('the same is begun once in a minute, whatever became of it', async () => {
  const { clock, shares } = open();
  expect([await shares.begin('r', 'C'), await shares.begin('r', 'C')]).toEqual([true, false]);
  expect([await shares.begin('r', 'D'), await shares.isUnderWay('r', 'C')]).toEqual([true, true]);
  clock.now += 50_000;
  await shares.end('r', 'C');
  expect([await shares.begin('r', 'C'), await shares.isUnderWay('r', 'C')]).toEqual([false, false]);
  clock.now += 10_000;
  expect(await shares.begin('r', 'C')).toBe(true);
});

test('the end of what was forgotten, or is long over, is no share', async () => {
  const { clock, shares } = open();
  await shares.begin('r', 'C');
  await shares.forget('r', 'C');
  await shares.end('r', 'C');
  expect(await shares.begin('r', 'C')).toBe(true);
  clock.now += 60_000;
  await shares.end('r', 'C');
  expect(await shares.begin('r', 'C')).toBe(true);
});

test('a clock that is set back does not share twice', async () => {
  const { clock, shares } = open();
  await shares.begin('r', 'C');
  clock.now -= 5;
  expect(await shares.begin('r', 'C')).toBe(false);
});
