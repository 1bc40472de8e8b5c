import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { durationFigures } from '../../../engine/measure/statistics.ts';
import type { Compared, DurationFigures, LeftOut, Unknowns } from '../../../model/answer.ts';
import { compareIds } from '../../../model/issues/ids-and-names.ts';
import type { ObservedStatus } from '../figures/read-table.ts';
import { allWeeks, type Nine, weeksBefore } from './nine-weeks.ts';
import type { Contributor, Week, WeeklyAggregates, WeeklyStatus, WeekPoint } from './weekly-answer.ts';

/** How many of the issues that moved the average are named. */
const MAX_CONTRIBUTORS = 5;

/** A week, what the issues finished in it took, and the time all issues spent within it. All times are working ms. */
interface MeasuredWeek {
  readonly week: Week;
  /** How many were finished. */
  readonly finished: number;
  /** Cycle times of those that have one. */
  readonly cycleTimes: readonly number[];
  /** By status id: the whole time in it of each of them that was in it. */
  readonly times: ReadonlyMap<string, readonly number[]>;
  /** Why it is unknown how many were finished; null where it is known. */
  readonly unknown: string | null;
  /** By status id. */
  readonly within: ReadonlyMap<string, number>;
}

/** Issues finished in the week itself. */
interface FinishedThen<Issue extends Pick<LeftOut, 'key'>> {
  /** Those that have a cycle time. */
  readonly measured: readonly Measured<Issue>[];
  /** The others, and why they have none. */
  readonly withoutCycleTime: readonly (Issue & LeftOut)[];
  /** What is to be known of those that are shown. */
  readonly describe: (issues: readonly Issue[]) => Promise<readonly Pick<Contributor, 'summary' | 'link'>[]>;
}

type Measured<Issue> = Issue & { readonly cycleMs: number };

/** Everything about nine weeks that is a figure; others get their turn between two statuses. */
export async function aggregate<Issue extends Pick<LeftOut, 'key'>>(
  nine: Nine<MeasuredWeek>,
  finished: FinishedThen<Issue>,
  statuses: readonly ObservedStatus[],
): Promise<
  Omit<WeeklyAggregates, keyof Unknowns | 'inProgress' | 'flowEfficiency' | 'attention' | 'provenance'>
> {
  const shown: WeeklyStatus[] = [];
  for (const status of statuses) {
    const one = statusOf(nine, status);
    if (hasAny(one)) shown.push(one);
    await yieldToOthers();
  }
  const cycleTime = pooled(nine, ({ cycleTimes }) => cycleTimes);
  await yieldToOthers();
  return {
    week: nine.week.week,
    finished: finishedCounts(nine),
    finishedUnknown:
      [nine.week, ...allWeeks(nine).toReversed()].find(({ unknown }) => unknown !== null)?.unknown ?? null,
    only: await onlyOne(finished),
    cycleTime,
    statuses: shown,
    weeks: allWeeks(nine).map((one) => pointOf(one, shown)),
    ...(await contributors(finished, cycleTime)),
    withoutCycleTime: finished.withoutCycleTime.map(({ key, reason }) => ({ key, reason })),
  };
}

function statusOf(nine: Nine<MeasuredWeek>, { id, name: title, category }: ObservedStatus): WeeklyStatus {
  return {
    id,
    name: title,
    category,
    finished: pooled(nine, ({ times }) => times.get(id) ?? []),
    withinMs: mean(nine, ({ within }) => within.get(id) ?? 0),
  };
}

/** Anything was in it: a finished issue, or time. */
function hasAny({ finished, withinMs: within }: WeeklyStatus): boolean {
  return finished.week.count + finished.eightWeeks.count + within.week + within.eightWeeks > 0;
}

function pointOf(one: MeasuredWeek, shown: readonly WeeklyStatus[]): WeekPoint {
  const { week, cycleTimes, unknown, within } = one;
  return {
    ...week,
    finished: countOf(one),
    finishedUnknown: unknown,
    cycleTime: durationFigures([cycleTimes]),
    withinMs: Object.fromEntries(shown.map(({ id }) => [id, within.get(id) ?? 0])),
  };
}

function countOf({ finished, unknown }: MeasuredWeek): number | null {
  return unknown === null ? finished : null;
}

async function onlyOne<Issue extends Pick<LeftOut, 'key'>>({
  measured,
  withoutCycleTime,
  describe,
}: FinishedThen<Issue>): Promise<WeeklyAggregates['only']> {
  const [own, another] = [...measured, ...withoutCycleTime];
  if (own === undefined || another !== undefined) return null;
  const [called = { summary: '', link: null }] = await describe([own]);
  return { key: own.key, ...called, cycleMs: measured[0]?.cycleMs ?? null };
}

/** Against the week before; against the eight weeks where that has no average. */
async function contributors<Issue extends Pick<LeftOut, 'key'>>(
  finished: FinishedThen<Issue>,
  { week, weekBefore, eightWeeks }: Compared<DurationFigures>,
): Promise<Pick<WeeklyAggregates, 'contributors' | 'against'>> {
  const baseline = weekBefore.averageMs ?? eightWeeks.averageMs;
  if (baseline === null || week.averageMs === null) return { contributors: [], against: null };
  return {
    contributors: await contributorsTo(finished, baseline),
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

/** How many were finished; a mean of weeks some of which are unknown is none. */
function finishedCounts(nine: Nine<MeasuredWeek>): Compared<number | null> {
  const { eightWeeks } = mean(nine, ({ finished }) => finished);
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
  durations: (week: MeasuredWeek) => readonly number[],
): Compared<DurationFigures> {
  return {
    week: durationFigures([durations(nine.week)]),
    weekBefore: durationFigures([durations(nine.weekBefore)]),
    eightWeeks: durationFigures(weeksBefore(nine).map(durations)),
  };
}

/**
 * The issues that moved the average furthest away from a baseline (ms), the furthest first. What all of them moved it by
 * adds up to the difference between the two.
 */
async function contributorsTo<Issue extends Pick<LeftOut, 'key'>>(
  { measured, describe }: FinishedThen<Issue>,
  baseline: number,
): Promise<Contributor[]> {
  const first = measured
    .map((issue) => ({ issue, shiftMs: (issue.cycleMs - baseline) / measured.length }))
    .toSorted((a, b) => Math.abs(b.shiftMs) - Math.abs(a.shiftMs) || compareIds(a.issue.key, b.issue.key))
    .slice(0, MAX_CONTRIBUTORS);
  const described = await describe(first.map(({ issue }) => issue));
  return first.map(({ issue: { key, cycleMs }, shiftMs }, i) => {
    const { summary, link } = described[i] ?? { summary: '', link: null };
    return { key, summary, link, cycleMs, shiftMs };
  });
}
