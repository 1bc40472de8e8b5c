import type { AwayToo, CategoryId, Uncovered } from '../model/delegation.ts';
import { chainEnds } from './chain-ends.ts';
import type { Moment } from './index-moments.ts';
import { delegatesIn } from './stand-ins.ts';

type Loop = Pick<Uncovered, 'person' | 'categoryId'>;
type Away = Omit<AwayToo, 'from' | 'until'>;

/** What is to be known of one person at one moment. */
export interface MomentTold {
  /** Categories in which all who could stand in are away in a circle. */
  readonly loops: readonly Loop[];
  /** Delegates who are away too. */
  readonly away: readonly Away[];
}

/**
 * Where a person is away: is somebody there at the end, and which delegates are away too. It is told of `general` and
 * of every category that a delegation on the way names, but not of a category what is true of `general` alike.
 */
export function tellMoment(moment: Moment, person: string): MomentTold {
  const general = tellCategory(moment, person, null);
  const named = namedOnTheWay(moment, person).map((categoryId) => tellCategory(moment, person, categoryId));
  const known = new Set(general.away.map(whoIsWho));
  return {
    loops: [...general.loops, ...(general.loops.length === 0 ? named.flatMap(({ loops }) => loops) : [])],
    away: [...general.away, ...named.flatMap(({ away }) => away.filter((one) => !known.has(whoIsWho(one))))],
  };
}

function tellCategory(moment: Moment, person: string, categoryId: CategoryId): MomentTold {
  const delegatesOf = (somebody: string) => delegatesIn(moment, somebody, categoryId);
  const delegates = delegatesOf(person);
  const endless = delegates.length > 0 && chainEnds(person, delegatesOf).next().value === undefined;
  const away = delegates.filter((delegate) => delegatesOf(delegate).length > 0);
  return {
    loops: endless ? [{ person, categoryId }] : [],
    away: away.map((delegate) => ({
      person,
      delegate,
      categoryId,
      standIns: [...chainEnds(delegate, delegatesOf)],
    })),
  };
}

function namedOnTheWay(moment: Moment, person: string): readonly number[] {
  const ids = new Set<number>();
  const people = new Set([person]);
  // A set tells what is added to it while it is gone through.
  for (const somebody of people) {
    for (const { delegates, categoryIds } of moment.inForceOf(somebody)) {
      for (const delegate of delegates) people.add(delegate);
      for (const id of categoryIds) ids.add(id);
    }
  }
  return [...ids].sort((a, b) => a - b);
}

function whoIsWho({ delegate, standIns }: Away): string {
  return JSON.stringify([delegate, standIns]);
}
