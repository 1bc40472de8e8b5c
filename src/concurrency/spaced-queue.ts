import { createLimitByKey } from './concurrency-limit.ts';

/** Runs what is to be done for a key one after the other, never sooner than a pause after the one before has ended. */
type SpacedQueue = <Result>(key: string, run: () => Promise<Result>) => Promise<Result>;

/** Keys do not wait for each other. `elapsed` is real time in ms, which no clock that is set changes. */
export function createSpacedQueue(
  apartMs: number,
  { wait, elapsed }: { readonly wait: (ms: number) => Promise<void>; readonly elapsed: () => number },
): SpacedQueue {
  const mutex = createLimitByKey<string>(1);
  const lastAt = new Map<string, number>();
  return (key, run) =>
    mutex(key, async () => {
      const left = (lastAt.get(key) ?? Number.NEGATIVE_INFINITY) + apartMs - elapsed();
      if (left > 0) await wait(left);
      try {
        return await run();
      } finally {
        const now = elapsed();
        lastAt.set(key, now);
        for (const [other, at] of lastAt) if (now - at > apartMs) lastAt.delete(other);
      }
    });
}
