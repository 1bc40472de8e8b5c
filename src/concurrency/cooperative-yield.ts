import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom a task runs, and until when: once `signal` is aborted, the task fails with its reason at the next yield. */
interface TaskContext {
  /** Tasks of one owner wait for each other, owners take turns; empty for what is nobody's. */
  readonly owner: string;
  readonly signal: AbortSignal | null;
}

const current = new AsyncLocalStorage<TaskContext>();

/** Runs a task in a context: what is left out stays as it is around it. */
export function withTaskContext<Result>(changes: Partial<TaskContext>, run: () => Result): Result {
  return current.run({ owner: '', signal: null, ...current.getStore(), ...changes }, run);
}

/** Runs a task that a request only sets off: it goes on when the request is over. */
export function detached<Result>(run: () => Result): Result {
  return current.exit(run);
}

/**
 * A task that several wait for: it ends when it is done, or when all who waited have left. Each call of the answer waits
 * for it, until the signal of its own context is aborted. `forget` is called when there is nothing to wait for any more:
 * the task has failed, or all have left.
 */
export function sharedTask<Result>(run: () => Promise<Result>, forget: () => void): () => Promise<Result> {
  const abandoned = new AbortController();
  const owner = current.getStore()?.owner ?? '';
  const result = current.run({ owner, signal: abandoned.signal }, run);
  result.catch(forget);
  let waiting = 0;
  return () => {
    const signal = current.getStore()?.signal ?? null;
    if (signal === null) {
      waiting += 1;
      return result;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const leave = () => {
      waiting -= 1;
      reject(signal.reason);
      if (waiting > 0) return;
      forget();
      abandoned.abort(signal.reason);
    };
    waiting += 1;
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    return promise;
  };
}

/** What waits to go on, by owner; the first owner is next. */
const queues = new Map<string, (() => void)[]>();

/**
 * The cooperative yield: resolves in a turn of the event loop of its own, so that input and output come in between. Owners
 * take turns, within an owner first come is first served. Fails with the reason of the context's signal once that is
 * aborted.
 */
export function yieldToOthers(): Promise<void> {
  const { owner, signal } = current.getStore() ?? { owner: '', signal: null };
  return new Promise((resolve, reject) => {
    const isFirst = queues.size === 0;
    const goOn = () => (signal?.aborted ? reject(signal.reason) : resolve());
    const queue = queues.get(owner);
    if (queue === undefined) queues.set(owner, [goOn]);
    else queue.push(goOn);
    if (isFirst) setImmediate(letOneGoOn);
  });
}

/** When the rest that tasks are taking is over; null: they take none. */
let restUntil: number | null = null;

function letOneGoOn(): void {
  const now = performance.now();
  if (isUrgent(now)) {
    restUntil ??= now + REST_MS;
    if (now < restUntil) return void setTimeout(letOneGoOn, 1);
  }
  restUntil = null;
  const [next] = queues;
  if (next === undefined) return;
  const [owner, queue] = next;
  queues.delete(owner);
  const goOn = queue.shift();
  // An owner who has had a turn goes to the end of the line.
  if (queue.length > 0) queues.set(owner, queue);
  goOn?.();
  if (queues.size > 0) setImmediate(letOneGoOn);
}

/** While something is urgent, tasks rest between their slices, so long (ms) at most. */
const REST_MS = 8;
/** What takes longer (ms) was not urgent. */
const MOST_URGENT_MS = 50;

/** When what is urgent by now will not be any more. */
const urgent = new Set<{ readonly until: number }>();

/**
 * Something small that somebody waits for has come in: it is not to wait for a slice of every task each time it waits for
 * input or output itself. Over when the answer is called, or after a while.
 */
export function beginUrgent(): () => void {
  const one = { until: performance.now() + MOST_URGENT_MS };
  urgent.add(one);
  return () => void urgent.delete(one);
}

function isUrgent(now: number): boolean {
  for (const one of urgent) {
    if (one.until > now) return true;
    urgent.delete(one);
  }
  return false;
}

/** A task may run so long (ms) before others get a turn; far below what a click in Slack may wait. */
export const SLICE_MS = 4;

/** A yield where the time slice is used up, to be awaited; null where it is not, which costs next to nothing. */
export type YieldIfDue = () => Promise<void> | null;

/** Time slices of one task. */
export function createYieldIfDue(): YieldIfDue {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return null;
    return yieldToOthers().then(() => {
      since = performance.now();
    });
  };
}
