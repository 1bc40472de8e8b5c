import type { Instant } from '../model/issue.ts';
import { createPoller, type Poller, pause, repeatEvery } from './poller.ts';

/** Who works on something, and until when others leave it alone. A holder that has lost its lease changes nothing. */
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
}

/** How things are held in a store that several processes take work from. */
interface Leasing<Item> {
  readonly holder: string;
  readonly now: () => Instant;
  /** Long enough for a busy process to renew it, short enough to wait for where its holder was killed. */
  readonly leaseMs: number;
  /** How often (ms of real time) it is renewed; null where the work is over before the lease is. */
  readonly renewMs: number | null;
  /** The next thing to work on; null: there is none now. */
  readonly claim: (lease: () => Lease) => Promise<Item | null>;
  /** Keeps the lease; false when it is lost. */
  readonly renew: (item: Item, lease: Lease) => Promise<boolean>;
  /** A renewal that failed: the lease lasts longer, and who takes it in the end shows by the store. */
  readonly onUnrenewed: (error: unknown, item: Item) => void;
}

/** Claims the next thing and holds it while `work` runs. Null: there was nothing to claim. */
export async function runLeased<Item, Result>(
  leasing: Leasing<Item>,
  work: (item: Item, hold: Hold) => Promise<Result>,
): Promise<Result | null> {
  const held = await claimHeld(leasing);
  if (held === null) return null;
  try {
    return await work(held.item, held.hold);
  } finally {
    held.end();
  }
}

interface Held<Item> {
  readonly item: Item;
  readonly hold: Hold;
  /** Renews no more, and touches the store no more. */
  readonly end: () => void;
}

async function claimHeld<Item>(leasing: Leasing<Item>): Promise<Held<Item> | null> {
  const { holder, now, leaseMs, renewMs } = leasing;
  const lease = () => ({ holder, until: now() + leaseMs });
  const item = await leasing.claim(lease);
  if (item === null) return null;
  const lost = new AbortController();
  let renewing = false;

  async function renew(held: Item): Promise<boolean> {
    if (!lost.signal.aborted && !(await leasing.renew(held, lease()))) lost.abort();
    return !lost.signal.aborted;
  }

  async function renewQuietly(held: Item): Promise<void> {
    if (renewing) return;
    renewing = true;
    try {
      await renew(held);
    } catch (error) {
      leasing.onUnrenewed(error, held);
    } finally {
      renewing = false;
    }
  }

  const stop = renewMs === null ? () => {} : repeatEvery(renewMs, () => void renewQuietly(item));
  return {
    item,
    hold: { lost: lost.signal, lease, renew: () => renew(item), lose: () => lost.abort() },
    end() {
      stop();
      lost.abort();
    },
  };
}

/** One thing that is being worked on, as `work` of a worker gets it. */
interface LeasedWork<Item> {
  readonly item: Item;
  readonly hold: Hold;
  /** Aborted when it is not ours any more, or the worker is to stop. */
  readonly signal: AbortSignal;
}

/** What a worker does. */
export interface LeasedWorkerParts<Item> extends Leasing<Item> {
  /** How many things are worked on at a time. */
  readonly concurrency: number;
  /**
   * Works on one thing, and lets go of it. What it answers is done while the next is worked on, and the thing is held
   * until that is over.
   */
  readonly work: (leased: LeasedWork<Item>) => Promise<(() => Promise<void>) | null>;
  /** A look: `takeUp` claims until there is nothing to do. Left out: nothing but that. */
  readonly look?: (takeUp: () => Promise<void>) => Promise<void>;
  /** What a look (`item` null) or the work on a thing failed with; never once the worker is over. */
  readonly onProblem: (error: unknown, item: Item | null) => void;
}

/** A worker over a store that other processes take work from as well. */
interface LeasedWorker extends Poller {
  /** The worker has stopped: nothing may be asked of the store any more. */
  isOver(): boolean;
}

/** Looks for work when it is called, and works on what it can claim. */
export function createLeasedWorker<Item>(parts: LeasedWorkerParts<Item>): LeasedWorker {
  const { concurrency, work, look = (takeUp) => takeUp() } = parts;
  const ends = new Set<() => void>();
  const rests = new Set<Promise<void>>();
  let isOver = false;
  const onProblem = (error: unknown, item: Item | null) => {
    if (!isOver) parts.onProblem(error, item);
  };
  const poller = createPoller({ look: () => look(takeUp), onProblem: (error) => onProblem(error, null) });
  const { stopping } = poller;

  async function takeUp(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    try {
      while (!stopping.aborted) {
        const held = underWay.size < concurrency ? await claimHeld(parts) : null;
        if (held !== null) {
          const working = workOn(held).finally(() => underWay.delete(working));
          underWay.add(working);
        } else if (underWay.size > 0) {
          await Promise.race(underWay);
        } else break;
      }
    } finally {
      await Promise.all(underWay);
    }
  }

  async function workOn({ item, hold, end }: Held<Item>): Promise<void> {
    const letGo = () => {
      end();
      ends.delete(end);
    };
    ends.add(end);
    let rest: (() => Promise<void>) | null = null;
    try {
      rest = await work({ item, hold, signal: AbortSignal.any([hold.lost, stopping]) });
    } catch (error) {
      onProblem(error, item);
    }
    if (rest === null) return letGo();
    const resting = rest()
      .catch((error: unknown) => onProblem(error, item))
      .finally(() => {
        letGo();
        rests.delete(resting);
      });
    rests.add(resting);
  }

  return {
    ...poller,
    isOver: () => isOver,
    async stop(patienceMs) {
      const until = performance.now() + patienceMs;
      await poller.stop(patienceMs);
      const over = new AbortController();
      void Promise.all(rests).then(() => over.abort());
      await pause(Math.max(0, until - performance.now()), over.signal);
      isOver = true;
      for (const end of ends) end();
    },
  };
}
