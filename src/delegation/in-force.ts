import type { CategoryId, Delegation } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';

/** Whether somebody stands in because of it at an instant: while active, from its start until just before its end. */
export function isInForce(delegation: Delegation, at: Instant): boolean {
  return delegation.active && delegation.start <= at && at < delegation.end;
}

/** Whether it tells who stands in for a category. A general delegation does for every one, and alone for `general`. */
export function coversCategory(delegation: Delegation, categoryId: CategoryId): boolean {
  const { categoryIds } = delegation;
  return categoryIds.length === 0 || (categoryId !== null && categoryIds.includes(categoryId));
}
