import type { YieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import type { WorkDays } from '../figures/work-days.ts';
import { type ForecastOdds, type ForecastPercentile, forecastPercents } from './forecast-answer.ts';

/** Days of a week. Weeks of the past and of the future begin with the same weekday: that of the day of the forecast. */
export const WEEK_DAYS = 7;
/** The number of trials of a forecast: chance moves a share of 85% by less than half a percent. */
export const TRIALS = 10_000;
/** Fewer trials than that take less than a millisecond, even of five years. */
const TRIALS_AT_ONCE = 100;
/** Stands for a day on which the calendar has no work. */
export const NO_WORK = -1;

/** The past that trials draw from, and the days that are to come. */
export interface TrialInput {
  /** Finished issues of each day, whole weeks, the oldest first; `NO_WORK` for a day without work. */
  readonly past: Int32Array;
  /** The weight with which each week of the past is drawn, the oldest first; all above 0. */
  readonly weights: Float64Array;
  /** 1 for each working day from the day of the forecast on, whole weeks; nothing is drawn for later days. */
  readonly future: Uint8Array;
  /** The share of the first day's working time that is still to come, from 0 to 1. */
  readonly firstDayShare: number;
  /** A whole number; the same seed draws the same. */
  readonly seed: number;
  readonly trials: number;
}

/**
 * Draws when a number of issues (1 or more) are finished: by day of the future, how many trials had the last of them on it.
 * Trials that need more days than there are count in the last element, which is no day. `pace` lets others go on.
 */
export async function drawDays(input: TrialInput, count: number, pace: YieldIfDue): Promise<Int32Array> {
  const { future, trials } = input;
  const { drawWeek, sumOf, countOn } = createDraws(input);
  const weeks = future.length / WEEK_DAYS;
  const days = new Int32Array(future.length + 1);
  for (let trial = 0; trial < trials; trial += 1) {
    const due = trial % TRIALS_AT_ONCE === 0 ? pace() : null;
    if (due !== null) await due;
    let left = count;
    let day = future.length;
    for (let week = 0; week < weeks && left > 0; week += 1) {
      const drawn = drawWeek();
      const sum = sumOf(week, drawn);
      if (sum >= 0 && sum < left) {
        left -= sum;
        continue;
      }
      for (let i = 0; i < WEEK_DAYS && left > 0; i += 1) {
        left -= countOn(week, i, drawn);
        day = week * WEEK_DAYS + i;
      }
    }
    if (left > 0) day = future.length;
    days[day] = (days[day] ?? 0) + 1;
  }
  return days;
}

/** Draws how many issues are finished until the end of a day of the future: by that number, how many trials had it. `pace`: likewise. */
export async function drawCounts(input: TrialInput, lastDay: number, pace: YieldIfDue): Promise<Int32Array> {
  const { drawWeek, sumOf, countOn } = createDraws(input);
  const lastWeek = Math.floor(lastDay / WEEK_DAYS);
  const counts: number[] = [];
  for (let trial = 0; trial < input.trials; trial += 1) {
    const due = trial % TRIALS_AT_ONCE === 0 ? pace() : null;
    if (due !== null) await due;
    let count = 0;
    for (let week = 0; week <= lastWeek; week += 1) {
      const drawn = drawWeek();
      const sum = week === lastWeek ? -1 : sumOf(week, drawn);
      if (sum >= 0) count += sum;
      else {
        const days = Math.min(WEEK_DAYS, lastDay - week * WEEK_DAYS + 1);
        for (let i = 0; i < days; i += 1) count += countOn(week, i, drawn);
      }
    }
    while (counts.length <= count) counts.push(0);
    counts[count] = (counts[count] ?? 0) + 1;
  }
  return Int32Array.from(counts);
}

/** The first day by whose end a share of the trials (percent) is finished; null where none of the days is. */
export function dayOfPercent(days: Int32Array, percent: number): number | null {
  const needed = (percent / 100) * totalOf(days);
  return reachedBy(daysOf(days)).find(([, reached]) => reached >= needed)?.[0] ?? null;
}

/** The largest number of issues that at least a share of the trials (percent) finish. */
export function countOfPercent(counts: Int32Array, percent: number): number {
  const needed = (percent / 100) * totalOf(counts);
  return reachedBy(countsOf(counts)).find(([, reached]) => reached >= needed)?.[0] ?? 0;
}

/** Trials by day; those in the last element have no day. */
function daysOf(days: Int32Array): Iterable<readonly [day: number, trials: number]> {
  return days.subarray(0, -1).entries();
}

/** Trials by the number of issues they finish, the largest first, but for none. */
function countsOf(counts: Int32Array): Iterable<readonly [issues: number, trials: number]> {
  return [...counts.entries()].slice(1).reverse();
}

/** The numbers of trials up to each day, or count, and of those that are on it. */
function* reachedBy(all: Iterable<readonly [at: number, trials: number]>) {
  let reached = 0;
  for (const [at, trials] of all) {
    reached += trials;
    yield [at, reached, trials] as const;
  }
}

/** The number of all trials. */
function totalOf(trials: Int32Array): number {
  return trials.reduce((sum, one) => sum + one, 0);
}

/**
 * Draws from the past. A working day gets the issues of the same weekday of the drawn week; where that was no working day,
 * those of another week that is drawn for it, and none if no such weekday was one.
 */
function createDraws({ past, weights, future, firstDayShare, seed }: TrialInput) {
  const next = createSfc32(seed);
  const bounds = boundsOf(weights);
  const drawWeek = () => drawByBounds(bounds, next());
  const pastMasks = masksOf(past.length, (day) => past[day] !== NO_WORK);
  const futureMasks = masksOf(future.length, (day) => future[day] === 1);
  const worked = pastMasks.reduce((all, mask) => all | mask, 0);
  const sums = pastMasks.map((_, week) =>
    past
      .subarray(week * WEEK_DAYS, (week + 1) * WEEK_DAYS)
      .reduce((sum, count) => sum + (count === NO_WORK ? 0 : count), 0),
  );
  // By week of the past: the part of its first day that is still to come, as a day that has begun is drawn in each trial.
  const restOf = Array.from(weights, (_, week) =>
    binomialBounds(Math.max(0, past[week * WEEK_DAYS] ?? 0), firstDayShare),
  );
  return {
    /** The week of the past (index) that one week of the future is like. */
    drawWeek,
    /** The issues of a whole week of the future that is like a drawn one; -1 where each of its days is to be looked at. */
    sumOf: (week: number, drawn: number): number =>
      week > 0 && pastMasks[drawn] === futureMasks[week] ? (sums[drawn] ?? 0) : -1,
    /** The issues of a day (0 to 6) of a week of the future. */
    countOn(week: number, day: number, drawn: number): number {
      const mask = 1 << day;
      if (((futureMasks[week] ?? 0) & worked & mask) === 0) return 0;
      let like = drawn;
      while (((pastMasks[like] ?? 0) & mask) === 0) like = drawWeek();
      const count = past[like * WEEK_DAYS + day] ?? 0;
      if (week > 0 || day > 0) return count;
      return drawByBounds(restOf[like] ?? new Float64Array(), next());
    },
  };
}

/** By week: a bit for each of its days on which there is work. */
function masksOf(days: number, isWork: (day: number) => boolean): Int32Array {
  const masks = new Int32Array(days / WEEK_DAYS);
  for (let day = 0; day < days; day += 1)
    if (isWork(day)) {
      const week = Math.floor(day / WEEK_DAYS);
      masks[week] = (masks[week] ?? 0) | (1 << (day % WEEK_DAYS));
    }
  return masks;
}

const RANGE = 0x1_0000_0000;

/**
 * The bounds of how many of some issues are still to come, where each of them is with the chance `share`. Each chance follows
 * from its neighbor, from the likeliest on: powers would be too small for a number.
 */
function binomialBounds(count: number, share: number): Float64Array {
  const chances = new Float64Array(count + 1);
  const likeliest = Math.min(count, Math.floor((count + 1) * share));
  const odds = share / (1 - share);
  chances[likeliest] = 1;
  for (let k = likeliest; k < count; k += 1)
    chances[k + 1] = ((chances[k] ?? 0) * (count - k) * odds) / (k + 1);
  for (let k = likeliest; k > 0; k -= 1) chances[k - 1] = ((chances[k] ?? 0) * k) / ((count - k + 1) * odds);
  return boundsOf(chances);
}

/** The upper bound of each number, from 0 to `RANGE`, of numbers that are drawn as often as their weights say. */
function boundsOf(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  return weights.map((weight) => {
    reached += weight;
    return (reached / total) * RANGE;
  });
}

/** The first number whose bound is above a draw, found by halving. */
function drawByBounds(bounds: Float64Array, at: number): number {
  let [low, high] = [0, bounds.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at < (bounds[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whole numbers from 0 to below 2^32, the same for the same seed (sfc32 by Chris Doty-Humphrey, PractRand: public domain). */
function createSfc32(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, Math.floor(seed / RANGE) | 0, 0x9e37_79b9 | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first numbers of similar seeds are similar.
  for (let i = 0; i < 12; i += 1) next();
  return next;
}

/** The number of points of the picture, beside those of the percentiles. */
const POINTS = 6;
/** Points with less chance than this, or with more than 100 less this, say nothing (percent). */
const EDGE = 2;

/** Dates by chance, of trials by day of the future. */
export function datePercentiles(
  days: Int32Array,
  { iso }: Pick<WorkDays, 'iso'>,
): readonly ForecastPercentile[] {
  return forecastPercents.map((percent) => {
    const day = dayOfPercent(days, percent);
    return { percent, date: day === null ? null : iso(day), issues: null };
  });
}

/** Numbers of issues by chance, of trials by number. */
export function countPercentiles(counts: Int32Array): readonly ForecastPercentile[] {
  return forecastPercents.map((percent) => ({
    percent,
    date: null,
    issues: countOfPercent(counts, percent),
  }));
}

/** The chance by day, for a picture: some days on which trials end, those of the percentiles among them. */
export function dateOdds(days: Int32Array, { iso }: Pick<WorkDays, 'iso'>): readonly ForecastOdds[] {
  const marks = forecastPercents.map((percent) => dayOfPercent(days, percent));
  const points = pointsOf(daysOf(days), totalOf(days));
  return someOf(points, marks).map(({ at, percent }) => ({ date: iso(at), issues: null, percent }));
}

/** The chance by number of issues, of that number or more, for a picture. */
export function countOdds(counts: Int32Array): readonly ForecastOdds[] {
  const marks = forecastPercents.map((percent) => countOfPercent(counts, percent));
  const points = pointsOf(countsOf(counts), totalOf(counts)).reverse();
  return someOf(points, marks).map(({ at, percent }) => ({ date: null, issues: at, percent }));
}

function pointsOf(all: Iterable<readonly [at: number, trials: number]>, total: number) {
  return reachedBy(all)
    .filter(([, , trials]) => trials > 0)
    .map(([at, reached]) => ({ at, percent: shown(reached / total) }))
    .toArray();
}

/** The share of trials that end by the end of a day, in percent. */
export function percentBy(days: Int32Array, day: number): number {
  return shown(totalOf(days.subarray(0, Math.max(0, Math.min(day + 1, days.length - 1)))) / totalOf(days));
}

/** In percent with one decimal. */
function shown(share: number): number {
  return Math.round(1_000 * share) / 10;
}

function someOf<Point extends { readonly at: number; readonly percent: number }>(
  points: readonly Point[],
  marks: readonly (number | null)[],
): readonly Point[] {
  const middle = points.filter(({ percent }) => percent >= EDGE && percent <= 100 - EDGE);
  const step = Math.ceil(Math.max(1, middle.length) / POINTS);
  const some = new Set(middle.filter((_, i) => i % step === 0));
  return points.filter((point) => marks.includes(point.at) || some.has(point));
}
