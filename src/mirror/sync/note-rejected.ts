import { millisecondsInHour } from 'date-fns/constants';
import type { History, Instant, Issue } from '../../model/issue.ts';
import type { RejectedIssue } from '../../store/sync-store.ts';
import type { Work } from './work.ts';

/** Whoever puts an issue right sees it here soon; what stays wrong costs little. */
const PAUSES = { firstMs: 60_000, longestMs: millisecondsInHour };

/**
 * Notes issues that could not be taken, so that they are tried again. Where an older version of one is kept, it says
 * from then on that it does not know what has happened since.
 */
export async function noteRejected(work: Work, issues: readonly RejectedIssue[]): Promise<void> {
  if (issues.length === 0) return;
  await work.store.noteRejected(issues, work.now(), PAUSES);
  const kept = await work.store.kept(issues.map(({ id }) => id));
  for (const { id, updated, reason } of issues) {
    const facts = kept.get(id);
    const isOlder = facts?.updated === null || updated === null || (facts?.updated ?? 0) < updated;
    const issue = facts === undefined || !isOlder ? null : await work.issues.issue(facts.key);
    if (issue?.id !== id) continue;
    await work.issues.putIssues([issue], (before) => (before.id === id ? doubted(before, reason) : before));
  }
}

function doubted(issue: Issue, reason: string): Issue {
  const { fields, updated, history } = issue;
  const rightUntil = typeof fields.updated === 'number' ? fields.updated : updated;
  return {
    ...issue,
    history: {
      complete: false,
      unknownFrom: knownUntil(history, rightUntil),
      unknownUntil: null,
      reason: `Jira's newer version of this issue cannot be read: ${reason}`,
    },
  };
}

function knownUntil(history: History, rightUntil: Instant): Instant | null {
  if (history.complete) return rightUntil;
  return history.unknownFrom === null ? null : Math.min(history.unknownFrom, rightUntil);
}
