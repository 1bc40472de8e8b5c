import { type DelegateTime, GENERAL } from '../../model/delegation.ts';
import type { FieldValue, Instant } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ABSENT, FIRST_VALUE } from '../columns/value-codes.ts';
import { eachOverlap, NONE, overlapMs } from '../visits/field-visits.ts';
import { assigneeLevel, assigneeSubject, columnOf, noKeys } from './measuring/report-keys.ts';
import type {
  Current,
  DelegateSlot,
  IssueReport,
  Measure,
  MeasureContext,
  ReportKeys,
  ReportType,
  Subject,
  Vocabulary,
} from './measuring/report-type.ts';

/**
 * Measures an issue's time with each assignee, and adds it to the assignee's own slot, a delegate's slot, or those of
 * the assignee's groups. Only one delegate covers at an instant, so no time is credited twice. Time in statuses that do
 * not count is left out.
 */
const timeByAssignee: Measure = (cursor, { assignees: { at, slots }, delegates, counted }, sink) => {
  const { assignees: withAssignee, statuses: inStatus } = cursor;
  const add = (slot: number | null, ms: number, i: number, status: number, person: number) => {
    const visit = withAssignee.at + i;
    if (slot !== null) {
      sink.addPart(slot, ms, visit, status, person);
      return;
    }
    const end = at[person + 1] ?? 0;
    for (let own = at[person] ?? 0; own < end; own += 1) sink.addPart(slots[own], ms, visit, status, person);
  };
  const take = (i: number, j: number) => {
    const status = inStatus.codes[j];
    if (counted[status] !== 1) return;
    const person = withAssignee.codes[i];
    const times = delegates[person];
    // The fast path, if no delegate covers for the assignee.
    if (times === undefined || times.length === 0) {
      add(null, overlapMs(withAssignee, i, inStatus, j), i, status, person);
      return;
    }
    const start = Math.max(withAssignee.bounds[i], inStatus.bounds[j]);
    const end = Math.min(withAssignee.bounds[i + 1], inStatus.bounds[j + 1]);
    const open = i === withAssignee.open && j === inStatus.open;
    for (const piece of splitByDelegates({ start, end, open }, times)) {
      add(piece.slot, cursor.work(piece.end) - cursor.work(piece.start), i, status, person);
    }
  };
  return () => {
    for (let j = 0; j < inStatus.count; j += 1) {
      const code = inStatus.codes[j];
      if (code >= FIRST_VALUE) sink.observeStatus(code, j);
    }
    eachOverlap(cursor, take);
  };
};

/** The slots that time counts for now, since the start of the visit or, if later, the last change of delegate. */
const currentAssignee: Current = ({ assignees: withAssignee }, { assignees: { at, slots }, delegates }) => {
  if (withAssignee.open === NONE) return [];
  const person = withAssignee.codes[withAssignee.open] ?? ABSENT;
  const { slot, since } = delegateAt(
    withAssignee.bounds[withAssignee.open + 1] ?? 0,
    delegates[person] ?? [],
  );
  const isLater = since !== null && since > (withAssignee.bounds[withAssignee.open] ?? 0);
  const keys = slot === null ? slots.subarray(at[person], at[person + 1]) : [slot];
  return Array.from(keys, (key) => ({
    key,
    since: isLater ? since : withAssignee.since(withAssignee.open),
    status: ABSENT,
    other: person,
  }));
};

/**
 * Time per assignee: one column per person, and one for the time without an assignee. If delegates are credited, the
 * time in which another person covered for the assignee has a column of its own, named after both.
 */
export const assigneeDuration: IssueReport = {
  id: reportIds.assigneeDuration,
  title: 'Assignee Duration',
  shape: 'issue',
  options: ['creditDelegates'],
  requires: [],
  sharesOut: true,
  kind: 'duration',
  levels: ['user'],
  composite: false,
  fields: 'assignee',
  hasVisits: true,
  readsCut: () => true,
  keys: assigneeKeys,
  measure: timeByAssignee,
  current: currentAssignee,
};

/**
 * Time per group of users: the sum of its members' times. A person in several groups counts in each of them. Groups
 * have their current members.
 */
export const groupDuration: ReportType = {
  ...assigneeDuration,
  id: reportIds.groupDuration,
  title: 'Group Duration',
  options: ['groups'],
  sharesOut: false,
  levels: ['group'],
  keys: groupKeys,
};

