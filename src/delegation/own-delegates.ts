import type { CategoryId, Delegation } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { compareByStart } from './compare-by-start.ts';
import { type DelegateStretch, delegateStretches } from './delegate-stretches.ts';
import { coversCategory } from './in-force.ts';
import { lastFrom } from './last-from.ts';

/** The stretch an instant lies in. */
export type Timeline = (at: Instant) => DelegateStretch;

/** Who stands in for one delegator over all of time, worked out as far as it is asked for. */
export interface OwnDelegates {
  /** Categories that any of the delegations names. */
  readonly categoryIds: ReadonlySet<number>;
  /** By all delegations that cover a category. */
  covering(categoryId: CategoryId): Timeline;
  /** By those alone that name the category. */
  naming(categoryId: CategoryId): Timeline;
  /** In whatever category. */
  any(): Timeline;
}

/** `delegations` are those of one delegator, active and of some length. */
export function ownDelegates(delegations: readonly Delegation[]): OwnDelegates {
  const inOrder = delegations.toSorted(compareByStart);
  const categoryIds = new Set(inOrder.flatMap((delegation) => delegation.categoryIds));
  const timelineOf = (which: (delegation: Delegation) => boolean) =>
    timeline(delegateStretches(inOrder.filter(which)));
  const covering = remembering((id) => timelineOf((delegation) => coversCategory(delegation, id)));
  const naming = remembering((id) =>
    timelineOf((delegation) => id !== null && delegation.categoryIds.includes(id)),
  );
  const any = remembering(() => timelineOf(() => true));
  const named = (id: CategoryId) => (id !== null && categoryIds.has(id) ? id : null);
  return {
    categoryIds,
    covering: (id) => covering(named(id)),
    naming: (id) => naming(named(id)),
    any: () => any(null),
  };
}

/** Whoever asks, asks about the same stretch again and again. */
function timeline(stretches: readonly DelegateStretch[]): Timeline {
  let latest: DelegateStretch = { from: 0, until: 0, delegates: [] };
  return (at) => {
    if (at < latest.from || at >= latest.until) latest = lastFrom(stretches, at) ?? latest;
    return latest;
  };
}

function remembering(work: (categoryId: CategoryId) => Timeline): (categoryId: CategoryId) => Timeline {
  const known = new Map<CategoryId, Timeline>();
  return (categoryId) => {
    const timeline = known.get(categoryId) ?? work(categoryId);
    known.set(categoryId, timeline);
    return timeline;
  };
}
