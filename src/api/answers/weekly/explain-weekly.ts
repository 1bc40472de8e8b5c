import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import { inStatus } from '../../../output/figure-words.ts';
import { weekName } from '../../../output/wording.ts';
import { flowAt, isStarted } from '../../outcomes/issue-flow.ts';
import { outcomesRequest, withoutCycleTime } from '../../outcomes/issue-outcomes.ts';
import type { IssuesInput } from '../../outcomes/outcomes-api.ts';
import { issuesInProgress, lastMoment } from '../../outcomes/time-within.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { AnswerContext, ReportingContext } from '../question-kind.ts';
import { cycleFigures, cycleTimeParts, explainFinished } from '../why/explain-outcomes.ts';
import { explainWithin, nameOf } from '../why/explain-parts.ts';
import { explainTarget, targetFigure, targetRule } from '../why/explain-target.ts';
import {
  compose,
  cycleRule,
  type FigureName,
  figureId,
  longestFirst,
  partOf,
  shortName,
  unknownFigure,
} from '../why/explanation.ts';
import { finishedInWeek, nineWeeks, type WeeklyQuestion } from './nine-weeks.ts';
import { measureWeek, weeklyAggregates, weekTarget } from './weekly-aggregates.ts';
import type { Week, WeeklyAggregates } from './weekly-answer.ts';

/** Issues finished, cycle times, work in progress, and each status in the week, those of started work first. */
export function weeklyFigures(weekly: WeeklyAggregates): readonly FigureChoice[] {
  const { week, cycleTime, inProgress, flowEfficiency, target, statuses, provenance } = weekly;
  const isBacklog = ({ kind }: (typeof statuses)[number]) => Number(kind === 'queue');
  return [
    { id: figureId('finished'), title: `Finished in ${weekName(week.id)}` },
    ...cycleFigures(cycleTime.week),
    ...(inProgress.week === null ? [] : [{ id: figureId('inProgress'), title: progressTitle(week) }]),
    ...(flowEfficiency.week === null ? [] : [{ id: figureId('flowEfficiency'), title: 'Flow efficiency' }]),
    ...(target === null
      ? []
      : [
          { id: figureId('finishedWithin'), title: 'Finished within the target' },
          ...singleTarget(target, provenance),
        ]),
    ...statuses
      .toSorted((a, b) => isBacklog(a) - isBacklog(b))
      .flatMap(({ id, name: title, finished, withinMs: within }) => [
        ...(finished.week.count === 0
          ? []
          : [{ id: figureId('averageMs', shortName(id)), title: `Average time ${inStatus(title)}` }]),
        ...(within.week === 0
          ? []
          : [{ id: figureId('withinMs', shortName(id)), title: `Time ${inStatus(title)} within the week` }]),
      ]),
  ];
}

/** The target of all issues of a week; none where they have different ones. */
function singleTarget(
  { project, percent, withinMs, source }: NonNullable<WeeklyAggregates['target']>,
  { calendar }: WeeklyAggregates['provenance'],
): readonly FigureChoice[] {
  return percent === null || withinMs === null || source === 'mixed'
    ? []
    : [targetFigure({ project, percent, withinMs, source }, calendar)];
}

function progressTitle({ id, whole }: Week): string {
  return whole ? `In progress at the end of ${weekName(id)}` : 'In progress now';
}

/** Explains a figure of a week by the issues it is made of. */
export async function explainWeekly(
  figure: FigureName,
  question: WeeklyQuestion,
  context: AnswerContext,
): Promise<Explanation> {
  const { principal, asOf, parts } = context;
  const { selection, calendar, timeZone } = question;
  const { week } = nineWeeks(question.week, { asOf, timeZone });
  const issues = { principal, selection, asOf, calendar };
  const called = weekName(week.id);
  switch (figure.kind) {
    case 'flowEfficiency':
      return explainFlow(question, context);
    case 'finishedWithin':
      return explainFinishedWithin(question, context);
    case 'target':
      return explainTarget(figure, { calendar, timeZone, until: week.start }, context);
    case 'inProgress':
      return explainProgress(week, issues, parts.reporting);
    case 'withinMs':
      return explainWithin(figure, { ...week, called, kind: 'week' }, issues, parts.reporting);
    default: {
      const { found, unknown } = await finishedInWeek(question, context);
      return explainFinished(figure, found, { when: `in ${called}`, asOf, unknown });
    }
  }
}

