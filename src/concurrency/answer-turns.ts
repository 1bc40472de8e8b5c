import { AppError } from '../model/error.ts';
import type { Principal } from '../model/request.ts';

/** How many answers that take long are made at a time, in all and for one principal, and how long the others wait. */
export interface TurnLimits {
  readonly inAll: number;
  readonly perPrincipal: number;
  readonly waitMs: number;
}

/** Turns at answers that take long: principals take turns in the line, and no one waits longer than `waitMs`. */
export interface AnswerTurns {
  /**
   * Waits for a turn, and resolves with what ends it. Fails as `overloaded` after `waitMs`, and with the reason of the
   * signal once that is aborted.
   */
  take(principal: Principal, signal?: AbortSignal): Promise<() => void>;
  /** The headers that say how many answers a principal can have under way (draft-ietf-httpapi-ratelimit-headers-10). */
  headers(principal: Principal): Readonly<Record<string, string>>;
}

/** How long a client that was refused for now waits until it asks again (s). */
export const RETRY_AFTER_SECONDS = 10;

/** Turns within limits. Nothing is kept of principals who have no answer under way and wait for none. */
export function createAnswerTurns({ inAll, perPrincipal, waitMs }: TurnLimits): AnswerTurns {
  /** How many answers are under way, by principal. */
  const running = new Map<string, number>();
  /** What begins when it is its turn, by principal; the next principal first. */
  const queues = new Map<string, Set<() => void>>();
  let total = 0;
  const left = (key: string) => perPrincipal - (running.get(key) ?? 0);

  function begin(key: string): () => void {
    total += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      total -= 1;
      const others = (running.get(key) ?? 1) - 1;
      if (others === 0) running.delete(key);
      else running.set(key, others);
      letNextBegin();
    };
  }

  function letNextBegin(): void {
    for (const [key, queue] of queues) {
      if (total >= inAll) return;
      const [next] = queue;
      if (next === undefined || left(key) <= 0) continue;
      queue.delete(next);
      // A principal who has had a turn goes to the end of the line.
      queues.delete(key);
      if (queue.size > 0) queues.set(key, queue);
      next();
    }
  }

  function overloaded(key: string): AppError {
    const seconds = Math.round(waitMs / 1000);
    const why =
      left(key) <= 0
        ? `You have ${perPrincipal} ${perPrincipal === 1 ? 'report' : 'reports'} over many issues under way`
        : 'Dwell is busy with other reports over many issues';
    const waited = `this one waited ${seconds} ${seconds === 1 ? 'second' : 'seconds'} for its turn`;
    return new AppError('overloaded', `${why}, and ${waited}. Try again in a moment.`);
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const queue = queues.get(key) ?? new Set();
    queues.set(key, queue);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    const start = () => {
      settle();
      resolve(begin(key));
    };
    const giveUp = (reason: unknown) => {
      settle();
      queue.delete(start);
      if (queue.size === 0) queues.delete(key);
      reject(reason);
    };
    const leave = () => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(overloaded(key)), waitMs);
    signal?.addEventListener('abort', leave);
    queue.add(start);
    return promise;
  }

  return {
    async take(principal, signal) {
      signal?.throwIfAborted();
      const key = keyOf(principal);
      return total < inAll && left(key) > 0 ? begin(key) : wait(key, signal);
    },
    headers: (principal) => ({
      'RateLimit-Policy': `"long-answers";q=${perPrincipal};qu="concurrent-requests"`,
      RateLimit: `"long-answers";r=${left(keyOf(principal))}`,
    }),
  };
}

function keyOf({ tenant, account }: Principal): string {
  return `${tenant} ${account}`;
}
