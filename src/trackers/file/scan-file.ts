import { on } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { BrokenJson, type FoundElements, type JsonElement, jsonElements } from './json-elements.ts';
import { keepShortFile } from './keep-short-file.ts';
import { createKnownObjects } from './known-objects.ts';
import { type FileProgress, readBytes } from './read-bytes.ts';
import { type SentElements, TAKEN_AT_ONCE } from './sent-elements.ts';
import { createStandIns, type StandIns } from './stand-ins.ts';

/** A file whose elements are found one after another. */
export interface ScannedFile {
  readonly file: string;
  readonly batches: AsyncIterable<FoundElements>;
  readonly standIns: StandIns;
  /** All of it, once it has come by; null for a file that is too long to be kept. */
  wholeText(): string | null;
}

type ScanFile = (file: string, onProgress: (progress: FileProgress) => void) => ScannedFile;

/** From so many bytes on, a thread that looks for the elements is worth its start. */
const LARGE_BYTES = 1 << 24;

/** Not of a pipe, which tells no size, nor of what cannot be read. */
export async function isLarge(file: string): Promise<boolean> {
  try {
    return (await stat(file)).size >= LARGE_BYTES;
  } catch {
    return false;
  }
}

/** Looks for elements in this thread; what one file has told is known in the next. */
export function createScanHere(): ScanFile {
  const known = createKnownObjects();
  const standIns = createStandIns();
  return (file, onProgress) => {
    const bytes = keepShortFile(readBytes(file, onProgress));
    return { file, batches: jsonElements(bytes.chunks, { known }), standIns, wholeText: bytes.text };
  };
}

/** Has another thread read the file and look for its elements, so that this one has them parsed meanwhile. */
export const scanInWorker: ScanFile = (file, onProgress) => ({
  file,
  batches: batchesOf(file, onProgress),
  standIns: createStandIns(),
  wholeText: () => null,
});

async function* batchesOf(
  file: string,
  onProgress: (progress: FileProgress) => void,
): AsyncGenerator<FoundElements> {
  let taken = 0;
  const worker = new Worker(new URL('./scan-worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  try {
    for await (const [sent] of on(worker, 'message', { close: ['exit'] })) {
      yield* received(sent, onProgress);
      taken += 1;
      if (taken % TAKEN_AT_ONCE === 0) worker.postMessage(TAKEN_AT_ONCE);
    }
  } finally {
    await worker.terminate();
  }
}

function* received(
  sent: SentElements,
  onProgress: (progress: FileProgress) => void,
): Generator<FoundElements> {
  if (sent.progress !== null) onProgress(sent.progress);
  const bytes = Buffer.from(sent.bytes);
  yield { elements: sent.elements.map((one) => elementOf(one, bytes)), learnt: sent.learnt };
  if (sent.problem !== null) throw new BrokenJson(sent.problem);
}

function elementOf(
  { offset, member, end, shortEnd, start }: SentElements['elements'][number],
  bytes: Buffer,
): JsonElement {
  return {
    offset,
    member,
    bytes: bytes.subarray(start, end),
    shortBytes: () => (shortEnd === end ? null : bytes.subarray(end, shortEnd)),
  };
}
