import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { durationFigures, percentileOf, valueAtRank } from '../../../engine/measure/statistics.ts';
import type { WorkKind } from '../../../model/flow.ts';
import type { Instant } from '../../../model/issue.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Selection } from '../../../model/request.ts';
import { type Period, periodAt } from '../../../time/periods.ts';
import { isStarted } from '../../outcomes/issue-flow.ts';
import { doubtsOf, mayBeFinishedIn } from '../../outcomes/issue-outcomes.ts';
import type { StagesOverTime, TimesByKind } from '../../outcomes/outcomes-api.ts';
import { dataEndsBefore, isComplete, isDecided, mergeScopes, reaches } from '../../outcomes/read-table.ts';
import { addTime, flowEfficiency } from '../../outcomes/time-within.ts';
import { periodIn, type Standpoint } from '../figures/moving-range.ts';
import { figuresOf, type QuestionKind, type ReportingContext } from '../question-kind.ts';
import { unknownReason } from '../weekly/nine-weeks.ts';
import { cycleFigures, explainFinished } from '../why/explain-outcomes.ts';
import { figureId } from '../why/explanation.ts';
import {
  type FlowMetrics,
  type FlowPercentiles,
  type FlowStage,
  type FlowWeek,
  flowMetricsSchema,
} from './flow-answer.ts';

/** The flow of issues in the last twelve weeks. */
export interface FlowQuestion extends MeasuredQuestion {
  readonly kind: 'flow';
  readonly selection: Selection;
}

/** The number of whole weeks before the running one. */
export const FLOW_WEEKS = 12;

/** The time of the finished issues, in titles. */
const when = `in ${FLOW_WEEKS} weeks and this one`;

