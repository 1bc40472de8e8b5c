import type { Instant } from '../model/issue.ts';
import type { LookUp } from './look-up.ts';
import type { Interval } from './shifts-between.ts';

/**
 * Counts the working cells before each cell; `from`, `until` and the intervals begin and end with cells. A cell is work
 * as a whole or not at all, so within it time passes like the clock or stands still: two reads and no search.
 */
export function gridLookUp(
  intervals: readonly Interval[],
  from: Instant,
  until: Instant,
  cellMs: number,
): LookUp {
  const cells = (until - from) / cellMs;
  // One more than boundaries, so that the end itself has a cell to lie in.
  const before = new Uint32Array(cells + 2);
  let at = 0;
  let worked = 0;
  for (const { start, end } of intervals) {
    const [first, last] = [(start - from) / cellMs, (end - from) / cellMs];
    before.fill(worked, at, first + 1);
    for (let cell = first; cell < last; cell += 1) {
      worked += 1;
      before[cell + 1] = worked;
    }
    at = last + 1;
  }
  before.fill(worked, at);
  return (instant) => {
    const passed = instant - from;
    const cell = Math.floor(passed / cellMs);
    const done = before[cell] ?? 0;
    const working = (before[cell + 1] ?? 0) - done;
    return done * cellMs + working * (passed - cell * cellMs);
  };
}
