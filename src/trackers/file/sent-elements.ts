import type { JsonElement } from './json-elements.ts';
import type { FileProgress } from './read-bytes.ts';

/** The message of the thread that reads files, about a chunk of one or its end. */
export interface SentElements {
  /** Used again once they are taken. */
  readonly bytes: SharedArrayBuffer;
  /** The positions of the elements in `bytes`; up to `shortEnd` a short form, if there is one. */
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

/** The work of the thread. `taken` counts the messages that were taken. */
export interface ScanWork {
  readonly files: readonly string[];
  readonly taken: Int32Array;
}

/** The most chunks that are ready and not taken. */
export const MAX_AHEAD = 6;
