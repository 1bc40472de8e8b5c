import { compareIds } from '../model/compare-ids.ts';
import type { AwayToo, Coverage, Delegation, TimeSpan, Uncovered } from '../model/delegation.ts';
import { compareByStart } from './compare-by-start.ts';
import { findEnding } from './find-ending.ts';
import { findGaps, USUAL_GAP_MS } from './find-gaps.ts';
import { indexMoments } from './index-moments.ts';
import { joinAdjoining } from './join-adjoining.ts';
import { tellMoment } from './tell-moment.ts';

type Told = AwayToo | Uncovered;

/**
 * Who stands in for whom in a span, who is uncovered and whose delegate is away too. Lists are by time, then person,
 * category and the rest. `gapMs`: how far apart two delegations are that no longer count as one absence.
 */
export function surveyCoverage(
  delegations: readonly Delegation[],
  span: TimeSpan,
  gapMs: number = USUAL_GAP_MS,
): Coverage {
  const inSpan = delegations
    .filter(({ active, start, end }) => active && Math.max(start, span.from) < Math.min(end, span.until))
    .sort(compareByStart);
  const byDelegator = Map.groupBy(delegations, ({ delegator }) => delegator);
  const ownOf = (delegator: string) => byDelegator.get(delegator) ?? [];
  const momentAt = indexMoments(delegations);
  const uncovered: Uncovered[] = [];
  const awayToo: AwayToo[] = [];
  for (const [person, own] of byDelegator) {
    uncovered.push(...findGaps(person, own, span, gapMs));
    for (let from = span.from; from < span.until; ) {
      const moment = momentAt(from);
      const { loops, away } = tellMoment(moment, person);
      const until = Math.min(moment.holdsUntil(), span.until);
      for (const loop of loops) uncovered.push({ ...loop, reason: 'loop', from, until });
      for (const one of away) awayToo.push({ ...one, from, until });
      from = until;
    }
  }
  return {
    span,
    delegations: inSpan,
    uncovered: inOrder(
      joinAdjoining(uncovered, ({ person, categoryId, reason }) =>
        JSON.stringify([person, categoryId, reason]),
      ),
    ),
    awayToo: inOrder(
      joinAdjoining(awayToo, ({ person, categoryId, delegate, standIns }) =>
        JSON.stringify([person, categoryId, delegate, standIns]),
      ),
    ),
    ending: findEnding(inSpan, ownOf, span),
  };
}

function inOrder<Stretch extends Told>(stretches: readonly Stretch[]): readonly Stretch[] {
  // Sorting keeps what is equal by these as it was told: delegates in order.
  return stretches.toSorted(
    (a, b) => a.from - b.from || compareIds(a.person, b.person) || (a.categoryId ?? 0) - (b.categoryId ?? 0),
  );
}
