import { asActor, outsideRequest } from './request-scope.ts';

/** Looks for work again and again, one poll at a time. */
export interface Poller {
  /** Aborted as soon as no new work is to be begun. */
  readonly stopping: AbortSignal;
  /** Polls now, or waits for the poll under way; nothing after a stop. */
  tick(): Promise<void>;
  /** There is something to do, which the poll under way may have missed: another one follows it. */
  kick(): void;
  /** Begins nothing new; resolves when the poll under way is over, at the latest after `drainMs`. */
  stop(drainMs: number): Promise<void>;
}

/** A single-flight poller. What a poll fails with goes to `onProblem`, and the next one comes all the same. */
export function createPoller({
  poll,
  onProblem,
}: {
  readonly poll: () => Promise<void>;
  readonly onProblem: (error: unknown) => void;
}): Poller {
  const stopping = new AbortController();
  let polling: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    while (again && !stopping.signal.aborted) {
      again = false;
      await poll().catch(onProblem);
    }
    polling = null;
  }

  function kick(): void {
    if (stopping.signal.aborted) return;
    again = true;
    // A poll does the work of everyone, so it is the clock's and not that of the request that set it off.
    polling ??= outsideRequest(() => asActor({ account: null, via: 'clock' }, run));
  }

  return {
    stopping: stopping.signal,
    kick,
    async tick() {
      if (stopping.signal.aborted) return;
      if (polling === null) kick();
      await polling;
    },
    async stop(drainMs) {
      stopping.abort();
      const over = new AbortController();
      void Promise.resolve(polling).then(() => over.abort());
      await pause(Math.max(0, drainMs), over.signal);
    },
  };
}

/** Calls a function at an interval (ms), and keeps no process from ending; returns what stops it. */
export function repeatEvery(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms).unref();
  return () => clearInterval(timer);
}

/** Waits for a number of ms, at most until the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
