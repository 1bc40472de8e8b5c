import { AppError } from '../model/error.ts';
import type { Principal } from '../model/request.ts';

/**
 * The limits of answers that take long: how many are made at a time in all, how many one principal has under way until
 * they are taken, and how long (ms) the others wait.
 */
export interface TurnLimits {
  readonly inAll: number;
  readonly perPrincipal: number;
  readonly waitMs: number;
}

/** A turn at an answer. Calling either function again does nothing. */
export interface Turn {
  /** The answer is made: others get their turn while this principal's client still takes it. */
  readonly made: () => void;
  /** The answer was taken, or is not wanted any more; it counts as made as well. */
  readonly end: () => void;
}

/** Turns at answers that take long: principals take turns in the line, and no one waits longer than `waitMs`. */
export interface AnswerTurns {
  /** Waits for a turn. Fails as `overloaded` after `waitMs`, and with the reason of the signal once that is aborted. */
  take(principal: Principal, signal?: AbortSignal): Promise<Turn>;
  /** The headers that say how many answers a principal can have under way (draft-ietf-httpapi-ratelimit-headers-10). */
  headers(principal: Principal): Readonly<Record<string, string>>;
  /** The answers that wait for a turn now, and how long (ms) the first of them has waited; 0: none does. */
  waiting(): { readonly count: number; readonly longestMs: number };
}

/** The seconds after which a client that was refused for now tries again. */
export const RETRY_AFTER_SECONDS = 10;

/** The members of an answer over HTTP that a turn needs. */
interface Answer {
  readonly closed: boolean;
  set(headers: Readonly<Record<string, string>>): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The same for an answer over HTTP, which ends its turn when it closes and has the headers of limits. */
export async function takeTurn(
  turns: AnswerTurns,
  { principal, response, signal }: { principal: Principal; response: Answer; signal: AbortSignal },
): Promise<Turn> {
  const inform = () => void response.set(turns.headers(principal));
  const turn = await turns.take(principal, signal).finally(inform);
  if (response.closed) turn.end();
  else response.once('close', turn.end);
  return turn;
}

/** Turns within limits. Nothing is kept of principals who have no answer under way and wait for none. */
export function createAnswerTurns({ inAll, perPrincipal, waitMs }: TurnLimits): AnswerTurns {
  /** The number of answers under way, by principal; `total` of them are not made yet. */
  const running = new Map<string, number>();
  /** The waiting starts with when they began to wait, by principal; the next principal first. */
  const queues = new Map<string, Map<() => void, number>>();
  let total = 0;
  const left = (key: string) => perPrincipal - (running.get(key) ?? 0);

  function begin(key: string): Turn {
    total += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
    let [isMade, isOver] = [false, false];
    const made = () => {
      if (isMade) return;
      isMade = true;
      total -= 1;
      letNextBegin();
    };
    const end = () => {
      if (isOver) return;
      isOver = true;
      const others = (running.get(key) ?? 1) - 1;
      if (others === 0) running.delete(key);
      else running.set(key, others);
      made();
      letNextBegin();
    };
    return { made, end };
  }

  function letNextBegin(): void {
    for (const [key, queue] of queues) {
      if (total >= inAll) return;
      const [next] = queue.keys();
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

  function wait(key: string, signal: AbortSignal | undefined): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const queue = queues.get(key) ?? new Map<() => void, number>();
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
    queue.set(start, performance.now());
    return promise;
  }

  return {
    waiting() {
      const begun = [...queues.values()].flatMap((queue) => [...queue.values()]);
      const longestMs = begun.length === 0 ? 0 : performance.now() - Math.min(...begun);
      return { count: begun.length, longestMs };
    },
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
