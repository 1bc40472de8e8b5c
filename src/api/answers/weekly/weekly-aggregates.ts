import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { durationFigures } from '../../../engine/measure/statistics.ts';
import type { Compared, DurationFigures, Unknowns } from '../../../model/answer.ts';
import type { CompiledFlow, WorkKind } from '../../../model/flow.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import type { AudienceScope } from '../../../model/request.ts';
import { flowAt } from '../../outcomes/issue-flow.ts';
import { doubtsOf, mayBeFinishedIn } from '../../outcomes/issue-outcomes.ts';
import type { Durations, FinishedIssue, FinishedSpan, TimesByKind } from '../../outcomes/outcomes-api.ts';
import {
  dataEndsBefore,
  emptyScope,
  isComplete,
  mergeScopes,
  type ObservedStatus,
} from '../../outcomes/read-table.ts';
import { flowEfficiency } from '../../outcomes/time-within.ts';
import { type AppliedTarget, commonTarget, readTargets } from '../figures/targets.ts';
import type { AnswerContext, ReportingContext } from '../question-kind.ts';
import {
  allWeeks,
  type Nine,
  nineOf,
  nineWeeks,
  unknownReason,
  type WeeklyQuestion,
  weeksBefore,
} from './nine-weeks.ts';
import type { Week, WeeklyAggregates, WeeklyStatus, WeekPoint } from './weekly-answer.ts';

/** All figures of a week but its target, and those of the issues that are open as of the answer. */
type WeekAlone = Omit<WeeklyAggregates, 'attention' | 'target'>;

/** The figures of a week alone. */
export async function weeklyAggregates(
  question: WeeklyQuestion,
  context: ReportingContext,
): Promise<WeekAlone> {
  return (await measureWeek(question, context)).value;
}

/**
 * A week: issues finished, their time in each status and their cycle times, the time all issues spent within the week, and
 * how many were in progress at its end, beside the week before and the eight weeks before.
 * `bad-request` for a week that has not begun, and for an unknown zone or calendar.
 */
export async function measureWeek(
  { selection, week: which, calendar, timeZone }: WeeklyQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
) {
  const flows = await reporting.flows(principal);
  const weeks = nineWeeks(which, { asOf, timeZone });
  const issues = { principal, selection, asOf, calendar, flows };
  const [found, blocked] = await Promise.all([
    reporting.finishedSpans({
      ...issues,
      bounds: [...allWeeks(weeks).map(({ start }) => start), weeks.week.end],
    }),
    reporting.blockedSpans({
      ...issues,
      bounds: [weeks.weekBefore.start, weeks.week.start, weeks.week.end],
    }),
  ]);
  const { statuses, provenance, doubtful, lived, cutHistories, withoutCategory } = found;
  const complete = isComplete(found);
  const spans = nineOf(found.spans);
  const progress: (number | null)[] = [];
  for (const { end, inProgress } of [spans.week, spans.weekBefore]) {
    await yieldToOthers();
    const count = await inProgress();
    // None is only none where no other issue can have been in progress, and the data reaches that far.
    const isUnknown = dataEndsBefore(end, provenance) !== null || (count === 0 && !complete);
    progress.push(isUnknown ? null : count);
  }
  const measured: MeasuredWeek[] = [];
  for (const [i, week] of allWeeks(weeks).entries()) {
    const span = found.spans[i];
    if (span === undefined) throw new Error('There is a span of each week.');
    const maybe = mayBeFinishedIn(week, doubtful);
    const unknown = unknownReason(week, span.finished, maybe, provenance);
    measured.push({ week, span, unknown, within: await span.within() });
  }
  const nine = nineOf(measured);
  const figures = await aggregate(nine, statuses);
  const [blockedBefore, blockedInWeek] = blocked?.spans ?? [];
  const contents = blocked === null ? null : mergeScopes(provenance.contents ?? null, blocked.contents);
  const [week = null, weekBefore = null] = progress;
  const { unclear, doneSinceUnknown } = doubtsOf(mayBeFinishedIn(weeks.week, doubtful));
  const value: WeekAlone = {
    ...figures,
    inProgress: { week, weekBefore },
    flowEfficiency: {
      week: flowEfficiency(nine.week.within, blockedInWeek?.activeMs),
      weekBefore: flowEfficiency(nine.weekBefore.within, blockedBefore?.activeMs),
    },
    blocked:
      blockedInWeek === undefined || blockedBefore === undefined
        ? null
        : {
            week: { blockedMs: blockedInWeek.ms, issues: blockedInWeek.issues },
            weekBefore: { blockedMs: blockedBefore.ms, issues: blockedBefore.issues },
          },
    unclear,
    doneSinceUnknown,
    statusesWithoutCategory: withoutCategory,
    provenance: {
      ...provenance,
      ...(contents === null ? {} : { contents }),
      reportType: 'weekly',
      timeZone,
      issues: lived,
      cutHistories,
      complete,
    },
  };
  // Those of the issues that are counted, without those at the other ends of their links; null where unknown.
  const projects = provenance.contents?.projects ?? null;
  return { value, spans, flows, projects };
}

/** The most issues that are named as contributors to the change. */
const MAX_CONTRIBUTORS = 5;

/** A week, the issues finished in it, and the time all issues spent within it. All times are working ms. */
interface MeasuredWeek {
  readonly week: Week;
  readonly span: FinishedSpan;
  /** Why it is unknown how many were finished; null where it is known. */
  readonly unknown: string | null;
  readonly within: TimesByKind;
}

/** Everything about nine weeks that is a figure; others get their turn between two statuses. */
async function aggregate(
  nine: Nine<MeasuredWeek>,
  statuses: readonly ObservedStatus[],
): Promise<
  Omit<
    WeeklyAggregates,
    keyof Unknowns | 'inProgress' | 'flowEfficiency' | 'blocked' | 'target' | 'attention' | 'provenance'
  >
