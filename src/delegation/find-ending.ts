import type { CategoryId, Delegation, TimeSpan } from '../model/delegation.ts';
import type { Moments } from './index-moments.ts';

/**
 * Those that end within the span, at its very end included (nobody stands in from then on, and the span that follows
 * would not tell it), unless other delegations of the delegator are in force at once in all of their categories. By
 * end, then id.
 */
export function findEnding(
  inSpan: readonly Delegation[],
  moments: Moments,
  span: TimeSpan,
): readonly Delegation[] {
  return inSpan
    .filter(({ end }) => span.from < end && end <= span.until)
    .filter(({ delegator, categoryIds, end }) => {
      const onwards = moments.at(end);
      const categories: readonly CategoryId[] = categoryIds.length === 0 ? [null] : categoryIds;
      return categories.some((id) => onwards.delegatesOf(delegator, id).length === 0);
    })
    .sort((a, b) => a.end - b.end || a.id - b.id);
}
