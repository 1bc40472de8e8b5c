import { createHash } from 'node:crypto';
import type { DelegateTime, Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';

/**
 * Equal as long as nothing has changed that says who stood in, in some categories, up to an instant (null: ever). What
 * begins later, notes, and what is of other categories alone do not count.
 */
export function creditRevision(
  delegations: readonly Delegation[],
  categories: readonly DelegateTime['category'][],
  until: Instant | null,
): string {
  const last = until ?? Number.MAX_SAFE_INTEGER;
  const ids = new Set(categories.map(({ id }) => id));
  const counting = delegations
    .filter(({ active, start, end }) => active && start < end && start <= last)
    .map(({ id, delegator, delegates, categoryIds, start, end }) => ({
      isGeneral: categoryIds.length === 0,
      ofIds: categoryIds.filter((one) => ids.has(one)).sort((a, b) => a - b),
      told: [id, delegator, delegates, start, Math.min(end, last + 1)],
    }))
    .filter(({ isGeneral, ofIds }) => isGeneral || ofIds.length > 0)
    .map(({ ofIds, told }) => [...told, ofIds]);
  return createHash('sha256')
    .update(JSON.stringify([categories, counting]))
    .digest('base64url');
}