> {
  const shown: WeeklyStatus[] = [];
  for (const status of statuses) {
    const one = statusOf(nine, status);
    const { finished, withinMs: within } = one;
    if (finished.week.count + finished.eightWeeks.count + within.week + within.eightWeeks > 0)
      shown.push(one);
    await yieldToOthers();
  }
  const cycleTime = pooled(nine, ({ cycleTimes }) => cycleTimes);
  await yieldToOthers();
  const { span } = nine.week;
  const issues = span.issues();
  return {
    week: nine.week.week,
    finished: finishedCounts(nine),
    finishedUnknown:
      [nine.week, ...allWeeks(nine).toReversed()].find(({ unknown }) => unknown !== null)?.unknown ?? null,
    only: await onlyOne(span, issues),
    cycleTime,
    statuses: shown,
    weeks: allWeeks(nine).map((one) => pointOf(one, shown)),
    ...(await contributors(span, issues, cycleTime)),
    withoutCycleTime: issues.flatMap(({ key, cycle }) =>
      'ms' in cycle ? [] : [{ key, reason: cycle.reason }],
    ),
  };
}

function statusOf(
  nine: Nine<MeasuredWeek>,
  { id, name: title, category, kind }: ObservedStatus,
): WeeklyStatus {
  return {
    id,
    name: title,
    category,
    kind,
    finished: pooled(nine, ({ times }) => times(id)),
    withinMs: mean(nine, (week) => msWithin(week, id)),
  };
}

/** Working ms of a week in a status, whatever it counts as. */
function msWithin({ within }: MeasuredWeek, id: string): number {
  return (within.get(id) ?? new Map<WorkKind, number>()).values().reduce((sum, ms) => sum + ms, 0);
}

function pointOf(one: MeasuredWeek, shown: readonly WeeklyStatus[]): WeekPoint {
  const { week, span, unknown } = one;
  return {
    ...week,
    finished: countOf(one),
    finishedUnknown: unknown,
    cycleTime: durationFigures(span.cycleTimes),
    withinMs: Object.fromEntries(shown.map(({ id }) => [id, msWithin(one, id)])),
  };
}

function countOf({ span, unknown }: MeasuredWeek): number | null {
  return unknown === null ? span.finished : null;
}

async function onlyOne(
  { named }: FinishedSpan,
  [own, another]: readonly FinishedIssue[],
): Promise<WeeklyAggregates['only']> {
  if (own === undefined || another !== undefined) return null;
  const { key, cycle } = own;
  const name = (await named([key])).get(key) ?? unnamed;
  return { key, ...name, cycleMs: 'ms' in cycle ? cycle.ms : null };
}

/** An issue that is gone meanwhile. */
const unnamed = { summary: '', link: null };

/**
 * The issues that moved the average furthest away from that of the week before (of the eight weeks where that has none), the
 * furthest first. What all of them moved it by adds up to the difference between the two.
 */
async function contributors(
  { named }: FinishedSpan,
  issues: readonly FinishedIssue[],
  { week, weekBefore, eightWeeks }: Compared<DurationFigures>,
): Promise<Pick<WeeklyAggregates, 'contributors' | 'against'>> {
  const baseline = weekBefore.averageMs ?? eightWeeks.averageMs;
  if (baseline === null || week.averageMs === null) return { contributors: [], against: null };
  const first = issues
    .flatMap(({ key, cycle }) =>
      'ms' in cycle ? [{ key, cycleMs: cycle.ms, shiftMs: (cycle.ms - baseline) / week.count }] : [],
    )
    .toSorted((a, b) => Math.abs(b.shiftMs) - Math.abs(a.shiftMs) || compareIds(a.key, b.key))
    .slice(0, MAX_CONTRIBUTORS);
  const names = await named(first.map(({ key }) => key));
  return {
    contributors: first.map(({ key, ...figures }) => ({ key, ...(names.get(key) ?? unnamed), ...figures })),
    against: weekBefore.averageMs === null ? 'eightWeeks' : 'weekBefore',
  };
}

/** A figure of single weeks; of the eight weeks their mean. */
function mean(nine: Nine<MeasuredWeek>, figure: (week: MeasuredWeek) => number): Compared<number> {
  const before = weeksBefore(nine).map(figure);
  return {
    week: figure(nine.week),
    weekBefore: figure(nine.weekBefore),
    eightWeeks: before.reduce((sum, one) => sum + one, 0) / before.length,
  };
}

/** Counts of finished issues; a mean of weeks some of which are unknown is none. */
function finishedCounts(nine: Nine<MeasuredWeek>): Compared<number | null> {
  const { eightWeeks } = mean(nine, ({ span }) => span.finished);
  const isKnown = weeksBefore(nine).every(({ unknown }) => unknown === null);
  return {
    week: countOf(nine.week),
    weekBefore: countOf(nine.weekBefore),
    eightWeeks: isKnown ? eightWeeks : null,
  };
}

/** Figures of the issues finished in a week; of the eight weeks, of all that were finished in them. */
function pooled(
  nine: Nine<MeasuredWeek>,
  durations: (span: FinishedSpan) => Durations,
): Compared<DurationFigures> {
  return {
    week: durationFigures(durations(nine.week.span)),
    weekBefore: durationFigures(durations(nine.weekBefore.span)),
    eightWeeks: durationFigures(weeksBefore(nine).flatMap(({ span }) => durations(span))),
  };
}

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
  { value: { week, provenance }, spans, flows, projects }: Awaited<ReturnType<typeof measureWeek>>,
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
