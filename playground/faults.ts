import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from './slack-json.ts';

/**
 * What a call is answered with instead of what it asked for. `lost`: nobody is told anything, whether it `isDone` or not;
 * a `status` likewise.
 */
type Fault =
  | { readonly kind: 'refuse'; readonly error: string; readonly extra?: Json; readonly inBody?: true }
  | { readonly kind: 'limit'; readonly retryAfterSeconds: number }
  | { readonly kind: 'status'; readonly status: number; readonly isDone: boolean }
  | { readonly kind: 'lost'; readonly isDone: boolean };

/** The name under which faults are planted for the bytes of a file, which are no method of the Web API. */
export const uploadStep = 'upload';

/** Faults to come, by Web API method. */
export type Faults = ReturnType<typeof createFaults>;

/** Scopes that the token has where it lacks another. */
const provided = 'commands,chat:write,channels:history';

/** Faults a test plants; each is used up as often as it says. */
export function createFaults() {
  const planted = new Map<string, Fault[]>();
  const refusedTokens = new Map<'bot' | 'app', string>();
  const delays = new Map<string, (() => Promise<void>)[]>();

  function plant<T>(map: Map<string, T[]>, method: string, item: NoInfer<T>, times: number): void {
    map.set(method, [...(map.get(method) ?? []), ...Array.from({ length: times }, () => item)]);
  }

  return {
    failNext: (method: string, error: string, times = 1) =>
      plant(planted, method, { kind: 'refuse', error }, times),
    /** The call lacks a scope, which Slack names beside those that the token has. */
    lackScopeNext: (method: string, needed: string, times = 1) =>
      plant(planted, method, { kind: 'refuse', error: 'missing_scope', extra: { needed, provided } }, times),
    /** The same of a response URL, whose answer says so in its body alone: its status is 200. */
    failInBodyNext: (method: string, error: string, times = 1) =>
      plant(planted, method, { kind: 'refuse', error, inBody: true }, times),
    rateLimitNext: (method: string, retryAfterSeconds: number, times = 1) =>
      plant(planted, method, { kind: 'limit', retryAfterSeconds }, times),
    breakNext: (method: string, status: number, times = 1) =>
      plant(planted, method, { kind: 'status', status, isDone: false }, times),
    /** The call does what it asked for, and is answered as if it had not. */
    breakAfterNext: (method: string, status: number, times = 1) =>
      plant(planted, method, { kind: 'status', status, isDone: true }, times),
    loseAnswerNext: (method: string, times = 1) =>
      plant(planted, method, { kind: 'lost', isDone: true }, times),
    /** The call is never heard. */
    loseNext: (method: string, times = 1) => plant(planted, method, { kind: 'lost', isDone: false }, times),
    slowNext: (method: string, ms: number, times = 1) => plant(delays, method, () => pause(ms), times),

    /** Lets the next call wait until the returned function is called. */
    holdNext(method: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      plant(delays, method, () => promise, 1);
      return resolve;
    },

    /** Slack refuses a token of the app with this word, until it accepts it again (null). */
    refuseToken(token: 'bot' | 'app', error: string | null): void {
      if (error === null) refusedTokens.delete(token);
      else refusedTokens.set(token, error);
    },
    refusedToken: (token: 'bot' | 'app') => refusedTokens.get(token),

    /** Waits as planned and tells the planned fault, if any. */
    async meet(method: string): Promise<Fault | undefined> {
      await delays.get(method)?.shift()?.();
      return planted.get(method)?.shift();
    },
  };
}

/** Tells how long to wait before a channel takes another message. */
export type PostPace = ReturnType<typeof createPostPace>;

/** One message a second and channel, after a burst; a null burst means no limit. */
export function createPostPace({ now, burst }: { now: () => number; burst: number | null }) {
  const freeAt = new Map<string, number>();
  return {
    /** Seconds to wait; 0 when the message is taken. */
    take(channel: string): number {
      if (burst === null) return 0;
      const time = now();
      const next = Math.max(freeAt.get(channel) ?? 0, time);
      if (next - time >= burst * 1_000) return Math.ceil((next - time - burst * 1_000 + 1_000) / 1_000);
      freeAt.set(channel, next + 1_000);
      return 0;
    },
  };
}
