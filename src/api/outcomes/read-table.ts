import { millisecondsInDay } from 'date-fns/constants';
import type { NamedPerson } from '../../model/answer.ts';
import type { CompiledFlow, WorkKind } from '../../model/flow.ts';
import type { Instant, Status, StatusCategory } from '../../model/issue.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import type { AudienceScope } from '../../model/request.ts';
import {
  type Cells,
  cellOf,
  type IssueFacts,
  type Provenance,
  type Row,
  type Table,
} from '../../model/table.ts';
import { withNotes } from '../../output/provenance-sheet.ts';

/** The scope of no issues. */
export const emptyScope: AudienceScope = { projects: [], issues: 0, withLevel: 0 };

/** The scope of two parts of an answer that have no issues in common; null where that of one is unknown. */
export function addScopes(one: AudienceScope | null, other: AudienceScope | null): AudienceScope | null {
  return joinScopes(one, other, (a, b) => a + b);
}

/**
 * The same of parts that may be about the same issues: projects are exact, and there are issues with a level exactly when
 * one of the parts has some; their number is a lower bound.
 */
export function mergeScopes(one: AudienceScope | null, other: AudienceScope | null): AudienceScope | null {
  return joinScopes(one, other, Math.max);
}

function joinScopes(
  one: AudienceScope | null,
  other: AudienceScope | null,
  join: (a: number, b: number) => number,
): AudienceScope | null {
  if (one === null || other === null) return null;
  const withRoles = join(one.withRoles ?? 0, other.withRoles ?? 0);
  const isKnown = one.withLevel !== null && other.withLevel !== null;
  return {
    projects: [...new Set([...one.projects, ...other.projects])].sort(),
    issues: join(one.issues, other.issues),
    withLevel: isKnown ? join(one.withLevel, other.withLevel) : null,
    ...(withRoles > 0 ? { withRoles } : {}),
  };
}

/** The provenance of two slices of the same issues. */
export function joinProvenance(one: Provenance, other: Provenance): Provenance {
  const { contents: first = null, ...both } = one;
  const contents = addScopes(first, other.contents ?? null);
  const flows = [...(one.flows ?? []), ...(other.flows ?? [])];
  const assumed = [...(one.assumedCategories ?? []), ...(other.assumedCategories ?? [])];
  return {
    ...both,
    issues: one.issues + other.issues,
    cutHistories: one.cutHistories + other.cutHistories,
    complete: one.complete && other.complete,
    ...(assumed.length === 0
      ? {}
      : { assumedCategories: [...new Map(assumed.map((status) => [status.id, status])).values()] }),
    ...(flows.length === 0
      ? {}
      : { flows: [...new Map(flows.map((flow) => [flow.project, flow])).values()] }),
    ...(contents === null ? {} : { contents }),
  };
}

/** The provenance of two answers that are one. */
export function joinAnswers(one: Provenance, other: Provenance): Provenance {
  return withNotes(
    {
      ...joinProvenance(one, other),
      query: one.query === other.query ? one.query : null,
      undecided: one.undecided + other.undecided,
      // Counted among all issues, so the same in both.
      unasked: Math.max(one.unasked ?? 0, other.unasked ?? 0),
    },
    other.notes ?? [],
  );
}

/** A tracker that is still synced is never left alone for longer. */
const STALE_MS = 2 * millisecondsInDay;

/**
 * When the data ends, where that is before the end of the time of an answer; else null. `until` is when a time that is over
 * ended; without one the answer is about the instant itself, and two days are allowed.
 */
export function dataEndsBefore(
  until: Instant | null,
  { asOf, dataAsOf }: Pick<Provenance, 'asOf' | 'dataAsOf'>,
): Instant | null {
  if (dataAsOf === null) return null;
  const needed = until !== null && until <= asOf ? until : asOf - STALE_MS;
  return dataAsOf < needed ? dataAsOf : null;
}

/** The data reaches to the end of the time of an answer. */
export function reaches(provenance: Pick<Provenance, 'asOf' | 'dataAsOf'>, until: Instant | null): boolean {
  return dataEndsBefore(until, provenance) === null;
}

