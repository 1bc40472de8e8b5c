import type { CategoryId, Delegation } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';

/** True if a delegation is in force at an instant: while active, from its start until just before its end. */
export function isInForce(delegation: Delegation, at: Instant): boolean {
  return delegation.active && delegation.start <= at && at < delegation.end;
}

/** True if a delegation covers a category. A general delegation covers every one, and no other covers `general`. */
export function coversCategory(delegation: Delegation, categoryId: CategoryId): boolean {
  const { categoryIds } = delegation;
  return categoryIds.length === 0 || (categoryId !== null && categoryIds.includes(categoryId));
}

/** The order in which delegations count: by start, those of one start by id. */
export function compareByStart(a: Delegation, b: Delegation): number {
  return a.start - b.start || a.id - b.id;
}

/** User ids of those who cover for a person: by start of their delegation, its id, then as named; no one twice. */
export function delegatesAt(
  delegations: readonly Delegation[],
  person: string,
  categoryId: CategoryId,
  at: Instant,
): readonly string[] {
  const own = delegations.filter(
    (delegation) =>
      delegation.delegator === person && coversCategory(delegation, categoryId) && isInForce(delegation, at),
  );
  return [...new Set(own.toSorted(compareByStart).flatMap(({ delegates }) => delegates))];
}

/** User ids of those for whom a person covers: by start of their delegation, then its id; no one twice. */
export function delegatorsAt(
  delegations: readonly Delegation[],
  person: string,
  categoryId: CategoryId,
  at: Instant,
): readonly string[] {
  const naming = delegations.filter(
    (delegation) =>
      delegation.delegates.includes(person) &&
      coversCategory(delegation, categoryId) &&
      isInForce(delegation, at),
  );
  return [...new Set(naming.toSorted(compareByStart).map(({ delegator }) => delegator))];
}
