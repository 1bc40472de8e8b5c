import type { Delegation, TimeSpan } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { isSameList } from './same-list.ts';

/** Who stands in for somebody, in the order in which they count, and nobody twice, while that stays the same. */
export interface DelegateStretch extends TimeSpan {
  readonly delegates: readonly string[];
}

/** A delegate because of one delegation; the smaller `rank` counts first. */
interface Place extends TimeSpan {
  readonly delegate: string;
  readonly rank: number;
}

/**
 * The stretches of a delegator from the beginning of time to its end, each other than the one before. `inOrder` are
 * delegations of theirs in the order in which they count, active and of some length. Each is looked at once: at no
 * instant all that are in force are gone through.
 */
export function delegateStretches(inOrder: readonly Delegation[]): readonly DelegateStretch[] {
  const places = placesOf(inOrder);
  const beginning = Map.groupBy(places, ({ from }) => from);
  const ending = Map.groupBy(places, ({ until }) => until);
  const present: Place[] = [];
  const stretches: DelegateStretch[] = [];
  let from = Number.NEGATIVE_INFINITY;
  let delegates: readonly string[] = [];
  for (const at of inOrderOfTime([...beginning.keys(), ...ending.keys()])) {
    for (const place of ending.get(at) ?? []) present.splice(indexOf(place, present), 1);
    for (const place of beginning.get(at) ?? []) present.splice(indexOf(place, present), 0, place);
    const next = present.map(({ delegate }) => delegate);
    if (isSameList(next, delegates)) continue;
    stretches.push({ from, until: at, delegates });
    [from, delegates] = [at, next];
  }
  return [...stretches, { from, until: Number.POSITIVE_INFINITY, delegates }];
}

/**
 * Of the delegations that name a delegate the earliest in force gives the place. Later ones begin later, so the next
 * that counts is the first to end after it.
 */
function placesOf(inOrder: readonly Delegation[]): readonly Place[] {
  const places: Place[] = [];
  const namedUntil = new Map<string, Instant>();
  for (const { start, end, delegates } of inOrder) {
    for (const delegate of delegates) {
      const from = Math.max(start, namedUntil.get(delegate) ?? Number.NEGATIVE_INFINITY);
      if (from >= end) continue;
      places.push({ delegate, rank: places.length, from, until: end });
      namedUntil.set(delegate, end);
    }
  }
  return places;
}

/** Where a place is, or is to be, among those in order of rank. */
function indexOf({ rank }: Place, present: readonly Place[]): number {
  let [low, high] = [0, present.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((present[middle]?.rank ?? rank) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

function inOrderOfTime(instants: readonly Instant[]): readonly Instant[] {
  return [...new Set(instants)].sort((a, b) => a - b);
}
