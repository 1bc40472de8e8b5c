import type {
  Absence,
  CategoryId,
  Chain,
  ChainPath,
  DelegateTime,
  DelegateTimes,
  Delegation,
} from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { isInForce } from './delegates-at.ts';
import { type DelegateMoment, type DelegateMoments, indexMoments, isSameList } from './moments.ts';

/** More paths than a person reads; their number can double with every two people. */
const MAX_PATHS = 100;

/** All paths from a person over their delegates and those of theirs, by a list of delegations. */
export function followChain(
  delegations: readonly Delegation[],
  {
    person,
    categoryId,
    at,
  }: { readonly person: string; readonly categoryId: CategoryId; readonly at: Instant },
): Pick<Chain, 'paths' | 'more'> {
  const moment = indexMoments(delegations.filter((one) => isInForce(one, at))).at(at);
  return followPaths(person, (one) => moment.delegatesOf(one, categoryId));
}

/**
 * All paths from a person over their delegates and those of theirs, depth first, delegates in order. A path ends with a
 * person who has no delegate, or before a delegate who is in it already. None where the person has no delegate.
 */
export function followPaths(
  person: string,
  delegatesOf: (person: string) => readonly string[],
): Pick<Chain, 'paths' | 'more'> {
  if (delegatesOf(person).length === 0) return { paths: [], more: false };
  const paths: ChainPath[] = [];
  const waiting: ChainPath[] = [{ people: [person], backTo: null }];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { people, backTo } = path;
    const last = people.at(-1) ?? person;
    const delegates = backTo === null ? delegatesOf(last) : [];
    if (delegates.length === 0) {
      if (paths.length === MAX_PATHS) return { paths, more: true };
      paths.push(path);
    }
    for (const next of delegates.toReversed()) {
      waiting.push(
        people.includes(next) ? { people, backTo: next } : { people: [...people, next], backTo: null },
      );
    }
  }
  return { paths, more: false };
}

/**
 * The people without delegates who can be reached from a person over delegates and those of theirs, depth first,
 * delegates in order; none where the person has no delegate. A person met again is passed over: the people reached
 * from there are listed already, which spares following every path.
 */
export function* chainEnds(
  person: string,
  delegatesOf: (person: string) => readonly string[],
): Generator<string, undefined> {
  const met = new Set([person]);
  const waiting = [...delegatesOf(person)].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (met.has(next)) continue;
    met.add(next);
    const delegates = delegatesOf(next);
    if (delegates.length === 0) yield next;
    for (const delegate of delegates.toReversed()) waiting.push(delegate);
  }
}

type Category = DelegateTime['category'];

/**
 * The times in which others covered for an owner, each instant counted once: under the first of `categories` in which a
 * delegate did. A general delegation counts under `general` where that is among them, else under any of them, behind
 * that category's own delegations. Of the delegates the first counts who is not away in the category; of one who is away
 * the delegates are tried instead. An owner's times are computed once.
 */
export function delegateTimesOf(
  delegations: readonly Delegation[],
  categories: readonly Category[],
): DelegateTimes {
  const moments = indexMoments(delegations);
  const known = new Map<string, readonly DelegateTime[]>();
  return (owner) => {
    const times = known.get(owner) ?? timesOf(owner, moments, categories);
    known.set(owner, times);
    return times;
  };
}

function timesOf(
  owner: string,
  moments: DelegateMoments,
  categories: readonly Category[],
): readonly DelegateTime[] {
  const times: DelegateTime[] = [];
  for (let start = Number.NEGATIVE_INFINITY; start < Number.POSITIVE_INFINITY; ) {
    const moment = moments.at(start);
    const found = delegateAt(moment, owner, categories);
    const end = moment.holdsUntil();
    const before = times.at(-1);
    if (found !== null) {
      const same =
        before?.end === start && before.delegate === found.delegate && before.category === found.category;
      if (same) times.splice(-1, 1, { ...before, end });
      else times.push({ start, end, ...found });
    }
    start = end;
  }
  return times;
}

function delegateAt(
  moment: DelegateMoment,
  owner: string,
  categories: readonly Category[],
): Pick<DelegateTime, 'delegate' | 'category'> | null {
  const hasGeneral = categories.some(({ id }) => id === null);
  for (const category of categories) {
    const { id } = category;
    // The owner's general delegations count under `general` where it is given; others are away because of theirs anyhow.
    const named = hasGeneral && id !== null;
    const delegatesOf = (person: string) =>
      named && person === owner
        ? moment.delegatesNaming(person, id)
        : [...moment.delegatesNaming(person, id), ...moment.delegatesOf(person, null)];
    const { value: delegate } = chainEnds(owner, delegatesOf).next();
    if (delegate !== undefined) return { delegate, category };
  }
  return null;
}

/**
 * The people who are away at an instant, because they have delegated all of their work, and who covers for them then: at the ends of
 * their chains, in `general` and in each category that their delegations name, but for those in which the same people cover. An unknown
 * person does not cover. `isVisible` is null for a reader who sees all delegations; another does not learn who covers for a delegate.
 */
export function absencesAt(
  delegations: readonly Delegation[],
  at: Instant,
  {
    isKnown,
    isVisible,
  }: {
    readonly isKnown: (person: string) => boolean;
    readonly isVisible: ((delegation: Delegation) => boolean) | null;
  },
): readonly Absence[] {
  const inForce = delegations.filter((one) => isInForce(one, at));
  const moment = indexMoments(inForce).at(at);
  const coversOf = (person: string, own: readonly Delegation[], categoryId: CategoryId) => {
    const delegatesOf = (one: string) => moment.delegatesOf(one, categoryId);
    if (isVisible === null) return [...chainEnds(person, delegatesOf)].filter(isKnown);
    const seen = new Set(own.flatMap(({ delegates }) => delegates));
    const direct = delegatesOf(person).filter((one) => seen.has(one));
    const here = direct.filter((one) => delegatesOf(one).length === 0);
    return here.length === 0 ? null : here.filter(isKnown);
  };
  const visible = isVisible === null ? inForce : inForce.filter(isVisible);
  return [...Map.groupBy(visible, ({ delegator }) => delegator)].flatMap(([person, own]) => {
    const whole = own.filter(({ categoryIds }) => categoryIds.length === 0);
    if (whole.length === 0) return [];
    const general = coversOf(person, own, null);
    const named = [...new Set(own.flatMap(({ categoryIds }) => categoryIds))].sort((a, b) => a - b);
    const others = named
      .map((categoryId) => ({ categoryId, delegates: coversOf(person, own, categoryId) }))
      .filter(({ delegates }) => !isSameList(delegates ?? [], general ?? []));
    return {
      person,
      until: Math.max(...whole.map(({ end }) => end)),
      covers: [{ categoryId: null, delegates: general }, ...others].filter(
        ({ delegates }) => delegates === null || delegates.length > 0,
      ),
    };
  });
}
