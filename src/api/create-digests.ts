import { createDigestWorker } from './digests/create-digest-worker.ts';
import type { DigestsParts } from './digests/digests-parts.ts';
import { ownDigests } from './digests/own-digests.ts';
import type { DigestPostman, DigestsApi } from './digests.ts';

/** Digests, and the work that is done for them beside answering. */
export interface Digests extends DigestsApi {
  /** From now on periods that fall due are posted; what an earlier process left is taken up. */
  start(postman: DigestPostman): void;
  /** Called by the clock, every minute; one call at a time does the work. Failures are logged, never thrown. */
  tick(): Promise<void>;
  /** Takes nothing new up, and lets go of the work under way within `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** Digests over the store. */
export function createDigests(parts: DigestsParts): Digests {
  return { ...ownDigests(parts), ...createDigestWorker(parts) };
}
