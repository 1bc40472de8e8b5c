import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';

/** The most that a clock may advance between two checks. */
const JUMP_MS = 10 * millisecondsInMinute;
/** After a jump ahead that lasted longer, what was done meanwhile was done in earnest. */
const GLITCH_MS = millisecondsInHour;

/** A sane time; what was written for times after `wrongAfter` was written by a clock that was wrong. */
interface SaneClock {
  readonly wrongAfter: Instant | null;
}

/**
 * The clock sanity check of work whose mistakes cannot be taken back, such as posting what is due. Null: the time is not
 * to be used yet. A time that the clock jumped to, ahead or back, and the first one after a start are used when the next
 * look confirms them: a clock that is wrong for a moment does no harm then.
 */
export function createClockCheck(): (at: Instant) => SaneClock | null {
  let seenAt: Instant | null = null;
  let saneAt: Instant | null = null;
  /** The last sane time before the clock went ahead. */
  let beforeJump: Instant | null = null;
  return (at) => {
    const before = seenAt;
    seenAt = at;
    if (before === null || at < before || at - before > JUMP_MS) return null;
    const last = saneAt;
    saneAt = at;
    if (last === null) return { wrongAfter: null };
    if (at - last > JUMP_MS) beforeJump = last;
    if (at >= last) return { wrongAfter: null };
    const wasGlitch = beforeJump !== null && at >= beforeJump && at - beforeJump <= GLITCH_MS;
    return { wrongAfter: wasGlitch ? beforeJump : at };
  };
}

/** Returns true where work that is repeated at an interval (ms) is due; after a clock that was set back it is. */
export function isDue(now: Instant, last: Instant | null, everyMs: number): boolean {
  return last === null || now - last >= everyMs || now < last;
}

/** Offsets below this (ms) count as none: they may come from the measuring, and leases do not depend on so little. */
const MIN_OFFSET_MS = 100;

/** The clock of the store that several processes share, as far as this process knows it. */
interface StoreClock {
  /** Returns the store's time, by which every process judges leases alike. */
  now(): Instant;
  /** Measures again how far the store's clock is ahead of this machine's. */
  measure(): Promise<void>;
  /** Returns by how much (ms) that was when it was measured last; negative: it is behind. */
  aheadMs(): number;
}

/** Creates the clock of a store from the machine's; `offset` measures how far (ms) that of the store is ahead of it. */
export function createStoreClock(
  now: () => Instant,
  offset: (now: () => Instant) => Promise<number>,
): StoreClock {
  let aheadMs = 0;
  return {
    now: () => now() + (Math.abs(aheadMs) < MIN_OFFSET_MS ? 0 : aheadMs),
    async measure() {
      aheadMs = Math.round(await offset(now));
    },
    aheadMs: () => aheadMs,
  };
}
