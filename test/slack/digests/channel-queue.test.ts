import { expect, test } from '#jest';
import { createChannelQueue } from '../../../src/slack/digests/channel-queue.ts';

/** A queue whose time passes only by waiting. */
function aQueue() {
  let at = 0;
  const posted: (readonly [string, number])[] = [];
  const queue = createChannelQueue({
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

test('messages into one channel go out one after the other, no quicker than Slack takes them', async () => {
  const { post, posted } = aQueue();
  await Promise.all([post('C1'), post('C1'), post('C1')]);
  expect(posted).toEqual([
    ['C1', 0],
    ['C1', 1_100],
    ['C1', 2_200],
  ]);
});

test('a channel does not wait for another one', async () => {
  const { queue, post, posted } = aQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = queue('C1', () => promise);
  await post('C2');
  expect(posted).toEqual([['C2', 0]]);
  resolve();
  await held;
});

test('a post that fails holds up nobody, and counts as one', async () => {
  const { queue, post, posted } = aQueue();
  const failing = queue('C1', async () => {
    throw new Error('no');
  });
  await Promise.all([expect(failing).rejects.toThrow('no'), post('C1')]);
  expect(posted).toEqual([['C1', 1_100]]);
});
