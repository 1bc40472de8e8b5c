import { millisecondsInMinute } from 'date-fns/constants';
import PQueue from 'p-queue';
import type { Instant } from '../model/issue.ts';

const CONCURRENCY = 8;
const MAX_BURST = 10;
/**
 * A request that a user waits for goes before others that began to wait up to this long before it, so those never wait
 * for ever.
 */
const HEAD_START_MS = 10_000;

/** The longest wait: beyond it the request fails. A user waits for those with priority. */
const MAX_PAUSE_MS = 600_000;
const MAX_PRIORITY_PAUSE_MS = 5_000;

/** In place of an outcome: nothing was done, because nothing may be sent there until then. */
interface Paused {
  readonly kind: 'paused';
  readonly until: Instant;
}

/** The turn of a request. */
interface Turn {
  /** Services limit by endpoint: a pause of one holds back no other. */
  readonly endpoint: string;
  /** A user waits for it: it has a head start, and a rate of its own (as many a minute, all of them at once if need be). */
  readonly isPriority: boolean;
}

/** Limits requests to a service: a number a minute, few at once, and none while the service has asked for a pause. */
interface RateLimiter {
  /** Runs the task when its turn has come. */
  run<Outcome>(turn: Turn, task: () => Promise<Outcome>): Promise<Outcome | Paused>;
  /** Holds back every new request to an endpoint, or to all of them (null), until then. */
  pause(endpoint: string | null, until: Instant): void;
}

/** The parts of a limiter. `closing` ends every wait: waiting requests fail with its reason. */
interface RateLimiterParts {
  readonly requestsPerMinute: number;
  readonly now: () => Instant;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly closing: AbortSignal;
}

/**
 * A limiter to `requestsPerMinute`, of which at most ten, and at most a sixth of them, are sent in one burst. It paces by
 * the clock and the waiting handed in, which p-queue's interval does not: that one reads the machine's clock.
 */
export function createRateLimiter({ requestsPerMinute, now, wait, closing }: RateLimiterParts): RateLimiter {
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const pauses = new Map<string | null, Instant>();

  async function pauseFor(ms: number): Promise<void> {
    await wait(ms, closing);
    closing.throwIfAborted();
  }

  /** The end of the endpoint's pause; long ago where there is none. */
  function pausedUntil(endpoint: string): Instant {
    return Math.max(pauses.get(endpoint) ?? 0, pauses.get(null) ?? 0);
  }

  /** Requests that leave at equal distances, but for a burst of them. */
  function paceOf(burst: number): () => Promise<void> {
    const apartMs = millisecondsInMinute / requestsPerMinute;
    let nextAt = Number.NEGATIVE_INFINITY;
    return async () => {
      const at = now();
      // At most CONCURRENCY are ahead of this one; whatever is later comes from a clock that was set back.
      nextAt = Math.min(Math.max(nextAt, at - (burst - 1) * apartMs), at + CONCURRENCY * apartMs);
      const mine = nextAt;
      nextAt += apartMs;
      if (mine > at) await pauseFor(mine - at);
    };
  }
  const pace = paceOf(Math.max(1, Math.min(MAX_BURST, Math.floor(requestsPerMinute / 6))));
  const pacePriority = paceOf(requestsPerMinute);

  return {
    async run({ endpoint, isPriority }, task) {
      const longest = isPriority ? MAX_PRIORITY_PAUSE_MS : MAX_PAUSE_MS;
      for (;;) {
        closing.throwIfAborted();
        const until = pausedUntil(endpoint);
        const pause = until - now();
        if (pause > longest) return { kind: 'paused', until };
        if (pause > 0) {
          await pauseFor(pause);
          continue;
        }
        const done = await queue.add(
          async () => {
            closing.throwIfAborted();
            await (isPriority ? pacePriority() : pace());
            return pausedUntil(endpoint) <= now() ? { outcome: await task() } : null;
          },
          // The highest goes first: the one that waits longest, with the head start.
          { priority: (isPriority ? HEAD_START_MS : 0) - now() },
        );
        if (done !== null) return done.outcome;
      }
    },
    pause(endpoint, until) {
      pauses.set(endpoint, Math.max(pauses.get(endpoint) ?? 0, until));
    },
  };
}
