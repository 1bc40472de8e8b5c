import { changesOf } from '../issues/issue-fields.ts';
import type { Instant, Issue } from '../model/issue.ts';
import { timeline } from './timeline.ts';

/**
 * When an issue had been resolved as it stood at an instant; null where it was not, or where nobody can tell. Trackers
 * tell the last resolution only; one that was taken back is found in the history of the field `resolution`.
 */
export function resolvedBy(issue: Issue, asOf: Instant): Instant | null {
  const { resolved, updated } = issue;
  const told = resolved !== null && resolved <= asOf ? resolved : null;
  if (asOf >= updated || changesOf(issue, 'resolution').length === 0) return told;
  let since: Instant | null = null;
  let certain = true;
  for (const { known, value, begun, start } of timeline(issue, 'resolution', asOf).visits) {
    if (known && value !== null && since !== null) continue;
    certain = known && (value === null || begun);
    since = certain && value !== null ? start : null;
  }
  return certain ? since : told;
}
