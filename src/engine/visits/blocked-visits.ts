import type { FieldValue, Instant } from '../../model/issue.ts';
import { blockersIn } from '../../model/issues/field-titles.ts';
import type { FieldwiseIssue } from '../../model/issues/issue-fields.ts';
import { joinValues } from '../../model/issues/value-sets.ts';
import { causeBit, codeOfCauses } from '../columns/blocked-rows.ts';
import { type Timeline, type Trim, trimVisits, type Visit, visitsAsOf } from './timeline.ts';

/** The field, of no tracker, whose visits say what blocked an issue; null: it was not blocked. */
export const BLOCKED = 'calc:blocked';

export type BlockingCause = keyof typeof causeBit;

/** Codes of values of `BLOCKED`, whatever the flag, the status and the issues are that block. */
export const blockedCodes = {
  codeOf: (value: FieldValue | null) => codeOfCauses(causesIn(value)),
};

/** Values of `BLOCKED`, which are sets of these: the flag, statuses, and issues by key. */
export const causeValue = {
  flag: { id: 'flag', name: 'Flag' },
  status: ({ id, name }: FieldValue): FieldValue => ({ id: `status ${id}`, name }),
  link: (key: string): FieldValue => ({ id: `link ${key}`, name: key }),
} as const;

/** The cause that an element of a value of `BLOCKED` is of. */
export function causeOf(id: string): BlockingCause {
  if (id === causeValue.flag.id) return 'flag';
  return id.startsWith('status ') ? 'status' : 'link';
}

/** The causes (bits) in a value of `BLOCKED`. */
function causesIn(value: FieldValue | null): number {
  if (value === null) return 0;
  return value.id.split(', ').reduce((bits, id) => bits | causeBit[causeOf(id)], 0);
}

/**
 * Time from `start` on and before `end` in which something was so, known whole. `by` and `endedBy`: the authors of the changes
 * with which it began and ended. `isSeen` is false where it was so already when unknown time ended.
 */
export interface KnownSpan {
  readonly start: Instant;
  readonly end: Instant;
  readonly by: string | null;
  readonly endedBy: string | null;
  readonly isSeen: boolean;
}

/** The time in which one thing blocked an issue, unless the issue was done. */
export interface CauseSpan extends KnownSpan {
  readonly value: FieldValue;
}

/** The known visits that fulfil a condition, as spans; those of 0 ms are none. */
export function spansOf(visits: readonly Visit[], isSo: (value: FieldValue | null) => boolean): KnownSpan[] {
  const spans: KnownSpan[] = [];
  for (const [i, { known, value, start, end, by, begun }] of visits.entries()) {
    if (!known || !isSo(value) || start >= end) continue;
    const next = visits[i + 1];
    spans.push({ start, end, by, endedBy: next?.known ? next.by : null, isSeen: begun });
  }
  return spans;
}

/** The time that two spans have in common; null where they have none. */
export function overlapOf(a: KnownSpan, b: KnownSpan): KnownSpan | null {
  const [begins, ends] = [a.start >= b.start ? a : b, a.end <= b.end ? a : b];
  if (begins.start >= ends.end) return null;
  const isSeen = begins.isSeen && (a.start !== b.start || b.isSeen);
  return { start: begins.start, end: ends.end, by: begins.by, endedBy: ends.endedBy, isSeen };
}

/** The first of the authors of changes at an instant, those of causes before those that opened or closed the issue. */
function authorAt(spans: readonly KnownSpan[], at: Instant): string | null {
  const begun = spans.find(({ start }) => start === at);
  return (begun ?? spans.find(({ end }) => end === at))?.[begun === undefined ? 'endedBy' : 'by'] ?? null;
}

/** The facts from which visits of `BLOCKED` follow. Visits reach from the creation to any time after the last change. */
interface BlockedFacts {
  readonly created: Instant;
  readonly until: Instant;
  /** The time in which the issue is not done. */
  readonly open: readonly KnownSpan[];
  /** In the order in which they are named as the cause of a change. */
  readonly causes: readonly CauseSpan[];
  /** The time in which one of the fields that decide is unknown; null: none. */
  readonly gap: { readonly start: Instant; readonly end: Instant } | null;
}

/**
 * The visits of `BLOCKED`: each has the set of all that blocks the issue, so that causes that overlap count once. They adjoin,
 * and but for the last one each lasts.
 */
