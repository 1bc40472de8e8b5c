import type { CategoryId, Delegation } from '../model/delegation.ts';

/** Reads people out of what is in force of one delegator in a category. */
export type ReadPeople = (inForce: readonly Delegation[], categoryId: CategoryId) => readonly string[];

/** The same, read once of every array: the same people are met on many ways and at many moments. */
export function rememberByCategory(read: ReadPeople): ReadPeople {
  const seen = new WeakMap<readonly Delegation[], Map<CategoryId, readonly string[]>>();
  return (inForce, categoryId) => {
    const known = seen.get(inForce) ?? new Map<CategoryId, readonly string[]>();
    seen.set(inForce, known);
    const people = known.get(categoryId) ?? read(inForce, categoryId);
    known.set(categoryId, people);
    return people;
  };
}
