import { compareIds } from '../../issues/ids-and-names.ts';
import type { Status, StatusCategory } from '../../model/issue.ts';
import { cellOf, type IssueFacts, type Table } from '../../model/table.ts';

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
