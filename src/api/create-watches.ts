import { createWatchWorker } from './watches/create-watch-worker.ts';
import { ownWatches } from './watches/own-watches.ts';
import type { WatchesParts } from './watches/watches-parts.ts';
import type { WatchesApi, WatchPostman } from './watches.ts';

/** Watches, and the work that is done for them beside answering. */
export interface Watches extends WatchesApi {
  /** From now on people are told of what sits too long. */
  start(postman: WatchPostman): void;
  /** Called by the clock, every minute; one call at a time looks. Failures are logged, never thrown. */
  tick(): Promise<void>;
  /** Looks at nothing new, and lets go of what is under way within `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** Watches over the store. */
export function createWatches(parts: WatchesParts): Watches {
  return { ...ownWatches(parts), ...createWatchWorker(parts) };
}
