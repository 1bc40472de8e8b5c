import type { Status } from '../../model/issue.ts';
import { cellOf, type IssueFacts } from '../../model/table.ts';

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