export function blockedVisits({ created, until, open, causes, gap }: BlockedFacts): readonly Visit[] {
  const spans = [...causes, ...open];
  const edges = new Set([created]);
  for (const { start, end } of [...spans, ...(gap === null ? [] : [gap])]) edges.add(start).add(end);
  const instants = [...edges].filter((at) => at >= created && at < until).sort((a, b) => a - b);
  const visits: Visit[] = [];
  let last: string | null | undefined;
  for (const at of instants) {
    const isIn = ({ start, end }: { readonly start: Instant; readonly end: Instant }) =>
      start <= at && at < end;
    const isUnknown = gap !== null && isIn(gap);
    const now = isUnknown || !open.some(isIn) ? [] : causes.filter(isIn);
    const value = joinValues([...new Map(now.map((one) => [one.value.id, one.value])).values()]);
    const name = isUnknown ? undefined : (value?.id ?? null);
    if (visits.length > 0 && last === name) continue;
    last = name;
    const isAfterGap = gap !== null && at === gap.end && at > created;
    const begun = !isUnknown && (!isAfterGap || now.every(({ isSeen }) => isSeen));
    const by = visits.length === 0 || isUnknown || isAfterGap ? null : authorAt(spans, at);
    visits.push({ value, known: !isUnknown, begun, start: at, end: until, open: false, by });
  }
  return visits.map((visit, i) => {
    const next = visits[i + 1];
    return next === undefined ? { ...visit, open: true } : { ...visit, end: next.start };
  });
}

/** The field of links to other issues. */
export const LINKS = 'issuelinks';

/** The visits of `BLOCKERS` of an issue up to an instant: one for each set of keys. */
export function blockerVisits(issue: FieldwiseIssue, asOf: Instant): readonly Visit[] {
  const links = visitsAsOf(issue, LINKS, asOf);
  const visits: Visit[] = [];
  for (const [i, visit] of links.entries()) {
    // A visit of 0 ms matters only as the last one.
    if (visit.start === visit.end && i < links.length - 1) continue;
    const value = joinValues(blockersIn(visit.value).map((key) => ({ id: key, name: key })));
    const before = visits.at(-1);
    if (before !== undefined && before.known === visit.known && before.value?.id === value?.id)
      visits[visits.length - 1] = { ...before, end: visit.end, open: visit.open };
    else visits.push({ ...visit, value });
  }
  return visits;
}

/** The keys of a value of `BLOCKERS`. */
export function keysOfBlockers(value: FieldValue | null): readonly string[] {
  return value === null ? [] : keysIn(value.id);
}

/** The keys in the id of a value of `BLOCKERS`. */
export function keysIn(id: string): readonly string[] {
  return id.split(', ');
}

/** The member of an issue that gives the visits of `BLOCKED`, as of any time after its last change. */
export const visitsOfBlocked = Symbol('visits of blocked');

/** An issue of which it is known what blocked it. */
export interface HasBlockedVisits {
  readonly [visitsOfBlocked]: readonly Visit[];
}

/** The visits of `BLOCKED` of an issue up to an instant and within a window; none where they are not known. */
export function blockedTimeline(
  issue: FieldwiseIssue,
  { asOf, trim }: { readonly asOf: Instant; readonly trim: Trim },
): Timeline {
  const all = hasBlockedVisits(issue) ? issue[visitsOfBlocked] : [];
  // Unknown time that begins at the instant has not begun.
  const begun = all.filter(({ start, known }, i) => start < asOf || (start === asOf && (known || i === 0)));
  const visits = begun.map((visit, i) =>
    i < begun.length - 1 ? visit : { ...visit, end: Math.min(visit.end, asOf), open: true },
  );
  return { visits: trimVisits(visits, trim), contradictions: 0 };
}

function hasBlockedVisits(issue: object): issue is HasBlockedVisits {
  return visitsOfBlocked in issue;
}

/** The authors of the changes that began and ended the times in which issues were blocked. */
export function blockedAuthors(issues: readonly FieldwiseIssue[]): ReadonlySet<string> {
  const visits = issues.flatMap((issue) => (hasBlockedVisits(issue) ? issue[visitsOfBlocked] : []));
  return new Set(visits.flatMap(({ by }) => by ?? []));
}
