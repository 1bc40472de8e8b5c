import { Worker } from 'node:worker_threads';
import type { FieldParts } from '../engine/columns/field-part.ts';
import type { FieldTask } from './read-fields.ts';

/** The size (MB) of the thread's young objects before they are collected. */
const YOUNG_MB = 4;

/** A thread that reads fields of some issues while this one reads those of the others. */
export interface ReadingBeside {
  /** The result; null where the thread failed, so that this one is to read. Never rejects. */
  readonly parts: Promise<FieldParts | null>;
  /** Ends the thread, or waits until it has ended by itself after it has read; to be called in any case. */
  end(): Promise<void>;
}

/** The settings of reading by two threads. */
export interface BesideParts {
  /** The number of issues from which on a second thread is faster than its start. */
  readonly minIssues: number;
  readonly start: (task: FieldTask) => ReadingBeside;
}

/** Starts a thread that reads fields of issues. */
function readBeside(task: FieldTask): ReadingBeside {
  const worker = new Worker(new URL('./field-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const { promise: parts, resolve } = Promise.withResolvers<FieldParts | null>();
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  let isRead = false;
  worker.once('message', (read: FieldParts | null) => {
    isRead = true;
    resolve(read);
  });
  for (const event of ['error', 'messageerror', 'exit']) worker.once(event, () => resolve(null));
  return {
    parts,
    async end() {
      if (!isRead) await worker.terminate();
      await ended;
    },
  };
}

export const besideParts: BesideParts = { minIssues: 50_000, start: readBeside };

/** The same with a function that ends all threads that were started and have not ended. */
export function endable({ minIssues, start }: BesideParts): BesideParts & { endAll(): Promise<void> } {
  const ends = new Set<() => Promise<void>>();
  return {
    minIssues,
    start(task) {
      const { parts, end } = start(task);
      const ended = async () => {
        await end();
        ends.delete(ended);
      };
      ends.add(ended);
      return { parts, end: ended };
    },
    async endAll() {
      await Promise.all([...ends].map((end) => end()));
    },
  };
}
