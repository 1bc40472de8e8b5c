import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { AgingIssue, Comparison, WeeklyAggregates } from '../../model/answer.ts';
import type { Chart } from '../../output/charts/chart.ts';
import { durationWords, unitLengths } from '../../output/duration-text.ts';
import { weekLabel } from '../weekly/week-text.ts';
import { dayMsOf } from './day-length.ts';

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

/** How long issues have been where they are, beside what is usual there; null where that is known of none. */
export function agingChart(issues: readonly AgingIssue[], dayMs: number): Chart | null {
  const known = issues.filter(({ baseline }) => baseline !== null);
  return durationChart({
    kind: 'bar',
    title: 'How long they have been where they are',
    names: ['So far', 'Usual (85 %)'],
    bars: known.map(({ key, ageMs, baseline }) => ({ label: key, values: [ageMs, baseline?.p85 ?? null] })),
    dayMs,
  });
}

/** Average time in each status on both sides; of those that share no two statuses, their cycle times. */
export function compareChart({ titles, statuses, cycleTime, provenance }: Comparison): Chart | null {
  const both = statuses.filter(({ sides: [a, b] }) => a.average !== null && b.average !== null);
  const byStatus = both
    .slice(0, BARS)
    .map(({ title, sides }) => ({ label: title, values: sides.map(({ average }) => average) }));
  const byFigure = [
    { label: 'Average', values: cycleTime.map(({ average }) => average) },
    { label: 'Median', values: cycleTime.map(({ median }) => median) },
    { label: '85 % within', values: cycleTime.map(({ p85 }) => p85) },
  ];
  const isByStatus = byStatus.length > 1;
  if (!isByStatus && cycleTime.some(({ average }) => average === null)) return null;
  return durationChart({
    kind: 'bar',
    title: isByStatus ? 'Average time in status' : 'Cycle time',
    names: titles,
    bars: isByStatus ? byStatus : byFigure,
    dayMs: dayMsOf(provenance[0].calendar),
  });
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
