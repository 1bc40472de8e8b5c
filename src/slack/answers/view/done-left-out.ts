import type { StatusCategory } from '../../../model/issue.ts';
import type { Column, ObservedStatuses } from '../../../model/table.ts';

/**
 * Whether a column is time in a status of category Done: it only says how long ago work ended, and so is never where
 * the time went.
 */
function isDoneColumn(column: Column, statuses: ObservedStatuses): boolean {
  return isOfCategory('Done', column, statuses);
}

/** Those of some columns that are not about time before work starts, or after it is done; all where there are no others. */
export function startedColumns(columns: readonly Column[], statuses: ObservedStatuses): readonly Column[] {
  const started = columns.filter(
    (column) => !isDoneColumn(column, statuses) && !isOfCategory('To Do', column, statuses),
  );
  return started.length > 0 ? started : columns;
}

function isOfCategory(
  category: StatusCategory,
  { id, parent, child }: Column,
  { included, deleted }: ObservedStatuses,
): boolean {
  const ids = [id, parent?.id, child?.id];
  return [...included, ...deleted].some((status) => status.category === category && ids.includes(status.id));
}
