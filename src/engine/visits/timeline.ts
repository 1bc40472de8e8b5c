import type { Change, FieldContent, FieldValue, Instant } from '../../model/issue.ts';
import { compareIds, compareText } from '../../model/issues/ids-and-names.ts';
import { changesOf, contentOf, type FieldwiseIssue } from '../../model/issues/issue-fields.ts';
import { joinValues } from '../../model/issues/value-sets.ts';

/**
 * An issue had one value of a field from `start` until `end`. `open`: it still has the value at the as-of instant.
 * `known` is false for time that a cut history does not cover; `value` is null then. `begun` is false for a visit that
 * was under way when unknown time ended: `start` is not its beginning. `by` is the author of the change that began the
 * visit; null for the first visit, and if the tracker does not show it. `cameFrom`: the previous value in the first
 * change after unknown time; nothing else is known of that earlier visit.
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

/** All visits of one field in order, and the number of changes that contradict the value before them. */
export interface Timeline {
  readonly visits: readonly Visit[];
  readonly contradictions: number;
}

/**
 * The visits of a field, built from its changes, as of the instant `asOf`. They cover the time from the creation until
 * `asOf` without gap or overlap, so their lengths add up to exactly that. Empty if the issue did not exist yet.
 *
 * The rules, each with a test:
 * - The first visit begins at the creation, with the value that the first change came from; without changes it has the
 *   field's current value.
 * - A visit begins with each change, even if the change contradicts the value before it; contradictions are counted.
 * - A change before the creation counts at the creation: the visits that it ends last 0 ms.
 * - A visit of 0 ms is a visit. A change at `asOf` has happened.
 */
export function timeline(issue: FieldwiseIssue, field: string, asOf: Instant): Timeline {
  if (asOf < issue.created) return { visits: [], contradictions: 0 };
  const changes = changesInOrder(issue, field);
  const visits = visitsOfChanges(changes, issue, field, asOf);
  const happened = changes.filter((change) => change.at <= asOf);
  const contradictions =
    countContradictions(happened, gapOf(issue)) + Number(contradictsNow(visits, issue, field, asOf));
  return { visits, contradictions };
}

/** The visits of `timeline` without the contradictions, in half the time. */
export function visitsAsOf(issue: FieldwiseIssue, field: string, asOf: Instant): readonly Visit[] {
  return asOf < issue.created ? [] : visitsOfChanges(changesInOrder(issue, field), issue, field, asOf);
}

function changesInOrder(issue: FieldwiseIssue, field: string): readonly Change[] {
  return orderChanges(changesOf(issue, field), () => identityAfterAll(issue, field));
}

function visitsOfChanges(
  changes: readonly Change[],
  issue: FieldwiseIssue,
  field: string,
  asOf: Instant,
): Visit[] {
  const gap = gapOf(issue);
  if (gap !== null) return tileAround(gap, changes, { issue, field, asOf });
  const happened =
    (changes.at(-1)?.at ?? asOf) <= asOf ? changes : changes.filter((change) => change.at <= asOf);
  return tile(issue.created, asOf, valueBefore(changes, issue, field), happened);
}

/** The value before the first of these changes; without changes, the current value. */
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

/** The members of a visit in unknown time. */
const unknown = { value: null, known: false, begun: false, by: null } as const;

/** A period of unknown time. `from` null means since the creation, `until` null means until the as-of instant. */
interface Gap {
  readonly from: Instant | null;
  readonly until: Instant | null;
}

/** The unknown time of a cut history; null if the history is complete, or the unknown time precedes the creation. */
function gapOf({ history, created }: FieldwiseIssue): Gap | null {
  if (history.complete) return null;
  const from = history.unknownFrom !== null && history.unknownFrom > created ? history.unknownFrom : null;
  const until = history.unknownUntil;
  return until !== null && until <= (from ?? created) ? null : { from, until };
}

/**
 * The visits around unknown time. The value when unknown time ends is that which the next change came from or, without
 * one, the current value: no value is carried across the gap. Before the gap, a value is known only from a change
 * before it, since the current value may be newer. A visit that begins with a known change remains, even with 0 ms.
 */
