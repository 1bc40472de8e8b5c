import { describe, expect, test } from '#jest';
import { createSpacedQueue } from '../../src/concurrency/concurrency-limit.ts';

describe('spaced queue', () => {
  /** A queue whose time passes only by waiting. */
  function aQueue() {
    let at = 0;
    const posted: (readonly [string, number])[] = [];
    const queue = createSpacedQueue(1_100, {
      wait: async (ms) => {
        at += ms;
      },
      elapsed: () => at,
    });
    const post = (channel: string) =>
      queue(channel, async () => {
        posted.push([channel, at]);
      });
    return { queue, posted, post };
  }

  test('runs of one key come one after the other, apart from each other', async () => {
    const { post, posted } = aQueue();
    await Promise.all([post('C1'), post('C1'), post('C1')]);
    expect(posted).toEqual([
      ['C1', 0],
      ['C1', 1_100],
      ['C1', 2_200],
    ]);
  });

  test('a key does not wait for another one', async () => {
    const { queue, post, posted } = aQueue();
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = queue('C1', () => promise);
    await post('C2');
    expect(posted).toEqual([['C2', 0]]);
    resolve();
    await held;
  });

  test('a run that fails holds up no other, and counts as one', async () => {
    const { queue, post, posted } = aQueue();
    const failing = queue('C1', async () => {
      throw new Error('no');
    });
    await Promise.all([expect(failing).rejects.toThrow('no'), post('C1')]);
    expect(posted).toEqual([['C1', 1_100]]);
  });
});
