import { compareIds } from '../../issues/ids-and-names.ts';
import type { Instant, Status, StatusCategory } from '../../model/issue.ts';
import { type Cells, cellOf, type IssueFacts, type Row, type Table } from '../../model/table.ts';
import type { NamedPerson } from '../view/wording.ts';

/** A status that some issue was in, its title as the tracker calls it today. */
export interface ObservedStatus {
  readonly id: string;
  readonly title: string;
  readonly category: StatusCategory;
  /** Its place in workflow order. */
  readonly rank: number;
}

/** The statuses a table has columns of, in workflow order, whatever the order in which one issue alone came to them. */
export function observedStatuses(
  { columns }: Pick<Table, 'columns'>,
  known: readonly Status[],
): ObservedStatus[] {
  const rank = new Map(known.map(({ id }, i) => [id, i]));
  const categories = new Map(known.map(({ id, category }) => [id, category]));
  return columns
    .filter(({ part }) => part === 'value')
    .map(({ id, title }): ObservedStatus => {
      const category = categories.get(id) ?? 'Undefined';
      return { id, title, category, rank: rank.get(id) ?? known.length };
    })
    .toSorted(compareStatuses);
}

/** In workflow order; what is not known comes last. */
function compareStatuses(a: ObservedStatus, b: ObservedStatus): number {
  return a.rank - b.rank || compareIds(a.id, b.id);
}

/**
 * The statuses of several tables, each once, in workflow order. Two of one name have their ids behind it, as in a
 * table that has both of them.
 */
export function joinStatuses(met: readonly ObservedStatus[]): ObservedStatus[] {
  const byId = new Map<string, ObservedStatus>();
  for (const status of met) {
    // One table may have had a reason to tell it from another.
    const known = byId.get(status.id);
    if (known === undefined || known.title.length < status.title.length) byId.set(status.id, status);
  }
  const named = Map.groupBy(byId.values(), ({ title }) => title);
  return [...byId.values()]
    .map((status) =>
      named.get(status.title)?.length === 1 ? status : { ...status, title: `${status.title} (${status.id})` },
    )
    .toSorted(compareStatuses);
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