/** It is known of every issue if it belongs to the answer, and if the principal can see it. */
export function isDecided({ undecided, unasked = 0 }: Provenance): boolean {
  return undecided + unasked === 0;
}

/** Every history is complete, every issue is decided, and the category of every status is known. */
export function isComplete({
  provenance,
  cutHistories,
  withoutCategory,
}: {
  readonly provenance: Provenance;
  readonly cutHistories: number;
  readonly withoutCategory: readonly string[];
}): boolean {
  return cutHistories === 0 && isDecided(provenance) && withoutCategory.length === 0;
}

/**
 * Several reports about now must be as of one instant, and are requested with it. They were asked for at that instant all
 * the same, unless the request named one (`requested` is not null).
 */
export function withAskedAt(provenance: Provenance, requested: Instant | null): Provenance {
  return requested === null ? { ...provenance, askedAt: provenance.asOf } : provenance;
}

/** A status that some issue was in, its title as the tracker calls it today. */
export interface ObservedStatus {
  readonly id: string;
  readonly name: string;
  readonly category: StatusCategory;
  readonly kind: WorkKind;
  /** Its place in workflow order. */
  readonly rank: number;
  /** Key of the project that a team-managed status belongs to. */
  readonly scope?: string;
}

/** The statuses a table has columns of, in workflow order, whatever the order in which one issue alone came to them. */
export function observedStatuses(
  { columns }: Pick<Table, 'columns'>,
  known: readonly Status[],
  kindOf: CompiledFlow['kindOf'],
): ObservedStatus[] {
  const observed = columns.flatMap(({ id, title, part }) => (part === 'value' ? [{ id, name: title }] : []));
  return ranked(observed, known, kindOf).toSorted(compareStatuses);
}

/** The statuses of visits, each once, in workflow order. */
export function visitedStatuses(
  visits: readonly ReadVisit[],
  known: readonly Status[],
  kindOf: CompiledFlow['kindOf'],
): readonly ObservedStatus[] {
  return joinStatuses(
    ranked(
      visits.flatMap(({ status }) => status ?? []),
      known,
      kindOf,
    ),
  );
}

function ranked(
  observed: readonly Pick<ObservedStatus, 'id' | 'name'>[],
  known: readonly Status[],
  kindOf: CompiledFlow['kindOf'],
): ObservedStatus[] {
  const byId = new Map(known.map((status, rank) => [status.id, { ...status, rank }]));
  return observed.map(({ id, name }) => {
    const { category = 'Undefined', rank = known.length, scope } = byId.get(id) ?? {};
    return { id, name, category, kind: kindOf(id), rank, ...(scope === undefined ? {} : { scope }) };
  });
}

/** In workflow order; what is not known comes last. */
function compareStatuses(a: ObservedStatus, b: ObservedStatus): number {
  return a.rank - b.rank || compareIds(a.id, b.id);
}

/**
 * The statuses of several tables, each once, in workflow order. Two of one name have their projects behind it, or
 * their ids, as in a table that has both of them.
 */
export function joinStatuses(observed: readonly ObservedStatus[]): ObservedStatus[] {
  const byId = new Map<string, ObservedStatus>();
  for (const status of observed) {
    // One table may have had a reason to set it apart from another.
    const known = byId.get(status.id);
    if (known === undefined || known.name.length < status.name.length) byId.set(status.id, status);
  }
  const scoped = distinct([...byId.values()], ({ scope }) => scope ?? null);
  return distinct(scoped, ({ id }) => id).toSorted(compareStatuses);
}

/** The statuses, those that share a title with what sets them apart behind it, if anything does. */
function distinct(
  statuses: readonly ObservedStatus[],
  apart: (status: ObservedStatus) => string | null,
): ObservedStatus[] {
  const named = Map.groupBy(statuses, ({ name: title }) => title);
  return statuses.map((status) => {
    const suffix = named.get(status.name)?.length === 1 ? null : apart(status);
    return suffix === null ? status : { ...status, name: `${status.name} (${suffix})` };
  });
}

