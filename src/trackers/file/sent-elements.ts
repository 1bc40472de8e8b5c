import type { JsonElement } from './json-elements.ts';
import type { FileProgress } from './read-bytes.ts';

/** What the thread that reads files tells of a chunk of one, or at its end. */
export interface SentElements {
  /** Used again once they are taken. */
  readonly bytes: SharedArrayBuffer;
  /** Where in `bytes` each stands, and up to `shortEnd` its short form, if there is one. */
  readonly elements: readonly {
    readonly offset: number;
    readonly role: JsonElement['role'];
    readonly start: number;
    readonly end: number;
    readonly shortEnd: number;
  }[];
  readonly learnt: readonly string[];
  /** Null until the first chunk is done. */
  readonly progress: FileProgress | null;
  /** Null while the file goes on. `problem`: why it ends before its end, if it does. */
  readonly end: { readonly problem: string | null } | null;
}

/** What the thread is told to do. `taken` counts what was taken of what it has sent. */
export interface ScanWork {
  readonly files: readonly string[];
  readonly taken: Int32Array;
}

/** So many chunks are ready before anybody takes them. */
export const MAX_AHEAD = 6;
