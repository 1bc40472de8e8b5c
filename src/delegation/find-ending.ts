import type { CategoryId, Delegation, TimeSpan, Uncovered } from '../model/delegation.ts';
import type { Moments } from './index-moments.ts';

/**
 * Those that end within the span, at its very end included (nobody stands in from then on, and the span that follows
 * would not tell it), unless in each of their categories another delegation of the delegator is in force at once, or a
 * gap begins that is told. By end, then id.
 */
export function findEnding(
  inSpan: readonly Delegation[],
  moments: Moments,
  { span, gaps }: { readonly span: TimeSpan; readonly gaps: readonly Uncovered[] },
): readonly Delegation[] {
  const told = new Set(
    gaps.map(({ person, from, categoryId }) => JSON.stringify([person, from, categoryId])),
  );
  const isTold = (person: string, from: number, id: CategoryId) =>
    told.has(JSON.stringify([person, from, id])) || told.has(JSON.stringify([person, from, null]));
  return inSpan
    .filter(({ end }) => span.from < end && end <= span.until)
    .filter(({ delegator, categoryIds, end }) => {
      const onwards = moments.at(end);
      const categories: readonly CategoryId[] = categoryIds.length === 0 ? [null] : categoryIds;
      return categories.some(
        (id) => onwards.delegatesOf(delegator, id).length === 0 && !isTold(delegator, end, id),
      );
    })
    .sort((a, b) => a.end - b.end || a.id - b.id);
}