/** `/tis flow [FILTER] [in CALENDAR]`. */
export const flowKind: QuestionKind<FlowQuestion, FlowMetrics> = {
  kind: 'flow',
  selections: ({ selection }) => [selection],
  answer: async (question, context) => figuresOf(await measureFlow(question, context)),
  isEmpty: ({ total, openIssues, doneSinceUnknown, unclear, ageUnknown, provenance }) =>
    total.arrived + (total.finished ?? 0) + (total.inProgress ?? 0) + openIssues.length === 0 &&
    doneSinceUnknown.length + unclear.length + ageUnknown.length === 0 &&
    isDecided(provenance) &&
    reaches(provenance, null),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  document: { schema: flowMetricsSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: ({ total: { cycleTime } }) => [
    { id: figureId('finished'), title: `Finished ${when}` },
    ...cycleFigures(cycleTime),
  ],
  async explain(figure, { selection, calendar, timeZone }, { principal, asOf, parts: { reporting } }) {
    const found = await reporting.finishedSpans({
      principal,
      selection,
      asOf,
      calendar,
      bounds: [flowWeeks({ asOf, timeZone })[0]?.start ?? asOf, asOf + 1],
    });
    return explainFinished(figure, found, { when, asOf });
  },
  async file({ selection, calendar, timeZone }, { principal, asOf }) {
    return ask({
      principal,
      asOf,
      reportType: reportIds.statusDuration,
      selection,
      dateRange: { field: 'finished', from: flowWeeks({ asOf, timeZone })[0]?.start ?? asOf, to: null },
      calendar,
      timeZone,
      includeDeletedStatuses: true,
    });
  },
};

/** More points of a scatter are no picture and a long answer. */
const MAX_POINTS = 1_000;
const MAX_OPEN = 500;

/** The twelve whole weeks before an instant, the oldest first, and the one it is in. */
function flowWeeks({ asOf, timeZone }: Standpoint): readonly Period[] {
  return Array.from({ length: FLOW_WEEKS + 1 }, (_, i) => periodIn(asOf, 'Week', timeZone, FLOW_WEEKS - i));
}

/**
 * The figures of twelve weeks and the running one: arrivals, finishes, cycle times and flow efficiency by week, issues by
 * stage at the end of each day, and the ages of those that are started. `bad-request` for an unknown zone or calendar.
 */
async function measureFlow(
  { selection, calendar, timeZone }: FlowQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<FlowMetrics> {
  const weeks = flowWeeks({ asOf, timeZone });
  const bounds = [...weeks.map(({ start }) => start), weeks.at(-1)?.end ?? asOf];
  const instants = countedAt(bounds[0] ?? asOf, asOf, timeZone);
  const input = { principal, selection, asOf, calendar, bounds };
  const [found, staged] = [
    await reporting.finishedSpans(input),
    await reporting.stagesOverTime({ ...input, instants }),
  ];
  const { provenance, doubtful, lived, cutHistories, withoutCategory } = found;
  const complete = isComplete(found);
  const progressAt = (at: Instant, until: Instant) => {
    const index = instants.indexOf(at);
    const started = staged.stages.filter(({ kind }) => isStarted(kind));
    const count = started.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0);
    // None is only none where no other issue can have been in progress, and the data reaches that far.
    return dataEndsBefore(until, provenance) !== null || (count === 0 && !complete) ? null : count;
  };
  const { all: flows } = await reporting.flows(principal);
  // Only in a flow that was set does blocked time count as not active.
  const blocked = flows.some(({ flow }) => flow !== null) ? await reporting.blockedSpans(input) : null;
  const stopped = blocked?.spans.map(({ activeMs }) => activeMs) ?? [];
  const stoppedInAll = stopped.reduce((sum, ms) => sum + ms, 0);
  const stops = stoppedInAll > 0 || flows.some(({ stages }) => stages.some(({ kind }) => kind === 'waiting'));
  const all = new Map<string, Map<WorkKind, number>>();
  const points: FlowWeek[] = [];
  for (const [i, { id, start, end }] of weeks.entries()) {
    const span = found.spans[i];
    if (span === undefined) throw new Error('There is a span of each week.');
    const week = { id, start, end, whole: end <= asOf };
    const finishedUnknown = unknownReason(week, span.finished, mayBeFinishedIn(week, doubtful), provenance);
    // Without waiting or blocked time no share is known, and the time in each status is not needed.
    const within: TimesByKind = stops ? await span.within() : new Map();
    for (const [status, times] of within) for (const [kind, ms] of times) addTime(all, status, kind, ms);
    points.push({
      ...week,
      arrived: staged.arrived[i] ?? 0,
      finished: finishedUnknown === null ? span.finished : null,
      finishedUnknown,
      inProgress: progressAt(Math.min(end, asOf), end),
      cycleTime: durationFigures(span.cycleTimes),
      flowEfficiency: flowEfficiency(within, stopped[i]),
    });
    await yieldToOthers();
  }
  const stages: FlowStage[] = [];
  for (const { name, kind, counts, left, open } of staged.stages) {
    stages.push({ name, kind, counts, left: percentilesOf(left), open: open.ages.length });
    await yieldToOthers();
  }
  const isAnyUnknown = points.some(({ finished }) => finished === null);
  const counted = found.spans.reduce((sum, { finished }) => sum + finished, 0);
  const period = { start: bounds[0] ?? asOf, end: bounds.at(-1) ?? asOf };
  const contents = blocked === null ? null : mergeScopes(provenance.contents ?? null, blocked.contents);
  return {
    weeks: points,
    total: {
      arrived: points.reduce((sum, { arrived }) => sum + arrived, 0),
      finished: counted === 0 && isAnyUnknown ? null : counted,
      inProgress: progressAt(asOf, period.end),
      cycleTime: percentilesOf(joinNumbers(found.spans.flatMap(({ cycleTimes }) => cycleTimes))),
      flowEfficiency: flowEfficiency(all, stoppedInAll),
    },
    instants,
    stages,
    finishedIssues: finishedOf(staged),
    openIssues: openOf(staged),
    ageUnknown: staged.ageUnknown,
    ...doubtsOf(mayBeFinishedIn(period, doubtful)),
    statusesWithoutCategory: withoutCategory,
    provenance: {
      ...provenance,
      ...(contents === null ? {} : { contents }),
      reportType: 'flow',
      timeZone,
      issues: lived,
      cutHistories,
      complete,
    },
  };
}

/** The start of the time, the end of each day in it, and the instant of the answer. */
function countedAt(start: Instant, asOf: Instant, timeZone: string): readonly Instant[] {
  const instants = [start];
  for (let at = start; at < asOf; ) {
    at = Math.min(asOf, periodAt(at, 'Day', timeZone).end);
    instants.push(at);
  }
  return instants;
}

function percentilesOf(values: Float64Array): FlowPercentiles {
  // A copy, because looking for a percentile changes the order.
  const own = values.slice();
  const [p50Ms = null, p85Ms = null, p95Ms = null] = [50, 85, 95].map((percent) =>
    percentileOf(own, percent),
  );
  return { count: values.length, p50Ms, p85Ms, p95Ms };
}

/** Some of the issues finished, in the order of their finish. Few of very many are chosen before anything is sorted. */
function finishedOf({ finished }: StagesOverTime): FlowMetrics['finishedIssues'] {
  const { at, cycleMs, keyAt } = finished;
  const every = Math.max(1, Math.ceil(at.length / MAX_POINTS));
  return Array.from({ length: Math.ceil(at.length / every) }, (_, i) => i * every)
    .map((i) => ({ key: keyAt(i), finishedAt: at[i] ?? 0, cycleMs: cycleMs[i] ?? 0 }))
    .toSorted((a, b) => a.finishedAt - b.finishedAt || compareIds(a.key, b.key));
}

/** The oldest issues at work. */
function openOf({ stages }: StagesOverTime): FlowMetrics['openIssues'] {
  const all = Float64Array.from(joinNumbers(stages.map(({ open }) => open.ages)));
  const least = all.length <= MAX_OPEN ? 0 : valueAtRank(all, all.length - MAX_OPEN);
  const oldest = stages.flatMap(({ name, open: { ages, keyAt } }) => {
    const found: { readonly stage: string; readonly ageMs: number; readonly key: () => string }[] = [];
    for (const [index, ageMs] of ages.entries())
      if (ageMs >= least) found.push({ stage: name, ageMs, key: () => keyAt(index) });
    return found;
  });
  return oldest
    .toSorted((a, b) => b.ageMs - a.ageMs)
    .slice(0, MAX_OPEN)
    .map(({ key, stage, ageMs }) => ({ key: key(), stage, ageMs }))
    .toSorted((a, b) => b.ageMs - a.ageMs || compareIds(a.key, b.key));
}
