import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { collectGarbage } from '../../../concurrency/collect-garbage.ts';
import { KERNEL_THREAD, type WorkerReply, type WorkerRequest, type WorkerTasks } from './kernel-worker.ts';
import { sharedPool } from './shared-memory.ts';

/** So many threads compute beside the one that answers. */
export const WORKERS = 2;

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

let threads: Thread[] = [];
let lastId = 0;
let tidying: NodeJS.Timeout | undefined;
/** How often memory was tidied since a task was given out. */
let tidied = 0;

/** While threads compute and for a while after it, memory is tidied this often (ms). */
const TIDIED_EVERY_MS = 3_000;

/** After so many times without a task, spare memory is gone and threads have nothing left. */
const MAX_SPARE_TIDIED = 10;

/** After so many, the process may be at rest. */
const RESTS_AFTER = 20;

/** It is where its event loop had no more to do than this part of the time. */
const MAX_AT_REST = 0.02;

/** Collecting the garbage of more objects would keep others waiting. */
const MAX_HEAP_BYTES = 2 ** 27;

/**
 * Runs a task in the thread that has the least to do. Memory that is shared goes there as it is, other arrays as copies.
 * Fails as the task does, or when its thread dies; the next task gets another one.
 */
export function runInWorkers<Name extends keyof WorkerTasks>(
  task: Name,
  input: Parameters<WorkerTasks[Name]>[0],
): Promise<ReturnType<WorkerTasks[Name]>> {
  startThreads();
  const [first] = threads.toSorted((a, b) => a.waiting.size - b.waiting.size);
  if (first === undefined) throw new Error('There is no thread to compute in.');
  tidied = 0;
  tidyLater();
  return runIn(first, task, input);
}

function runIn<Name extends keyof WorkerTasks>(
  { worker, waiting }: Thread,
  task: Name,
  input: Parameters<WorkerTasks[Name]>[0],
): Promise<ReturnType<WorkerTasks[Name]>> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    // What comes back is what the task of that name returned.
    waiting.set(id, { resolve: resolve as (output: unknown) => void, reject });
    worker.ref();
    try {
      worker.postMessage({ id, task, input } satisfies WorkerRequest);
    } catch (error) {
      waiting.delete(id);
      if (waiting.size === 0) worker.unref();
      reject(error);
    }
  });
}

/** What several tasks come to, once none of them uses the memory it was handed any more, whether all succeed or not. */
export async function settled<Result>(tasks: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

/**
 * Drops spare memory that no question has used of late, and has threads free what they were handed and others have let go: one
 * after the other, so that there is one to compute meanwhile.
 */
export async function tidyMemory(): Promise<void> {
  sharedPool.dropUnused();
  for (const thread of threads) {
    // It may have ended meanwhile.
    if (threads.includes(thread)) await Promise.allSettled([runIn(thread, 'collect', null)]);
  }
}

/**
 * Tidies every now and then until no task has been given out for a while. When the event loop is at rest too, this thread lets
 * go of what it has no use for, which would keep others waiting.
 */
function tidyLater(): void {
  if (tidying !== undefined) return;
  const used = performance.eventLoopUtilization();
  const tidy = async () => {
    tidying = undefined;
    tidied += 1;
    const { utilization } = performance.eventLoopUtilization(used);
    if (tidied >= RESTS_AFTER && utilization < MAX_AT_REST) {
      if (getHeapStatistics().used_heap_size <= MAX_HEAP_BYTES) collectGarbage({ isLast: true });
      return;
    }
    if (tidied <= MAX_SPARE_TIDIED) await tidyMemory();
    if (threads.length > 0) tidyLater();
  };
  tidying = setTimeout(() => void tidy(), TIDIED_EVERY_MS).unref();
}

/** They keep no process alive. */
function startThreads(): void {
  while (threads.length < WORKERS) threads.push(startThread());
}

/** Ends the threads; what they were doing fails. */
export async function closeKernels(): Promise<void> {
  const closing = threads;
  threads = [];
  clearTimeout(tidying);
  tidying = undefined;
  await Promise.all(closing.map(({ worker }) => worker.terminate()));
}

/** Young objects of a thread take so many megabytes before they are collected. */
const YOUNG_MB = 6;

function startThread(): Thread {
  const worker = new Worker(new URL('./kernel-worker.ts', import.meta.url), {
    name: KERNEL_THREAD,
    // What a thread makes are arrays, and little else: its heap need not grow as far as that of the main thread.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const waiting = new Map<number, Waiting>();
  const thread = { worker, waiting };
  worker.unref();
  worker.on('message', (reply: WorkerReply) => {
    const fallback = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) worker.unref();
    if ('error' in reply) fallback?.reject(reply.error);
    else fallback?.resolve(reply.output);
  });
  const fail = (reason: unknown) => {
    threads = threads.filter((one) => one !== thread);
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('messageerror', (error) => {
    fail(error);
    void worker.terminate();
  });
  worker.on('exit', () => fail(new Error('The thread that computed ended.')));
  return thread;
}
