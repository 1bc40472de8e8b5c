import type { StatusCategory } from '../../model/issue.ts';
import type { BetweenMetric } from '../../model/request.ts';
import type { MetStatus } from './met-statuses.ts';

const toLast = 'to the last visit before the finish';
const ofLast = 'the last visit before the finish';

/** The names of the clocks whose times add up to a cycle time. */
export const cycleParts: readonly string[] = [toLast, ofLast];

/**
 * The cycle time in two parts: up to the last visit of a status that is not Done, and that visit. A clock that stops at
 * the last visit of a Done status would run on while an issue is moved from one Done status to another. Null where
 * nothing was ever in progress, or nothing is done.
 */
export function cycleMetrics(met: readonly MetStatus[]): readonly BetweenMetric[] | null {
  const idsOf = (fits: (category: StatusCategory) => boolean) =>
    met.filter(({ category }) => fits(category)).map(({ id }) => id);
  const done = idsOf((category) => category === 'Done');
  const others = idsOf((category) => category !== 'Done');
  const progress = idsOf((category) => category === 'In Progress');
  // Without statuses a clock would run from the creation on.
  if (done.length === 0 || progress.length === 0) return null;
  return [
    {
      name: toLast,
      from: { statuses: progress, visit: 'first' },
      to: { statuses: others, visit: 'last' },
      pausedIn: [],
    },
    {
      name: ofLast,
      from: { statuses: others, visit: 'last' },
      to: { statuses: done, visit: 'first' },
      pausedIn: [],
    },
  ];
}
