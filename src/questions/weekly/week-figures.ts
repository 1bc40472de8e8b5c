import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { durationFigures } from '../../engine/statistics.ts';
import { compareIds } from '../../issues/ids-and-names.ts';
import type {
  Compared,
  Contributor,
  DurationFigures,
  LeftOut,
  Week,
  WeeklyAggregates,
  WeeklyStatus,
  WeekPoint,
} from '../../model/answer.ts';
import type { ObservedStatus } from '../figures/observed-statuses.ts';
import { allWeeks, type Nine, weeksBefore } from './nine-weeks.ts';

/** How many of the issues that moved the average are told. */
const MOST_MOVERS = 5;

/** A week, what the issues finished in it took, and the time all issues spent within it. All times are working ms. */
interface ToldWeek {
  readonly week: Week;
  /** How many were finished. */
  readonly finished: number;
  /** Cycle times of those that have one. */
  readonly cycleTimes: readonly number[];
  /** By status id: the whole time in it of each of them that was in it. */
  readonly times: ReadonlyMap<string, readonly number[]>;
  /** Why nobody knows how many were finished; null where it is known. */
  readonly unknown: string | null;
  /** By status id. */
  readonly within: ReadonlyMap<string, number>;
}

/** Issues finished in the week itself. */
interface FinishedThen<Issue extends MeasuredIssue> {
  /** Those that have a cycle time. */
  readonly measured: readonly Issue[];
  /** The others, and why they have none. */
  readonly withoutCycleTime: readonly LeftOut[];
  /** What is to be known of those that are shown. */
  readonly describe: (issues: readonly Issue[]) => Promise<readonly Pick<Contributor, 'summary' | 'link'>[]>;
}

/** An issue and its cycle time. */
export interface MeasuredIssue {
  readonly key: string;
  readonly cycleMs: number;
}

/** Everything about nine weeks that is a figure; others get their turn between two statuses. */
export async function aggregate<Issue extends MeasuredIssue>(
  nine: Nine<ToldWeek>,
  finished: FinishedThen<Issue>,
  statuses: readonly ObservedStatus[],
): Promise<Omit<WeeklyAggregates, 'timeZone' | 'doubts' | 'provenance'>> {
  const told: WeeklyStatus[] = [];
  for (const status of statuses) {
    const one = statusOf(nine, status);
    if (isTold(one)) told.push(one);
    await yieldToOthers();
  }
  const cycleTime = pooled(nine, ({ cycleTimes }) => cycleTimes);
  await yieldToOthers();
  return {
    week: nine.week.week,
    finished: finishedCounts(nine),
    finishedUnknown:
      [nine.week, ...allWeeks(nine).toReversed()].find(({ unknown }) => unknown !== null)?.unknown ?? null,
    cycleTime,
    statuses: told,
    weeks: allWeeks(nine).map((one) => pointOf(one, told)),
    ...(await moved(finished, cycleTime)),
    withoutCycleTime: finished.withoutCycleTime,
  };
}

function statusOf(nine: Nine<ToldWeek>, { id, title, category }: ObservedStatus): WeeklyStatus {
  return {
    id,
    title,
    category,
    finished: pooled(nine, ({ times }) => times.get(id) ?? []),
    within: mean(nine, ({ within }) => within.get(id) ?? 0),
  };
}

/** Anything was in it: a finished issue, or time. */
function isTold({ finished, within }: WeeklyStatus): boolean {
  return finished.week.count + finished.eightWeeks.count + within.week + within.eightWeeks > 0;
}

function pointOf(one: ToldWeek, told: readonly WeeklyStatus[]): WeekPoint {
  const { week, cycleTimes, unknown, within } = one;
  return {
    week,
    finished: countOf(one),
    finishedUnknown: unknown,
    cycleTime: durationFigures([cycleTimes]),
    within: Object.fromEntries(told.map(({ id }) => [id, within.get(id) ?? 0])),
  };
}

function countOf({ finished, unknown }: ToldWeek): number | null {
  return unknown === null ? finished : null;
}

/** Against the week before; against the eight weeks where that has no average. */
async function moved<Issue extends MeasuredIssue>(
  finished: FinishedThen<Issue>,
  { week, weekBefore, eightWeeks }: Compared<DurationFigures>,
): Promise<Pick<WeeklyAggregates, 'movers' | 'against'>> {
  const baseline = weekBefore.average ?? eightWeeks.average;
  if (baseline === null || week.average === null) return { movers: [], against: null };
  return {
    movers: await moversOf(finished, baseline),
    against: weekBefore.average === null ? 'eightWeeks' : 'weekBefore',
  };
}

/** A figure of single weeks; of the eight weeks their mean. */
function mean(nine: Nine<ToldWeek>, figure: (week: ToldWeek) => number): Compared<number> {
  const before = weeksBefore(nine).map(figure);
  return {
    week: figure(nine.week),
    weekBefore: figure(nine.weekBefore),
    eightWeeks: before.reduce((sum, one) => sum + one, 0) / before.length,
  };
}

/** How many were finished; a mean of weeks some of which nobody knows is none. */
function finishedCounts(nine: Nine<ToldWeek>): Compared<number | null> {
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
  nine: Nine<ToldWeek>,
  durations: (week: ToldWeek) => readonly number[],
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
async function moversOf<Issue extends MeasuredIssue>(
  { measured, describe }: FinishedThen<Issue>,
  baseline: number,
): Promise<Contributor[]> {
  const movers = measured
    .map((issue) => ({ issue, shiftMs: (issue.cycleMs - baseline) / measured.length }))
    .toSorted((a, b) => Math.abs(b.shiftMs) - Math.abs(a.shiftMs) || compareIds(a.issue.key, b.issue.key))
    .slice(0, MOST_MOVERS);
  const described = await describe(movers.map(({ issue }) => issue));
  return movers.map(({ issue: { key, cycleMs }, shiftMs }, i) => {
    const { summary, link } = described[i] ?? { summary: '', link: null };
    return { key, summary, link, cycleMs, shiftMs };
  });
}
