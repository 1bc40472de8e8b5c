import type { CategoryId, Delegation } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { compareByStart } from './compare-by-start.ts';
import { coversCategory, isInForce } from './in-force.ts';

/** User ids of those who stand in for a person: by start of their delegation, its id, then as named; nobody twice. */
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

/** User ids of those for whom a person stands in: by start of their delegation, then its id; nobody twice. */
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
