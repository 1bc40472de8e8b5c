import { AsyncLocalStorage } from 'node:async_hooks';
import { asSystem } from './request-scope.ts';

/** The owner of a task, and its signal: once that is aborted, the task fails with its reason at the next yield. */
interface TaskContext {
  /** Tasks of one owner wait for each other, owners take turns; empty for tasks without an owner. */
  readonly owner: string;
  readonly signal: AbortSignal | null;
  /** Set where the task is part of something small that a user waits for. */
  readonly urgency: Urgency | null;
}

interface Urgency {
  /** Others rest for it until then (ms), whether or not the task is done. */
  readonly until: number;
  /** The slices that it may still use before others; 0 once it proved to take long. */
  slicesLeft: number;
}

const nobodys: TaskContext = { owner: '', signal: null, urgency: null };

const current = new AsyncLocalStorage<TaskContext>();

/** Runs a task in a context: what is left out stays as it is around it. */
export function withTaskContext<Result>(changes: Partial<TaskContext>, run: () => Result): Result {
  return current.run({ ...nobodys, ...current.getStore(), ...changes }, run);
}

/** Runs a task that a request only sets off: it goes on when the request is over. */
export function detached<Result>(run: () => Result): Result {
  return asSystem(() => current.exit(run));
}

/**
 * A task that several wait for: it ends when it is done, or when all who waited have left. Each call of the answer waits
 * for it, until the signal of its own context is aborted. `forget` is called when there is nothing to wait for any more:
 * the task has failed, or all have left.
 */
export function sharedTask<Result>(run: () => Promise<Result>, forget: () => void): () => Promise<Result> {
  const abandoned = new AbortController();
  const owner = current.getStore()?.owner ?? '';
  const result = current.run({ owner, signal: abandoned.signal, urgency: null }, run);
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

/** The waiting tasks, by owner; the first owner is next. */
const queues = new Map<string, (() => void)[]>();

/** The waiting urgent tasks. */
const urgentQueue: (() => void)[] = [];

/** The last one that went on was urgent. */
let wasUrgent = false;

/** The next turn; null where none is planned. */
let next: { readonly timer: NodeJS.Timeout | null } | null = null;

/**
 * The cooperative yield: resolves in a turn of the event loop of its own, so that input and output come in between. Owners
 * take turns, within an owner first come is first served; what is urgent comes before them. Fails with the reason of the
 * context's signal once that is aborted.
 */
export function yieldToOthers(): Promise<void> {
  const { owner, signal, urgency } = current.getStore() ?? nobodys;
  return new Promise((resolve, reject) => {
    const goOn = () => (signal?.aborted ? reject(signal.reason) : resolve());
    const isUrgent = urgency !== null && urgency.slicesLeft > 0;
    if (isUrgent) urgency.slicesLeft -= 1;
    const queue = isUrgent ? urgentQueue : queues.get(owner);
    if (queue === undefined) queues.set(owner, [goOn]);
    else queue.push(goOn);
    if (next === null || (isUrgent && next.timer !== null)) letOneGoOnSoon();
  });
}

function letOneGoOnSoon(): void {
  if (next !== null && next.timer !== null) clearTimeout(next.timer);
  next = { timer: null };
  setImmediate(letOneGoOn);
}

/** True where a connection was accepted in this turn of the event loop; the turns in a row that were left to input. */
let isAccepting = false;
let leftToInput = 0;
const MAX_LEFT_TO_INPUT = 64;

/**
 * A connection was accepted: others may wait, of which Node accepts one per turn of the event loop. Tasks let these turns
 * come quickly, where a slice in each of them would have connections wait for seconds under load.
 */
export function letInputComeFirst(): void {
  isAccepting = true;
}

function letOneGoOn(): void {
  next = null;
  leftToInput = isAccepting && leftToInput < MAX_LEFT_TO_INPUT ? leftToInput + 1 : 0;
  isAccepting = false;
  if (leftToInput > 0) {
    letOneGoOnSoon();
    return;
  }
  const isResting = queues.size > 0 && mustRest(performance.now());
  if (isResting && urgentQueue.length === 0) {
    next = { timer: setTimeout(letOneGoOn, 1) };
    return;
  }
  // Without a rest, both take turns.
  wasUrgent = urgentQueue.length > 0 && (isResting || queues.size === 0 || !wasUrgent);
  const goOn = wasUrgent ? urgentQueue.shift() : nextOfOwners();
  goOn?.();
  if (next === null && queues.size + urgentQueue.length > 0) letOneGoOnSoon();
}

function nextOfOwners(): (() => void) | undefined {
  for (const [owner, queue] of queues) {
    queues.delete(owner);
    const goOn = queue.shift();
    // An owner who has had a turn goes to the end of the line.
    if (queue.length > 0) queues.set(owner, queue);
    return goOn;
  }
  return undefined;
}

/** While something is urgent, other tasks rest this long (ms) at most, then have at least the time of a slice. */
const REST_MS = 8;
/** Others rest for a task this long (ms) at most: it may wait for another service. */
const MAX_URGENT_MS = 50;
/** A task that uses more slices was not urgent, however long these take on a busy machine. */
const MAX_URGENT_SLICES = 12;

/** The urgent tasks that are not over, and that others rest for. */
const urgent = new Set<Urgency>();

/** The end of the current rest (null: there is none), and of the last one. */
let restUntil: number | null = null;
let restedAt = Number.NEGATIVE_INFINITY;

/** Returns true where tasks that are not urgent have to wait. */
function mustRest(now: number): boolean {
  const isDue = urgentQueue.length > 0 || isAnyUrgent(now);
  if (isDue && restUntil === null && now - restedAt >= SLICE_MS) restUntil = now + REST_MS;
  if (restUntil === null) return false;
  if (isDue && now < restUntil) return true;
  restUntil = null;
  restedAt = now;
  return false;
}

function isAnyUrgent(now: number): boolean {
  for (const one of urgent) {
    if (one.until > now) return true;
    urgent.delete(one);
  }
  return false;
}

/**
 * Runs something small that a user waits for: it does not wait for a slice of every task each time it waits for input
 * or output. It is urgent until it is done, for a while at most, or until it proves to take long.
 */
export async function urgently<Result>(run: () => Promise<Result>): Promise<Result> {
  const urgency = { until: performance.now() + MAX_URGENT_MS, slicesLeft: MAX_URGENT_SLICES };
  urgent.add(urgency);
  try {
    return await withTaskContext({ urgency }, run);
  } finally {
    urgent.delete(urgency);
  }
}

/** The task takes long, so that it is not urgent any more if it was. */
export function endUrgency(): void {
  const urgency = current.getStore()?.urgency ?? null;
  if (urgency === null) return;
  urgent.delete(urgency);
  urgency.slicesLeft = 0;
}

/** The time (ms) that a task may run before others get a turn; far below the time a click in Slack may wait. */
const SLICE_MS = 4;

/** A yield where the time slice is used up, to be awaited; null where it is not, which costs next to nothing. */
export type YieldIfDue = () => Promise<void> | null;

/** Between looks at the clock so little time (ms) has passed that more calls may go without one. */
const NO_TIME_MS = 0.05;
/** The most calls without a check: any of them may be the one that takes long. */
const MAX_UNSEEN = 3;

/** Time slices of one task. The more often it is called, the fewer of the calls check the clock. */
export function createYieldIfDue(): YieldIfDue {
  let since = performance.now();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let unseen = 0;
  let left = 0;
  return () => {
    if (left > 0) {
      left -= 1;
      return null;
    }
    const now = performance.now();
    unseen = now - lookedAt < NO_TIME_MS ? Math.min(2 * unseen + 1, MAX_UNSEEN) : 0;
    left = unseen;
    lookedAt = now;
    if (now - since < SLICE_MS) return null;
    left = 0;
    return yieldToOthers().then(() => {
      since = performance.now();
      lookedAt = Number.NEGATIVE_INFINITY;
    });
  };
}

/** The number of items that are sorted without a pause: some milliseconds, even for a slow comparison. */
const RUN = 512;

/** Loops over many items that let other tasks go on. */
export interface InTurns {
  map<Item, Made>(items: Iterable<Item>, of: (item: Item) => Made): Promise<readonly Made[]>;
  /** Stably. */
  sort<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Promise<readonly Item[]>;
}

/** Ranges from 0 on, each of at most `size`. */
export function* rangesOf(count: number, size: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < count; from += size) yield [from, Math.min(count, from + size)];
}

