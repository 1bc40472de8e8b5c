import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/mrkdwn.ts';
import type { AgingIssue, Comparison, WeeklyAggregates } from '../../model/answer.ts';
import type { Chart } from '../../output/charts/chart.ts';
import { durationWords, unitLengths } from '../../output/readable-text.ts';
import { weekLabel } from '../weekly/week-text.ts';
import { timesUsual } from './figure-words.ts';
import { dayMsOf } from './wording.ts';

/** More bars than that are no glance any more. */
const BARS = 12;

/** A bar, or several beside each other, of durations (ms). */
interface DurationBar {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

interface DurationChart {
  readonly kind: 'bar' | 'pie';
  readonly title: string;
  readonly names: readonly string[];
  readonly bars: readonly DurationBar[];
  readonly dayMs: number;
}

/** A chart of durations; null where there is nothing to compare. */
export function durationChart({ kind, title, names, bars, dayMs }: DurationChart): Chart | null {
  const longest = Math.max(0, ...bars.flatMap(({ values }) => values.map((value) => value ?? 0)));
  if (bars.length < 2 || longest === 0) return null;
  const { unit, ms: unitMs, of } = chartUnit(longest, dayMs);
  const labels = chartLabels(bars.map(({ label }) => label));
  const series = chartLabels(names).map((name, index) => ({
    name,
    values: bars.map(({ values }) => {
      const value = values[index] ?? null;
      if (value === null) return null;
      // Slack takes no slice of 0.
      return kind === 'pie' && of(value) === 0 ? Number((value / unitMs).toPrecision(2)) : of(value);
    }),
  }));
  const told = bars.map(({ values }, index) => {
    const texts = values.map((value) => (value === null ? 'none' : durationWords(value, dayMs)));
    return `${labels[index]} ${texts.join(' and ')}`;
  });
  const legend = names.length > 1 ? ` (${names.join(' and ')})` : '';
  return {
    kind,
    title: shorten(title, limits.chart.title),
    unit,
    categories: labels,
    series,
    alt: shorten(`${title}${legend}: ${told.join(', ')}.`, limits.image.alt),
  };
}

/** Median cycle time of nine weeks, with how many issues were finished in each; null where none has one. */
export function weeklyChart({ weeks, timeZone, provenance }: WeeklyAggregates): Chart | null {
  const chart = durationChart({
    kind: 'bar',
    title: 'Median cycle time by week',
    names: ['Median'],
    bars: weeks.map(({ week: { id, whole }, finished, cycleTime }) => ({
      label: `${whole ? weekLabel(id, timeZone, provenance.asOf) : 'now'} (${finished ?? '?'})`,
      values: [cycleTime.median],
    })),
    dayMs: dayMsOf(provenance.calendar),
  });
  if (chart === null) return null;
  // A week without finished issues keeps its place: Slack takes no value that is not there.
  const series = chart.series.map((one) => ({ ...one, values: one.values.map((value) => value ?? 0) }));
  return { ...chart, series };
}

/** By how much issues are beyond what is usual in their status, in the order of their table; null of fewer than two. */
export function agingChart(issues: readonly AgingIssue[]): Chart | null {
  const known = issues.flatMap(({ key, pace }) => (pace === null ? [] : [{ key, pace }])).slice(0, BARS);
  if (known.length < 2) return null;
  const title = 'Time in status against usual';
  const categories = chartLabels(known.map(({ key }) => key));
  const words = known.map(({ pace }, index) => `${categories[index]} ${timesUsual(pace)}`);
  return {
    kind: 'bar',
    title,
    unit: '× usual',
    categories,
    series: [{ name: '× usual', values: known.map(({ pace }) => Math.floor(10 * pace) / 10) }],
    alt: shorten(`${title}: ${words.join(', ')}.`, limits.image.alt),
  };
}

/** Average time in these statuses on both sides; of fewer than two, the cycle times. */
export function compareChart(
  { titles, cycleTime, provenance }: Omit<Comparison, 'statuses'>,
  statuses: Comparison['statuses'],
): Chart | null {
  const isByStatus = statuses.length > 1;
  if (!isByStatus && cycleTime.some(({ average }) => average === null)) return null;
  const chart = durationChart({
    kind: 'bar',
    title: isByStatus ? 'Average time in status' : 'Cycle time',
    names: titles,
    bars: isByStatus
      ? statuses.map(({ title, sides }) => ({ label: title, values: sides.map(({ average }) => average) }))
      : [
          { label: 'Median', values: cycleTime.map(({ median }) => median) },
          { label: 'p85', values: cycleTime.map(({ p85 }) => p85) },
          { label: 'Average', values: cycleTime.map(({ average }) => average) },
        ],
    dayMs: dayMsOf(provenance[0].calendar),
  });
  if (chart === null) return null;
  // Slack draws no chart with a value missing; no bar says the same.
  const series = chart.series.map((one) => ({ ...one, values: one.values.map((value) => value ?? 0) }));
  return { ...chart, series };
}

/** Names short enough for a chart, none empty, none twice. */
export function chartLabels(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const short = shorten(name.trim(), limits.chart.label) || '(no name)';
    let label = short;
    for (let count = 2; taken.has(label); count += 1) {
      const mark = ` (${count})`;
      label = `${shorten(short, limits.chart.label - mark.length)}${mark}`;
    }
    taken.add(label);
    return label;
  });
}

/** The unit the axis of a chart of durations is in. */
interface ChartUnit {
  readonly unit: string;
  /** How long one is. */
  readonly ms: number;
  /** A duration (ms) in it, with two decimals at most. */
  readonly of: (ms: number) => number;
}

/** The largest unit in which the longest duration (ms) is two or more. `dayMs` is the length of a day. */
function chartUnit(longestMs: number, dayMs: number): ChartUnit {
  const units: readonly (readonly [string, number])[] = [
    [dayMs < 24 * unitLengths.hours ? 'working days' : 'days', dayMs],
    ['hours', unitLengths.hours],
    ['minutes', unitLengths.minutes],
    ['seconds', unitLengths.seconds],
  ];
  const [unit, length] = units.find(([, each]) => longestMs >= 2 * each) ?? ['seconds', unitLengths.seconds];
  return { unit, ms: length, of: (ms) => Math.round((100 * ms) / length) / 100 };
}
