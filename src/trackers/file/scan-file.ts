import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { BrokenJson, type FoundElements, type JsonElement, jsonElements } from './json-elements.ts';
import { createKnownObjects } from './known-objects.ts';
import { type FileProgress, readBytes } from './read-bytes.ts';
import { createStandIns, type StandIns } from './read-entry.ts';
import { type ScanWork, type SentElements, startScanThread } from './scan-thread.ts';

/** A file whose elements are found one after another. */
export interface ScannedFile {
  readonly file: string;
  readonly batches: AsyncIterable<FoundElements>;
  readonly standIns: StandIns;
}

type OnProgress = (progress: FileProgress) => void;

/**
 * The files one after another, to be read in this order, each to its end. Objects of one are known in the next.
 * `thread` was started for them, and ends with them.
 */
export async function* scanFiles(
  files: readonly string[],
  onProgress: OnProgress,
  thread: Worker | null = null,
): AsyncGenerator<ScannedFile> {
  const worker = thread ?? (await startScanThread(files));
  yield* worker === null ? scanHere(files, onProgress) : scanInWorker(files, onProgress, worker);
}

/** Looks for elements in this thread. */
function* scanHere(files: readonly string[], onProgress: OnProgress): Generator<ScannedFile> {
  const known = createKnownObjects();
  const standIns = createStandIns();
  for (const file of files) {
    yield { file, batches: jsonElements(readBytes(file, onProgress), { known }), standIns };
  }
}

/** Has another thread read the files and look for their elements, so that this one has them parsed meanwhile. */
async function* scanInWorker(
  files: readonly string[],
  onProgress: OnProgress,
  worker: Worker,
): AsyncGenerator<ScannedFile> {
  const work: ScanWork = { files, taken: new Int32Array(new SharedArrayBuffer(4)) };
  worker.postMessage(work);
  const messages: AsyncIterator<readonly SentElements[]> = on(worker, 'message', { close: ['exit'] });
  const standIns = createStandIns();

  async function* batches(): AsyncGenerator<FoundElements> {
    for (;;) {
      const { value, done } = await messages.next();
      const sent: SentElements | undefined = done ? undefined : value[0];
      if (sent === undefined) throw new Error('The thread that reads files has ended.');
      if (sent.progress !== null) onProgress(sent.progress);
      yield received(sent);
      Atomics.add(work.taken, 0, 1);
      if (sent.end === null) continue;
      if (sent.end.problem !== null) throw new BrokenJson(sent.end.problem);
      return;
    }
  }

  try {
    for (const file of files) yield { file, batches: batches(), standIns };
  } finally {
    await worker.terminate();
  }
}

function received(sent: SentElements): FoundElements {
  const bytes = Buffer.from(sent.bytes);
  const elements = sent.elements.map(
    ({ offset, role, start, end, shortEnd }): JsonElement => ({
      offset,
      role,
      bytes: bytes.subarray(start, end),
      shortBytes: () => (shortEnd === end ? null : bytes.subarray(end, shortEnd)),
    }),
  );
  return { elements, learnt: sent.learnt };
}
