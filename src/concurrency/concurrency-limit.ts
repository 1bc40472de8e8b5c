import { AsyncLocalStorage } from 'node:async_hooks';
import PQueue from 'p-queue';

/**
 * Runs work in the order it came, some of it at a time. `signal` aborted: what has not begun yet fails at once with its
 * reason and never begins; what has begun goes on.
 */
type Limit = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** The same for work of many keys, which do not wait for each other. */
type LimitByKey<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

/** Creates a limit of concurrent work. Where no caller leaves early, p-limit is enough. */
export function createLimit(concurrency: number, onIdle: () => void = () => {}): Limit {
  const queue = new PQueue({ concurrency });
  queue.on('idle', onIdle);
  return (work, signal) => {
    // Given the signal itself, the queue would let go of running work as well, which would make it more at a time.
    const leaving = new AbortController();
    const leave = () => leaving.abort(signal?.reason);
    const stay = () => signal?.removeEventListener('abort', leave);
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave);
    // Unbound, it would run in the context of the work that ended before it.
    const begin = AsyncLocalStorage.bind(() => {
      stay();
      return work();
    });
    return queue.add(begin, { signal: leaving.signal }).finally(stay);
  };
}

/** Creates a limit for each key, where 1 makes a mutex per key. Nothing is stored of keys without work. */
export function createLimitByKey<Key>(concurrency: number): LimitByKey<Key> {
  const limits = new Map<Key, Limit>();
  return (key, work) => {
    const limit = limits.get(key) ?? createLimit(concurrency, () => limits.delete(key));
    limits.set(key, limit);
    return limit(work);
  };
}

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
