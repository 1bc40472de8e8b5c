import { compareIds } from '../model/compare-ids.ts';
import type { AwayToo, Coverage, Delegation, TimeSpan, Uncovered } from '../model/delegation.ts';
import type { Instant } from '../model/issue.ts';
import { compareByStart } from './compare-by-start.ts';
import { findEnding } from './find-ending.ts';
import { findGaps, USUAL_GAP_MS } from './find-gaps.ts';
import { indexMoments, type Moments } from './index-moments.ts';
import { joinStretches } from './join-stretches.ts';
import { isSameList } from './same-list.ts';
import { personTeller } from './tell-person.ts';

/** How a survey is made, where it is not as usual. */
export interface SurveyOptions {
  /** How far apart two delegations are that no longer count as one absence. */
  readonly gapMs?: number;
  /** Whether somebody is known; who is not is nobody who stands in. Without it everybody is. */
  readonly isKnown?: (person: string) => boolean;
  /** Whether it is told who is left where a delegate is away too. */
  readonly tellStandIns?: boolean;
  /** Asked often whether others are to get their turn: a promise to wait for, or null. */
  readonly pace?: () => Promise<void> | null;
}

type Told = AwayToo | Uncovered;

/**
 * Who stands in for whom in a span, who is uncovered and whose delegate is away too. Lists are by time, then person,
 * category and the rest.
 */
export async function surveyCoverage(
  delegations: readonly Delegation[],
  span: TimeSpan,
  { gapMs = USUAL_GAP_MS, isKnown = () => true, tellStandIns = true, pace = () => null }: SurveyOptions = {},
): Promise<Coverage> {
  const effective = delegations.filter(({ active, start, end }) => active && start < end);
  // Those that begin with the end of the span are needed to tell what ends with it.
  const near = effective.filter(({ start, end }) => start <= span.until && span.from < end);
  const inSpan = near.filter(({ start }) => start < span.until).sort(compareByStart);
  const moments = indexMoments(near);

  const gaps: Uncovered[] = [];
  for (const [person, own] of Map.groupBy(effective, ({ delegator }) => delegator)) {
    const pause = pace();
    if (pause !== null) await pause;
    for (const gap of findGaps(person, own, span, gapMs)) gaps.push(gap);
  }
  const { nobody, awayToo } = await tellStretches(inSpan, span, { moments, isKnown, tellStandIns, pace });
  return {
    span,
    delegations: inSpan,
    uncovered: inOrder([...gaps, ...nobody]),
    awayToo: inOrder(awayToo),
    ending: findEnding(inSpan, moments, { span, gaps }),
  };
}

/** Everybody is told of at the beginning, and again whenever what was told of them holds no more. */
async function tellStretches(
  inSpan: readonly Delegation[],
  span: TimeSpan,
  {
    moments,
    isKnown,
    tellStandIns,
    pace,
  }: Required<Omit<SurveyOptions, 'gapMs'>> & { readonly moments: Moments },
): Promise<{ readonly nobody: readonly Uncovered[]; readonly awayToo: readonly AwayToo[] }> {
  const nobody = joinStretches<Omit<Uncovered, keyof TimeSpan>>(() => true);
  const awayToo = joinStretches<Omit<AwayToo, keyof TimeSpan>>((a, b) =>
    isSameList(a.standIns ?? [], b.standIns ?? []),
  );
  const tell = personTeller(moments, { isKnown, tellStandIns });
  const due = new Map<Instant, string[]>([
    [span.from, [...new Set(inSpan.map(({ delegator }) => delegator))]],
  ]);
  for (const from of changesIn(inSpan, span)) {
    for (const person of due.get(from) ?? []) {
      const pause = pace();
      if (pause !== null) await pause;
      const told = tell(person, from);
      const until = Math.min(told.until, span.until);
      for (const { categoryId, reason } of told.nobody) {
        nobody.add([person, categoryId, reason], { person, categoryId, reason }, { from, until });
      }
      for (const away of told.away) {
        awayToo.add([person, away.categoryId, away.delegate], { person, ...away }, { from, until });
      }
      const others = due.get(until);
      if (others === undefined) due.set(until, [person]);
      else others.push(person);
    }
    due.delete(from);
  }
  return { nobody: nobody.all(), awayToo: awayToo.all() };
}

/** The instants of the span at which anything may change, its beginning among them. */
function changesIn(inSpan: readonly Delegation[], { from, until }: TimeSpan): readonly Instant[] {
  const changes = inSpan.flatMap(({ start, end }) => [start, end]).filter((at) => from < at && at < until);
  return [...new Set([from, ...changes])].sort((a, b) => a - b);
}

function inOrder<Stretch extends Told>(stretches: readonly Stretch[]): readonly Stretch[] {
  // Sorting keeps what is equal by these as it was told: delegates in order.
  return stretches.toSorted(
    (a, b) => a.from - b.from || compareIds(a.person, b.person) || (a.categoryId ?? 0) - (b.categoryId ?? 0),
  );
}