function tileAround(
  gap: Gap,
  changes: readonly Change[],
  { issue, field, asOf }: { issue: FieldwiseIssue; field: string; asOf: Instant },
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
          Math.min(begins, asOf),
          valueBefore(upTo, issue, field),
          upTo.filter((change) => change.at <= asOf),
        );
  if (before.length > 0 && asOf <= begins) return before;
  const closed = before.map((visit) => ({ ...visit, open: false }));
  if (until === null || asOf < until) {
    return [...closed, { ...unknown, start: begins, end: asOf, open: true }];
  }
  const since = changes.filter((change) => change.at >= until);
  const [first, ...after] = tile(
    until,
    asOf,
    valueBefore(since, issue, field),
    since.filter((change) => change.at <= asOf),
  );
  const seen =
    first !== undefined && (first.open || first.end > until)
      ? [{ ...first, begun: false }, ...after]
      : comingFrom(first?.value ?? null, after);
  return [...closed, { ...unknown, start: begins, end: until, open: false }, ...seen];
}

/** The visits with the previous value of the first one; the length of the visit with that value is unknown. */
function comingFrom(value: FieldValue | null, [first, ...others]: readonly Visit[]): Visit[] {
  if (first === undefined) return [];
  return [value === null ? first : { ...first, cameFrom: value }, ...others];
}

/** True if the last known value differs from the tracker's current one: a change between them is missing. */
function contradictsNow(
  visits: readonly Visit[],
  issue: FieldwiseIssue,
  field: string,
  asOf: Instant,
): boolean {
  const last = visits.at(-1);
  const now = identityNow(issue, field);
  if (now === undefined || asOf < issue.updated || last === undefined || !last.known) return false;
  return identity(last.value) !== now;
}

/** The identity of a field's current value; undefined for lists and texts, which changes spell differently. */
function identityNow(issue: FieldwiseIssue, field: string): string | null | undefined {
  const content = contentOf(issue, field);
  const comparable = content === null || (typeof content === 'object' && !('length' in content));
  return comparable ? identity(content) : undefined;
}

/** The identity of the value after all changes; undefined if a change after the last known one may be missing. */
function identityAfterAll(issue: FieldwiseIssue, field: string): string | null | undefined {
  return issue.history.complete ? identityNow(issue, field) : undefined;
}

/** Number of changes that contradict the value before them; a change across unknown time does not count. */
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

/** The current content of a field as one value; several values are joined to a list. */
export function currentValue(issue: FieldwiseIssue, field: string): FieldValue | null {
  return asValue(contentOf(issue, field) ?? null);
}

/** A content as one value; several values are joined to a list. */
export function asValue(content: FieldContent): FieldValue | null {
  if (content === null || content === '') return null;
  if (typeof content === 'string' || typeof content === 'number') {
    return { id: String(content), name: String(content) };
  }
  return 'length' in content ? joinValues(content) : content;
}

