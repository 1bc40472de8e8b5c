import { millisecondsInDay, millisecondsInHour, millisecondsInWeek } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Sprint } from './sprints.ts';
import type { Gate } from './workflow.ts';

/** The first appointment of this kind at or after an instant; without a gate the instant itself. */
export function passGate(gate: Gate | undefined, at: Instant, sprints: readonly Sprint[]): Instant {
  switch (gate) {
    case 'sprint':
      return sprints.find((sprint) => sprint.start >= at)?.start ?? Infinity;
    case 'release':
      // The first day of the epoch was a Thursday, and Thursday is the day of releases.
      return nextInRhythm(at, millisecondsInWeek, 13 * millisecondsInHour);
    case 'night':
      return nextInRhythm(at, millisecondsInDay, 1.7 * millisecondsInHour);
    case undefined:
      return at;
  }
}

function nextInRhythm(at: Instant, every: number, offset: number): Instant {
  return Math.ceil((at - offset) / every) * every + offset;
}
