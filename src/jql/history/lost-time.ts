import type { Instant, Issue } from '../../model/issue.ts';
import type { Window } from './window.ts';

/** When changes of an issue may be missing up to now; null where none can be. */
export function lostTime({ history, created }: Issue, now: Instant): Window | null {
  if (history.complete) return null;
  const from = Math.max(history.unknownFrom ?? created, created);
  const until = Math.min(history.unknownUntil ?? now + 1, now + 1);
  return from < until ? { from, until } : null;
}
