import type { CategoryId, ChainPath, Delegation } from '../../src/model/delegation.ts';
import type { Instant } from '../../src/model/issue.ts';

/** One instant, worked out as one would on paper: every delegation looked at, every path followed. */
export function naiveMinute(delegations: readonly Delegation[], at: Instant) {
  const inForce = delegations
    .filter(({ active, start, end }) => active && start <= at && at < end)
    .sort((a, b) => a.start - b.start || a.id - b.id);
  const named = (categoryId: CategoryId) =>
    inForce.filter(({ categoryIds }) => categoryIds.some((id) => id === categoryId));
  const general = inForce.filter(({ categoryIds }) => categoryIds.length === 0);
  const covering = (categoryId: CategoryId) =>
    inForce.filter((one) => general.includes(one) || named(categoryId).includes(one));

  const delegates = (person: string, categoryId: CategoryId) =>
    once(
      covering(categoryId)
        .filter(by(person))
        .flatMap((one) => one.delegates),
    );
  const delegators = (person: string, categoryId: CategoryId) =>
    once(
      covering(categoryId)
        .filter((one) => one.delegates.includes(person))
        .map(({ delegator }) => delegator),
    );

  const paths = (people: readonly string[], categoryId: CategoryId): ChainPath[] => {
    const next = delegates(people.at(-1) ?? '', categoryId);
    if (next.length === 0) return people.length === 1 ? [] : [{ people, backTo: null }];
    return next.flatMap((person) =>
      people.includes(person) ? [{ people, backTo: person }] : paths([...people, person], categoryId),
    );
  };
  const ends = (person: string, categoryId: CategoryId) =>
    once(
      paths([person], categoryId)
        .filter(({ backTo }) => backTo === null)
        .map((path) => path.people.at(-1) ?? ''),
    );

  /** The first way to somebody who is there, tried in order; `begin` is what of the first person's counts. */
  const standIn = (owner: string, categoryId: CategoryId, begin: readonly Delegation[]): string | null => {
    const search = (path: readonly string[], counting: readonly Delegation[]): string | null => {
      for (const person of counting.flatMap((one) => one.delegates)) {
        if (path.includes(person)) continue;
        const own = [...named(categoryId), ...general].filter(by(person));
        const found = own.length === 0 ? person : search([...path, person], own);
        if (found !== null) return found;
      }
      return null;
    };
    return search([owner], begin.filter(by(owner)));
  };
  /** As reports credit it: under the first category asked in which somebody stands in. */
  const credit = (owner: string, asked: readonly CategoryId[]) => {
    for (const id of asked) {
      const generalElsewhere = id !== null && asked.includes(null);
      const delegate = standIn(owner, id, generalElsewhere ? named(id) : [...named(id), ...general]);
      if (delegate !== null) return { delegate, id };
    }
    return null;
  };
  return {
    inForce,
    delegates,
    delegators,
    paths: (person: string, id: CategoryId) => paths([person], id),
    ends,
    credit,
  };
}

function by(person: string): (delegation: Delegation) => boolean {
  return ({ delegator }) => delegator === person;
}

function once(people: readonly string[]): readonly string[] {
  return people.filter((person, i) => people.indexOf(person) === i);
}
