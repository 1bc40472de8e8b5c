import type { RowContent } from '../columns/write-row.ts';
import type { Issue } from '../model/issue.ts';
import { timeline } from './timeline.ts';

/** Far beyond any change, and yet an instant. */
const EVER = 8.64e15;

/**
 * An issue as columns hold it: its statuses and assignees from its creation on, as of any time after its last change. Of
 * a whole history the visits as of an earlier instant are those that had begun by then.
 */
export function rowContent(issue: Issue): RowContent {
  return {
    issue,
    statuses: timeline(issue, 'status', EVER).visits,
    assignees: timeline(issue, 'assignee', EVER).visits,
  };
}
