import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { AgingIssue, Comparison, WeeklyAggregates, WeekPoint } from '../../model/answer.ts';
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

/** Cycle time of the last weeks; how many issues were finished in them where some week has none. */
export function weeklyChart({ weeks, timeZone, provenance }: WeeklyAggregates): Chart | null {
  const first = weeks.findIndex(({ finished }) => (finished ?? 0) > 0);
  if (first === -1) return null;
  const shown = weeks.slice(first);
  const labelOf = ({ week: { id, whole } }: WeekPoint) =>
    `${weekLabel(id, timeZone, provenance.asOf)}${whole ? '' : ' so far'}`;
  const labels = shown.map(labelOf);
  const cycleTimes = shown.map(({ cycleTime }) => [cycleTime.median, cycleTime.p85]);
  if (shown.length > 1 && cycleTimes.every((values) => values.every((value) => value !== null))) {
    return durationChart({
      kind: 'bar',
      title: 'Cycle time by week',
      names: ['Median', '85 % within'],
      bars: cycleTimes.map((values, index) => ({ label: labels[index] ?? '', values })),
      dayMs: dayMsOf(provenance.calendar),
    });
  }
  const all = weeks.map(labelOf);
  return {
    kind: 'bar',
    title: 'Issues finished by week',
    unit: 'issues',
    categories: chartLabels(all),
    series: [{ name: 'Finished', values: weeks.map(({ finished }) => finished) }],
    alt: `Issues finished by week: ${weeks.map(({ finished }, index) => `${all[index]} ${finished ?? 'unknown'}`).join(', ')}.`,
  };
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
