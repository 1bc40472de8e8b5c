import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';

/** What a clock may go on by between two looks at it. */
const JUMP_MS = 10 * millisecondsInMinute;
/** After a jump ahead that lasted longer, what was done meanwhile was done in earnest. */
const GLITCH_MS = millisecondsInHour;

/** Time that may be believed; what was written for times after `wrongAfter` was written by a clock that was wrong. */
export interface Believed {
  readonly wrongAfter: Instant | null;
}

/**
 * Believes a clock that is seen again and again; null: it may not be believed yet. A time that it jumped to, ahead or
 * back, and the first one after a start are believed when the next look confirms them: a clock that is wrong for a
 * moment does no harm then.
 */
export function createClockTrust(): (at: Instant) => Believed | null {
  let seenAt: Instant | null = null;
  let believedAt: Instant | null = null;
  /** The last time that was believed before the clock went ahead. */
  let soundAt: Instant | null = null;
  return (at) => {
    const before = seenAt;
    seenAt = at;
    if (before === null || at < before || at - before > JUMP_MS) return null;
    const last = believedAt;
    believedAt = at;
    if (last === null) return { wrongAfter: null };
    if (at - last > JUMP_MS) soundAt = last;
    if (at >= last) return { wrongAfter: null };
    const wasGlitch = soundAt !== null && at >= soundAt && at - soundAt <= GLITCH_MS;
    return { wrongAfter: wasGlitch ? soundAt : at };
  };
}
