import { durationFigures } from '../../../engine/measure/statistics.ts';
import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import type { CompiledFlow } from '../../../model/flow.ts';
import type { Instant } from '../../../model/issue.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import type { CalendarFacts } from '../../../model/table.ts';
import { countOf, countWords } from '../../../output/figure-words.ts';
import { flowTargetText } from '../../../output/flow-text.ts';
import { durationWords } from '../../../output/readable-text.ts';
import { dayRange } from '../../../output/wording.ts';
import { dayLengthMs } from '../../../time/calendar.ts';
import { flowAt } from '../../outcomes/issue-flow.ts';
import { withoutCycleTime } from '../../outcomes/issue-outcomes.ts';
import type { AppliedTarget } from '../figures/targets.ts';
import {
  baselineSince,
  baselineUntil,
  MIN_VISITS,
  USUAL_DAYS,
  USUAL_PERCENT,
} from '../figures/usual-times.ts';
import type { ReportingContext } from '../question-kind.ts';
import { cycleTimeParts } from './explain-outcomes.ts';
import {
  compose,
  cycleRule,
  type FigureName,
  figureId,
  longestFirst,
  percentileRule,
  unknownFigure,
} from './explanation.ts';

/** The target of issues of a project (its key). */
type ProjectTarget = AppliedTarget & { readonly project: string };

/** A target as a figure: `target:WEB` is learned, and `target:WEB:85:691200000` (percent, working ms) was set. */
export function targetFigure(target: ProjectTarget, calendar: CalendarFacts): FigureChoice {
  const { project, source, percent, withinMs } = target;
  const words = source === 'learned' ? [] : [String(percent), String(withinMs)];
  return { id: figureId('target', project, ...words), title: targetTitle(target, calendar) };
}

/** `Target of WEB`, `Target of WEB: 85% within 8 days`. */
function targetTitle({ project, source, ...set }: ProjectTarget, calendar: CalendarFacts): string {
  return source === 'learned' ? `Target of ${project}` : `Target of ${project}: ${setText(set, calendar)}`;
}

/** The sentence about a target of issues; `weekly`: of those finished in a week. */
export function targetRule(target: ProjectTarget, calendar: CalendarFacts, weekly = false): string {
  const from = target.source === 'set' ? 'as its flow sets it' : `learned from ${learnedTime(weekly)}`;
  return `${targetTitle(target, calendar)}, ${from}.`;
}

/** The days from whose finished issues a target is learned. */
function learnedTime(weekly: boolean): string {
  return weekly ? `the ${USUAL_DAYS} days before the week` : `the last ${USUAL_DAYS} days`;
}

/** A target in days of the calendar, as it was set: `85% within 8 days`. */
function setText(
  { percent, withinMs }: Pick<AppliedTarget, 'percent' | 'withinMs'>,
  calendar: CalendarFacts,
): string {
  const days = Number((withinMs / dayLengthMs(calendar, 'businessDays')).toFixed(4));
  return flowTargetText({ percent, days });
}

/** The measure of a target; `until`: the beginning of the week it is for, as what is finished later is not learned from. */
interface TargetQuestion extends Pick<MeasuredQuestion, 'calendar' | 'timeZone'> {
  readonly until?: Instant;
}

/**
 * Explains a target by the flow that sets it, or else by what the issues took from which it is learned. Of one that was set it
 * names those issues as well, so that it shows how many kept within it.
 */
export async function explainTarget(
  { words: [project = '', percent, withinMs] }: FigureName,
  { calendar, timeZone, until }: TargetQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<Explanation> {
  if (project === '') throw unknownFigure();
  const flows = await reporting.flows(principal);
  const end = until ?? baselineUntil(asOf);
  const start = baselineSince(end);
  const { spans, provenance } = await reporting.finishedSpans({
    principal,
    calendar,
    flows,
    asOf: baselineUntil(asOf),
    selection: { by: 'project', project },
    bounds: [start, end],
  });
  const dayMs = dayLengthMs(provenance.calendar, 'businessDays');
  const isOfTarget = ({ target }: CompiledFlow) =>
    target?.percent === Number(percent) && Math.abs(target.days * dayMs - Number(withinMs)) < 1;
  const isSet = percent !== undefined;
  if (isSet && !flows.inProject(project).some((index) => isOfTarget(flowAt(flows, index))))
    throw unknownFigure();
  const finished = ((await spans[0]?.outcomes()) ?? []).filter(
    ({ finish, flow }) => finish !== null && (!isSet || isOfTarget(flow)),
  );
  const parts = cycleTimeParts(finished);
  const times = parts.map(({ countedMs }) => countedMs ?? 0);
  const figure = isSet ? Number(withinMs) : times.length < MIN_VISITS ? null : durationFigures([times]).p85Ms;
  if (figure === null) throw unknownFigure();
  const target: ProjectTarget = {
    project,
    percent: isSet ? Number(percent) : USUAL_PERCENT,
    withinMs: figure,
    source: isSet ? 'set' : 'learned',
  };
  const which = `finished in ${learnedTime(until !== undefined)} (${dayRange(start, end - 1, { timeZone, near: asOf })})`;
  const within = times.filter((ms) => ms <= figure).length;
  return compose({
    title: targetTitle(target, provenance.calendar),
    value: { kind: 'duration', value: figure },
    rules: isSet
      ? [
          `Set in the flow of ${project}: ${setText(target, provenance.calendar)} from start to done.`,
          provenance.calendar.continuous
            ? 'A day has 24 hours.'
            : `A day is a working day of the calendar: ${durationWords(dayMs, Number.POSITIVE_INFINITY)}.`,
          `Of ${countOf(times.length, 'issue')} ${which}, ${countWords(within)} kept within it.`,
          cycleRule,
        ]
      : [
          `Learned, as the flow of ${project} sets no target: from the cycle times of its issues ${which}.`,
          percentileRule(USUAL_PERCENT),
          `At least ${MIN_VISITS} issues with a known cycle time are needed.`,
          cycleRule,
        ],
    parts: longestFirst(parts),
    adds: false,
    denominator: { counted: parts.length, of: finished.length },
    excluded: withoutCycleTime(finished),
    provenance,
    asOf,
  });
}
