import type { CategoryId, Chain, ChainPath, Delegation } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { isInForce } from './in-force.ts';
import { indexMoments } from './index-moments.ts';

/** More paths than anybody reads; their number can double with every two people. */
const MOST_PATHS = 100;

/** Whose chain, in what, and as of when. */
export interface ChainStart {
  readonly person: string;
  readonly categoryId: CategoryId;
  readonly at: Instant;
}

/**
 * All paths from a person over their delegates and those of theirs, depth first, delegates in order. A path ends with
 * somebody who has no delegate, or before a delegate who stands in it already. None where the person has no delegate.
 */
export function followChain(
  delegations: readonly Delegation[],
  { person, categoryId, at }: ChainStart,
): Pick<Chain, 'paths' | 'more'> {
  const moment = indexMoments(delegations.filter((one) => isInForce(one, at))).at(at);
  if (moment.delegatesOf(person, categoryId).length === 0) return { paths: [], more: false };
  const paths: ChainPath[] = [];
  const waiting: ChainPath[] = [{ people: [person], backTo: null }];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { people, backTo } = path;
    const last = people.at(-1) ?? person;
    const delegates = backTo === null ? moment.delegatesOf(last, categoryId) : [];
    if (delegates.length === 0) {
      if (paths.length === MOST_PATHS) return { paths, more: true };
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
