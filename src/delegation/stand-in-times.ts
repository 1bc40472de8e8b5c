import type { Delegation, StandInTime, StandInTimes } from '../model/delegation.ts';
import { chainEnds } from './chain-ends.ts';
import { indexMoments, type Moment, type Moments } from './index-moments.ts';

type AskedCategory = StandInTime['category'];

/**
 * Who stood in for an owner and when, each instant told once: under the first of `categories` in which somebody did.
 * A general delegation counts under `general` where that is asked, else under any category asked, behind that
 * category's own delegations. Of the delegates the first counts who is not away in the category; of one who is away
 * the delegates are tried instead. Owners are looked at when asked for, and remembered.
 */
export function standInTimesOf(
  delegations: readonly Delegation[],
  categories: readonly AskedCategory[],
): StandInTimes {
  const moments = indexMoments(delegations);
  const known = new Map<string, readonly StandInTime[]>();
  return (owner) => {
    const times = known.get(owner) ?? timesOf(owner, moments, categories);
    known.set(owner, times);
    return times;
  };
}

function timesOf(
  owner: string,
  moments: Moments,
  categories: readonly AskedCategory[],
): readonly StandInTime[] {
  const times: StandInTime[] = [];
  for (let start = Number.NEGATIVE_INFINITY; start < Number.POSITIVE_INFINITY; ) {
    const moment = moments.at(start);
    const found = standInAt(moment, owner, categories);
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

function standInAt(
  moment: Moment,
  owner: string,
  categories: readonly AskedCategory[],
): Pick<StandInTime, 'delegate' | 'category'> | null {
  const generalAsked = categories.some(({ id }) => id === null);
  for (const category of categories) {
    const { id } = category;
    // Where `general` is asked the owner's general delegations are left to it; others are away because of theirs anyhow.
    const named = generalAsked && id !== null;
    const delegatesOf = (person: string) =>
      named && person === owner
        ? moment.delegatesNaming(person, id)
        : [...moment.delegatesNaming(person, id), ...moment.delegatesOf(person, null)];
    const { value: delegate } = chainEnds(owner, delegatesOf).next();
    if (delegate !== undefined) return { delegate, category };
  }
  return null;
}