/** Lists the issues in progress at the end of the week. */
async function explainProgress(
  week: Week,
  issues: IssuesInput,
  reporting: ReportingApi,
): Promise<Explanation> {
  const { principal, asOf } = issues;
  const [known, flows] = await Promise.all([reporting.statuses(principal), reporting.flows(principal)]);
  const { provenance } = await reporting.report(outcomesRequest(issues, flows));
  const moment = lastMoment(week, provenance);
  const { found, of } = await issuesInProgress(moment, issues, { known, flows }, reporting);
  return compose({
    title: progressTitle(week),
    value: { kind: 'count', value: found.length },
    rules: [
      `An issue counts if it was in a started status at the end of the week${week.whole ? '' : ', or is now, while the week runs'}.`,
    ],
    parts: found.map(({ facts, status }) => partOf({ ...nameOf(facts), note: inStatus(status) })),
    adds: false,
    denominator: { counted: found.length, of },
    provenance,
    asOf,
  });
}

/** Explains the flow efficiency by the statuses that count as active and as waiting. */
async function explainFlow(question: WeeklyQuestion, context: ReportingContext): Promise<Explanation> {
  const weekly = await weeklyAggregates(question, context);
  const { week, statuses, flowEfficiency, blocked, provenance } = weekly;
  if (flowEfficiency.week === null) throw unknownFigure();
  return compose({
    title: `Flow efficiency of ${weekName(week.id)}, in percent`,
    value: { kind: 'count', value: 100 * flowEfficiency.week },
    rules: [
      'Active time is divided by active and waiting time together: the time of all issues in started statuses within the week.',
      'The flow of the project says in which stages work waits.',
      ...(blocked === null || blocked.week.blockedMs === 0
        ? []
        : ['Of projects with a flow of their own, time in which issues were blocked is not active.']),
    ],
    parts: statuses
      .filter(({ kind, withinMs: within }) => isStarted(kind) && within.week > 0)
      .map((one) =>
        partOf({
          label: one.name,
          countedMs: one.withinMs.week,
          note: one.kind,
        }),
      ),
    adds: true,
    provenance,
    asOf: context.asOf,
  });
}

/** Explains how many issues were finished within the target by all that were finished and have a cycle time. */
async function explainFinishedWithin(question: WeeklyQuestion, context: AnswerContext): Promise<Explanation> {
  const measured = await measureWeek(question, context);
  const { value: weekly, spans, flows } = measured;
  const { target, of } = await weekTarget(question, measured, context);
  if (target === null) throw unknownFigure();
  const { project } = target;
  const { calendar } = weekly.provenance;
  const rules = flows.inProject(project).flatMap((index) => {
    const own = of(flowAt(flows, index));
    return own === null ? [] : [targetRule({ project, ...own }, calendar, true)];
  });
  const outcomes = await spans.week.outcomes();
  const parts = cycleTimeParts(
    outcomes.filter(({ flow }) => of(flow) !== null),
    ({ flow }, ms) => (ms <= (of(flow)?.withinMs ?? 0) ? 'within' : 'missed'),
  );
  return compose({
    title: `Finished within the target in ${weekName(weekly.week.id)}`,
    value: { kind: 'count', value: target.finishedWithin },
    rules: ['An issue counts if its cycle time is not longer than its target.', ...new Set(rules), cycleRule],
    parts: longestFirst(parts),
    adds: false,
    denominator: { counted: target.finishedWithin, of: target.finished },
    excluded: withoutCycleTime(outcomes),
    provenance: weekly.provenance,
    asOf: context.asOf,
  });
}
