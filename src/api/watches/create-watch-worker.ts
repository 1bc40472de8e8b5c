import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Watch } from '../../model/watch.ts';
import { pause } from '../local/exports/pace.ts';
import type { WatchPostman } from '../watches.ts';
import { forgetTold } from './forget-told.ts';
import { type LookParts, lookAtWatch } from './look-at-watch.ts';
import { neededSince } from './needed-since.ts';
import type { WatchesParts } from './watches-parts.ts';
import { type Presence, whoIsThere } from './who-is-there.ts';

/** How often a watch is looked at. */
const LOOK_EVERY_MS = 5 * 60_000;
const FORGET_EVERY_MS = 60 * 60_000;

/** Tells people of what sits too long, from a store that other processes look into as well. */
export interface WatchWorker {
  start(postman: WatchPostman): void;
  tick(): Promise<void>;
  stop(patienceMs: number): Promise<void>;
}

/** A worker that looks when it is called. */
export function createWatchWorker(parts: WatchesParts): WatchWorker {
  const { store, now, log } = parts;
  const stopping = new AbortController();
  const lookedAt = new Map<string, Instant>();
  /** Since when what a watch told is still needed. */
  const needed = new Map<string, Instant>();
  let postman: WatchPostman | null = null;
  let ticking: Promise<void> | null = null;
  let forgotAt: Instant | null = null;
  /** Nothing may be asked of the store any more. */
  let isOver = false;

  async function lookRound(opened: WatchPostman): Promise<void> {
    try {
      const presences = new Map<string, Promise<Presence>>();
      const presenceOf = (user: string) => {
        const known = presences.get(user) ?? whoIsThere(user, parts);
        presences.set(user, known);
        return known;
      };
      const all = await store.list();
      for (const watch of all) {
        if (stopping.signal.aborted) return;
        if (watch.paused) continue;
        const last = lookedAt.get(watch.id);
        // A clock may have been set back.
        if (last !== undefined && Math.abs(now() - last) < LOOK_EVERY_MS) continue;
        lookedAt.set(watch.id, now());
        await look(watch, { ...parts, postman: opened, stopping: stopping.signal, presenceOf });
      }
      if (forgotAt === null || Math.abs(now() - forgotAt) >= FORGET_EVERY_MS) {
        forgotAt = now();
        for (const id of lookedAt.keys()) if (!all.some((watch) => watch.id === id)) lookedAt.delete(id);
        await forgetTold(all, needed, parts);
      }
    } catch (error) {
      if (!isOver) log.error({ err: error }, 'looking for what sits too long failed, and will be repeated');
    }
  }

  async function look(watch: Watch, lookParts: LookParts): Promise<void> {
    try {
      const sight = await lookAtWatch(watch, lookParts);
      if (sight === 'later') lookedAt.delete(watch.id);
      if (typeof sight !== 'string') {
        needed.set(watch.id, neededSince(watch, sight.visits, await store.alerts(watch.id), now()));
      }
    } catch (error) {
      if (isOver) return;
      if (error instanceof AppError && error.code === 'unavailable') {
        lookedAt.delete(watch.id);
        log.warn({ err: error, watchId: watch.id }, 'a watch cannot be looked at yet');
      } else {
        log.error({ err: error, watchId: watch.id }, 'looking at a watch failed');
      }
    }
  }

  return {
    start(opened) {
      postman = opened;
    },
    async tick() {
      if (postman === null || stopping.signal.aborted) return;
      ticking ??= lookRound(postman).finally(() => {
        ticking = null;
      });
      await ticking;
    },
    async stop(patienceMs) {
      stopping.abort();
      const done = new AbortController();
      void Promise.resolve(ticking).then(() => done.abort());
      await pause(Math.max(0, patienceMs), done.signal);
      isOver = true;
    },
  };
}
