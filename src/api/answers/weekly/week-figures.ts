import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { compareIds } from '../../../issues/ids-and-names.ts';
import type {
  Compared,
  Contributor,
  DurationFigures,
  WeeklyAggregates,
  WeeklyStatus,
  WeekPoint,
} from '../../../model/answer.ts';
import { cycleTimes, type IssueLife, spreadOf, timesIn } from '../issue-lives.ts';
import type { MetStatus } from '../met-statuses.ts';
import type { ToldWeek } from './finished-in-week.ts';
import { allWeeks, type Nine, weeksBefore } from './nine-weeks.ts';

/** How many of the issues that moved the average are told. */
const MOST_MOVERS = 5;

/** Everything about nine weeks that is a figure; others get their turn between two statuses. */
export async function aggregate(
  nine: Nine<ToldWeek>,
  statuses: readonly MetStatus[],
): Promise<Omit<WeeklyAggregates, 'timeZone' | 'doubts' | 'provenance'>> {
  const { week, finished } = nine.week;
  const told: WeeklyStatus[] = [];
  for (const status of statuses) {
    const one = statusOf(nine, status);
    if (isTold(one)) told.push(one);
    await yieldToOthers();
  }
  const cycleTime = pooled(nine, cycleTimes);
  await yieldToOthers();
  return {
    week,
    finished: finishedCounts(nine),
    finishedUnknown:
      [nine.week, ...allWeeks(nine).toReversed()].find(({ unknown }) => unknown !== null)?.unknown ?? null,
    cycleTime,
    statuses: told,
    weeks: allWeeks(nine).map((one) => pointOf(one, told)),
    ...moved(finished, cycleTime),
    withoutCycleTime: finished.flatMap(({ facts: { key }, finish }) =>
      finish !== null && 'reason' in finish.cycle ? [{ key, reason: finish.cycle.reason }] : [],
    ),
  };
}

function statusOf(nine: Nine<ToldWeek>, { id, title, category }: MetStatus): WeeklyStatus {
  return {
    id,
    title,
    category,
    finished: pooled(nine, (lives) => timesIn(id, lives)),
    within: mean(nine, ({ within }) => within.get(id) ?? 0),
  };
}

/** Anything was in it: a finished issue, or time. */
function isTold({ finished, within }: WeeklyStatus): boolean {
  return finished.week.count + finished.eightWeeks.count + within.week + within.eightWeeks > 0;
}

function pointOf(one: ToldWeek, told: readonly WeeklyStatus[]): WeekPoint {
  const { week, finished, unknown, within } = one;
  return {
    week,
    finished: countOf(one),
    finishedUnknown: unknown,
    cycleTime: spreadOf(cycleTimes(finished)),
    within: Object.fromEntries(told.map(({ id }) => [id, within.get(id) ?? 0])),
  };
}

function countOf({ finished, unknown }: ToldWeek): number | null {
  return unknown === null ? finished.length : null;
}

/** Against the week before; against the eight weeks where that has no average. */
function moved(
  finished: readonly IssueLife[],
  { week, weekBefore, eightWeeks }: Compared<DurationFigures>,
): Pick<WeeklyAggregates, 'movers' | 'against'> {
  const baseline = weekBefore.average ?? eightWeeks.average;
  if (baseline === null || week.average === null) return { movers: [], against: null };
  return {
    movers: moversOf(finished, baseline).slice(0, MOST_MOVERS),
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
  const { eightWeeks } = mean(nine, ({ finished }) => finished.length);
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
  durations: (lives: readonly IssueLife[]) => readonly number[],
): Compared<DurationFigures> {
  const spread = (lives: readonly IssueLife[]) => spreadOf(durations(lives));
  return {
    week: spread(nine.week.finished),
    weekBefore: spread(nine.weekBefore.finished),
    eightWeeks: spread(weeksBefore(nine).flatMap(({ finished }) => finished)),
  };
}

/**
 * All issues with a cycle time, by how far each moved the average away from a baseline (ms), the furthest first. What
 * they moved it by adds up to the difference between the two.
 */
function moversOf(lives: readonly IssueLife[], baseline: number): Contributor[] {
  const measured = lives.flatMap(({ facts: { key, link }, summary, finish }) =>
    finish !== null && 'ms' in finish.cycle ? [{ key, summary, link, cycleMs: finish.cycle.ms }] : [],
  );
  return measured
    .map((issue) => ({ ...issue, shiftMs: (issue.cycleMs - baseline) / measured.length }))
    .toSorted((a, b) => Math.abs(b.shiftMs) - Math.abs(a.shiftMs) || compareIds(a.key, b.key));
}
