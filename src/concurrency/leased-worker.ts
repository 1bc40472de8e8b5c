import type { Logger } from 'pino';
import { AppError } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import { createPoller, type Poller, pause, repeatEvery } from './poller.ts';

/**
 * A claim on work: its holder, and the instant until which others leave it alone. A holder that has lost its lease
 * changes nothing.
 */
export interface Lease {
  readonly holder: string;
  readonly until: Instant;
}

/** Something this process works on. */
export interface Hold {
  /** Aborted when it is not ours any more. */
  readonly lost: AbortSignal;
  /** The lease from this moment on. */
  lease(): Lease;
  /** Renews at once; false when it is not ours any more. */
  renew(): Promise<boolean>;
  /** Gives it up. */
  lose(): void;
  /** Writes what needs the lease; what is not ours any more (false) is lost, and `busy-elsewhere` with that sentence. */
  write(put: (lease: Lease) => Promise<boolean>, busy: string): Promise<void>;
}

/** The leases of a store that several processes take work from. */
interface Leasing<Item> {
  readonly holder: string;
  readonly now: () => Instant;
  /** Long enough for a busy process to renew it, short enough to wait for where its holder was killed. */
  readonly leaseMs: number;
  /** The interval (ms of real time) of renewals; null where the work is over before the lease is. */
  readonly renewMs: number | null;
  /** The next thing to work on; null: there is none now. */
  readonly claim: (lease: () => Lease) => Promise<Item | null>;
  /** Extends the lease; false when it is lost. */
  readonly renew: (item: Item, lease: Lease) => Promise<boolean>;
  /** A renewal that failed: the lease lasts longer, and who takes it in the end shows by the store. */
  readonly onUnrenewed: (error: unknown, item: Item) => void;
}

/** Claims the next thing and holds it while `work` runs. Null: there was nothing to claim. */
export async function runLeased<Item, Result>(
  leasing: Leasing<Item>,
  work: (item: Item, hold: Hold) => Promise<Result>,
): Promise<Result | null> {
  const claimed = await claimItem(leasing);
  if (claimed === null) return null;
  try {
    return await work(claimed.item, claimed.hold);
  } finally {
    claimed.end();
  }
}

interface ClaimedItem<Item> {
  readonly item: Item;
  readonly hold: Hold;
  /** Renews no more, and touches the store no more. */
  readonly end: () => void;
}

async function claimItem<Item>(leasing: Leasing<Item>): Promise<ClaimedItem<Item> | null> {
  const { holder, now, leaseMs, renewMs } = leasing;
  const lease = () => ({ holder, until: now() + leaseMs });
  const item = await leasing.claim(lease);
  if (item === null) return null;
  const lost = new AbortController();
  const renew = async () => {
    if (!lost.signal.aborted && !(await leasing.renew(item, lease()))) lost.abort();
    return !lost.signal.aborted;
  };
  let isRenewing = false;
  const renewQuietly = async () => {
    if (isRenewing) return;
    isRenewing = true;
    await renew().catch((error: unknown) => leasing.onUnrenewed(error, item));
    isRenewing = false;
  };
  const stop = renewMs === null ? () => {} : repeatEvery(renewMs, () => void renewQuietly());
  return {
    item,
    hold: {
      lost: lost.signal,
      lease,
      renew,
      lose: () => lost.abort(),
      async write(put, busy) {
        if (!lost.signal.aborted && (await put(lease()))) return;
        lost.abort();
        throw new AppError('busy-elsewhere', busy);
      },
    },
    end() {
      stop();
      lost.abort();
    },
  };
}

/** Sees the work of a worker. Kinds are words of the program, such as `digest`. */
export interface WorkObserver {
  /** Runs the work on one item. */
  run<Result>(kind: string, work: () => Promise<Result>): Promise<Result>;
  /** An item has come to its end, or failed. */
  ended(kind: string, outcome: string): void;
}

/** No one sees the work. */
export const unobserved: WorkObserver = { run: (_kind, work) => work(), ended: () => {} };

/** Work that failed by a bug will most likely fail again. */
const AFTER_BUG_MS = 60_000;

/** One thing that is being worked on. */
export interface LeasedWork<Item, Door> {
  readonly item: Item;
  readonly hold: Hold;
  /** Aborted when it is not ours any more, or the worker is to stop. */
  readonly signal: AbortSignal;
  readonly door: Door;
}

/** From when on a thing may be taken up again; null: it has come to its end. */
type After = Instant | null;

