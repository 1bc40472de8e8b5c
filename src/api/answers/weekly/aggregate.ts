import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type {
  Compared,
  DurationFigures,
  WeeklyAggregates,
  WeeklyStatus,
  WeekPoint,
} from '../../../model/answer.ts';
import { cycleTimes, timesIn } from '../cycle-times.ts';
import type { IssueLife } from '../finished.ts';
import type { MetStatus } from '../met-statuses.ts';
import { spreadOf } from '../spread-of.ts';
import { moversOf } from './movers-of.ts';
import { allWeeks, type Nine, weeksBefore } from './nine-weeks.ts';
import type { ToldWeek } from './told-week.ts';

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
