import type { Delegation, TimeSpan } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { compareByStart } from './compare-by-start.ts';
import { isInForce } from './in-force.ts';

/** Delegations as they are at one instant. */
export interface Moment {
  /**
   * Those of a delegator that are in force, of any category, in the order in which they count. Moments that follow
   * each other share the array while it is the same.
   */
  inForceOf(delegator: string): readonly Delegation[];
  /** Until when all that was asked of this moment so far would be answered the same; Infinity: for ever. */
  holdsUntil(): Instant;
}

/**
 * Sorts delegations by delegator, so that an instant can be asked about one person without looking at all of them.
 * Whoever wants to know how something changes asks one moment, and then the one at which it no longer holds.
 */
export function indexMoments(delegations: readonly Delegation[]): (at: Instant) => Moment {
  const effective = delegations.filter(({ active, start, end }) => active && start < end);
  const byDelegator = Map.groupBy(effective.toSorted(compareByStart), ({ delegator }) => delegator);
  const latest = new Map<string, Unchanged>();
  return (at) => {
    let until = Number.POSITIVE_INFINITY;
    return {
      inForceOf(delegator) {
        let found = latest.get(delegator);
        if (found === undefined || at < found.from || at >= found.until) {
          found = unchangedAround(byDelegator.get(delegator) ?? [], at);
          latest.set(delegator, found);
        }
        until = Math.min(until, found.until);
        return found.inForce;
      },
      holdsUntil: () => until,
    };
  };
}

/** What is in force of one delegator from an instant until just before another. */
interface Unchanged extends TimeSpan {
  readonly inForce: readonly Delegation[];
}

function unchangedAround(inOrder: readonly Delegation[], at: Instant): Unchanged {
  const inForce = inOrder.filter((delegation) => isInForce(delegation, at));
  const next = inOrder.find(({ start }) => start > at)?.start ?? Number.POSITIVE_INFINITY;
  return { inForce, from: at, until: inForce.reduce((least, { end }) => Math.min(least, end), next) };
}
