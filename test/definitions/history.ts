import type { Change, FieldContent, FieldValue, Instant, Issue } from '../../src/model/issue.ts';
import type { UnknownTime } from '../../src/model/table.ts';
import { compareIds, idOf, isOneValue, orderedChanges } from './order-of-changes.ts';

/**
 * An issue had one value of a field from `start` to `end` (epoch ms). Of unknown time `isKnown` is false and the value
 * null. The first visit was opened by no change. `beganEarlier`: it was under way when known time begins, so that no one
 * knows when it began. `cameFrom`: what the issue left with this visit, of which nothing else is known.
 */
export interface HistoryVisit {
  readonly value: FieldValue | null;
  readonly isKnown: boolean;
  readonly start: Instant;
  readonly end: Instant;
  readonly isOpen: boolean;
  readonly opened: Change | null;
  readonly beganEarlier: boolean;
  readonly cameFrom: FieldValue | null;
}

/** A window of history; a missing side is open. */
export interface HistoryWindow {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** Working milliseconds between two instants. */
export type WorkingMs = (start: Instant, end: Instant) => number;

/**
 * The visits of one field from the creation to an instant, whole: the issue is created with what its first change says it
 * came from, or, without any change, with what it has now; each change opens a visit of what it says it went to. A change
 * before the creation happened at the creation. None of an issue that did not exist yet.
 */
export function wholeVisits(issue: Issue, field: string, asOf: Instant): readonly HistoryVisit[] {
  if (asOf < issue.created) return [];
  const changes = orderedChanges(issue, field);
  const now = oneValueOf(issue.fields[field] ?? null);
  const known = (start: Instant, end: Instant, some: readonly Change[]): readonly HistoryVisit[] =>
    visitsBetween(start, end, some[0] === undefined ? now : some[0].from, some);
  const gap = unknownSpan(issue);
  if (gap === null) return known(issue.created, asOf, changes);

  // Before the gap only a change there says what the issue had: what it has now may have come later.
  const earlier = changes.filter(({ at }) => at <= gap.from);
  const begins = earlier.length === 0 ? issue.created : gap.from;
  const before = earlier.length === 0 ? [] : known(issue.created, Math.min(gap.from, asOf), earlier);
  if (before.length > 0 && asOf <= gap.from) return before;
  const unknown = {
    ...nothingKnown,
    start: begins,
    end: Math.min(gap.until, asOf),
    isOpen: asOf < gap.until,
  };
  const left = [...before.map((visit) => ({ ...visit, isOpen: false })), unknown];
  if (asOf < gap.until) return left;

  const [first, ...others] = known(
    gap.until,
    asOf,
    changes.filter(({ at }) => at >= gap.until),
  );
  if (first === undefined) return left;
  // A change at the very end of the gap says what the issue came from, but not that it had it for any known time.
  const isLeftAtOnce = first.start === first.end && !first.isOpen;
  const after = isLeftAtOnce
    ? others.map((visit, i) => (i === 0 ? { ...visit, cameFrom: first.value } : visit))
    : [{ ...first, beganEarlier: true }, ...others];
  return [...left, ...after];
}

const nothingKnown = {
  value: null,
  isKnown: false,
  opened: null,
  beganEarlier: true,
  cameFrom: null,
} as const;

/** The time of an issue of which nothing is known; null of a whole history, and where it ended before the creation. */
function unknownSpan({ history, created }: Issue): { from: Instant; until: Instant } | null {
  if (history.complete) return null;
  const from = Math.max(history.unknownFrom ?? created, created);
  const until = history.unknownUntil ?? Number.POSITIVE_INFINITY;
  // From the creation on there is no change before it.
  return until <= from ? null : { from: from === created ? Number.NEGATIVE_INFINITY : from, until };
}

/** Visits from a start with some value on, one more with each change that had happened by the end. */
function visitsBetween(
  start: Instant,
  end: Instant,
  value: FieldValue | null,
  changes: readonly Change[],
): readonly HistoryVisit[] {
  const happened = changes.filter(({ at }) => at <= end);
  const entries = [
    { at: start, value, opened: null },
    ...happened.map((change) => ({ at: Math.max(change.at, start), value: change.to, opened: change })),
  ];
  return entries.map((entry, i) => ({
    ...{ value: entry.value, opened: entry.opened, isKnown: true, beganEarlier: false, cameFrom: null },
    ...{ start: entry.at, end: entries[i + 1]?.at ?? end, isOpen: i === entries.length - 1 },
  }));
}

/**
 * Visits as if the issue had been created at the start of a window with what it had then, and had gone at its end. The
 * window holds its first instant and not its last. (docs/metrics.md.)
 */
export function trimmed(visits: readonly HistoryVisit[], window: HistoryWindow): readonly HistoryVisit[] {
  const from = window.from ?? Number.NEGATIVE_INFINITY;
  const to = window.to ?? Number.POSITIVE_INFINITY;
  return visits
    .filter((visit) => {
      const earliest = Math.max(visit.start, from);
      return earliest < to && holds(visit, earliest);
    })
    .map((visit) => ({
      ...visit,
      start: Math.max(visit.start, from),
      end: Math.min(visit.end, to),
      isOpen: visit.isOpen && visit.end < to,
      opened: visit.start < from ? null : visit.opened,
      // What it had when the window starts, it has from then on.
      beganEarlier: visit.beganEarlier && !(visit.isKnown && visit.start <= from),
    }));
}

/** Whether an instant belongs to a visit: its first one does, its last one only where it is open or the only one. */
export function holds({ start, end, isOpen }: HistoryVisit, at: Instant): boolean {
  return start <= at && (at < end || (at === end && (isOpen || start === end)));
}

/** The known visits of a value, in order. */
export function visitsTo(visits: readonly HistoryVisit[], id: string): readonly HistoryVisit[] {
  return visits.filter(({ value }) => value?.id === id);
}

/** The visit an issue is in; null where that is unknown, and where the window ended before. */
export function lastOpen(visits: readonly HistoryVisit[]): HistoryVisit | null {
  const last = visits.at(-1);
  return last?.isOpen && last.isKnown ? last : null;
}

/** The instant at which a visit began; null where it is unknown. */
export function beginOf(visit: HistoryVisit): Instant | null {
  return visit.beganEarlier ? null : visit.start;
}

/** The time in which one of several fields is unknown; null where all is known. */
export function unknownTime(
  fields: readonly (readonly HistoryVisit[])[],
  between: WorkingMs,
): UnknownTime | null {
  const unknown = fields.flat().filter(({ isKnown }) => !isKnown);
  if (unknown.length === 0) return null;
  const from = Math.min(...unknown.map(({ start }) => start));
  const until = Math.max(...unknown.map(({ end }) => end));
  return { from, until, ms: between(from, until) };
}

/**
 * The number of changes that say that they came from something else than the issue had, and one more where the tracker shows
 * something else now than the last change says. A step over unknown time contradicts nothing.
 */
export function contradictionsOf(issue: Issue, field: string, asOf: Instant): number {
  const visits = wholeVisits(issue, field, asOf);
  const steps = visits.filter(({ opened }, i) => {
    const before = visits[i - 1];
    return opened !== null && before?.isKnown && idOf(opened.from) !== idOf(before.value);
  });
  const [last, now] = [visits.at(-1), issue.fields[field]];
  const isOtherNow =
    asOf >= issue.updated && last?.isKnown && isOneValue(now) && idOf(now) !== idOf(last.value);
  return steps.length + Number(isOtherNow === true);
}

/** The value of a field at an instant: after the last update the one that the tracker shows, whatever its history says. */
export function valueAt(issue: Issue, field: string, asOf: Instant): FieldValue | null {
  const now = issue.fields[field];
  if (asOf >= issue.updated && now !== undefined) return oneValueOf(now);
  return wholeVisits(issue, field, asOf).at(-1)?.value ?? null;
}

/** A content as one value: a text or number is its own id, several values are one with their ids in order. */
function oneValueOf(content: FieldContent): FieldValue | null {
  if (content === null || content === '') return null;
  if (typeof content !== 'object') return { id: String(content), name: String(content) };
  if (!Array.isArray(content)) return content as FieldValue;
  if (content.length === 0) return null;
  const sorted = [...(content as readonly FieldValue[])].sort((a, b) => compareIds(a.id, b.id));
  return { id: sorted.map(({ id }) => id).join(', '), name: sorted.map(({ name }) => name).join(', ') };
}
