import { pause } from './local/exports/pace.ts';

/** Looks that a clock sets off. */
export interface Looks {
  /** Aborted as soon as no new work is to be begun. */
  readonly stopping: AbortSignal;
  /** Looks, unless a look is under way, for which it waits instead; nothing before a start and after a stop. */
  tick(): Promise<void>;
  /** Begins nothing new, and waits for the look under way, but no longer than that. */
  stop(patienceMs: number): Promise<void>;
}

/** One look at a time; `look` null: there is nobody yet to look for. */
export function oneLookAtATime(look: () => Promise<void> | null): Looks {
  const stopping = new AbortController();
  let looking: Promise<void> | null = null;
  return {
    stopping: stopping.signal,
    async tick() {
      if (stopping.signal.aborted) return;
      looking ??=
        look()?.finally(() => {
          looking = null;
        }) ?? null;
      await looking;
    },
    async stop(patienceMs) {
      stopping.abort();
      const done = new AbortController();
      void Promise.resolve(looking).then(() => done.abort());
      await pause(Math.max(0, patienceMs), done.signal);
    },
  };
}
