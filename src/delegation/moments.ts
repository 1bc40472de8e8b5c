import type { CategoryId, Delegation, TimeSpan } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { compareByStart, coversCategory } from './delegates-at.ts';

/**
 * Who covers for whom at one instant, as user ids. Moments that follow each other share an answer while it is the
 * same.
 */
export interface DelegateMoment {
  /** Those who cover: by start of their delegation, its id, then as named; nobody twice. */
  delegatesOf(person: string, categoryId: CategoryId): readonly string[];
  /** The same of delegations that name the category alone; none for `general`. */
  delegatesNaming(person: string, categoryId: CategoryId): readonly string[];
  /** The same of all delegations, in whatever category. */
  delegatesInAny(person: string): readonly string[];
  /** Until when all that was asked of this moment so far would be answered the same; Infinity: for ever. */
  holdsUntil(): Instant;
}

/** Delegations sorted for questions about single people. */
export interface DelegateMoments {
  at(instant: Instant): DelegateMoment;
  /** Categories that delegations of a person name, whenever they are in force. */
  namedBy(person: string): ReadonlySet<number>;
  /** The same of anybody. */
  readonly named: ReadonlySet<number>;
}

const nothing = ownDelegates([]);

/**
 * Sorts delegations by delegator, so that an instant can be asked about one person without looking at all of them.
 * Who wants to know how something changes asks one moment, and then the one at which it no longer holds.
 */
export function indexMoments(delegations: readonly Delegation[]): DelegateMoments {
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
      const answer = ({ delegates, until }: DelegateStretch) => {
        end = Math.min(end, until);
        return delegates;
      };
      return {
        delegatesOf: (person, categoryId) => answer(ownOf(person).covering(categoryId)(instant)),
        delegatesNaming: (person, categoryId) => answer(ownOf(person).naming(categoryId)(instant)),
        delegatesInAny: (person) => answer(ownOf(person).any()(instant)),
        holdsUntil: () => end,
      };
    },
    namedBy: (person) => ownOf(person).categoryIds,
    named: new Set(effective.flatMap(({ categoryIds }) => categoryIds)),
  };
}

/** The stretch an instant lies in. */
type Timeline = (at: Instant) => DelegateStretch;

/** Who covers for one delegator over all of time, worked out as far as it is asked for. */
interface OwnDelegates {
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
function ownDelegates(delegations: readonly Delegation[]): OwnDelegates {
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

/** Callers ask about the same stretch again and again. */
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

/** Who covers for somebody, in the order in which they count, and nobody twice, while that stays the same. */
interface DelegateStretch extends TimeSpan {
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
function delegateStretches(inOrder: readonly Delegation[]): readonly DelegateStretch[] {
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

/** Whether two lists have the same entries in the same order. */
export function isSameList<One>(a: readonly One[], b: readonly One[]): boolean {
  return a === b || (a.length === b.length && a.every((one, i) => one === b[i]));
}

/** The last of stretches in order of time that begins at an instant or before it; undefined where all begin later. */
export function lastFrom<Stretch extends TimeSpan>(
  inOrder: readonly Stretch[],
  at: Instant,
): Stretch | undefined {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle]?.from ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return inOrder[low - 1];
}
