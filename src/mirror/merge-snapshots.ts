import type { Change, History, Instant, Issue } from '../model/issue.ts';

/**
 * The issue as two snapshots of it tell it together. Fields come from the fresher one (the incoming one when both
 * are equally fresh and equally whole), and so does a whole history. Changelog entries are never taken back by a
 * tracker, so where the fresher one has lost entries that the other still has, they are kept and the unknown time
 * shrinks by what the other knows; what then remains unknown counts as one stretch, whatever is known within it.
 */
export function mergeSnapshots(stored: Issue, incoming: Issue): Issue {
  const storedWins =
    stored.updated > incoming.updated ||
    (stored.updated === incoming.updated && stored.history.complete && !incoming.history.complete);
  const [fresh, old] = storedWins ? [stored, incoming] : [incoming, stored];
  // A key that was given anew belongs to another issue.
  if (fresh.history.complete || fresh.created !== old.created) return fresh;
  return { ...fresh, changes: union(fresh, old), history: withKnown(fresh, knownTime(old, fresh.updated)) };
}

/** Where the fresher snapshot knows everything, only its own word counts for changes without an entry id. */
function union(fresh: Issue, old: Issue): Change[] {
  const known = new Set(fresh.changes.map(identity));
  const added = old.changes.filter(
    (change) => !known.has(identity(change)) && (change.entry !== '' || isUnknown(fresh.history, change.at)),
  );
  return [...fresh.changes, ...added];
}

function identity({ entry, item, at, field, from, to }: Change): string {
  return JSON.stringify(entry === '' ? [at, field, from?.id, to?.id] : [entry, item]);
}

function isUnknown(history: History, at: Instant): boolean {
  if (history.complete) return false;
  const { unknownFrom, unknownUntil } = history;
  return (unknownFrom === null || at > unknownFrom) && (unknownUntil === null || at < unknownUntil);
}

interface Stretch {
  readonly start: Instant;
  readonly end: Instant;
}

/** What a snapshot knows, up to the present if nothing has happened since. */
function knownTime({ created, updated, history }: Issue, present: Instant): Stretch[] {
  const end = updated >= present ? Number.POSITIVE_INFINITY : updated;
  if (history.complete) return [{ start: created, end }];
  const { unknownFrom, unknownUntil } = history;
  return [
    ...(unknownFrom === null ? [] : [{ start: created, end: unknownFrom }]),
    ...(unknownUntil === null ? [] : [{ start: unknownUntil, end }]),
  ].filter(({ start, end }) => start <= end);
}

function withKnown({ history, created }: Issue, known: readonly Stretch[]): History {
  if (history.complete) return history;
  let from = history.unknownFrom ?? created;
  let until = history.unknownUntil ?? Number.POSITIVE_INFINITY;
  for (const { start, end } of known) {
    if (start <= from && end > from) from = end;
    if (end >= until && start < until) until = start;
  }
  if (from >= until) return { complete: true };
  return {
    ...history,
    unknownFrom: from === created ? history.unknownFrom : from,
    unknownUntil: until === Number.POSITIVE_INFINITY ? null : until,
  };
}
