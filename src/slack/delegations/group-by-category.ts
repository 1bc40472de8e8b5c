import type { CategoryId, Delegation } from '../../model/delegation.ts';
import type { Names } from '../messages/names.ts';

/** Delegations that are told together. */
export interface CategoryGroup {
  readonly categoryId: CategoryId;
  readonly delegations: readonly Delegation[];
}

/** Those of one category: its own and the general ones, or the general ones alone where general is asked for. */
export function ofCategory(delegations: readonly Delegation[], categoryId: CategoryId): CategoryGroup {
  const covering = delegations.filter(
    ({ categoryIds }) =>
      categoryIds.length === 0 || (categoryId !== null && categoryIds.includes(categoryId)),
  );
  return { categoryId, delegations: covering.toSorted(byStart) };
}

/** A group of the general ones, then one of each category by name; of several categories is told in each. */
export function groupByCategory(
  delegations: readonly Delegation[],
  { category }: Names,
): readonly CategoryGroup[] {
  const sorted = delegations.toSorted(byStart);
  const named = [...new Set(sorted.flatMap(({ categoryIds }) => categoryIds))].toSorted(
    (a, b) => category(a).localeCompare(category(b), 'en') || a - b,
  );
  const groups: CategoryGroup[] = [
    { categoryId: null, delegations: sorted.filter(({ categoryIds }) => categoryIds.length === 0) },
    ...named.map((id) => ({
      categoryId: id,
      delegations: sorted.filter(({ categoryIds }) => categoryIds.includes(id)),
    })),
  ];
  return groups.filter((group) => group.delegations.length > 0);
}

function byStart(a: Delegation, b: Delegation): number {
  return a.start - b.start || a.id - b.id;
}
