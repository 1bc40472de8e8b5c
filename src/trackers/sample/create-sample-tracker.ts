import { memo } from '../../cache/memo.ts';
import type { Instant } from '../../model/issue.ts';
import { dayOf } from '../../time/wall-clock.ts';
import type { Tracker } from '../tracker.ts';
import { generateSample } from './generate-sample.ts';
import { company } from './seed-data.ts';

/** Of a few days, because a test or a bench may go from one to the other. */
const sampleOf = memo((key: string) => {
  const [seed = 0, today = 0] = key.split(' ').map(Number);
  return generateSample({ seed, today });
}, 4);

/** A tracker whose company is made up for the day of `now`, the same whenever it is asked on that day. */
export function createSampleTracker(options: {
  readonly seed?: number;
  readonly now: () => Instant;
}): Tracker {
  return {
    name: 'sample',
    async *entries() {
      const { directory, issues } = sampleOf(`${options.seed ?? 7} ${dayOf(options.now())}`);
      yield { kind: 'statuses', statuses: company.statuses, list: 'sample' };
      yield { kind: 'users', users: company.users };
      yield { kind: 'directory', part: directory };
      for (const issue of issues) yield { kind: 'issue', issue };
    },
  };
}
