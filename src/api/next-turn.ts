import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom work is done, and until when: aborted, it ends with the signal's reason at its next turn. */
export interface Work {
  /** Whose turns they are: those of one lane wait for each other, lanes take turns. */
  readonly lane: string;
  readonly signal: AbortSignal | null;
}

const current = new AsyncLocalStorage<Work>();

/** Runs work under the name of whoever asked, as far as it is not known yet who that is. */
export function workOf<Result>(changes: Partial<Work>, run: () => Result): Result {
  return current.run({ lane: '', signal: null, ...current.getStore(), ...changes }, run);
}

/** Runs what goes on whoever leaves, such as work in the background that a request only set off. */
export function apart<Result>(run: () => Result): Result {
  return current.exit(run);
}

/**
 * Work that several wait for: it is nobody's alone, and ends when it is done or when all who waited have left. Each call
 * of the answer waits for it, until its own asker leaves. `forget` is called when there is nothing to wait for: it has
 * failed, or was left by all.
 */
export function sharedWork<Result>(run: () => Promise<Result>, forget: () => void): () => Promise<Result> {
  const abandoned = new AbortController();
  const lane = current.getStore()?.lane ?? '';
  const result = current.run({ lane, signal: abandoned.signal }, run);
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

const lanes = new Map<string, (() => void)[]>();

/**
 * Resolves in a turn of the event loop in which nobody else who waits here goes on: lanes one after the other, within a
 * lane first come first served. What has come in meanwhile, a command to be acknowledged say, is heard before each turn,
 * however many have work to do.
 */
export function nextTurn(): Promise<void> {
  const { lane, signal } = current.getStore() ?? { lane: '', signal: null };
  return new Promise((resolve, reject) => {
    const isFirst = lanes.size === 0;
    const goOn = () => (signal?.aborted ? reject(signal.reason) : resolve());
    const waiting = lanes.get(lane);
    if (waiting === undefined) lanes.set(lane, [goOn]);
    else waiting.push(goOn);
    if (isFirst) setImmediate(letOneGoOn);
  });
}

function letOneGoOn(): void {
  const [next] = lanes;
  if (next === undefined) return;
  const [lane, waiting] = next;
  lanes.delete(lane);
  const goOn = waiting.shift();
  // A lane that has had its turn goes behind the others.
  if (waiting.length > 0) lanes.set(lane, waiting);
  goOn?.();
  if (lanes.size > 0) setImmediate(letOneGoOn);
}
