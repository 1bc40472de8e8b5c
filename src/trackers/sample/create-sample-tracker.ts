import { millisecondsInDay } from 'date-fns/constants';
import { memo } from '../../cache/memo.ts';
import type { Instant } from '../../model/issue.ts';
import type { Tracker } from '../tracker.ts';
import { generateSample } from './generate-sample.ts';
import { statuses, users } from './seed-data.ts';

const DEFAULT_SEED = 7;

/** Of one day it is the same whoever asks; a few days, because a test or a bench may go from one to the other. */
const MOST_DAYS = 4;
const sampleOf = memo((key: string) => {
  const [seed = 0, today = 0] = key.split(' ').map(Number);
  return generateSample({ seed, today });
}, MOST_DAYS);

/** A tracker whose company is made up for the day of `now`, the same whenever it is asked on that day. */
export function createSampleTracker({
  seed = DEFAULT_SEED,
  now,
}: {
  readonly seed?: number;
  readonly now: () => Instant;
}): Tracker {
  return {
    name: 'sample',
    async *entries() {
      const today = Math.floor(now() / millisecondsInDay) * millisecondsInDay;
      const { directory, issues } = sampleOf(`${seed} ${today}`);
      yield { kind: 'statuses', statuses, list: 'sample' };
      yield { kind: 'users', users };
      yield { kind: 'directory', part: directory };
      for (const issue of issues) yield { kind: 'issue', issue };
    },
  };
}
