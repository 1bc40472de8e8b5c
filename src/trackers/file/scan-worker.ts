import { parentPort, workerData } from 'node:worker_threads';
import { type FoundElements, jsonElements, NoList } from './json-elements.ts';
import { createKnownObjects } from './known-objects.ts';
import { type FileProgress, fileProblem, keepShortFile, readBytes } from './read-bytes.ts';
import { MOST_AHEAD, type SentElements } from './sent-elements.ts';

/** An element is as often a little longer than the chunk that ends it. */
const FIRST_SIZE = 3 << 20;

const known = createKnownObjects();
let [ahead, goOn] = [0, () => {}];
/** What has come back, to be used again: to make and free so much memory for every chunk takes longer than to fill it. */
const free: ArrayBuffer[] = [];

parentPort?.on('message', (taken: readonly ArrayBuffer[]) => {
  free.push(...taken);
  ahead -= taken.length;
  goOn();
});
const files: readonly unknown[] = Array.isArray(workerData) ? workerData : [];
for (const file of files) await sendAll(String(file));
parentPort?.close();

async function sendAll(file: string): Promise<void> {
  let progress: FileProgress | null = null;
  const short = keepShortFile(
    readBytes(file, (told) => {
      progress = told;
    }),
  );
  const nothing = { elements: [], learnt: [] };
  try {
    for await (const found of jsonElements(short.chunks, { known })) {
      send(found, progress, null);
      while (ahead >= MOST_AHEAD) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
    }
    send(nothing, progress, { problem: null, wholeText: null });
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === null) throw error;
    send(nothing, progress, { problem, wholeText: error instanceof NoList ? short.text() : null });
  }
}

function send(
  { elements: found, learnt }: FoundElements,
  progress: FileProgress | null,
  end: SentElements['end'],
): void {
  let buffer = Buffer.from(free.pop() ?? new ArrayBuffer(FIRST_SIZE));
  let length = 0;
  const append = (bytes: Buffer) => {
    if (length + bytes.length > buffer.length) {
      const grown = Buffer.from(new ArrayBuffer(Math.max(buffer.length * 2, length + bytes.length)));
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
    const { offset, member } = element;
    return { offset, member, start, end, shortEnd: short === null ? end : append(short) };
  });
  const { buffer: bytes } = buffer;
  ahead += 1;
  const sent: SentElements = { bytes, elements, learnt, progress, end };
  parentPort?.postMessage(sent, [bytes]);
}
