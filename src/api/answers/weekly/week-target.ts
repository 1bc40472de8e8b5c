import type { CompiledFlow } from '../../../model/flow.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import type { AudienceScope } from '../../../model/request.ts';
import { flowAt } from '../../outcomes/issue-flow.ts';
import type { FinishedSpan } from '../../outcomes/outcomes-api.ts';
import { emptyScope } from '../../outcomes/read-table.ts';
import { type AppliedTarget, commonTarget, readTargets } from '../figures/targets.ts';
import type { AnswerContext } from '../question-kind.ts';
import type { WeeklyQuestion } from './nine-weeks.ts';
import type { MeasuredSpans } from './weekly-aggregates.ts';
import type { WeeklyAggregates } from './weekly-answer.ts';

/** The target of a week, the scope of the issues it was learned from, and the target of the issues of a flow. */
interface WeekTarget {
  readonly target: WeeklyAggregates['target'];
  readonly scope: AudienceScope | null;
  readonly of: (flow: CompiledFlow) => AppliedTarget | null;
}

const noTarget: WeekTarget = { target: null, scope: emptyScope, of: () => null };

/**
 * Counts the issues that were finished within the target of their project, in the week and in the week before, and the scope
 * of the issues from which it was learned: those finished before the week. There is none of several projects.
 */
export async function weekTarget(
  { calendar }: Pick<WeeklyQuestion, 'calendar'>,
  { value: { week, provenance }, spans, flows, projects }: MeasuredSpans,
  context: AnswerContext,
): Promise<WeekTarget> {
  const [project, ...others] = projects ?? projectsOf([spans.weekBefore, spans.week]);
  if (project === undefined || others.length > 0) return noTarget;
  const used = new Set(flows.inProject(project).map((index) => flowAt(flows, index)));
  const input = { calendar, facts: provenance.calendar, until: week.start };
  const targets = await readTargets(new Map([[project, used]]), input, context);
  const common = commonTarget([...used].flatMap((flow) => targets.of(project, flow) ?? []));
  if (common === null) return noTarget;
  const of = (flow: CompiledFlow) => targets.of(project, flow);
  const withinOf = (flow: CompiledFlow) => of(flow)?.withinMs ?? null;
  const { weekBefore } = spans;
  const target = { project, ...common, ...countWithin(spans.week, used, withinOf) };
  return {
    target: { ...target, weekBefore: countWithin(weekBefore, used, withinOf) },
    scope: targets.contents,
    of,
  };
}

/** The projects of issues by their keys, for a service elsewhere that does not say which projects they are of. */
function projectsOf(spans: readonly FinishedSpan[]): readonly string[] {
  return [...new Set(spans.flatMap((span) => span.issues().map((one) => projectKeyOf(one).toUpperCase())))];
}

/** Counts the issues of a span that have a cycle time, and those of them that took no longer than the target of their flow. */
function countWithin(
  span: FinishedSpan,
  flows: ReadonlySet<CompiledFlow>,
  withinOf: (flow: CompiledFlow) => number | null,
): { readonly finishedWithin: number; readonly finished: number } {
  let [finishedWithin, finished] = [0, 0];
  for (const flow of flows) {
    const withinMs = withinOf(flow);
    if (withinMs === null) continue;
    for (const times of span.cycleTimesIn(flow)) {
      finished += times.length;
      for (const ms of times) if (ms <= withinMs) finishedWithin += 1;
    }
  }
  return { finishedWithin, finished };
}