/** A status as answers name it. */
export type NamedStatus = Pick<Status, 'id' | 'name' | 'category'>;
/** A named status with what it counts as in a flow. */
export type StatusOfWork = NamedStatus & { readonly kind: WorkKind };

/** The status that the tracker shows, of an issue with that field; null where it is unknown. */
export function statusNow(
  { cells }: Pick<IssueFacts, 'cells'>,
  statuses: ReadonlyMap<string, Status>,
  kindOf: CompiledFlow['kindOf'],
): StatusOfWork | null {
  const { id, value } = cellOf(cells, 'status') ?? {};
  if (id === undefined) return null;
  return { ...statusCalled({ id, name: String(value) }, statuses), kind: kindOf(id) };
}

/** A status as it is named in an issue, with the category that is known of it. */
export function statusCalled(
  { id, name }: Pick<Status, 'id' | 'name'>,
  statuses: ReadonlyMap<string, Status>,
): NamedStatus {
  return { id, name, category: statuses.get(id)?.category ?? 'Undefined' };
}

/** An issue as answers name it. */
export interface NamedIssue {
  readonly key: string;
  readonly summary: string;
  readonly link: string | null;
  readonly assignee: NamedPerson | null;
}

/** The names of an issue in a report with the field `assignee`. */
export function namedIssue({ key, cells, link }: IssueFacts): NamedIssue {
  return { key, summary: summaryIn(cells), link, assignee: personIn(cells, 'assignee') };
}

/** The summary of an issue in a report; empty where there is none. */
export function summaryIn(cells: Cells): string {
  return String(cellOf(cells, 'summary')?.value ?? '');
}

/** The person in a column; null where there is none. */
export function personIn(cells: Cells, columnId: string): NamedPerson | null {
  const cell = cellOf(cells, columnId);
  return cell === undefined ? null : { id: cell.id ?? null, name: String(cell.value) };
}

/** A visit of an issue, as a line of an expanded report. `ms` are working. */
export interface ReadVisit {
  readonly facts: IssueFacts;
  /** Null: it was in none. */
  readonly status: { readonly id: string; readonly name: string } | null;
  readonly start: Instant;
  /** Null while it lasts. */
  readonly end: Instant | null;
  readonly ms: number;
  /** It began at `start`, as far as is known; false where the history is unknown before. */
  readonly begun: boolean;
  /** It ended at `end`; false where it lasts, or where the history is unknown after. */
  readonly ended: boolean;
  /** The person who moved it there; null where that is unknown, and for the first one. */
  readonly by: NamedPerson | null;
}

/** The lines of a visit-by-visit report, issue after issue, each in order of time. */
export function readVisits({ rows, issues }: Table): readonly ReadVisit[] {
  const byKey = Map.groupBy(rows, ({ issueKey }) => issueKey);
  return issues.flatMap((facts) => visitsOf(facts, byKey.get(facts.key) ?? []));
}

function visitsOf(facts: IssueFacts, rows: readonly Row[]): readonly ReadVisit[] {
  const { unknown } = facts;
  // The last visit before unknown time ends where known time does, and the first one after it begins likewise.
  const last =
    unknown === null ? -1 : rows.findLastIndex(({ cells }) => numberIn(cells, 'end') === unknown.from);
  const first =
    unknown === null ? -1 : rows.findIndex(({ cells }) => numberIn(cells, 'start') === unknown.until);
  return rows.flatMap(({ cells }, i): ReadVisit[] => {
    const [start, end, ms] = [numberIn(cells, 'start'), numberIn(cells, 'end'), numberIn(cells, 'duration')];
    if (start === null || ms === null) return [];
    const [status, by] = [cellOf(cells, 'value'), personIn(cells, 'transitionedBy')];
    return [
      {
        facts,
        status: status?.id === undefined ? null : { id: status.id, name: String(status.value) },
        start,
        end,
        ms,
        // The person who opened it did so at its start.
        begun: i !== first || by !== null,
        ended: end !== null && i !== last,
        by,
      },
    ];
  });
}

/** The number in a column; null where there is none. */
export function numberIn(cells: Cells, columnId: string): number | null {
  const value = cellOf(cells, columnId)?.value;
  return typeof value === 'number' ? value : null;
}
