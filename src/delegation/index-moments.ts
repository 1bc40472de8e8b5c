import type { CategoryId, Delegation } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import type { DelegateStretch } from './delegate-stretches.ts';
import { type OwnDelegates, ownDelegates } from './own-delegates.ts';

/**
 * Who stands in for whom at one instant, as user ids. Moments that follow each other share an answer while it is the
 * same.
 */
export interface Moment {
  /** Those who stand in: by start of their delegation, its id, then as named; nobody twice. */
  delegatesOf(person: string, categoryId: CategoryId): readonly string[];
  /** The same of delegations that name the category alone; none for `general`. */
  delegatesNaming(person: string, categoryId: CategoryId): readonly string[];
  /** The same of all delegations, in whatever category. */
  delegatesInAny(person: string): readonly string[];
  /** Until when all that was asked of this moment so far would be answered the same; Infinity: for ever. */
  holdsUntil(): Instant;
}

/** Delegations sorted for questions about single people. */
export interface Moments {
  at(instant: Instant): Moment;
  /** Categories that delegations of a person name, whenever they are in force. */
  namedBy(person: string): ReadonlySet<number>;
  /** The same of anybody. */
  readonly named: ReadonlySet<number>;
}

const nothing = ownDelegates([]);

/**
 * Sorts delegations by delegator, so that an instant can be asked about one person without looking at all of them.
 * Whoever wants to know how something changes asks one moment, and then the one at which it no longer holds.
 */
export function indexMoments(delegations: readonly Delegation[]): Moments {
  const effective = delegations.filter(({ active, start, end }) => active && start < end);
  const byDelegator = Map.groupBy(effective, ({ delegator }) => delegator);
  const known = new Map<string, OwnDelegates>();

  function ownOf(person: string): OwnDelegates {
    const found = known.get(person);
    if (found !== undefined) return found;
    const delegationsOfPerson = byDelegator.get(person);
    if (delegationsOfPerson === undefined) return nothing;
    const own = ownDelegates(delegationsOfPerson);
    known.set(person, own);
    return own;
  }

  return {
    at(instant) {
      let end = Number.POSITIVE_INFINITY;
      const told = ({ delegates, until }: DelegateStretch) => {
        end = Math.min(end, until);
        return delegates;
      };
      return {
        delegatesOf: (person, categoryId) => told(ownOf(person).covering(categoryId)(instant)),
        delegatesNaming: (person, categoryId) => told(ownOf(person).naming(categoryId)(instant)),
        delegatesInAny: (person) => told(ownOf(person).any()(instant)),
        holdsUntil: () => end,
      };
    },
    namedBy: (person) => ownOf(person).categoryIds,
    named: new Set(effective.flatMap(({ categoryIds }) => categoryIds)),
  };
}
