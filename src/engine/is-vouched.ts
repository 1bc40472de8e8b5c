import type { Issue, Status } from '../model/issue.ts';

/**
 * Whether the known lists of statuses speak of this issue's site: they call the status it is in as it does. What
 * they rename or miss concerns no other issue, for ids of statuses are unique within a site only.
 */
export function isVouched({ status }: Issue, statuses: ReadonlyMap<string, Status>): boolean {
  const known = statuses.get(status.id);
  return known !== undefined && !known.deleted && known.name === status.name;
}
