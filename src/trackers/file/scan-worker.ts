import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { type FoundElements, jsonElements } from './json-elements.ts';
import { createKnownObjects } from './known-objects.ts';
import { type FileProgress, fileProblem, readBytes } from './read-bytes.ts';
import type { ScanWork, SentElements } from './scan-thread.ts';

/** An element is as often a little longer than the chunk that ends it. */
const FIRST_SIZE = 3 << 20;

/** The sleep between two checks for free room; the chunks that are ready last far longer. */
const NAP_MS = 2;

/** The most chunks that are ready and not taken. */
const MAX_AHEAD = 6;

const known = createKnownObjects();
/** One for each message that may be ahead, used in turn: to make and free them would take longer than to fill them. */
const buffers: SharedArrayBuffer[] = [];
let count = 0;

if (parentPort === null) throw new Error('This is to be started as a thread.');
const port = parentPort;
const work: readonly ScanWork[] = await once(port, 'message');
const { files, taken } = work[0] ?? { files: [], taken: new Int32Array(1) };
for (const file of files) await sendAll(file);
port.close();

async function sendAll(file: string): Promise<void> {
  let progress: FileProgress | null = null;
  const bytes = readBytes(file, (current) => {
    progress = current;
  });
  const nothing = { elements: [], learnt: [] };
  try {
    for await (const found of jsonElements(bytes, { known })) {
      send(found, progress, null);
    }
    send(nothing, progress, { problem: null });
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === null) throw error;
    send(nothing, progress, { problem });
  }
}

function send(
  { elements: found, learnt }: FoundElements,
  progress: FileProgress | null,
  end: SentElements['end'],
): void {
  // The reader notifies no one, because waking a thread takes the other one a millisecond.
  for (let seen = Atomics.load(taken, 0); count - seen >= MAX_AHEAD; seen = Atomics.load(taken, 0)) {
    Atomics.wait(taken, 0, seen, NAP_MS);
  }
  const slot = count % MAX_AHEAD;
  let shared = buffers[slot] ?? new SharedArrayBuffer(FIRST_SIZE);
  let buffer = Buffer.from(shared);
  let length = 0;
  const append = (bytes: Buffer) => {
    if (length + bytes.length > buffer.length) {
      shared = new SharedArrayBuffer(Math.max(buffer.length * 2, length + bytes.length));
      const grown = Buffer.from(shared);
      buffer.copy(grown, 0, 0, length);
      buffer = grown;
    }
    length += bytes.copy(buffer, length);
    return length;
  };
  const elements = found.map((element) => {
    const start = length;
    const end = append(element.bytes);
    const short = element.shortBytes();
    const { offset, role } = element;
    return { offset, role, start, end, shortEnd: short === null ? end : append(short) };
  });
  buffers[slot] = shared;
  count += 1;
  const sent: SentElements = { bytes: shared, elements, learnt, progress, end };
  port.postMessage(sent);
}
