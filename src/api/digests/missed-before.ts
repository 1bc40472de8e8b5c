import type { DigestRun } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { DigestPostman } from '../digests.ts';
import { isMissed } from './plan-periods.ts';

/** The periods directly before one that were not posted, oldest first. `runs` are newest first. */
export function missedBefore(
  due: Instant,
  runs: readonly DigestRun[],
  standing: DigestPostman['standing'],
): readonly Instant[] {
  const isGap = (run: DigestRun) => isMissed(run) || (run.state === 'failed' && standing(run) === 'no');
  // Between missed periods there may be some that nobody wanted.
  const before = runs.filter((run) => run.due < due && (run.state !== 'skipped' || isMissed(run)));
  const end = before.findIndex((run) => !isGap(run));
  return (end < 0 ? before : before.slice(0, end)).map((run) => run.due).toReversed();
}
