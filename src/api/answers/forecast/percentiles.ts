import type { WorkDays } from '../figures/work-days.ts';
import { countOfPercent, dayOfPercent, totalOf } from './draw-trials.ts';
import { type ForecastOdds, type ForecastPercentile, forecastPercents } from './forecast-answer.ts';

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
  const total = totalOf(days);
  const points: { readonly at: number; readonly percent: number }[] = [];
  let reached = 0;
  for (const [day, trials] of days.subarray(0, -1).entries()) {
    reached += trials;
    if (trials > 0) points.push({ at: day, percent: shown(reached / total) });
  }
  const marks = forecastPercents.map((percent) => dayOfPercent(days, percent));
  return someOf(points, marks).map(({ at, percent }) => ({ date: iso(at), issues: null, percent }));
}

/** The chance of so many issues or more, likewise. */
export function countOdds(counts: Int32Array): readonly ForecastOdds[] {
  const total = totalOf(counts);
  const points: { readonly at: number; readonly percent: number }[] = [];
  let reached = 0;
  for (let issues = counts.length - 1; issues > 0; issues -= 1) {
    const trials = counts[issues] ?? 0;
    reached += trials;
    if (trials > 0) points.push({ at: issues, percent: shown(reached / total) });
  }
  const marks = forecastPercents.map((percent) => countOfPercent(counts, percent));
  return someOf(points.reverse(), marks).map(({ at, percent }) => ({ date: null, issues: at, percent }));
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
