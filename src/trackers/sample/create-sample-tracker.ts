import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Tracker } from '../tracker.ts';
import { generateSample } from './generate-sample.ts';
import { statuses, users } from './seed-data.ts';

const DEFAULT_SEED = 7;

/** A tracker that invents its company anew at every call of `entries`; `now` tells which day it is. */
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
      const { directory, issues } = generateSample({ seed, today });
      yield { kind: 'statuses', statuses, list: 'sample' };
      yield { kind: 'users', users };
      yield { kind: 'directory', part: directory };
      for (const issue of issues) yield { kind: 'issue', issue };
    },
  };
}
