import { setTimeout as pause } from 'node:timers/promises';
import { singleFlight } from '../cache/namespace.ts';
import type { Instant } from '../model/issue.ts';

/** The most (ms) that a clock may be off; leases last at least four times as long. */
const MAX_OFFSET_MS = 2_000;

/** The time (ms) for which a store that could be written counts as one that can be. */
const GOOD_FOR_MS = 5_000;

/** The time (ms) that the store may take; balancers wait not much longer. */
const TIMEOUT_MS = 2_000;

interface ReadinessParts {
  readonly now: () => Instant;
  /** Returns by how much (ms) the store's clock is ahead of this machine's. */
  readonly aheadMs: () => number;
  /** Writes to the store; returns what is lacking for that, null where nothing is. */
  readonly probe: () => Promise<string | null>;
  /** Resolves after a number of ms, and keeps no process from ending. */
  readonly wait?: (ms: number) => Promise<void>;
}

/**
 * Creates the readiness of a process. Everyone may request it, and balancers check each process often, so that the
 * store is written once in five seconds at most, and an answer takes two seconds at most.
 */
export function createReadiness({
  now,
  aheadMs,
  probe,
  wait = (ms) => pause(ms, undefined, { ref: false }),
}: ReadinessParts) {
  const probes = singleFlight<string | null>();
  let goodAt: Instant | null = null;

  async function probed(): Promise<string | null> {
    const lacking = await probe();
    goodAt = lacking === null ? now() : null;
    return lacking;
  }

  return {
    /** Returns what the process waits for before it can take requests; null where it can. */
    async waitingFor(): Promise<string | null> {
      const problem = clockProblem(aheadMs());
      if (problem !== null) return problem;
      if (goodAt !== null && Math.abs(now() - goodAt) < GOOD_FOR_MS) return null;
      return Promise.race([
        probes.run('', probed),
        wait(TIMEOUT_MS).then(() => 'the store, which does not answer in time'),
      ]);
    },
  };
}

/** Returns what a clock that is off by more than leases allow for waits for; null where it is right. */
export function clockProblem(aheadMs: number): string | null {
  if (Math.abs(aheadMs) <= MAX_OFFSET_MS) return null;
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  const side = aheadMs > 0 ? 'behind' : 'ahead of';
  return `the right time: this machine is ${seconds} s ${side} the database. Try: a time service such as chrony`;
}
