/** One line or set of bars; a value that is not there is null. */
export interface Series {
  readonly name: string;
  /** One per category, in the unit of the chart. */
  readonly values: readonly (number | null)[];
}

/** A single value of a scatter. */
interface ChartPoint {
  /** Its place along the categories: 0 is where the first one begins, 1.5 the middle of the second. */
  readonly at: number;
  readonly value: number;
}

/** A picture of figures, neutral as to who draws it. */
export interface Chart {
  /** A scatter shows its points, and its series as lines over the categories to compare them with. */
  readonly kind: 'bar' | 'stacked-bar' | 'line' | 'pie' | 'stacked-area' | 'scatter';
  readonly title: string;
  /** The unit of the values, such as "days"; shown on the axis. */
  readonly unit: string;
  /** The subject of the categories, such as weeks or statuses. */
  readonly categories: readonly string[];
  /** The series; a pie has exactly one. */
  readonly series: readonly Series[];
  /** The points of a scatter. */
  readonly points?: readonly ChartPoint[];
  /** The chart in words, for people who do not see it. */
  readonly alt: string;
}

/** A chart in words, one line for each series: `Finished (issues): W29 3, W30 none`. */
export function chartWords({ title, unit, categories, series }: Omit<Chart, 'alt' | 'kind'>): string {
  const inUnit = unit === '' ? '' : ` (${unit})`;
  const [only] = series;
  if (series.length === 1 && only) return `${title}${inUnit}: ${pointWords(categories, only.values)}`;
  const lines = series.map(({ name, values }) => `${name}: ${pointWords(categories, values)}`);
  return [`${title}${inUnit}`, ...lines].join('\n');
}

function pointWords(categories: readonly string[], values: readonly (number | null)[]): string {
  const points = categories.map((category, index) => {
    const value = values[index] ?? null;
    return `${category} ${value === null ? 'none' : figureText(value)}`;
  });
  return points.join(', ');
}

/** A figure as a chart says it: at most two decimals, thousands apart, a true minus. */
export function figureText(value: number): string {
  const cents = Math.round(Math.abs(value) * 100) / 100;
  const text = cents.toLocaleString('en-US', { maximumFractionDigits: 2 });
  return value < 0 && cents !== 0 ? `−${text}` : text;
}

/** One value of a native chart, under the name of its category. */
interface NativePoint {
  readonly label: string;
  readonly value: number;
}

/** Slack's chart block, which its published types do not know yet. */
export interface NativeChart {
  readonly type: 'data_visualization';
  readonly block_id?: string;
  readonly title: string;
  readonly chart:
    | { readonly type: 'pie'; readonly segments: readonly NativePoint[] }
    | {
        readonly type: 'bar' | 'line';
        readonly series: readonly { readonly name: string; readonly data: readonly NativePoint[] }[];
        readonly axis_config: { readonly categories: readonly string[]; readonly y_label?: string };
      };
}

/** The limits of Slack's block; `src/slack/blocks` checks the same before anything is sent. */
const limits = { title: 50, series: 6, points: 20, label: 20, axisLabel: 50 };

/**
 * The chart as Slack draws it, or null where its block cannot say all of it: a value that is not there, more series
 * or points than it takes, names too long or not unique, bars or areas that stand on each other, single points.
 */
export function nativeChart(chart: Chart): NativeChart | null {
  const { kind, title, unit, categories, series } = chart;
  if (kind === 'stacked-area' || kind === 'scatter') return null;
  if (title === '' || title.length > limits.title || unit.length > limits.axisLabel) return null;
  const [first] = series;
  if (first === undefined || !areTaken(categories, limits.points) || !series.every(isWhole(categories)))
    return null;
  if (kind === 'stacked-bar' && series.length > 1) return null;
  if (kind === 'pie') {
    const segments = pointsOf(categories, first);
    if (series.length > 1 || !areTaken(categories, limits.series)) return null;
    if (segments.some(({ value }) => value <= 0)) return null;
    return { type: 'data_visualization', title, chart: { type: 'pie', segments } };
  }
  const names = series.map(({ name }) => name);
  if (!areTaken(names, limits.series)) return null;
  return {
    type: 'data_visualization',
    title,
    chart: {
      type: kind === 'line' ? 'line' : 'bar',
      series: series.map((each) => ({ name: each.name, data: pointsOf(categories, each) })),
      axis_config: { categories, ...(unit === '' ? {} : { y_label: unit }) },
    },
  };
}

/** True if there are 1 to `count` names, none of them too long, empty or repeated. */
function areTaken(names: readonly string[], count: number): boolean {
  return (
    names.length > 0 &&
    names.length <= count &&
    names.every((name) => name.trim() !== '' && name.length <= limits.label) &&
    new Set(names).size === names.length
  );
}

function isWhole(categories: readonly string[]): (series: Series) => boolean {
  return ({ values }) =>
    values.length === categories.length && values.every((value) => value !== null && Number.isFinite(value));
}

function pointsOf(categories: readonly string[], { values }: Series): NativePoint[] {
  return categories.map((label, index) => ({ label, value: values[index] ?? 0 }));
}

/** A chart of Slack's as one that can be drawn. */
export function chartOf({ title, chart }: NativeChart): Chart {
  const shown =
    chart.type === 'pie'
      ? {
          kind: chart.type,
          unit: '',
          categories: chart.segments.map(({ label }) => label),
          series: [{ name: title, values: chart.segments.map(({ value }) => value) }],
        }
      : {
          kind: chart.type,
          unit: chart.axis_config.y_label ?? '',
          categories: chart.axis_config.categories,
          series: chart.series.map(({ name, data }) => ({ name, values: data.map(({ value }) => value) })),
        };
  return { ...shown, title, alt: chartWords({ ...shown, title }) };
}
