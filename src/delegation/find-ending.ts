import type { CategoryId, Delegation, TimeSpan } from '../model/delegation.ts';
import { coversCategory, isInForce } from './in-force.ts';

/**
 * Those that end within the span, at its very end included (nobody stands in from then on, and the span that follows
 * would not tell it), unless other delegations of the delegator are in force at once in all of their categories. By
 * end, then id.
 */
export function findEnding(
  inSpan: readonly Delegation[],
  ownOf: (delegator: string) => readonly Delegation[],
  span: TimeSpan,
): readonly Delegation[] {
  return inSpan
    .filter(({ end }) => span.from < end && end <= span.until)
    .filter(({ delegator, categoryIds, end }) => {
      const onwards = ownOf(delegator).filter((other) => isInForce(other, end));
      const categories: readonly CategoryId[] = categoryIds.length === 0 ? [null] : categoryIds;
      return !categories.every((id) => onwards.some((other) => coversCategory(other, id)));
    })
    .sort((a, b) => a.end - b.end || a.id - b.id);
}
