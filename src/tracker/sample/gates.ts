import type { Instant } from '../../model/issue.ts';
import { DAY } from './office-hours.ts';
import type { Sprint } from './sprints.ts';
import type { Gate } from './workflow.ts';

const HOUR = 3_600_000;
const WEEK = 7 * DAY;

/** The first appointment of this kind at or after an instant; without a gate the instant itself. */
export function passGate(gate: Gate | undefined, at: Instant, sprints: readonly Sprint[]): Instant {
  switch (gate) {
    case 'sprint':
      return sprints.find((sprint) => sprint.start >= at)?.start ?? Infinity;
    case 'release':
      // The first day of the epoch was a Thursday, and Thursday is the day of releases.
      return nextInRhythm(at, WEEK, 13 * HOUR);
    case 'night':
      return nextInRhythm(at, DAY, 1.7 * HOUR);
    case undefined:
      return at;
  }
}

function nextInRhythm(at: Instant, every: number, offset: number): Instant {
  return Math.ceil((at - offset) / every) * every + offset;
}
