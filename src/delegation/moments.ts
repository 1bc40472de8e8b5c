import type { CategoryId, Delegation, TimeSpan } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { compareByStart, coversCategory } from './delegates-at.ts';

/**
 * The delegates of each person at one instant, as user ids. Moments that follow each other share an answer while it is
 * the same.
 */
export interface DelegateMoment {
  /** The delegates of a person: by start of their delegation, its id, then as named; no one twice. */
  delegatesOf(person: string, categoryId: CategoryId): readonly string[];
  /** The delegates by delegations that name the category alone; none for `general`. */
  delegatesNaming(person: string, categoryId: CategoryId): readonly string[];
  /** The delegates by all delegations, in whatever category. */
  delegatesInAny(person: string): readonly string[];
  /** The instant until which every answer this moment has given so far stays the same; Infinity: for ever. */
  holdsUntil(): Instant;
}

/** Delegations sorted for questions about single people. */
export interface DelegateMoments {
  at(instant: Instant): DelegateMoment;
  /** Categories that delegations of a person name, whenever they are in force. */
  namedBy(person: string): ReadonlySet<number>;
  /** Categories that any delegation names. */
  readonly named: ReadonlySet<number>;
}

const nothing = ownDelegates([]);

/**
 * Sorts delegations by delegator, so that a question about one person at an instant does not look at all of them.
 * A reader that follows changes takes one moment, and then the one at which its answers no longer hold.
 */
export function indexMoments(delegations: readonly Delegation[]): DelegateMoments {
  const effective = delegations.filter(({ active, start, end }) => active && start < end);
  const byDelegator = Map.groupBy(effective, ({ delegator }) => delegator);
  const known = new Map<string, OwnDelegates>();

  function ownOf(person: string): OwnDelegates {
    const delegationsOfPerson = byDelegator.get(person);
    if (delegationsOfPerson === undefined) return nothing;
    const own = known.get(person) ?? ownDelegates(delegationsOfPerson);
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

/** Finds the stretch an instant lies in. */
type Timeline = (at: Instant) => DelegateStretch;

/** The delegates of one delegator over all of time, worked out as far as they are needed. */
interface OwnDelegates {
  /** Categories that any of the delegations names. */
  readonly categoryIds: ReadonlySet<number>;
  /** The delegates by all delegations that cover a category. */
  covering(categoryId: CategoryId): Timeline;
  /** The delegates by those alone that name the category. */
  naming(categoryId: CategoryId): Timeline;
  /** The delegates in whatever category. */
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

/** Finds stretches; the latest is remembered, for callers need the same again and again. */
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

/** The delegates of a person, in the order in which they count, no one twice, while they stay the same. */
interface DelegateStretch extends TimeSpan {
  readonly delegates: readonly string[];
}

/** The time of a delegate because of one delegation; the smaller `rank` counts first. */
interface Turn extends TimeSpan {
  readonly delegate: string;
  readonly rank: number;
}

/**
 * The stretches of a delegator from the beginning of time to its end, each other than the one before. `inOrder` are
 * delegations of theirs in the order in which they count, active and of some length. Each is looked at once: at no
 * instant all that are in force are gone through.
 */
function delegateStretches(inOrder: readonly Delegation[]): readonly DelegateStretch[] {
  const turns = turnsOf(inOrder);
  const beginning = Map.groupBy(turns, ({ from }) => from);
  const ending = Map.groupBy(turns, ({ until }) => until);
  const present: Turn[] = [];
  const stretches: DelegateStretch[] = [];
  let from = Number.NEGATIVE_INFINITY;
  let delegates: readonly string[] = [];
  for (const at of new Set([...beginning.keys(), ...ending.keys()].sort((a, b) => a - b))) {
    const indexOf = (turn: Turn) => firstWhere(present, ({ rank }) => rank >= turn.rank);
    for (const turn of ending.get(at) ?? []) present.splice(indexOf(turn), 1);
    for (const turn of beginning.get(at) ?? []) present.splice(indexOf(turn), 0, turn);
    const next = present.map(({ delegate }) => delegate);
    if (isSameList(next, delegates)) continue;
    stretches.push({ from, until: at, delegates });
    [from, delegates] = [at, next];
  }
  return [...stretches, { from, until: Number.POSITIVE_INFINITY, delegates }];
}

/**
 * The turns of all delegates. Of the delegations that name a delegate the earliest in force counts. Later ones begin
 * later, so the next that counts is the first to end after it.
 */
function turnsOf(inOrder: readonly Delegation[]): readonly Turn[] {
  const turns: Turn[] = [];
  const namedUntil = new Map<string, Instant>();
  for (const { start, end, delegates } of inOrder) {
    for (const delegate of delegates) {
      const from = Math.max(start, namedUntil.get(delegate) ?? Number.NEGATIVE_INFINITY);
      if (from >= end) continue;
      turns.push({ delegate, rank: turns.length, from, until: end });
      namedUntil.set(delegate, end);
    }
  }
  return turns;
}

/** True if two lists have the same entries in the same order. */
export function isSameList<One>(a: readonly One[], b: readonly One[]): boolean {
  return a === b || (a.length === b.length && a.every((one, i) => one === b[i]));
}

/** The last of stretches in order of time that begins at an instant or before it; undefined where all begin later. */
export function lastFrom<Stretch extends TimeSpan>(
  inOrder: readonly Stretch[],
  at: Instant,
): Stretch | undefined {
  return inOrder[firstWhere(inOrder, ({ from }) => from > at) - 1];
}

/** The least index in a list from which on a condition is met, found by halving; the list's length where it never is. */
function firstWhere<One>(list: readonly One[], isMet: (one: One) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = list[middle];
    if (one !== undefined && !isMet(one)) low = middle + 1;
    else high = middle;
  }
  return low;
}