/** A window of time; null means that the side is open. */
export interface Trim {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/**
 * Trims visits as if the issue was created at the window's start, with the value that it had then, and ended at the
 * window's end. The window includes its start and excludes its end; visits that only touch it are not in it.
 */
export function trimVisits(visits: readonly Visit[], trim: Trim): Visit[] {
  const from = trim.from ?? Number.NEGATIVE_INFINITY;
  const to = trim.to ?? Number.POSITIVE_INFINITY;
  return visits
    .filter(({ start, end, open }) => {
      // A visit includes its start and excludes its end, unless it has a length of 0 ms or is still open.
      const reaches = end > from || (end === from && (open || start === end));
      return reaches && start < to && from < to;
    })
    .map((visit) => ({
      ...visit,
      start: Math.max(visit.start, from),
      end: Math.min(visit.end, to),
      open: visit.open && visit.end < to,
      // A visit that began earlier begins at the window's start.
      begun: visit.begun || (visit.known && visit.start <= from),
      by: visit.start < from ? null : visit.by,
    }));
}

/** A transition from one value to another. */
interface Transition {
  readonly from: FieldValue;
  readonly to: FieldValue;
  readonly at: Instant;
}

/** The transitions between known visits, in order; those into and out of unknown time are unknown. */
export function transitionsOf(visits: readonly Visit[]): Transition[] {
  return visits.flatMap((visit, i) => {
    const before = visits[i - 1];
    if (before === undefined || before.value === null || visit.value === null) return [];
    return [{ from: before.value, to: visit.value, at: visit.start }];
  });
}

/** An entry into a status, or an exit from it; `at` is null if its instant is unknown. */
interface StatusEvent {
  readonly value: FieldValue;
  readonly at: Instant | null;
}

/**
 * The exits from statuses: a visit ends with an exit if another visit follows; the end of a trim window is not an exit.
 * The visit before the first change after unknown time is known only by that change, so its exit is at the end of the
 * gap.
 */
export function exitsFrom(visits: readonly Visit[]): StatusEvent[] {
  return visits.flatMap(({ value, known, end }, i) => {
    const next = visits[i + 1];
    if (next === undefined) return [];
    if (!known) return next.cameFrom === undefined ? [] : [{ value: next.cameFrom, at: end }];
    return value === null ? [] : [{ value, at: next.known ? end : null }];
  });
}

/** The visits of one field up to an instant and within a window. */
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

/** The visit that an issue is in at the as-of instant; null if it is unknown or trimmed away. */
export function openVisit(visits: readonly Visit[]): Visit | null {
  const last = visits.at(-1);
  return last?.open && last.known ? last : null;
}

/** Maximum number of changes of a field at one instant for which chains are searched; people are not that fast. */
const CHAIN_SEARCH_LIMIT = 8;

/**
 * Sorts changes of one field in the order in which they happened: by instant; ties by the chain from value to value
 * and, if there are several chains, by the value that follows, then by entry id. `now` returns the identity of the
 * value after all changes, undefined if it is unknown. The result does not depend on the given order.
 */
function orderChanges(changes: readonly Change[], now: () => string | null | undefined): readonly Change[] {
  // Changes are nearly always in order and at different instants.
  if (changes.every(({ at }, i) => i === 0 || at > (changes[i - 1]?.at ?? at))) return changes;
  const sorted = [...changes].sort(byInstantThenEntry);
  if (sorted.every(({ at }, i) => at !== sorted[i + 1]?.at)) return sorted;
  const ties: (readonly Change[])[] = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i + 1;
    while (end < sorted.length && sorted[end]?.at === sorted[i]?.at) end += 1;
    ties.push(sorted.slice(i, end));
    i = end;
  }
  const chains = chainsOf(ties, now());
  const ordered: Change[] = [];
  for (const [i, tied] of ties.entries()) {
    const before = ordered.at(-1);
    const possible = chains[i] ?? [];
    const joined =
      before === undefined ? undefined : possible.find((chain) => beginsWith(chain, identity(before.to)));
    ordered.push(...(joined ?? possible[0] ?? tied));
  }
  return ordered;
}

/** For each instant, the possible chains of its changes, first those that end with the next instant's first value. */
function chainsOf(
  ties: readonly (readonly Change[])[],
  now: string | null | undefined,
): readonly (readonly (readonly Change[])[])[] {
  let next: readonly (string | null)[] = now === undefined ? [] : [now];
  const found = ties.toReversed().map((tied) => {
    const chains = chainsIn(tied);
    const [fitting, others] = [true, false].map((isFitting) =>
      chains.filter((chain) => next.includes(identity(chain.at(-1)?.to ?? null)) === isFitting),
    );
    const best = fitting === undefined || fitting.length === 0 ? chains : fitting;
    next = best.map(([first]) => identity(first?.from ?? null));
    return [...(fitting ?? []), ...(others ?? [])];
  });
  return found.reverse();
}

/** The identity of a value: its id, or null for an empty value. */
function identity(value: FieldValue | null): string | null {
  return value === null ? null : value.id;
}

function beginsWith([first]: readonly Change[], state: string | null): boolean {
  return first !== undefined && identity(first.from) === state;
}

/**
 * The chains of the changes of one instant, in which each begins with the value that the previous one ended with: one
 * chain for each change that can be the first.
 */
function chainsIn(tied: readonly Change[]): readonly (readonly Change[])[] {
  if (tied.length === 1) return [tied];
  if (tied.length > CHAIN_SEARCH_LIMIT) return [];
  return tied.flatMap((first) => {
    const following = follow(
      tied.filter((change) => change !== first),
      identity(first.to),
    );
    return following === null ? [] : [[first, ...following]];
  });
}

function follow(left: readonly Change[], state: string | null): Change[] | null {
  if (left.length === 0) return [];
  for (const next of left) {
    if (identity(next.from) !== state) continue;
    const following = follow(
      left.filter((change) => change !== next),
      identity(next.to),
    );
    if (following !== null) return [next, ...following];
  }
  return null;
}

function byInstantThenEntry(a: Change, b: Change): number {
  return (
    a.at - b.at ||
    compareIds(a.entry, b.entry) ||
    a.item - b.item ||
    compareText(identity(a.from) ?? '', identity(b.from) ?? '') ||
    compareText(identity(a.to) ?? '', identity(b.to) ?? '') ||
    compareText(a.by ?? '', b.by ?? '')
  );
}
