import type { AppError } from '../model/error.ts';
import type { Principal } from '../model/request.ts';
import { type Load, overloaded } from './admission.ts';

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

/**
 * Turns at answers that take long: principals take turns in the line, and no one waits longer than `waitMs`. No one joins a
 * line of as many as there are places, or whose first has waited for a fifth of that time.
 */
export interface AnswerTurns {
  /**
   * Waits for a turn. Fails as `overloaded` after `waitMs`, at once where no one joins the line, and with the reason of the
   * signal once that is aborted.
   */
  take(principal: Principal, signal?: AbortSignal): Promise<Turn>;
  /** The headers that say how many answers a principal can have under way (draft-ietf-httpapi-ratelimit-headers-10). */
  headers(principal: Principal): Readonly<Record<string, string>>;
  /** The answers that wait for a turn now, and how long (ms) the first of them has waited; 0: none does. */
  waiting(): { readonly count: number; readonly longestMs: number };
}

/** Answers of one principal that wait, for each place at work, at most. */
const MAX_WAITING_PER_PLACE = 16;

/** The members of an answer over HTTP that a turn needs. */
interface Answer {
  readonly closed: boolean;
  append(name: string, value: string): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The same for an answer over HTTP, which ends its turn when it closes and has the headers of limits. */
export async function takeTurn(
  turns: AnswerTurns,
  { principal, response, signal }: { principal: Principal; response: Answer; signal: AbortSignal },
): Promise<Turn> {
  // Other limits have a part in the same headers.
  const inform = () => {
    for (const [name, value] of Object.entries(turns.headers(principal))) response.append(name, value);
  };
  const turn = await turns.take(principal, signal).finally(inform);
  if (response.closed) turn.end();
  else response.once('close', turn.end);
  return turn;
}

/**
 * Turns within limits; `now` is in ms of any clock that only goes forward. Nothing is kept of principals who have no answer
 * under way and wait for none.
 */
export function createAnswerTurns(
  { inAll, perPrincipal, waitMs }: TurnLimits,
  {
    random = () => 0.5,
    onRefused = () => {},
    now = () => performance.now(),
  }: Partial<Load> & { readonly now?: () => number } = {},
): AnswerTurns {
  /** The number of answers under way, by principal; `total` of them are not made yet. */
  const running = new Map<string, number>();
  /**
   * The waiting starts with when they began to wait, by principal; the next principal first. `since`: when the first of them
   * could have begun.
   */
  const queues = new Map<string, { readonly starts: Map<() => void, number>; since: number }>();
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
      const queue = queues.get(key);
      if (queue !== undefined && left(key) === 0) queue.since = now();
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
      const [next] = queue.starts.keys();
      if (next === undefined || left(key) <= 0) continue;
      queue.starts.delete(next);
      // A principal who has had a turn goes to the end of the line.
      queues.delete(key);
      queue.since = now();
      if (queue.starts.size > 0) queues.set(key, queue);
      next();
    }
  }

  /** Returns true where a new answer would wait in vain. */
  function isLineFull(own: string): boolean {
    const late = now() - waitMs / 5;
    let ready = 0;
    for (const [key, { starts, since }] of queues) {
      ready += Math.min(starts.size, Math.max(0, left(key)));
      if (left(key) > 0 && since < late) return true;
    }
    // Those that wait for answers of their own principal hold up no others.
    return ready >= inAll || (queues.get(own)?.starts.size ?? 0) >= inAll * MAX_WAITING_PER_PLACE;
  }

  function refusal(key: string, waitedMs: number): AppError {
    onRefused({ why: 'reports' });
    const seconds = Math.round(waitedMs / 1000);
    const isOwn = left(key) <= 0;
    const why = isOwn
      ? `You have ${perPrincipal} ${perPrincipal === 1 ? 'report' : 'reports'} over many issues under way`
      : 'Dwell is busy with other reports over many issues';
    const waited = `, and this one waited ${seconds} ${seconds === 1 ? 'second' : 'seconds'} for its turn`;
    const setting = isOwn ? ' An admin can change the limit: MAX_LONG_ANSWERS_PER_USER.' : '';
    return overloaded(`${why}${waitedMs === 0 ? '' : waited}. Try again in a moment.${setting}`, random);
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const queue = queues.get(key) ?? { starts: new Map<() => void, number>(), since: now() };
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
      queue.starts.delete(start);
      if (queue.starts.size === 0) queues.delete(key);
      reject(reason);
    };
    const leave = () => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(refusal(key, waitMs)), waitMs);
    signal?.addEventListener('abort', leave);
    queue.starts.set(start, now());
    return promise;
  }

  return {
    waiting() {
      const begun = [...queues.values()].flatMap(({ starts }) => [...starts.values()]);
      const longestMs = begun.length === 0 ? 0 : now() - Math.min(...begun);
      return { count: begun.length, longestMs };
    },
    async take(principal, signal) {
      signal?.throwIfAborted();
      const key = keyOf(principal);
      if (total < inAll && left(key) > 0) return begin(key);
      if (isLineFull(key)) throw refusal(key, 0);
      return wait(key, signal);
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
