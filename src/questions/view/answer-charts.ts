import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { AgingIssue, Comparison, WeeklyAggregates, WeekPoint } from '../../model/answer.ts';
import type { Chart } from '../../output/charts/chart.ts';
import { durationWords, unitLengths } from '../../output/duration-text.ts';
import type { IssueSummary } from '../issue/issue-summary.ts';
import { weekLabel } from '../weekly/week-text.ts';
import { dayMsOf } from './day-length.ts';
import { timesUsual } from './figure-words.ts';

/** A pie with more slices cannot be read. */
const SLICES = limits.chart.series;
/** More bars than that are no glance any more. */
const BARS = 12;

/** A thinner slice cannot be seen. */
const LEAST_SHARE = 0.005;

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

/** The time of an issue until it was done, in slices that add up to it, and what is in the last one of several. */
interface IssueSlices {
  readonly slices: readonly { readonly label: string; readonly ms: number }[];
  /** Names of the statuses that are one slice, *Other*; empty where each has its own. */
  readonly others: readonly string[];
}

/** Statuses in the order of time; those too thin to be seen, or too many, are one slice at the end. */
export function issueSlices({ statuses }: Pick<IssueSummary, 'statuses'>): IssueSlices {
  const spent = statuses.filter(({ category, ms }) => category !== 'Done' && ms > 0);
  const whole = spent.reduce((sum, { ms }) => sum + ms, 0);
  const byTime = spent.toSorted((a, b) => b.ms - a.ms);
  const seen = byTime.filter(({ ms }) => ms >= LEAST_SHARE * whole);
  const hasRoom = byTime.length <= BARS && byTime.length - seen.length <= 1;
  const shown = hasRoom ? byTime : seen.slice(0, BARS - 1);
  const rest = spent.filter((one) => !shown.includes(one));
  const slices = spent.filter((one) => shown.includes(one)).map(({ status, ms }) => ({ label: status, ms }));
  if (rest.length === 0) return { slices, others: [] };
  return {
    slices: [...slices, { label: 'Other', ms: rest.reduce((sum, { ms }) => sum + ms, 0) }],
    others: rest.map(({ status }) => status),
  };
}

/** Where the time of an issue went until it was done: a pie where it can be read, else bars. */
export function issueChart({ key, statuses, provenance }: IssueSummary): Chart | null {
  // One that was reopened is not done; where it is now may lie in time of which nothing is known.
  const isUntilDone = statuses.some(({ category, now }) => category === 'Done' && now);
  const { slices } = issueSlices({ statuses });
  return durationChart({
    kind: slices.length <= SLICES ? 'pie' : 'bar',
    title: isUntilDone ? `Time of ${key} until it was done` : `Where the time of ${key} went`,
    names: ['Time'],
    bars: slices.map(({ label, ms }) => ({ label, values: [ms] })),
    dayMs: dayMsOf(provenance.calendar),
  });
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
