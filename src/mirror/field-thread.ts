import { Worker } from 'node:worker_threads';
import type { FieldPart, FieldParts, WantedField } from '../engine/columns/field-part.ts';
import { heldContent } from '../engine/columns/held-fields.ts';
import { HistoryColumn } from '../engine/columns/history-column.ts';
import { TextColumn, textContent } from '../engine/columns/text-column.ts';
import { ABSENT, ValueCodes } from '../engine/columns/value-codes.ts';
import { historySource } from '../engine/measure/own-cells.ts';
import { changesOf, type FieldwiseIssue } from '../model/issues/issue-fields.ts';
import type { IssueReader, IssueReaderPlace } from '../store/store.ts';

/** The fields to read of some issues, for columns of another thread. */
export interface FieldTask {
  readonly reader: IssueReaderPlace;
  readonly wanted: readonly WantedField[];
  /** Issues with higher numbers are read, which are about `expected` ones. */
  readonly after: number;
  readonly expected: number;
}

/** Issues read from the store at once. */
const READ_AT_ONCE = 250;

/** The number of different values of a field beyond which they take too long to be handed over at once. */
const MAX_VALUES = 10_000;

/** Gathers a field of one issue after the other. */
interface PartBuilder {
  add(i: number, issue: FieldwiseIssue): void;
  /** Returns the number of values so far. */
  size(): number;
  end(): FieldPart;
}

function codesBuilder(field: string): PartBuilder {
  const values = new ValueCodes();
  const codes: number[] = [];
  const formerCounts: number[] = [];
  const former: number[] = [];
  return {
    add(_, issue) {
      codes.push(values.codeOf(heldContent(issue, field)));
      const before = former.length;
      for (const { from, to } of changesOf(issue, field)) {
        if (from !== null) former.push(values.codeOf(from));
        if (to !== null) former.push(values.codeOf(to));
        if (from === null && to === null) former.push(ABSENT);
      }
      formerCounts.push(former.length - before);
    },
    size: () => values.size,
    end: () => ({
      field,
      as: 'codes',
      part: {
        codes: Uint32Array.from(codes),
        formerCounts: Uint32Array.from(formerCounts),
        former: Uint32Array.from(former),
        values: values.contents(),
      },
    }),
  };
}

function historyBuilder(field: string, expected: number): PartBuilder {
  const history = new HistoryColumn(field, expected);
  const authors = new ValueCodes();
  return {
    add(i, issue) {
      if (i >= history.capacity) history.grow(2 * history.capacity);
      history.put(i, historySource(issue), authors);
    },
    size: () => Math.max(history.values.size, authors.size),
    end: () => ({
      field,
      as: 'history',
      part: { arrays: history.arrays, values: history.values.contents(), authors: authors.contents() },
    }),
  };
}

function textsBuilder(field: string, expected: number): PartBuilder {
  const texts = new TextColumn(expected);
  return {
    add(i, issue) {
      if (i >= texts.capacity) texts.grow(2 * texts.capacity);
      texts.put(i, textContent(issue, field));
    },
    size: () => 0,
    end: () => ({ field, as: 'texts', part: texts.arrays }),
  };
}

const builderOf = { codes: codesBuilder, history: historyBuilder, texts: textsBuilder };

/** Reads fields of all issues with higher numbers; null of fields with too many values. */
export async function readFieldParts({
  reader,
  wanted,
  after,
  expected,
}: FieldTask): Promise<FieldParts | null> {
  const { openIssueReader }: { openIssueReader(place: unknown): IssueReader } = await import(reader.module);
  const { issuesAfter, close } = openIssueReader(reader.place);
  try {
    const builders = wanted.map(({ field, as }) => builderOf[as](field, Math.max(1, expected)));
    const ids: number[] = [];
    const revisions: number[] = [];
    for (let last: number | undefined = after; last !== undefined; ) {
      last = issuesAfter(last, READ_AT_ONCE, (some): number | undefined => {
        for (const { id, revision, issue } of some) {
          for (const builder of builders) builder.add(ids.length, issue);
          ids.push(id);
          revisions.push(revision);
        }
        return some.at(-1)?.id;
      });
      if (builders.some((one) => one.size() > MAX_VALUES)) return null;
    }
    return {
      ids: Float64Array.from(ids),
      revisions: Float64Array.from(revisions),
      parts: builders.map((one) => one.end()),
    };
  } finally {
    close();
  }
}

/** The size (MB) of the thread's young objects before they are collected. */
const YOUNG_MB = 4;

/** A thread that reads fields of some issues while this one reads those of the others. */
interface ReadingBeside {
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
