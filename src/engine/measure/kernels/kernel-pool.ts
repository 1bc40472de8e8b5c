import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { collectGarbage } from '../../../concurrency/collect-garbage.ts';
import { KERNEL_THREAD, type WorkerReply, type WorkerRequest, type WorkerTasks } from './kernel-worker.ts';

/** Number of worker threads beside the main thread. */
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
/** Number of times that memory was tidied since the last task. */
let tidied = 0;

/** Interval (ms) at which memory is tidied while threads compute, and for some time afterwards. */
const TIDIED_EVERY_MS = 3_000;

/** After this number of times without a task, no spare memory is left and threads have nothing to free. */
const MAX_SPARE_TIDIED = 10;

/** After this number of times without a task, the process may be at rest. */
const RESTS_AFTER = 20;

/** The process is at rest if its event loop was busy for less than this share of the time. */
const MAX_AT_REST = 0.02;

/** Largest heap whose garbage is collected at rest; collecting more would block other requests. */
const MAX_HEAP_BYTES = 2 ** 27;

/**
 * Runs a task in the thread with the fewest waiting tasks. Shared memory is passed as it is, other arrays are copied.
 * Fails if the task fails or its thread ends; the next task starts another thread.
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
    // The output is that of the task with this name.
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

/** The results of a task per thread, or the first failure, once all have ended and none uses its shared memory. */
export async function inEachThread<Result>(
  run: (part: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const tasks = Array.from({ length: WORKERS }, (_, part) => run(part));
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

/**
 * Drops shared memory that no question has used recently, and lets threads collect garbage: one by one, so that another
 * thread can compute meanwhile.
 */
export async function tidyMemory(): Promise<void> {
  sharedPool.dropUnused();
  for (const thread of threads) {
    // The thread may have ended meanwhile.
    if (threads.includes(thread)) await Promise.allSettled([runIn(thread, 'collect', null)]);
  }
}

/**
 * Tidies memory at intervals until there has been no task for some time. If the event loop is at rest too, the main
 * thread finally collects its own garbage, which would otherwise block requests.
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

/** Starts missing threads; they do not keep the process alive. */
function startThreads(): void {
  while (threads.length < WORKERS) threads.push(startThread());
}

/** Ends the threads; their tasks fail. */
export async function closeKernels(): Promise<void> {
  const closing = threads;
  threads = [];
  clearTimeout(tidying);
  tidying = undefined;
  await Promise.all(closing.map(({ worker }) => worker.terminate()));
}

/** Size (MB) of a thread's young generation, after which it is collected. */
const YOUNG_MB = 6;

function startThread(): Thread {
  const worker = new Worker(new URL('./kernel-worker.ts', import.meta.url), {
    name: KERNEL_THREAD,
    // A thread allocates hardly anything but arrays, so its heap can be smaller than that of the main thread.
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

/** Shared memory that is lent until it is released. It initially contains data of earlier uses. */
interface Lease {
  readonly buffer: SharedArrayBuffer;
  /** Gives the memory back; it must not be used afterwards. Further calls do nothing. */
  release(): void;
}

/**
 * Lends shared memory and reuses it. A thread keeps memory that it received until it collects garbage, which is rare,
 * so without reuse every question would leave its memory behind.
 */
export class SharedPool {
  readonly #maxSpareBytes: number;
  /** Released buffers, the most recently released last. */
  readonly #spare: SharedArrayBuffer[] = [];
  /** Buffers that have not been lent since the last call of `dropUnused`. */
  #unused = new Set<SharedArrayBuffer>();

  constructor(maxSpareBytes: number) {
    this.#maxSpareBytes = maxSpareBytes;
  }

  get spareBytes(): number {
    return this.#spare.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Lends at least this number of bytes. */
  lend(bytes: number): Lease {
    const buffer = this.#take(bytes) ?? new SharedArrayBuffer(Math.ceil(bytes * ROOM));
    let isLent = true;
    return {
      buffer,
      release: () => {
        if (!isLent) return;
        isLent = false;
        this.#spare.push(buffer);
        while (this.spareBytes > this.#maxSpareBytes) this.#spare.shift();
      },
    };
  }

  /** Drops buffers that have not been lent since the previous call. */
  dropUnused(): void {
    const inUse = this.#spare.filter((buffer) => !this.#unused.has(buffer));
    this.#spare.splice(0, this.#spare.length, ...inUse);
    this.#unused = new Set(inUse);
  }

  /** Takes the smallest spare buffer that is large enough, but not more than `MAX_EXCESS` times too large. */
  #take(bytes: number): SharedArrayBuffer | null {
    const fitting = this.#spare.filter(
      ({ byteLength }) => byteLength >= bytes && byteLength <= MAX_EXCESS * bytes,
    );
    const [smallest] = fitting.toSorted((a, b) => a.byteLength - b.byteLength);
    if (smallest === undefined) return null;
    this.#spare.splice(this.#spare.indexOf(smallest), 1);
    this.#unused.delete(smallest);
    return smallest;
  }
}

/** Factor by which buffers are larger than needed, since the next question of the same kind has a few more rows. */
const ROOM = 1.1;
const MAX_EXCESS = 4;

/** Maximum size of spare buffers: the memory that several questions over a million issues need at a time. */
const MAX_SPARE_BYTES = 16 * 2 ** 20;

/** The shared memory of all questions. */
export const sharedPool = new SharedPool(MAX_SPARE_BYTES);

/** Copies numbers into shared memory. */
export function lendCopy(numbers: Uint32Array): Lease & { readonly numbers: Uint32Array<SharedArrayBuffer> } {
  const lease = sharedPool.lend(numbers.byteLength);
  const copy = new Uint32Array(lease.buffer, 0, numbers.length);
  copy.set(numbers);
  return { ...lease, numbers: copy };
}
