import { type Change, type History, type Instant, type Issue, RESTRICTION } from '../model/issue.ts';

/**
 * Fields that decide who may see an issue: an export without them must not open or close it. Any other missing field is
 * unknown as of the fresher snapshot, and an old content would pass for today's.
 */
const ACCESS_FIELDS = ['security', RESTRICTION, 'reporter'] as const;

/**
 * Merges two snapshots of an issue. Fields come from the fresher one (the incoming one when both
 * are equally fresh and equally whole), and so does a whole history; only fields that decide on access and that it
 * does not have stay as the other one has them. Changelog entries are never taken back by a tracker, so where the
 * fresher one has lost entries that the other still has, these stay, and the unknown time shrinks by the time that the
 * other knows; the rest of it counts as one stretch, whatever is known within it.
 */
export function mergeSnapshots(stored: Issue, incoming: Issue): Issue {
  const storedWins =
    stored.updated > incoming.updated ||
    (stored.updated === incoming.updated && stored.history.complete && !incoming.history.complete);
  const [fresh, old] = storedWins ? [stored, incoming] : [incoming, stored];
  // A key that was given again belongs to another issue.
  if (fresh.created !== old.created || (fresh.id ?? old.id) !== (old.id ?? fresh.id)) return fresh;
  const issue = withAccessFields(old.id === undefined ? fresh : { id: old.id, ...fresh }, old);
  if (fresh.history.complete) return issue;
  return { ...issue, changes: union(fresh, old), history: withKnown(fresh, knownTime(old, fresh.updated)) };
}

/** Null is a content like any other, but for roles that 0.6.0 did not read: another snapshot of the same update has them. */
function withAccessFields(fresh: Issue, old: Issue): Issue {
  const isUnread = (id: string) =>
    id === RESTRICTION && fresh.fields[id] === null && fresh.updated === old.updated;
  const added = ACCESS_FIELDS.filter(
    (id) => (!Object.hasOwn(fresh.fields, id) || isUnread(id)) && Object.hasOwn(old.fields, id),
  );
  if (added.length === 0) return fresh;
  const contents = added.map((id) => [id, old.fields[id] ?? null] as const);
  return { ...fresh, fields: { ...fresh.fields, ...Object.fromEntries(contents) } };
}

/** The changes of both; in the time that the fresher one knows, only its own changes count among those without an entry id. */
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

/** The time that a snapshot knows, up to the present if the issue has not changed since. */
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

/**
 * Chooses between the stored version of an issue and one that comes from the tracker. Answers may overtake each other, so a
 * later update stays, and a whole history stays beside a cut one of the same update. A key that another issue has now is
 * that issue's. `isLast`: no answer has overtaken the incoming one, so that an older update is true now.
 */
export function preferNewer(stored: Issue, incoming: Issue, isLast = false): Issue {
  if (stored.id !== undefined && stored.id !== incoming.id) return incoming;
  const [before, after] = [updatedOf(stored), updatedOf(incoming)];
  if (before > after) return isLast ? incoming : stored;
  if (incoming.history.complete) return incoming;
  if (before !== after || !stored.history.complete) return mergeSnapshots(stored, incoming);
  const beside = { ...incoming, updated: stored.updated, changes: stored.changes };
  const isSame = stored.status.id === incoming.status.id && stored.assignee?.id === incoming.assignee?.id;
  if (isSame) return { ...beside, history: stored.history };
  // The issue has changed without an update, and a change is missing.
  const { reason, unknownUntil } = incoming.history;
  // The incoming history has its own unknown time.
  if (unknownUntil !== null && unknownUntil > stored.updated) return incoming;
  const history = { complete: false, unknownFrom: stored.updated, unknownUntil: null, reason } as const;
  return { ...beside, history };
}

/** The tracker's own time of the last update, else the last change. */
export function updatedOf({ fields, updated }: Issue): Instant {
  return typeof fields.updated === 'number' ? fields.updated : updated;
}
