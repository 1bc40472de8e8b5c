import { type DelegateTime, GENERAL } from '../../model/delegation.ts';
import type { FieldValue, Instant, Issue } from '../../model/issue.ts';
import type { CurrentValue } from '../../model/table.ts';
import type { MeasureContext, Measured, ReportType, Subject } from '../measure/report-type.ts';
import { overlaps, type Visit } from '../measure/timeline.ts';
import {
  assigneeSubject,
  columnOf,
  createTally,
  openVisit,
  sinceOf,
  unknownOfAll,
  visitsOf,
} from '../measure/value-columns.ts';

/**
 * Time with each person: one column per assignee, and one for the time without any. Where that is asked, time in which
 * somebody stood in for the assignee is a column of the two instead.
 */
export const assigneeDuration: ReportType = {
  id: 'assigneeDuration',
  title: 'Assignee Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['user'],
  composite: false,
  columns: { kernel: 'assignee', subjectsOf: (assignee, context) => [assigneeSubject(assignee, context)] },
  measure: (issue, context) =>
    timeByAssignee(issue, context, (assignee, standIn) => [
      assignee === null || standIn === null
        ? assigneeSubject(assignee, context)
        : standInSubject(assignee, standIn, context),
    ]),
};

/**
 * Time with each group of users: the times of its members together. Somebody in several groups counts for each of
 * them; who belongs to a group is told as of now.
 */
export const groupDuration: ReportType = {
  id: 'groupDuration',
  title: 'Group Duration',
  shape: 'issue',
  kind: 'duration',
  levels: ['group'],
  composite: false,
  columns: { kernel: 'assignee', subjectsOf: groupSubjects },
  measure: (issue, context) => timeByAssignee(issue, context, (assignee) => groupSubjects(assignee, context)),
};

function groupSubjects(assignee: FieldValue | null, context: MeasureContext): Subject[] {
  if (assignee === null) return [];
  return context.groupsOf(assignee.id).map(({ id, name }) => ({ id, title: name }));
}

/** What the time with an assignee counts for; `standIn` tells who stood in for them then, null that nobody did. */
type SubjectsOf = (assignee: FieldValue | null, standIn: DelegateTime | null) => readonly Subject[];

/**
 * The time an issue was with whom, told per subject an assignee counts for: themselves, who stood in for them, or the
 * groups they are in. Who stood in is told of any instant once, so that no time is credited twice. Time the issue
 * spent in statuses that were not selected is left out.
 */
function timeByAssignee(issue: Issue, context: MeasureContext, subjectsOf: SubjectsOf): Measured {
  const assignees = visitsOf(issue, 'assignee', context);
  const statuses = visitsOf(issue, 'status', context);
  const tally = createTally();
  const add = (visit: Visit, standIn: DelegateTime | null, ms: number) => {
    for (const subject of subjectsOf(visit.value, standIn)) {
      tally.addPart(columnOf(subject, 'duration'), ms, visit);
    }
  };
  for (const { first, second, start, end } of overlaps(assignees.visits, statuses.visits)) {
    if (second.value === null || !context.countsStatus(second.value.id)) continue;
    const stretches = stretchesOf(first, context);
    // Whoever credits nobody is not to pay for it.
    if (stretches.length === 0) {
      add(first, null, context.calendar.between(start, end));
      continue;
    }
    const span = { start, end, open: first.open && second.open };
    for (const piece of splitByDelegates(span, stretches)) {
      add(first, piece.standIn, context.calendar.between(piece.start, piece.end));
    }
  }
  return {
    ...tally.measured(),
    statuses: statuses.visits.flatMap(({ value }) => value ?? []),
    current: currentAssignee(openVisit(assignees.visits), context, subjectsOf),
    unknown: unknownOfAll([assignees.visits, statuses.visits], context),
    contradictions: assignees.contradictions,
  };
}

