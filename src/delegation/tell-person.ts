import type { AwayToo, CategoryId } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { chainEnds } from './chain-ends.ts';
import type { Moment, Moments } from './index-moments.ts';
import { type Found, rememberWalks } from './remember-walks.ts';
import { isSameList } from './same-list.ts';

/** A delegate who is away too, and who is left. */
export type Away = Pick<AwayToo, 'delegate' | 'categoryId' | 'standIns'>;

/** What is to be known of one person from an instant on. */
export interface PersonTold {
  /** Categories in which all who could stand in are away in a circle. */
  readonly loops: readonly CategoryId[];
  readonly away: readonly Away[];
  /** Until when it is so; Infinity: for ever. */
  readonly until: Instant;
}

/**
 * Where a person is away: is somebody there at the end, and which delegates are away too. It is told of `general` and
 * of every category that a delegation on the way names, but not of a category what is true of `general` alike.
 * `tellStandIns` false: not who is left. Instants must not go back.
 */
export function personTeller(
  moments: Moments,
  tellStandIns: boolean,
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
      const away = delegates.filter((delegate) => moment.delegatesOf(delegate, categoryId).length > 0);
      const left = away.map((delegate) => ({ delegate, ...endsOf(categoryId)(delegate, at) }));
      // Whoever is there is at an end; else somebody is who is at the end of one who is away.
      const endless = away.length > 0 && away.length === delegates.length;
      return { categoryId, left, isLoop: endless && left.every(({ found }) => found.length === 0) };
    });
    const [general, ...others] = told.map((category) => awayIn(category, tellStandIns));
    const inGeneral = new Map(general?.map((one) => [one.delegate, one]));
    const isNew = (one: Away) => !isAlike(inGeneral.get(one.delegate), one);
    const loops = told.filter(({ isLoop }) => isLoop).map(({ categoryId }) => categoryId);
    return {
      loops: loops.includes(null) ? [null] : loops,
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
