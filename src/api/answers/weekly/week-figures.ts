import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { durationFigures } from '../../../engine/measure/statistics.ts';
import type { Compared, DurationFigures, Unknowns } from '../../../model/answer.ts';
import type { WorkKind } from '../../../model/flow.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import type { Durations, FinishedIssue, FinishedSpan, TimesByKind } from '../../outcomes/outcomes-api.ts';
import type { ObservedStatus } from '../../outcomes/read-table.ts';
import { allWeeks, type Nine, weeksBefore } from './nine-weeks.ts';
import type { Week, WeeklyAggregates, WeeklyStatus, WeekPoint } from './weekly-answer.ts';

/** The most issues that are named as contributors to the change. */
const MAX_CONTRIBUTORS = 5;

/** A week, the issues finished in it, and the time all issues spent within it. All times are working ms. */
export interface MeasuredWeek {
  readonly week: Week;
  readonly span: FinishedSpan;
  /** Why it is unknown how many were finished; null where it is known. */
  readonly unknown: string | null;
  readonly within: TimesByKind;
}

/** Everything about nine weeks that is a figure; others get their turn between two statuses. */
export async function aggregate(
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
    if (hasAny(one)) shown.push(one);
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

/** A status with a finished issue, or time. */
function hasAny({ finished, withinMs: within }: WeeklyStatus): boolean {
  return finished.week.count + finished.eightWeeks.count + within.week + within.eightWeeks > 0;
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
