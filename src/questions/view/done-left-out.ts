import type { Column, ObservedStatuses } from '../../model/table.ts';

/**
 * Whether a column is time in a status of category Done: it only says how long ago work ended, and so is never where
 * the time went.
 */
export function isDoneColumn({ id, parent, child }: Column, statuses: ObservedStatuses): boolean {
  const ids = [id, parent?.id, child?.id];
  const met = [...statuses.included, ...statuses.deleted];
  return met.some((status) => status.category === 'Done' && ids.includes(status.id));
}
