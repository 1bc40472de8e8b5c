import type { FileProgress } from './read-bytes.ts';

/** What the thread that reads a file tells of a chunk of it. */
export interface SentElements {
  readonly bytes: ArrayBuffer;
  /** Where in `bytes` each stands, and up to `shortEnd` its short form, if there is one. */
  readonly elements: readonly {
    readonly offset: number;
    readonly member: string | null;
    readonly start: number;
    readonly end: number;
    readonly shortEnd: number;
  }[];
  readonly learnt: readonly string[];
  /** Null until the first chunk is done. */
  readonly progress: FileProgress | null;
  /** Why there is no more, in one sentence; null where nothing is wrong. */
  readonly problem: string | null;
}

/** So many chunks are ready before anybody takes them, and so many are told as taken at once: a word wakes a thread. */
export const MOST_AHEAD = 8;
export const TAKEN_AT_ONCE = 4;
