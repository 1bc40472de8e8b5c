import type { Change, History, Instant, Issue } from '../model/issue.ts';

/**
 * The issue as two snapshots of it tell it together. Fields come from the fresher one (the incoming one when both
 * are equally fresh and equally whole). Changelog entries are never taken back by a tracker, so where the fresher
 * one has lost entries that the other still has, they are kept and the unknown time shrinks accordingly.
 */
export function mergeSnapshots(stored: Issue, incoming: Issue): Issue {
  const storedWins =
    stored.updated > incoming.updated ||
    (stored.updated === incoming.updated && stored.history.complete && !incoming.history.complete);
  const [fresh, old] = storedWins ? [stored, incoming] : [incoming, stored];
  if (fresh.history.complete || !old.history.complete) return fresh;
  const kept = union(fresh.changes, old.changes);
  return kept === null
    ? fresh
    : { ...fresh, changes: kept, history: knownUntil(old.updated, fresh.history, fresh.created) };
}

/** Without entry ids there is no telling which entries are the same. */
function union(fresh: readonly Change[], old: readonly Change[]): Change[] | null {
  const all = [...fresh, ...old];
  if (all.some((change) => change.entry === '')) return null;
  return [...new Map(all.map((change) => [`${change.entry}:${change.item}`, change])).values()];
}

function knownUntil(known: Instant, history: History, created: Instant): History {
  if (history.complete) return history;
  const until = history.unknownUntil;
  if (until !== null && until <= known) return { complete: true };
  return { ...history, unknownFrom: Math.max(history.unknownFrom ?? created, known) };
}
