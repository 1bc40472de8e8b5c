import type { WebClient } from '@slack/web-api';
import { memo } from '../../cache/memo.ts';
import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';

/** Slack takes about one message a second in a channel. */
const APART_MS = 1_100;

/** Runs posts into a channel one after the other, and never in quicker succession than Slack takes them. */
type ChannelQueue = <Result>(channel: string, post: () => Promise<Result>) => Promise<Result>;

/** Channels do not wait for each other. `elapsed` tells real time in ms, which no clock that is set changes. */
export function createChannelQueue({
  wait,
  elapsed,
}: {
  readonly wait: (ms: number) => Promise<void>;
  readonly elapsed: () => number;
}): ChannelQueue {
  const mutex = createLimitByKey<string>(1);
  const lastAt = new Map<string, number>();
  return (channel, post) =>
    mutex(channel, async () => {
      const left = (lastAt.get(channel) ?? Number.NEGATIVE_INFINITY) + APART_MS - elapsed();
      if (left > 0) await wait(left);
      try {
        return await post();
      } finally {
        const now = elapsed();
        lastAt.set(channel, now);
        for (const [other, at] of lastAt) if (now - at > APART_MS) lastAt.delete(other);
      }
    });
}

/** The one queue of everything that digests post through a client. */
export const channelQueueOf = memo(
  (_web: WebClient, wait: (ms: number) => Promise<void>): ChannelQueue =>
    createChannelQueue({ wait, elapsed: () => performance.now() }),
);
