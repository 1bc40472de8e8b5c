import type { Change, FieldContent, FieldValue, Instant, Issue } from '../model/issue.ts';
import { identity, orderChanges } from './order-changes.ts';

/**
 * An issue had one value of a field from `start` until `end`. `open`: it still has it at the asked instant.
 * `known: false` is time the cut history says nothing about (`value` is null then). `by` made the change that
 * opened the visit; null for the first visit and where the tracker does not tell.
 */
export interface Visit {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly start: Instant;
  readonly end: Instant;
  readonly open: boolean;
  readonly by: string | null;
}

/** All visits of one field in order, and how many changes contradict the state before them. */
export interface Timeline {
  readonly visits: readonly Visit[];
  readonly contradictions: number;
}

/**
 * Changes → visits, as the world was at `asked`. The visits tile [created, asked] without gap or overlap, so
 * their lengths add up to `asked − created` exactly. Empty when the issue did not exist yet.
 *
 * The rules, each with a test:
 * - The first visit starts at creation with what the first change says it came from; without any change it has
 *   the field's current value.
 * - A visit opens whatever its change says it came from; where that contradicts the state before, it is counted.
 * - A change before the creation happened at the creation: the visits it closes last 0 ms.
 * - A 0 ms visit is a visit. A change at the asked instant has happened.
 */
export function timeline(issue: Issue, field: string, asked: Instant): Timeline {
  if (asked < issue.created) return { visits: [], contradictions: 0 };
  const changes = orderChanges(issue.changes.filter((change) => change.field === field));
  const happened = changes.filter((change) => change.at <= asked);
  const first = changes[0];
  const visits = tile(issue.created, asked, first ? first.from : currentValue(issue, field), happened);
  return { visits: hideUnknown(visits, issue, asked), contradictions: countContradictions(happened, issue) };
}

function tile(
  created: Instant,
  asked: Instant,
  initial: FieldValue | null,
  changes: readonly Change[],
): Visit[] {
  const visits: Visit[] = [];
  let value = initial;
  let start = created;
  let by: string | null = null;
  for (const change of changes) {
    const at = Math.max(change.at, created);
    visits.push({ value, known: true, start, end: at, open: false, by });
    value = change.to;
    start = at;
    by = change.by;
  }
  visits.push({ value, known: true, start, end: asked, open: true, by });
  return visits;
}

/**
 * Replaces what falls into the unknown time of a cut history by one unknown visit. A visit a known change opened
 * stays, even if 0 ms of it are known; the first visit, which no change opened, stays only as far as it reaches
 * out of the unknown time.
 */
function hideUnknown(visits: readonly Visit[], issue: Issue, asked: Instant): Visit[] {
  if (issue.history.complete) return [...visits];
  const from = Math.max(issue.history.unknownFrom ?? issue.created, issue.created);
  const until = Math.min(issue.history.unknownUntil ?? asked, asked);
  if (from >= until) return [...visits];
  const before: Visit[] = [];
  const after: Visit[] = [];
  visits.forEach((visit, index) => {
    const opened = index > 0;
    if (visit.start < from || (opened && visit.start === from)) {
      const cut = visit.end > from;
      before.push({ ...visit, end: Math.min(visit.end, from), open: visit.open && !cut });
    }
    if (visit.end > until || (opened && visit.start >= until)) {
      after.push({ ...visit, start: Math.max(visit.start, until) });
    }
  });
  const unknown = { value: null, known: false, start: from, end: until, open: after.length === 0, by: null };
  return [...before, unknown, ...after];
}

/** A step that follows a stretch of unknown time cannot contradict what nobody knows. */
function countContradictions(changes: readonly Change[], issue: Issue): number {
  let count = 0;
  for (let i = 1; i < changes.length; i += 1) {
    const before = changes[i - 1];
    const change = changes[i];
    if (before === undefined || change === undefined) continue;
    if (identity(before.to) !== identity(change.from) && !spansUnknown(issue, before.at, change.at))
      count += 1;
  }
  return count;
}

function spansUnknown(issue: Issue, from: Instant, until: Instant): boolean {
  if (issue.history.complete) return false;
  const { unknownFrom, unknownUntil } = issue.history;
  return (
    (unknownFrom ?? Number.NEGATIVE_INFINITY) < until && (unknownUntil ?? Number.POSITIVE_INFINITY) > from
  );
}

/** The field's content now as one value; several values are one value that reads as a list. */
export function currentValue(issue: Issue, field: string): FieldValue | null {
  return asValue(issue.fields[field] ?? null);
}

function asValue(content: FieldContent): FieldValue | null {
  if (content === null || content === '') return null;
  if (typeof content === 'string' || typeof content === 'number') {
    return { id: String(content), name: String(content) };
  }
  if (!('length' in content)) return content;
  if (content.length === 0) return null;
  return {
    id: content.map((one) => one.id).join(', '),
    name: content.map((one) => one.name).join(', '),
  };
}
