import type { Change, FieldContent, FieldValue, Instant } from '../../model/issue.ts';
import { changesOf, contentOf, type FieldwiseIssue } from '../../model/issues/issue-fields.ts';
import { joinValues } from '../../model/issues/value-sets.ts';
import { identity, orderChanges } from './order-changes.ts';

/**
 * An issue had one value of a field from `start` until `end`. `open`: it still has it at the asked instant.
 * `known: false` is time the cut history says nothing about (`value` is null then). `begun: false` is a visit that
 * was already under way when known time begins again: `start` is not when it began. `by` made the change that opened
 * the visit; null for the first visit and where the tracker does not tell. `cameFrom`: what the change with which known
 * time begins again says it came from; nothing else is known of that visit.
 */
export interface Visit {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly begun: boolean;
  readonly start: Instant;
  readonly end: Instant;
  readonly open: boolean;
  readonly by: string | null;
  readonly cameFrom?: FieldValue;
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
export function timeline(issue: FieldwiseIssue, field: string, asked: Instant): Timeline {
  if (asked < issue.created) return { visits: [], contradictions: 0 };
  const changes = changesInOrder(issue, field);
  const visits = visitsOfChanges(changes, issue, field, asked);
  const happened = changes.filter((change) => change.at <= asked);
  const contradictions =
    countContradictions(happened, gapOf(issue)) + Number(contradictsNow(visits, issue, field, asked));
  return { visits, contradictions };
}

/** The visits of `timeline` alone, in half the time. */
export function visitsAsOf(issue: FieldwiseIssue, field: string, asked: Instant): readonly Visit[] {
  return asked < issue.created ? [] : visitsOfChanges(changesInOrder(issue, field), issue, field, asked);
}

function changesInOrder(issue: FieldwiseIssue, field: string): readonly Change[] {
  return orderChanges(changesOf(issue, field), () => identityAfterAll(issue, field));
}

function visitsOfChanges(
  changes: readonly Change[],
  issue: FieldwiseIssue,
  field: string,
  asked: Instant,
): Visit[] {
  const gap = gapOf(issue);
  if (gap !== null) return tileAround(gap, changes, { issue, field, asked });
  const happened =
    (changes.at(-1)?.at ?? asked) <= asked ? changes : changes.filter((change) => change.at <= asked);
  return tile(issue.created, asked, valueBefore(changes, issue, field), happened);
}

/** What the issue had before the first of these changes; without any, what it has now. */
function valueBefore(changes: readonly Change[], issue: FieldwiseIssue, field: string): FieldValue | null {
  const [first] = changes;
  return first === undefined ? currentValue(issue, field) : first.from;
}

function tile(start: Instant, end: Instant, initial: FieldValue | null, changes: readonly Change[]): Visit[] {
  const visits: Visit[] = [];
  let value = initial;
  let since = start;
  let by: string | null = null;
  for (const change of changes) {
    const at = Math.max(change.at, start);
    visits.push({ value, known: true, begun: true, start: since, end: at, open: false, by });
    value = change.to;
    since = at;
    by = change.by;
  }
  visits.push({ value, known: true, begun: true, start: since, end, open: true, by });
  return visits;
}

/** What is to be said of a visit to nobody knows what. */
const unknown = { value: null, known: false, begun: false, by: null } as const;

/** Time of which nothing is known; a missing side reaches to the creation, or to whenever asked. */
interface Gap {
  readonly from: Instant | null;
  readonly until: Instant | null;
}

/** The unknown time of a cut history; null when none of the issue's life is unknown. */
function gapOf({ history, created }: FieldwiseIssue): Gap | null {
  if (history.complete) return null;
  const from = history.unknownFrom !== null && history.unknownFrom > created ? history.unknownFrom : null;
  const until = history.unknownUntil;
  return until !== null && until <= (from ?? created) ? null : { from, until };
}

/**
 * The visits around unknown time. What the issue had when the known time begins again is what the next change says it
 * came from, or, without one, what it has now: nothing is carried across the gap. Before the gap a value is known
 * only if a change there tells it; the current value may have come later. A visit a known change opened stays, even
 * if 0 ms of it are known.
 */
function tileAround(
  gap: Gap,
  changes: readonly Change[],
  { issue, field, asked }: { issue: FieldwiseIssue; field: string; asked: Instant },
): Visit[] {
  const { created } = issue;
  const { from, until } = gap;
  const upTo = from === null ? [] : changes.filter((change) => change.at <= from);
  const begins = from !== null && upTo.length > 0 ? from : created;
  const before =
    upTo.length === 0
      ? []
      : tile(
          created,
          Math.min(begins, asked),
          valueBefore(upTo, issue, field),
          upTo.filter((change) => change.at <= asked),
        );
  if (before.length > 0 && asked <= begins) return before;
  const closed = before.map((visit) => ({ ...visit, open: false }));
  if (until === null || asked < until) {
    return [...closed, { ...unknown, start: begins, end: asked, open: true }];
  }
  const since = changes.filter((change) => change.at >= until);
  const [first, ...after] = tile(
    until,
    asked,
    valueBefore(since, issue, field),
    since.filter((change) => change.at <= asked),
  );
  const seen =
    first !== undefined && (first.open || first.end > until)
      ? [{ ...first, begun: false }, ...after]
      : comingFrom(first?.value ?? null, after);
  return [...closed, { ...unknown, start: begins, end: until, open: false }, ...seen];
}

/** The first of the visits with what it came from; nobody knows for how long that had lasted. */
function comingFrom(value: FieldValue | null, [first, ...others]: readonly Visit[]): Visit[] {
  if (first === undefined) return [];
  return [value === null ? first : { ...first, cameFrom: value }, ...others];
}

/** The last change says one thing and the tracker shows another: the step between them is missing. */
function contradictsNow(
  visits: readonly Visit[],
  issue: FieldwiseIssue,
  field: string,
  asked: Instant,
): boolean {
  const last = visits.at(-1);
  const now = identityNow(issue, field);
  if (now === undefined || asked < issue.updated || last === undefined || !last.known) return false;
  return identity(last.value) !== now;
}

/** The identity of what a field holds now; undefined of lists and texts, which changes write otherwise than fields. */
function identityNow(issue: FieldwiseIssue, field: string): string | null | undefined {
  const content = contentOf(issue, field);
  const comparable = content === null || (typeof content === 'object' && !('length' in content));
  return comparable ? identity(content) : undefined;
}

/** The same where no change after the last known one can be missing. */
function identityAfterAll(issue: FieldwiseIssue, field: string): string | null | undefined {
  return issue.history.complete ? identityNow(issue, field) : undefined;
}

/** A step over unknown time cannot contradict what nobody knows. */
function countContradictions(changes: readonly Change[], gap: Gap | null): number {
  return changes.filter((change, i) => {
    const before = changes[i - 1];
    if (before === undefined || identity(before.to) === identity(change.from)) return false;
    return (
      gap === null ||
      change.at <= (gap.from ?? Number.NEGATIVE_INFINITY) ||
      before.at >= (gap.until ?? Number.POSITIVE_INFINITY)
    );
  }).length;
}

/** The field's content now as one value; several values are one value that reads as a list. */
export function currentValue(issue: FieldwiseIssue, field: string): FieldValue | null {
  return asValue(contentOf(issue, field) ?? null);
}

/** A content as one value; several values are one that reads as a list. */
export function asValue(content: FieldContent): FieldValue | null {
  if (content === null || content === '') return null;
  if (typeof content === 'string' || typeof content === 'number') {
    return { id: String(content), name: String(content) };
  }
  return 'length' in content ? joinValues(content) : content;
}

/** A window of history; a missing side is open. */
export interface Trim {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/**
 * Visits as if the issue had been created at the window's start with what it had then, and had gone at its end.
 * The window includes its start and excludes its end; a visit that merely touches it from outside is not in it.
 */
export function trimVisits(visits: readonly Visit[], trim: Trim): Visit[] {
  const from = trim.from ?? Number.NEGATIVE_INFINITY;
  const to = trim.to ?? Number.POSITIVE_INFINITY;
  return visits
    .filter(({ start, end, open }) => {
      // A visit holds its first instant and not its last, unless it is 0 ms long or still open.
      const reaches = end > from || (end === from && (open || start === end));
      return reaches && start < to && from < to;
    })
    .map((visit) => ({
      ...visit,
      start: Math.max(visit.start, from),
      end: Math.min(visit.end, to),
      open: visit.open && visit.end < to,
      // As if created at the window's start: there it begins, whenever it truly began.
      begun: visit.begun || (visit.known && visit.start <= from),
      by: visit.start < from ? null : visit.by,
    }));
}

/** An issue went from one value to another. */
interface Transition {
  readonly from: FieldValue;
  readonly to: FieldValue;
  readonly at: Instant;
}

/** The steps between known visits, in order; nobody knows how an issue came into or out of unknown time. */
export function transitionsOf(visits: readonly Visit[]): Transition[] {
  return visits.flatMap((visit, i) => {
    const before = visits[i - 1];
    if (before === undefined || before.value === null || visit.value === null) return [];
    return [{ from: before.value, to: visit.value, at: visit.start }];
  });
}

/** Something that happened to a status: it was entered, or left; `at` is null where that is unknown. */
export interface StatusEvent {
  readonly value: FieldValue;
  readonly at: Instant | null;
}

/**
 * Every exit from a status: another visit follows. The end of a trim window is no exit. Of a status that was left with
 * the very change with which known time begins again nothing is known but that.
 */
export function exitsFrom(visits: readonly Visit[]): StatusEvent[] {
  return visits.flatMap(({ value, known, end }, i) => {
    const next = visits[i + 1];
    if (next === undefined) return [];
    if (!known) return next.cameFrom === undefined ? [] : [{ value: next.cameFrom, at: end }];
    return value === null ? [] : [{ value, at: next.known ? end : null }];
  });
}

/** The visits of one field that a report speaks about: up to an instant, and within a window. */
export function visitsOf(
  issue: FieldwiseIssue,
  field: string,
  { asOf, trim }: { readonly asOf: Instant; readonly trim: Trim },
): Timeline {
  const whole = timeline(issue, field, asOf);
  return trim.from === null && trim.to === null
    ? whole
    : { ...whole, visits: trimVisits(whole.visits, trim) };
}

/** The visit an issue is in at the as-of instant; null where that is unknown or trimmed away. */
export function openVisit(visits: readonly Visit[]): Visit | null {
  const last = visits.at(-1);
  return last?.open && last.known ? last : null;
}
