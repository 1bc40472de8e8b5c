import { expect, test } from '@jest/globals';
import { nextTurn } from '../../src/api/next-turn.ts';

test('those who wait go on one after the other, first come first served', async () => {
  const went: number[] = [];
  await Promise.all([1, 2, 3].map(async (i) => nextTurn().then(() => went.push(i))));
  expect(went).toEqual([1, 2, 3]);
});

test('what comes in meanwhile is heard between two of those who wait', async () => {
  const heard: string[] = [];
  const waiting = ['one', 'two', 'three'].map(async (name) => {
    await nextTurn();
    heard.push(name);
    // Heard in the next turn of the loop, as an acknowledgement that waits to be sent is.
    if (name === 'one') setImmediate(() => heard.push('a command'));
  });
  await Promise.all(waiting);
  expect(heard.indexOf('a command')).toBeLessThan(heard.indexOf('three'));
});

test('whoever comes when nobody waits any more goes on as well', async () => {
  await nextTurn();
  await expect(nextTurn()).resolves.toBeUndefined();
});
