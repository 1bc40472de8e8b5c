import type { AwayToo, CategoryId, Uncovered } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { chainEnds } from './chain.ts';
import { type DelegateMoment, type DelegateMoments, isSameList } from './moments.ts';

/** A delegate who is away too, and those who are left. */
type Away = Pick<AwayToo, 'delegate' | 'categoryId' | 'standIns'>;

/** The findings about one person from an instant on. */
interface PersonCoverage {
  /** Categories in which no one is there to cover: all are away in a circle, or unknown. */
  readonly nobody: readonly Pick<Uncovered, 'categoryId' | 'reason'>[];
  readonly away: readonly Away[];
  /** The instant until which the findings hold; Infinity: for ever. */
  readonly until: Instant;
}

/**
 * Surveys people who are away: whether a person is there at the end of their chain, and which delegates are away too, in
 * `general` and in every category that a delegation on the way names, a category without the findings of `general`.
 * An unknown person does not cover. `withRemaining` false leaves out those who are left. Instants must not go back.
 */
export function surveyPerson(
  moments: DelegateMoments,
  {
    isKnown,
    withRemaining,
  }: { readonly isKnown: (person: string) => boolean; readonly withRemaining: boolean },
): (person: string, at: Instant) => PersonCoverage {
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
    const byCategory = [null, ...named.found].map((categoryId) => {
      const delegates = moment.delegatesOf(person, categoryId);
      const isAway = (delegate: string) => moment.delegatesOf(delegate, categoryId).length > 0;
      const left = delegates.filter(isAway).map((delegate) => {
        const { found: all, until } = endsOf(categoryId)(delegate, at);
        const found = all.filter(isKnown);
        return { delegate, found, until, isUnknown: found.length < all.length };
      });
      // A delegate who is there is at an end; else the chain of one who is away has an end.
      const present = delegates.filter((delegate) => !isAway(delegate));
      const isNobody =
        delegates.length > 0 && !present.some(isKnown) && left.every(({ found }) => found.length === 0);
      const reason =
        present.length > 0 || left.some(({ isUnknown }) => isUnknown)
          ? ('unknown' as const)
          : ('loop' as const);
      return { categoryId, left, isNobody, reason };
    });
    const [general, ...others] = byCategory.map((category) => awayIn(category, withRemaining));
    const inGeneral = new Map(general?.map((one) => [one.delegate, one]));
    const isNew = (one: Away) => !isAlike(inGeneral.get(one.delegate), one);
    const nobody = byCategory.filter(({ isNobody }) => isNobody);
    const inAll = nobody.find(({ categoryId }) => categoryId === null);
    return {
      nobody: (inAll === undefined ? nobody : [inAll]).map(({ categoryId, reason }) => ({
        categoryId,
        reason,
      })),
      away: [...(general ?? []), ...others.flat().filter(isNew)],
      until: byCategory
        .flatMap(({ left }) => left)
        .reduce((least, { until }) => Math.min(least, until), Math.min(named.until, moment.holdsUntil())),
    };
  };
}

interface CategoryCoverage {
  readonly categoryId: CategoryId;
  readonly left: readonly (Found<string> & { readonly delegate: string })[];
}

function awayIn({ categoryId, left }: CategoryCoverage, withRemaining: boolean): readonly Away[] {
  return left.map(({ delegate, found }) => ({
    delegate,
    categoryId,
    standIns: withRemaining ? found : null,
  }));
}

/** True if two findings about a delegate have the same stand-ins, categories apart. */
function isAlike(a: Away | undefined, b: Away): boolean {
  return a !== undefined && isSameList(a.standIns ?? [], b.standIns ?? []);
}

/** The people without delegates who can be reached from a person. */
function ends(
  categoryId: CategoryId,
  moment: DelegateMoment,
  person: string,
  met: Set<string>,
): readonly string[] {
  const delegatesOf = (one: string) => {
    met.add(one);
    return moment.delegatesOf(one, categoryId);
  };
  return [...chainEnds(person, delegatesOf)];
}

/** Categories whose findings may differ from those of `general`. */
function namedOnTheWay(
  moments: DelegateMoments,
  moment: DelegateMoment,
  person: string,
  met: Set<string>,
): readonly number[] {
  const ids = new Set<number>();
  met.add(person);
  // The iteration of a set reaches entries that are added meanwhile.
  for (const one of met) {
    for (const delegate of moment.delegatesInAny(one)) met.add(delegate);
    for (const id of moments.namedBy(one)) ids.add(id);
    if (ids.size === moments.named.size) break;
  }
  return [...ids].sort((a, b) => a - b);
}

/** The result of a walk, and the instant until which it stays the same. */
interface Found<One> {
  readonly found: readonly One[];
  readonly until: Instant;
}

/**
 * Goes from a person to those who cover for them, and so on. It adds everyone it meets to `met`, and may end early once
 * it has found something.
 */
type Walk<One> = (moment: DelegateMoment, person: string, met: Set<string>) => readonly One[];

/**
 * Repeats a walk only when something on it has changed. Instants must not go back. The same array is returned while its
 * entries are the same.
 */
function rememberWalks<One>(
  moments: DelegateMoments,
  walk: Walk<One>,
): (person: string, at: Instant) => Found<One> {
  const known = new Map<string, Found<One>>();
  return (person, at) => {
    const before = known.get(person);
    if (before !== undefined && at < before.until) return before;
    const moment = moments.at(at);
    const met = new Set([person]);
    const found = walk(moment, person, met);
    const until = moment.holdsUntil();
    // A walk that finds nothing has met only people whose own walks find nothing.
    if (found.length === 0) for (const one of met) known.set(one, { found, until });
    const same = before !== undefined && isSameList(before.found, found);
    const result = { found: same ? before.found : found, until };
    known.set(person, result);
    return result;
  };
}