function stretchesOf({ value }: Visit, context: MeasureContext): readonly DelegateTime[] {
  return value === null ? [] : context.delegateTimes(value.id);
}

/** What the time counts for now, and since when: the visit began, or later somebody began or ended to stand in. */
function currentAssignee(
  visit: Visit | null,
  context: MeasureContext,
  subjectsOf: SubjectsOf,
): CurrentValue[] {
  if (visit === null) return [];
  const { standIn, since } = delegateAt(visit.end, stretchesOf(visit, context));
  const began = since !== null && since > visit.start ? since : sinceOf(visit);
  return subjectsOf(visit.value, standIn).map(({ id, title }) => ({ columnId: id, title, since: began }));
}

/** A part of somebody's time in which one and the same person stood in for them, or nobody did. */
interface DelegateSpan {
  readonly standIn: DelegateTime | null;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * A span of somebody's time cut wherever who stands in changes; the pieces adjoin. `stretches` are disjoint and in
 * order. A span of 0 ms is that of whoever stands in at its instant. An `open` span holds its last instant as well:
 * who begins or ends to stand in just then makes a piece of 0 ms.
 */
export function splitByDelegates(
  { start, end, open }: { readonly start: Instant; readonly end: Instant; readonly open: boolean },
  stretches: readonly DelegateTime[],
): DelegateSpan[] {
  const pieces: DelegateSpan[] = [];
  let at = start;
  for (let i = firstEndingAfter(start, stretches); ; ) {
    const stretch = stretches[i];
    const standIn = stretch !== undefined && stretch.start <= at ? stretch : null;
    const next = standIn?.end ?? stretch?.start ?? Number.POSITIVE_INFINITY;
    pieces.push({ standIn, start: at, end: Math.min(next, end) });
    if (next > end || (next === end && !(open && at < end))) return pieces;
    at = next;
    if (standIn !== null) i += 1;
  }
}

/** Who stands in at an instant (null: nobody), and since when that has been so (null: ever since). */
interface Standing {
  readonly standIn: DelegateTime | null;
  readonly since: Instant | null;
}

/** Who stands in at an instant; `stretches` are disjoint and in order. */
export function delegateAt(instant: Instant, stretches: readonly DelegateTime[]): Standing {
  const index = firstEndingAfter(instant, stretches);
  const next = stretches[index];
  if (next === undefined || next.start > instant) {
    return { standIn: null, since: stretches[index - 1]?.end ?? null };
  }
  let since = next.start;
  // One delegation may have followed the other without a change for anybody.
  for (let i = index - 1; ; i -= 1) {
    const before = stretches[i];
    if (before === undefined || before.end !== since || !isSame(before, next))
      return { standIn: next, since };
    since = before.start;
  }
}

/** Index of the first stretch that is not over at an instant. */
function firstEndingAfter(instant: Instant, stretches: readonly DelegateTime[]): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.end ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSame(a: DelegateTime, b: DelegateTime): boolean {
  return a.delegate === b.delegate && a.category.id === b.category.id;
}

/** Somebody standing in for the person an issue is with: "Bob for Ada (Expense)", or "Bob for Ada" for everything. */
function standInSubject(owner: FieldValue, standIn: DelegateTime, context: MeasureContext): Subject {
  const { id, title } = assigneeSubject(owner, context);
  const { category } = standIn;
  const delegate = { id: standIn.delegate, title: context.userName(standIn.delegate) ?? standIn.delegate };
  const work = category.id === null ? '' : ` (${category.name})`;
  return {
    id: `:standIn:${category.id ?? GENERAL}:${encoded(id)}:${encoded(delegate.id)}`,
    title: `${delegate.title} for ${title}${work}`,
    standIn: { owner: { id, title }, delegate, category },
  };
}

/** Ids of people may hold colons, and two pairs of people must not read alike. */
function encoded(id: string): string {
  return id.replaceAll('%', '%25').replaceAll(':', '%3A');
}