function groupKeys(vocabulary: Vocabulary, { groupsOf }: MeasureContext): ReportKeys {
  const { codes, subjectAt } = assigneeLevel(vocabulary, (assignee) =>
    assignee === null ? [] : groupsOf(assignee.id).map(({ id, name }) => ({ id, title: name })),
  );
  return {
    ...noKeys,
    assignees: codes,
    keys: codes.size,
    columnOf: (key, _status, other) => columnOf(subjectAt(other, key), 'duration'),
  };
}

function assigneeKeys(vocabulary: Vocabulary, context: MeasureContext): ReportKeys {
  const timesOf = (owner: FieldValue | null) => (owner === null ? [] : context.delegateTimes(owner.id));
  const { codes, subjectAt, slotOf } = assigneeLevel(
    vocabulary,
    (assignee) => [assigneeSubject(assignee, context)],
    (assignee) =>
      assignee === null ? [] : timesOf(assignee).map((time) => standInSubject(assignee, time, context)),
  );
  const delegates = vocabulary.assignees.map((owner): readonly DelegateSlot[] =>
    timesOf(owner).map((time) => ({
      start: time.start,
      end: time.end,
      slot: owner === null ? NONE : slotOf(standInSubject(owner, time, context).id),
    })),
  );
  return {
    ...noKeys,
    assignees: codes,
    delegates: delegates.some(({ length }) => length > 0) ? delegates : [],
    keys: codes.size,
    columnOf: (key, _status, other) => columnOf(subjectAt(other, key), 'duration'),
  };
}

/** A part of an assignee's time with the same delegate, or without one (`slot` null). */
interface DelegateSpan {
  readonly slot: number | null;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * Splits a span of an assignee's time at each change of delegate; the pieces adjoin. `times` are disjoint and in order.
 * A span of 0 ms belongs to the delegate at its instant. An `open` span includes its end: a delegate who begins or ends
 * to cover at that instant makes a piece of 0 ms.
 */
export function splitByDelegates(
  { start, end, open }: { readonly start: Instant; readonly end: Instant; readonly open: boolean },
  times: readonly DelegateSlot[],
): DelegateSpan[] {
  const pieces: DelegateSpan[] = [];
  let at = start;
  for (let i = firstEndingAfter(start, times); ; ) {
    const time = times[i];
    const covering = time !== undefined && time.start <= at ? time : null;
    const next = covering?.end ?? time?.start ?? Number.POSITIVE_INFINITY;
    pieces.push({ slot: covering?.slot ?? null, start: at, end: Math.min(next, end) });
    if (next > end || (next === end && !(open && at < end))) return pieces;
    at = next;
    if (covering !== null) i += 1;
  }
}

/** The slot of the delegate who covers at an instant (null: no one), and since when that has been so (null: always). */
export function delegateAt(
  instant: Instant,
  times: readonly DelegateSlot[],
): { readonly slot: number | null; readonly since: Instant | null } {
  const index = firstEndingAfter(instant, times);
  const next = times[index];
  if (next === undefined || next.start > instant) return { slot: null, since: times[index - 1]?.end ?? null };
  let since = next.start;
  // Consecutive delegations to the same slot count as one.
  for (let i = index - 1; ; i -= 1) {
    const before = times[i];
    if (before === undefined || before.end !== since || before.slot !== next.slot)
      return { slot: next.slot, since };
    since = before.start;
  }
}

/** Index of the first time that ends after an instant. */
function firstEndingAfter(instant: Instant, times: readonly DelegateSlot[]): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle]?.end ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The subject of a delegate who covers for an assignee: "Bob for Ada (Expense)", or "Bob for Ada" for everything. */
function standInSubject(owner: FieldValue, time: DelegateTime, context: MeasureContext): Subject {
  const { id, title } = assigneeSubject(owner, context);
  const { category } = time;
  const delegate = { id: time.delegate, title: context.userName(time.delegate) ?? time.delegate };
  const work = category.id === null ? '' : ` (${category.name})`;
  return {
    id: `:standIn:${category.id ?? GENERAL}:${encoded(id)}:${encoded(delegate.id)}`,
    title: `${delegate.title} for ${title}${work}`,
    standIn: { owner: { id, title }, delegate, category },
  };
}

/** Escapes a person's id, which may contain colons, so that different pairs of people have different subject ids. */
function encoded(id: string): string {
  return id.replaceAll('%', '%25').replaceAll(':', '%3A');
}
