import { contentOf } from './content-of.ts';
import type { Instant, Issue } from './issue.ts';

/**
 * When the tracker itself says that an issue was updated last; null where it does not. `updated` of the issue is no
 * earlier than its last change, which tells how fresh a snapshot is: a workflow migration changes statuses and leaves
 * the tracker's word alone.
 */
export function ownUpdate(issue: Pick<Issue, 'fields'>): Instant | null {
  const content = contentOf(issue, 'updated');
  return typeof content === 'number' ? content : null;
}