/** Goes through many things, and lets others go on meanwhile. */
export function inTurns(pace: YieldIfDue): InTurns {
  return {
    sort: (items, compare) => sortInTurns(items, compare, pace),
    async map(items, of) {
      const made: ReturnType<typeof of>[] = [];
      for (const item of items) {
        const pause = pace();
        if (pause !== null) await pause;
        made.push(of(item));
      }
      return made;
    },
  };
}

/** Sorts as `toSorted` does, stably. */
async function sortInTurns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  pace: YieldIfDue,
): Promise<readonly Item[]> {
  let sorted: Item[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    const pause = pace();
    if (pause !== null) await pause;
    for (const item of items.slice(start, start + RUN).sort(compare)) sorted.push(item);
  }
  for (let width = RUN; width < sorted.length && !isInOrder(sorted, width, compare); width *= 2) {
    const merged: Item[] = [];
    for (let start = 0; start < sorted.length; start += 2 * width) {
      await mergeInto(merged, sorted, { start, width }, compare, pace);
    }
    sorted = merged;
  }
  // A caller that sorted this many goes on with as many.
  if (items.length > RUN) await yieldToOthers();
  return sorted;
}

/** Returns true where sorted parts are in order as they are. */
function isInOrder<Item>(
  parts: readonly Item[],
  width: number,
  compare: (a: Item, b: Item) => number,
): boolean {
  for (let start = width; start < parts.length; start += width) {
    const [last, next] = [parts[start - 1], parts[start]];
    if (last !== undefined && next !== undefined && compare(last, next) > 0) return false;
  }
  return true;
}

/** Two parts that follow each other; of two things that are level the left one comes first. */
async function mergeInto<Item>(
  merged: Item[],
  from: readonly Item[],
  { start, width }: { readonly start: number; readonly width: number },
  compare: (a: Item, b: Item) => number,
  pace: YieldIfDue,
): Promise<void> {
  const [middle, end] = [Math.min(start + width, from.length), Math.min(start + 2 * width, from.length)];
  const [last, next] = [from[middle - 1], from[middle]];
  // Parts that are in order need no comparisons.
  const isSorted = last === undefined || next === undefined || compare(last, next) <= 0;
  let [l, r] = [start, middle];
  while (l < middle || r < end) {
    const pause = pace();
    if (pause !== null) await pause;
    const [a, b] = [from[l], from[r]];
    const isLeft =
      l < middle && (isSorted || r >= end || (a !== undefined && b !== undefined && compare(a, b) <= 0));
    const item = isLeft ? a : b;
    if (item !== undefined) merged.push(item);
    if (isLeft) l += 1;
    else r += 1;
  }
}
