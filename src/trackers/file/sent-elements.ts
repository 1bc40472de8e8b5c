import type { FileProgress } from './read-bytes.ts';

/** What the thread that reads files tells of a chunk of one, or at its end. */
export interface SentElements {
  /** To be sent back once its elements are read. */
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
  /** Null while the file goes on. `problem`: why it does not, in one sentence; `wholeText`: of a file without a list. */
  readonly end: { readonly problem: string | null; readonly wholeText: string | null } | null;
}

/** So many chunks are ready before anybody takes them, and so many go back at once: a word wakes a thread. */
export const MOST_AHEAD = 4;
export const TAKEN_AT_ONCE = 2;
