import type { Instant } from '../model/issue.ts';
import type { Moment, Moments } from './index-moments.ts';
import { isSameList } from './same-list.ts';

/** What was found, and until when it would be found again. */
export interface Found<One> {
  readonly found: readonly One[];
  readonly until: Instant;
}

/**
 * Looks for something at a person, at those who stand in for them, and so on. It adds everybody it meets to `met`, and
 * may end early once it has found something.
 */
export type Walk<One> = (moment: Moment, person: string, met: Set<string>) => readonly One[];

/**
 * Goes a walk again only when something on it has changed. Instants must not go back. The same array is told while it
 * holds the same.
 */
export function rememberWalks<One>(
  moments: Moments,
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
    // Where there is nothing on the whole walk, there is nothing on those that begin with somebody who was met.
    if (found.length === 0) for (const one of met) known.set(one, { found, until });
    const same = before !== undefined && isSameList(before.found, found);
    const told = { found: same ? before.found : found, until };
    known.set(person, told);
    return told;
  };
}