/** The parts of a worker. `Door` is where results go, given with the start. */
interface LeasedWorkerParts<Item, Door> extends Omit<Leasing<Item>, 'claim' | 'onUnrenewed'> {
  /** The word for an item in the log, such as "an export", and its ids. */
  readonly name: string;
  /** The kind of the items; left out: no one sees the work. */
  readonly kind?: string;
  readonly observer?: WorkObserver | undefined;
  readonly idsOf: (item: Item) => Readonly<Record<string, unknown>>;
  readonly log: Logger;
  readonly claim: (lease: () => Lease, door: Door) => Promise<Item | null>;
  /** Lets go of a thing, which no one takes up before an instant. */
  readonly release: (item: Item, notBefore: Instant) => Promise<void>;
  /** The number of items under way at a time. */
  readonly concurrency: number;
  /**
   * Works on one item. A function that it returns runs beside the work on the next item, and the lease lasts until
   * then.
   */
  readonly work: (leased: LeasedWork<Item, Door>) => Promise<After | (() => Promise<After>)>;
  /** A poll: `takeUp` claims until there is nothing to do. Left out: nothing but that. */
  readonly poll?: (takeUp: () => Promise<void>, door: Door) => Promise<void>;
  /** The interval (ms of real time) of its own polls; left out: it polls only when it is called. */
  readonly pollMs?: number;
}

/** A worker over a store that other processes take work from as well. It polls for nothing before its start. */
export interface LeasedWorker<Door> extends Poller {
  start(door: Door): void;
  /** True once the worker has stopped: the store may be closed. */
  isOver(): boolean;
}

/** A worker that claims what there is to do, works on it, and lets go of what is left of it. What fails is repeated. */
export function createLeasedWorker<Item, Door>(parts: LeasedWorkerParts<Item, Door>): LeasedWorker<Door> {
  const { now, log, name, idsOf, concurrency, poll = (takeUp) => takeUp(), pollMs } = parts;
  const { kind = '', observer = unobserved } = parts;
  const ends = new Set<() => void>();
  const beside = new Set<Promise<unknown>>();
  let door: Door | null = null;
  let stopPolling = () => {};
  let isOver = false;
  const onProblem = (error: unknown, item: Item | null) => {
    if (isOver) return;
    const facts = { err: error, ...(item !== null && idsOf(item)) };
    const message = `${item === null ? 'looking for' : 'work on'} ${name} failed and will be repeated`;
    // An AppError is foreseen, and no bug.
    if (error instanceof AppError) log.warn(facts, message);
    else log.error(facts, message);
  };
  const poller = createPoller({
    async poll() {
      const opened = door;
      if (opened !== null) await poll(() => takeUp(opened), opened);
    },
    onProblem: (error) => onProblem(error, null),
  });
  const { stopping } = poller;

  async function takeUp(opened: Door): Promise<void> {
    const leasing = {
      ...parts,
      claim: (lease: () => Lease) => parts.claim(lease, opened),
      onUnrenewed: (error: unknown, item: Item) =>
        log.warn({ err: error, ...idsOf(item) }, `the lease of ${name} could not be renewed`),
    };
    const underWay = new Set<Promise<void>>();
    try {
      while (!stopping.aborted) {
        const claimed = underWay.size < concurrency ? await claimItem(leasing) : null;
        if (claimed !== null) {
          const working = workOn(claimed, opened).finally(() => underWay.delete(working));
          underWay.add(working);
        } else if (underWay.size > 0) {
          await Promise.race(underWay);
        } else break;
      }
    } finally {
      await Promise.all(underWay);
    }
  }

  async function workOn({ item, hold, end }: ClaimedItem<Item>, opened: Door): Promise<void> {
    const letGo = () => {
      end();
      ends.delete(end);
    };
    ends.add(end);
    const signal = AbortSignal.any([hold.lost, stopping]);
    const after = await settle(item, () =>
      observer.run(kind, () => parts.work({ item, hold, signal, door: opened })),
    );
    if (typeof after !== 'function') return letGo();
    const finishing = settle(item, after).finally(() => {
      letGo();
      beside.delete(finishing);
    });
    beside.add(finishing);
  }

  /** Lets go of what the work leaves. */
  async function settle<More>(item: Item, work: () => Promise<After | More>): Promise<After | More> {
    const after = await work().catch((error: unknown) => {
      onProblem(error, item);
      return now() + AFTER_BUG_MS;
    });
    if (typeof after === 'number' && !isOver) {
      await parts.release(item, after).catch((error: unknown) => onProblem(error, item));
    }
    return after;
  }

  return {
    ...poller,
    isOver: () => isOver,
    start(opened) {
      door = opened;
      if (pollMs === undefined) return;
      stopPolling();
      stopPolling = repeatEvery(pollMs, poller.kick);
      poller.kick();
    },
    async stop(drainMs) {
      stopPolling();
      const until = performance.now() + drainMs;
      await poller.stop(drainMs);
      const over = new AbortController();
      void Promise.all(beside).then(() => over.abort());
      await pause(Math.max(0, until - performance.now()), over.signal);
      isOver = true;
      for (const end of ends) end();
    },
  };
}
