import { millisecondsInDay } from 'date-fns/constants';
import type { NamedPerson } from '../../model/answer.ts';
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

/** Of no issue. */
export const emptyScope: AudienceScope = { projects: [], issues: 0, withLevel: 0 };

/** What issues two parts of an answer tell of, which have none in common; null as soon as nobody can tell of one. */
export function addScopes(one: AudienceScope | null, other: AudienceScope | null): AudienceScope | null {
  if (one === null || other === null) return null;
  return {
    projects: projectsOf(one, other),
    issues: one.issues + other.issues,
    withLevel: eachKnown(one, other, (a, b) => a + b),
    ...rolesIn(one, other, (a, b) => a + b),
  };
}

/**
 * The same of parts that may tell of the same issues: projects are exact, and there are issues with a level exactly
 * when one of the parts has some; how many there are is at least so many.
 */
export function mergeScopes(one: AudienceScope | null, other: AudienceScope | null): AudienceScope | null {
  if (one === null || other === null) return null;
  return {
    projects: projectsOf(one, other),
    issues: Math.max(one.issues, other.issues),
    withLevel: eachKnown(one, other, Math.max),
    ...rolesIn(one, other, Math.max),
  };
}

function eachKnown(
  one: AudienceScope,
  other: AudienceScope,
  figure: (a: number, b: number) => number,
): AudienceScope['withLevel'] {
  return one.withLevel === null || other.withLevel === null ? null : figure(one.withLevel, other.withLevel);
}

function rolesIn(
  one: AudienceScope,
  other: AudienceScope,
  figure: (a: number, b: number) => number,
): Pick<AudienceScope, 'withRoles'> {
  const withRoles = figure(one.withRoles ?? 0, other.withRoles ?? 0);
  return withRoles > 0 ? { withRoles } : {};
}

function projectsOf(one: AudienceScope, other: AudienceScope): readonly string[] {
  return [...new Set([...one.projects, ...other.projects])].sort();
}

/** Where the figures of two slices of the same issues come from. */
export function joinProvenance(one: Provenance, other: Provenance): Provenance {
  const { contents: first = null, ...both } = one;
  const contents = addScopes(first, other.contents ?? null);
  const assumed = [...(one.assumedCategories ?? []), ...(other.assumedCategories ?? [])];
  return {
    ...both,
    issues: one.issues + other.issues,
    cutHistories: one.cutHistories + other.cutHistories,
    complete: one.complete && other.complete,
    ...(assumed.length === 0
      ? {}
      : { assumedCategories: [...new Map(assumed.map((status) => [status.id, status])).values()] }),
    ...(contents === null ? {} : { contents }),
  };
}

/** The provenance of two questions that are answered together. */
export function joinAnswers(one: Provenance, other: Provenance): Provenance {
  return withNotes(
    {
      ...joinProvenance(one, other),
      query: one.query === other.query ? one.query : null,
      undecided: one.undecided + other.undecided,
      // Of whatever question, so the same in both.
      unasked: Math.max(one.unasked ?? 0, other.unasked ?? 0),
    },
    other.notes ?? [],
  );
}

/** A tracker that is still read is never left alone for longer. */
const STALE_MS = 2 * millisecondsInDay;

/**
 * When the data ends, where that is before the end of what was asked about; else null. `until` is when a time that is
 * over ended; without one the answer speaks of the instant itself, and two days are allowed.
 */
export function dataEndsBefore(
  until: Instant | null,
  { asOf, dataAsOf }: Pick<Provenance, 'asOf' | 'dataAsOf'>,
): Instant | null {
  if (dataAsOf === null) return null;
  const needed = until !== null && until <= asOf ? until : asOf - STALE_MS;
  return dataAsOf < needed ? dataAsOf : null;
}

/** Whether the data reaches to the end of what was asked about. */
export function reaches(provenance: Pick<Provenance, 'asOf' | 'dataAsOf'>, until: Instant | null): boolean {
  return dataEndsBefore(until, provenance) === null;
}

/** Whether it is known of every issue if it belongs to the answer, and if the principal may see it. */
export function isDecided({ undecided, unasked = 0 }: Provenance): boolean {
  return undecided + unasked === 0;
}

/**
 * Several reports that tell of now must tell of one instant, and so have to be asked for it by name. What they answer
 * was asked for at that instant all the same, as long as nobody else named one (`asked` is null).
 */
export function withAskedAt(provenance: Provenance, asked: Instant | null): Provenance {
  return asked === null ? { ...provenance, askedAt: provenance.asOf } : provenance;
}

/** A status that some issue was in, its title as the tracker calls it today. */
export interface ObservedStatus {
  readonly id: string;
  readonly name: string;
  readonly category: StatusCategory;
  /** Its place in workflow order. */
  readonly rank: number;
  /** Key of the project that a team-managed status belongs to. */
  readonly scope?: string;
}

/** The statuses a table has columns of, in workflow order, whatever the order in which one issue alone came to them. */
export function observedStatuses(
  { columns }: Pick<Table, 'columns'>,
  known: readonly Status[],
): ObservedStatus[] {
  const met = columns.flatMap(({ id, title, part }) => (part === 'value' ? [{ id, name: title }] : []));
  return ranked(met, known).toSorted(compareStatuses);
}

/** The statuses of visits, each once, in workflow order. */
export function visitedStatuses(
  visits: readonly ReadVisit[],
  known: readonly Status[],
): readonly ObservedStatus[] {
  const met = visits.flatMap(({ status }) => (status === null ? [] : [{ id: status.id, name: status.name }]));
  return joinStatuses(ranked(met, known));
}

function ranked(
  met: readonly Pick<ObservedStatus, 'id' | 'name'>[],
  known: readonly Status[],
): ObservedStatus[] {
  const rank = new Map(known.map(({ id }, i) => [id, i]));
  const byId = new Map(known.map((status) => [status.id, status]));
  return met.map(({ id, name }) => {
    const { category = 'Undefined', scope } = byId.get(id) ?? {};
    return {
      id,
      name,
      category,
      rank: rank.get(id) ?? known.length,
      ...(scope === undefined ? {} : { scope }),
    };
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
export function joinStatuses(met: readonly ObservedStatus[]): ObservedStatus[] {
  const byId = new Map<string, ObservedStatus>();
  for (const status of met) {
    // One table may have had a reason to tell it from another.
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

/** The status the tracker shows, of an issue of which it was asked for; null where nobody knows. */
export function statusNow(
  { cells }: Pick<IssueFacts, 'cells'>,
  statuses: ReadonlyMap<string, Status>,
): Pick<Status, 'id' | 'name' | 'category'> | null {
  const cell = cellOf(cells, 'status');
  if (cell?.id === undefined) return null;
  const { id } = cell;
  return { category: 'Undefined', ...statuses.get(id), id, name: String(cell.value) };
}

/** A visit of an issue as a report tells it visit by visit. `ms` are working. */
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
  /** Who moved it there; null where that is unknown, and for the first one. */
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
    const [status, by] = [cellOf(cells, 'value'), cellOf(cells, 'transitionedBy')];
    return [
      {
        facts,
        status: status?.id === undefined ? null : { id: status.id, name: String(status.value) },
        start,
        end,
        ms,
        // Whoever opened it did so at its start.
        begun: i !== first || by !== undefined,
        ended: end !== null && i !== last,
        by: by === undefined ? null : { id: by.id ?? null, name: String(by.value) },
      },
    ];
  });
}

function numberIn(cells: Cells, columnId: string): number | null {
  const value = cellOf(cells, columnId)?.value;
  return typeof value === 'number' ? value : null;
}
