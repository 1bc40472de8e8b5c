import type { CompiledFlow } from '../../../model/flow.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope } from '../../../model/request.ts';
import type { CalendarFacts } from '../../../model/table.ts';
import { dayLengthMs } from '../../../time/calendar.ts';
import { emptyScope, mergeScopes } from '../../outcomes/read-table.ts';
import type { AnswerContext, AnswerParts } from '../question-kind.ts';
import { USUAL_PERCENT } from './cycle-percentiles.ts';

/** The time (working ms) within which a share of the issues is to be finished: as it was set, or as it was learned. */
export interface AppliedTarget {
  readonly percent: number;
  readonly withinMs: number;
  readonly source: 'set' | 'learned';
}

/** The targets of the issues of an answer. */
export interface Targets {
  /** The target of the issues of a project (its key, upper case) that are work of a flow; null: none was set, and too few were finished to learn it. */
  of(project: string, flow: CompiledFlow): AppliedTarget | null;
  /** The scope of the issues from which some were learned; null where it is unknown. */
  readonly contents: AudienceScope | null;
}

/** The calendar of an answer, by the id of its question and as it was found. */
interface TargetInput {
  readonly calendar: string;
  readonly facts: CalendarFacts;
  /** Issues that were finished up to this instant are learned from; by default, to that of the answer. */
  readonly until?: Instant;
}

/** Finds the targets of projects and of the flows of their issues. Only those that are not set are learned. */
export async function readTargets(
  flowsOf: ReadonlyMap<string, ReadonlySet<CompiledFlow>>,
  { calendar, facts, until }: TargetInput,
  { principal, asOf, parts }: AnswerContext<Pick<AnswerParts, 'cyclePercentiles'>>,
): Promise<Targets> {
  const dayMs = dayLengthMs(facts, 'businessDays');
  const learned = new Map<string, AppliedTarget>();
  let contents: AudienceScope | null = emptyScope;
  for (const [project, flows] of flowsOf) {
    if ([...flows].every(({ target }) => target !== null)) continue;
    const { p85, contents: scope } = await parts.cyclePercentiles(principal, project, calendar, asOf, until);
    // Without a target, nothing is shown of the issues that were looked at. One of no time would be missed at the start.
    if (p85 === null || p85 === 0) continue;
    learned.set(project, { percent: USUAL_PERCENT, withinMs: p85, source: 'learned' });
    contents = mergeScopes(contents, scope);
  }
  return {
    of: (project, { target }) =>
      target === null
        ? (learned.get(project) ?? null)
        : { percent: target.percent, withinMs: target.days * dayMs, source: 'set' },
    contents,
  };
}

/** One target for several issues; of different ones there is no percent and no time, and `mixed` says so. */
export interface CommonTarget {
  readonly percent: number | null;
  readonly withinMs: number | null;
  readonly source: AppliedTarget['source'] | 'mixed';
}

/** Sums up targets; null of none. */
export function commonTarget(targets: readonly AppliedTarget[]): CommonTarget | null {
  const [first] = targets;
  if (first === undefined) return null;
  const isSame = targets.every(
    ({ percent, withinMs, source }) =>
      percent === first.percent && withinMs === first.withinMs && source === first.source,
  );
  return isSame ? first : { percent: null, withinMs: null, source: 'mixed' };
}
