import type { Directory } from '../../../src/model/directory.ts';
import type { Change, FieldContent, Issue, Status, StatusCategory, User } from '../../../src/model/issue.ts';
import { valueAt, wholeVisits } from '../../definitions/history.ts';

/** The issues there are, and what is known beside them as of an instant. */
export interface DefinedWorld {
  readonly issues: readonly Issue[];
  readonly now: number;
  readonly timeZone: string;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
  readonly directory: Directory;
}

/** What a field held is not known. */
export const UNSURE = Symbol('unsure');

/** The changes of one field, as the issue has them. */
export function changesIn({ changes }: Issue, field: string): readonly Change[] {
  return changes.filter((change) => change.field === field);
}

/** What a field held at an instant. What the tracker shows last it shows, whatever a history lacks. */
export function contentThen(
  issue: Issue,
  field: string,
  now: number,
): FieldContent | undefined | typeof UNSURE {
  const today = issue.fields[field];
  if (now >= issue.updated) return today;
  const last = wholeVisits(issue, field, now).at(-1);
  if (!issue.history.complete && last?.isKnown === false) return UNSURE;
  if (today === undefined && changesIn(issue, field).length === 0) return undefined;
  const value = last?.value ?? null;
  const shown = valueAt(issue, field, Number.POSITIVE_INFINITY);
  return Array.isArray(today) && value !== null && value.id === shown?.id ? today : value;
}

/** When changes may be lost, up to an instant; null where none can be. */
export function lostUpTo(issue: Issue, now: number): readonly [from: number, until: number] | null {
  const { history, created } = issue;
  if (history.complete) return null;
  const from = Math.max(history.unknownFrom ?? created, created);
  const until = Math.min(history.unknownUntil ?? now + 1, now + 1);
  return from < until ? [from, until] : null;
}

/** When an issue had last been updated. */
export function updatedThen(issue: Issue, now: number): number | typeof UNSURE {
  const own = issue.fields.updated;
  const shown = typeof own === 'number' ? own : issue.updated;
  if (shown <= now) return shown;
  const last = Math.max(issue.created, ...issue.changes.map(({ at }) => at).filter((at) => at <= now));
  return (lostUpTo(issue, now)?.[1] ?? 0) > last + 1 ? UNSURE : last;
}

/** When an issue had been resolved; null where it was not. */
export function resolvedThen(issue: Issue, now: number): number | null | typeof UNSURE {
  const shown = issue.resolved !== null && issue.resolved <= now ? issue.resolved : null;
  if (now >= issue.updated || changesIn(issue, 'resolution').length === 0) return shown;
  let since: number | null | typeof UNSURE = null;
  for (const { isKnown, value, start } of wholeVisits(issue, 'resolution', now)) {
    if (!isKnown) since = UNSURE;
    else if (value === null) since = null;
    else if (since === null) since = start;
  }
  return since === UNSURE && shown !== null ? shown : since;
}

/** Between which instants an issue was finished, or perhaps never. */
export interface UnsureFinish {
  readonly from: number;
  readonly until: number;
  readonly mayBeEmpty: boolean;
}

/** When an issue had last left a status that is not done; null: it was not finished, or created as done. */
export function finishedThen(
  issue: Issue,
  now: number,
  categoryOf: (id: string) => StatusCategory,
): number | null | UnsureFinish {
  const { created } = issue;
  const visits = wholeVisits(issue, 'status', now);
  const shown = valueAt(issue, 'status', now);
  const category = shown === null ? 'Undefined' : categoryOf(shown.id);
  if (category === 'Undefined') return { from: created, until: now, mayBeEmpty: true };
  if (category !== 'Done') return null;
  const gap = visits.find(({ isKnown }) => !isKnown);
  const exits = visits.flatMap(({ value, isKnown, end }, i) => {
    const next = visits[i + 1];
    const left = isKnown ? value : next?.cameFrom;
    if (next === undefined || !left || (isKnown && !next.isKnown)) return [];
    return [{ at: end, category: categoryOf(left.id) }];
  });
  const work = (some: typeof exits) => some.filter((exit) => exit.category !== 'Done').map(({ at }) => at);
  const before = gap === undefined ? null : (visits[visits.indexOf(gap) - 1]?.value ?? null);
  const wasDone = before !== null && categoryOf(before.id) === 'Done';
  const upTo = work(exits.filter(({ at }) => gap === undefined || at <= gap.start));
  const from = gap === undefined || !wasDone ? (gap?.start ?? created) : Math.max(created, ...upTo);
  const unsure = (since: number, until: number) => ({
    ...{ from: since, until, mayBeEmpty: gap !== undefined && since <= created },
  });
  if (visits.at(-1)?.value?.id !== shown?.id) return unsure(from, now);
  const isOpen = gap !== undefined && gap === visits.at(-1);
  const after = exits.filter(({ at }) => gap === undefined || (gap.end <= at && !isOpen));
  const last = Math.max(...work(after));
  if (last === Number.NEGATIVE_INFINITY) return gap === undefined ? null : unsure(from, gap.end);
  const sure = Math.max(...work(after.filter((exit) => exit.category !== 'Undefined')));
  if (sure === last) return last;
  return { from: sure === Number.NEGATIVE_INFINITY ? created : sure, until: last, mayBeEmpty: false };
}
