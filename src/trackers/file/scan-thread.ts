import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { JsonElement } from './json-elements.ts';
import type { FileProgress } from './read-bytes.ts';

/** From this size on, a thread that looks for the elements is worth its start. */
const LARGE_BYTES = 1 << 24;

/**
 * Starts the thread that looks for the elements of files, where these are worth it; else null. It waits for a message that
 * says what to read, so that it can be started while the rest of the program is still loaded.
 */
export async function startScanThread(files: readonly string[]): Promise<Worker | null> {
  const sizes = await Promise.all(files.map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0) >= LARGE_BYTES ? scanThread() : null;
}

/** Starts that thread, which waits for its work. */
export function scanThread(): Worker {
  return new Worker(new URL('./scan-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
}

/** 0 for a pipe, which has no size, and for an unreadable file. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

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
