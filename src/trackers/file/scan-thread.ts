import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

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
