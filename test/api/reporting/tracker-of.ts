import type { Issue } from '../../../src/model/issue.ts';
import type { Tracker, TrackerEntry } from '../../../src/trackers/tracker.ts';

/** A tracker of these issues, as they are when it is read, with other entries before them. */
export function trackerOf(issues: Iterable<Issue>, ...before: readonly TrackerEntry[]): Tracker {
  return {
    name: 'sample',
    async *entries() {
      yield* before;
      for (const issue of issues) yield { kind: 'issue', issue };
    },
  };
}
