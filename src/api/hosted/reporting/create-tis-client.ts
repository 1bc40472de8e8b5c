import type { Instant } from '../../../model/issue.ts';

/** Where the service is and as whom it is asked. */
export interface TisAccess {
  readonly baseUrl: string;
  readonly token: string;
}

/** What the outside world hands in. */
export interface TisSurroundings {
  readonly now: () => Instant;
  /** Resolves after so many ms. */
  readonly wait: (ms: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Aborts after so many ms. */
  readonly deadline: (ms: number) => AbortSignal;
}

/** Speaks the REST of a time-in-status service. */
export interface TisClient {
  close(): Promise<void>;
}

/** A client with connections of its own, which keep no process alive. */
export function createTisClient(_access: TisAccess, _surroundings: TisSurroundings): TisClient {
  throw new Error('to come');
}
