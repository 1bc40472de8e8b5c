import type { AwayToo, CategoryId, Uncovered } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { chainEnds } from './chain-ends.ts';
import type { Moment, Moments } from './index-moments.ts';
import { type Found, rememberWalks } from './remember-walks.ts';
import { isSameList } from './same-list.ts';

/** A delegate who is away too, and who is left. */
export type Away = Pick<AwayToo, 'delegate' | 'categoryId' | 'standIns'>;

/** What is to be known of one person from an instant on. */
export interface PersonTold {
  /** Categories in which nobody who could stand in is there: all are away in a circle, or unknown. */
  readonly nobody: readonly Pick<Uncovered, 'categoryId' | 'reason'>[];
  readonly away: readonly Away[];
  /** Until when it is so; Infinity: for ever. */
  readonly until: Instant;
}

/**
 * Where a person is away: is somebody there at the end, and which delegates are away too. It is told of `general` and
 * of every category that a delegation on the way names, but not of a category what is true of `general` alike.
 * Who is not known is nobody who stands in. `tellStandIns` false: not who is left. Instants must not go back.
 */
export function personTeller(
  moments: Moments,
  {
    isKnown,
    tellStandIns,
  }: { readonly isKnown: (person: string) => boolean; readonly tellStandIns: boolean },
): (person: string, at: Instant) => PersonTold {
  const onTheWay = rememberWalks(moments, (moment, person, met) =>
    namedOnTheWay(moments, moment, person, met),
  );
  const endsIn = new Map<CategoryId, (person: string, at: Instant) => Found<string>>();
  const endsOf = (categoryId: CategoryId) => {
    const known = endsIn.get(categoryId) ?? rememberWalks(moments, (...walk) => ends(categoryId, ...walk));
    endsIn.set(categoryId, known);
    return known;
  };

  return (person, at) => {
    const moment = moments.at(at);
    const named = onTheWay(person, at);
    const told = [null, ...named.found].map((categoryId) => {
      const delegates = moment.delegatesOf(person, categoryId);
      const isAway = (delegate: string) => moment.delegatesOf(delegate, categoryId).length > 0;
      const left = delegates.filter(isAway).map((delegate) => {
        const { found: all, until } = endsOf(categoryId)(delegate, at);
        const found = all.filter(isKnown);
        return { delegate, found, until, isUnknown: found.length < all.length };
      });
      // Whoever is there is at an end; else somebody is who is at the end of one who is away.
      const present = delegates.filter((delegate) => !isAway(delegate));
      const isNobody =
        delegates.length > 0 && !present.some(isKnown) && left.every(({ found }) => found.length === 0);
      const reason =
        present.length > 0 || left.some(({ isUnknown }) => isUnknown)
          ? ('unknown' as const)
          : ('loop' as const);
      return { categoryId, left, isNobody, reason };
    });
    const [general, ...others] = told.map((category) => awayIn(category, tellStandIns));
    const inGeneral = new Map(general?.map((one) => [one.delegate, one]));
    const isNew = (one: Away) => !isAlike(inGeneral.get(one.delegate), one);
    const nobody = told.filter(({ isNobody }) => isNobody);
    const inAll = nobody.find(({ categoryId }) => categoryId === null);
    return {
      nobody: (inAll === undefined ? nobody : [inAll]).map(({ categoryId, reason }) => ({
        categoryId,
        reason,
      })),
      away: [...(general ?? []), ...others.flat().filter(isNew)],
      until: told
        .flatMap(({ left }) => left)
        .reduce((least, { until }) => Math.min(least, until), Math.min(named.until, moment.holdsUntil())),
    };
  };
}

interface CategoryTold {
  readonly categoryId: CategoryId;
  readonly left: readonly (Found<string> & { readonly delegate: string })[];
}

function awayIn({ categoryId, left }: CategoryTold, tellStandIns: boolean): readonly Away[] {
  return left.map(({ delegate, found }) => ({ delegate, categoryId, standIns: tellStandIns ? found : null }));
}

/** Whether the same is told of two delegates, categories apart. */
function isAlike(a: Away | undefined, b: Away): boolean {
  return a !== undefined && isSameList(a.standIns ?? [], b.standIns ?? []);
}

/** Everybody without delegates who can be reached. */
function ends(categoryId: CategoryId, moment: Moment, person: string, met: Set<string>): readonly string[] {
  const delegatesOf = (somebody: string) => {
    met.add(somebody);
    return moment.delegatesOf(somebody, categoryId);
  };
  return [...chainEnds(person, delegatesOf)];
}

/** Categories in which something may be otherwise than in `general`. */
function namedOnTheWay(
  moments: Moments,
  moment: Moment,
  person: string,
  met: Set<string>,
): readonly number[] {
  const ids = new Set<number>();
  met.add(person);
  // A set tells what is added to it while it is gone through.
  for (const somebody of met) {
    for (const delegate of moment.delegatesInAny(somebody)) met.add(delegate);
    for (const id of moments.namedBy(somebody)) ids.add(id);
    if (ids.size === moments.named.size) break;
  }
  return [...ids].sort((a, b) => a - b);
}
