import { Worker } from 'node:worker_threads';
import type { FieldParts } from '../engine/columns/field-part.ts';
import type { FieldTask } from './read-fields.ts';

/** Young objects of the thread take so many megabytes before they are collected. */
const YOUNG_MB = 4;

/** A thread that reads fields while others are read here. */
export interface ReadingBeside {
  /** What it has read; null where it could not, so that they are to be read here. Does not fail. */
  readonly parts: Promise<FieldParts | null>;
  /** Ends it, or waits until it has ended by itself after it has read; to be called in any case. */
  end(): Promise<void>;
}

/** When fields are read by two threads, and how the other one is started. */
export interface BesideParts {
  /** Of fewer issues they are read before another thread has started. */
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
  worker.once('error', () => resolve(null));
  worker.once('messageerror', () => resolve(null));
  worker.once('exit', () => resolve(null));
  return {
    parts,
    async end() {
      if (!isRead) await worker.terminate();
      await ended;
    },
  };
}

export const besideParts: BesideParts = { minIssues: 50_000, start: readBeside };

/** The same, and what ends all threads that were started and have not ended. */
export function endable({ minIssues, start }: BesideParts): BesideParts & { endAll(): Promise<void> } {
  const readings = new Set<ReadingBeside>();
  return {
    minIssues,
    start(task) {
      const reading = start(task);
      readings.add(reading);
      return {
        parts: reading.parts,
        async end() {
          await reading.end();
          readings.delete(reading);
        },
      };
    },
    async endAll() {
      await Promise.all([...readings].map((reading) => reading.end()));
    },
  };
}
