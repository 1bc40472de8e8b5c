import { parentPort, workerData } from 'node:worker_threads';
import { fileProblem } from './file-problem.ts';
import { type FoundElements, jsonElements } from './json-elements.ts';
import { createKnownObjects } from './known-objects.ts';
import { type FileProgress, readBytes } from './read-bytes.ts';
import { MOST_AHEAD, type SentElements } from './sent-elements.ts';

/** An element is as often a little longer than the chunk that ends it. */
const FIRST_SIZE = 3 << 20;

let [ahead, goOn] = [0, () => {}];
let progress: FileProgress | null = null;
let buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);

parentPort?.on('message', (taken) => {
  ahead -= Number(taken);
  goOn();
});
await sendAll(String(workerData));
parentPort?.close();

async function sendAll(file: string): Promise<void> {
  const chunks = readBytes(file, (told) => {
    progress = told;
  });
  try {
    for await (const found of jsonElements(chunks, { known: createKnownObjects() })) {
      send(found, null);
      while (ahead >= MOST_AHEAD) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
    }
    send({ elements: [], learnt: [] }, null);
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === null) throw error;
    send({ elements: [], learnt: [] }, problem);
  }
}

function send({ elements: found, learnt }: FoundElements, problem: string | null): void {
  let length = 0;
  const append = (bytes: Buffer) => {
    if (length + bytes.length > buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, length + bytes.length));
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
  const bytes = new Uint8Array(buffer.subarray(0, length)).buffer;
  ahead += 1;
  const sent: SentElements = { bytes, elements, learnt, progress, problem };
  parentPort?.postMessage(sent, [bytes]);
}
