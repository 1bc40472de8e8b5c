import type { Instant, Issue } from '../../model/issue.ts';
import { mergeSnapshots } from '../merge-snapshots.ts';

/**
 * What is kept of an issue that the tracker tells anew. Answers may overtake each other, so a later update stays, and a
 * whole history stays beside a cut one of the same update. A key that another issue has now is that issue's. `isLast`:
 * nothing has overtaken what is told, so an older update is true now.
 */
export function preferNewer(kept: Issue, told: Issue, isLast = false): Issue {
  if (kept.id !== undefined && kept.id !== told.id) return told;
  const [before, after] = [updatedOf(kept), updatedOf(told)];
  if (before > after) return isLast ? told : kept;
  if (told.history.complete) return told;
  if (before !== after || !kept.history.complete) return mergeSnapshots(kept, told);
  const beside = { ...told, updated: kept.updated, changes: kept.changes };
  const isSame = kept.status.id === told.status.id && kept.assignee?.id === told.assignee?.id;
  if (isSame) return { ...beside, history: kept.history };
  // Something has happened without an update, and a step of it is missing.
  const { reason } = told.history;
  return {
    ...beside,
    history: { complete: false, unknownFrom: kept.updated, unknownUntil: null, reason },
  };
}

function updatedOf({ fields, updated }: Issue): Instant {
  return typeof fields.updated === 'number' ? fields.updated : updated;
}
