import type { Delegation, StandInTime, StandInTimes } from '../model/delegation.ts';
import { chainEnds } from './chain-ends.ts';
import { coversCategory } from './in-force.ts';
import { indexMoments, type Moment } from './index-moments.ts';
import { type ReadPeople, rememberByCategory } from './remember-by-category.ts';

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
  const momentAt = indexMoments(delegations);
  const known = new Map<string, readonly StandInTime[]>();
  return (owner) => {
    const times = known.get(owner) ?? timesOf(owner, momentAt, categories);
    known.set(owner, times);
    return times;
  };
}

function timesOf(
  owner: string,
  momentAt: (at: number) => Moment,
  categories: readonly AskedCategory[],
): readonly StandInTime[] {
  const times: StandInTime[] = [];
  for (let start = Number.NEGATIVE_INFINITY; start < Number.POSITIVE_INFINITY; ) {
    const moment = momentAt(start);
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
    // Where `general` is asked the owner's general delegations are left to it; others are away because of theirs anyhow.
    const named = generalAsked && category.id !== null;
    const delegatesOf = (person: string) =>
      (named && person === owner ? namingOnly : namingFirst)(moment.inForceOf(person), category.id);
    const { value: delegate } = chainEnds(owner, delegatesOf).next();
    if (delegate !== undefined) return { delegate, category };
  }
  return null;
}

/** Delegates of delegations that name the category, before those of general ones. */
const namingFirst = rememberByCategory((inForce, categoryId) => [
  ...namingOnly(inForce, categoryId),
  ...inForce.filter(isGeneral).flatMap(({ delegates }) => delegates),
]);

const namingOnly: ReadPeople = (inForce, categoryId) =>
  inForce
    .filter((delegation) => !isGeneral(delegation) && coversCategory(delegation, categoryId))
    .flatMap(({ delegates }) => delegates);

function isGeneral({ categoryIds }: Delegation): boolean {
  return categoryIds.length === 0;
}
