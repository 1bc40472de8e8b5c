import { expect, test } from '#jest';
import { createTakeTurnsBy } from '../../src/slack/delegations/take-turns-by.ts';

test('work of one key waits for the work before, also where that failed; work of another does not', async () => {
  const takeTurns = createTakeTurnsBy<number>();
  const begun: string[] = [];
  const { promise, reject } = Promise.withResolvers<void>();
  const first = takeTurns(1, async () => {
    begun.push('first');
    await promise;
  });
  const second = takeTurns(1, async () => void begun.push('second'));
  await takeTurns(2, async () => void begun.push('other'));
  expect(begun).toEqual(['first', 'other']);
  reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await second;
  expect(begun).toEqual(['first', 'other', 'second']);
});
