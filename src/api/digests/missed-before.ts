import type { DigestRun } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import { MISSED } from './plan-periods.ts';

/** The periods directly before one that were not caught up, oldest first. `runs` are newest first. */
export function missedBefore(due: Instant, runs: readonly DigestRun[]): readonly Instant[] {
  const before = runs.filter((run) => run.due < due && !isDayOff(run));
  const end = before.findIndex((run) => !isMissed(run));
  return (end < 0 ? before : before.slice(0, end)).map((run) => run.due).toReversed();
}

function isMissed({ state, message }: DigestRun): boolean {
  return state === 'skipped' && message === MISSED;
}

/** Between missed periods there may be some that nobody wanted. */
function isDayOff(run: DigestRun): boolean {
  return run.state === 'skipped' && !isMissed(run);
}
