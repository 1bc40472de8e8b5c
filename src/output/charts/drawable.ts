import type { Chart, Series } from './chart.ts';
import type { Font } from './font.ts';

/** A chart as it is drawn, and what was left out of it. */
export interface Drawable extends Omit<Chart, 'alt'> {
  /** Empty where everything is shown. */
  readonly note: string;
}

/** The most colors and patterns that people can distinguish. */
const MAX_SERIES = 8;

/** Bars on top of each other make the picture taller, points of a line make it denser. */
const MAX_BARS = 80;
const MAX_ROWS = 40;
const MAX_POINTS = 60;
const MAX_AREA_POINTS = 120;

/** Signs that say how others look or run, and none themselves. */
const unseen = /[\p{Cf}\p{Cc}\p{Variation_Selector}]/gu;
const pictogram = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/gu;
const control = /\p{Cc}/gu;

/**
 * The parts of a chart that can be drawn: names without pictograms, no more series and categories than can be
 * distinguished. Null where a name has letters that the font lacks, for boxes say nothing.
 */
export function drawable({ alt: _, ...chart }: Chart, font: Font): Drawable | null {
  const named = {
    ...chart,
    title: lettered(chart.title),
    unit: lettered(chart.unit),
    categories: chart.categories.map(lettered),
    series: chart.series.map((series) => ({ ...series, name: lettered(series.name) })),
  };
  const names = [named.title, ...named.categories, ...named.series.map(({ name }) => name)];
  const lost = chart.categories.some((name, i) => name.trim() !== '' && named.categories[i] === '');
  if (lost || ![...names, named.unit].every((name) => canDraw(name, font))) return null;
  return named.kind === 'pie' ? fewerSlices(named) : fewerBars(fewerSeries(named));
}

function canDraw(text: string, font: Font): boolean {
  return [...text.replace(unseen, '')].every((character) => font.has(character));
}

/** On one line; what XML cannot say is left out. */
function lettered(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(control, '')
    .replace(pictogram, '')
    .replace(/\u200D|\p{Variation_Selector}|\u20E3/gu, '')
    .trim();
}

function fewerSlices({ series, categories, ...chart }: Omit<Chart, 'alt'>): Drawable {
  const slices = categories
    .map((name, i) => ({ name, value: series[0]?.values[i] ?? 0 }))
    .filter(({ value }) => value > 0);
  const tooMany = slices.length > MAX_SERIES;
  const shown = tooMany ? slices.slice(0, MAX_SERIES - 1) : slices;
  const others = slices.slice(shown.length);
  const all = tooMany
    ? [...shown, { name: `${others.length} more`, value: sum(others.map(({ value }) => value)) }]
    : shown;
  return {
    ...chart,
    categories: all.map(({ name }) => name),
    series: [{ name: series[0]?.name ?? '', values: all.map(({ value }) => value) }],
    note: all.length === 0 ? 'no figures above 0' : '',
  };
}

function fewerSeries(chart: Omit<Chart, 'alt'>): Drawable {
  const { series, kind, categories } = chart;
  if (series.length <= MAX_SERIES) return { ...chart, note: '' };
  if (kind !== 'stacked-bar' && kind !== 'stacked-area') {
    const more = series.length - MAX_SERIES;
    return { ...chart, series: series.slice(0, MAX_SERIES), note: `and ${more} more that are not drawn` };
  }
  // Stacked values add up, so the rest can be one piece.
  const [shown, others] = [series.slice(0, MAX_SERIES - 1), series.slice(MAX_SERIES - 1)];
  const more: Series = {
    name: `${others.length} more`,
    values: categories.map((_, i) => sum(others.map(({ values }) => values[i] ?? 0))),
  };
  return { ...chart, series: [...shown, more], note: '' };
}

function fewerBars(chart: Drawable): Drawable {
  const { kind, series, categories, note } = chart;
  if (categories.length === 0 || series.length === 0) return { ...chart, note: 'no figures' };
  const bars = kind === 'bar' ? series.length : 1;
  if (kind === 'scatter' || (kind === 'stacked-area' && categories.length <= MAX_AREA_POINTS)) return chart;
  const max = kind === 'line' ? MAX_POINTS : Math.min(MAX_ROWS, Math.floor(MAX_BARS / bars));
  if (categories.length <= max) return chart;
  // The newest of what runs along a line matter most; bars come in an order of their own.
  const from = kind === 'line' ? categories.length - max : 0;
  const part = `${kind === 'line' ? 'the last' : 'the first'} ${max} of ${categories.length}`;
  return {
    ...chart,
    categories: categories.slice(from, from + max),
    series: series.map(({ name, values }) => ({ name, values: values.slice(from, from + max) })),
    note: note === '' ? part : `${part}; ${note}`,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

type Dash = number | (number | number[])[];

/** The look of a series; no two of the first eight share any of it, so that colors need not be distinguished. */
interface Display {
  readonly color: string;
  /** The pattern of a bar or a slice. */
  readonly decal: {
    readonly symbol: string;
    readonly symbolSize?: number;
    readonly dashArrayX?: Dash;
    readonly dashArrayY?: number | number[];
    readonly rotation?: number;
    readonly color: string;
  };
  /** The sign at a point of a line. */
  readonly mark: string;
  readonly stroke: 'solid' | 'dashed' | 'dotted' | number[];
}

const light = 'rgba(255, 255, 255, 0.65)';
const stripes = (rotation: number) => ({
  symbol: 'rect',
  dashArrayX: [1, 0],
  dashArrayY: [2, 5],
  rotation,
  color: light,
});
const plain: Display = {
  color: '#0072B2',
  decal: { symbol: 'none', color: light },
  mark: 'circle',
  stroke: 'solid',
};

/**
 * Colours that people of every colour vision can distinguish (Okabe and Ito, "Color Universal Design", 2008); grey stands
 * for black, which would look like letters.
 */
const looks: readonly Display[] = [
  plain,
  { color: '#E69F00', decal: stripes(-Math.PI / 4), mark: 'rect', stroke: 'dashed' },
  {
    color: '#009E73',
    decal: {
      symbol: 'circle',
      symbolSize: 0.7,
      dashArrayX: [
        [6, 6],
        [0, 6, 6, 0],
      ],
      dashArrayY: [6, 0],
      color: light,
    },
    mark: 'triangle',
    stroke: 'dotted',
  },
  { color: '#CC79A7', decal: stripes(Math.PI / 4), mark: 'diamond', stroke: [10, 3, 2, 3] },
  { color: '#56B4E9', decal: stripes(0), mark: 'emptyCircle', stroke: [14, 4] },
  { color: '#D55E00', decal: stripes(Math.PI / 2), mark: 'emptyRect', stroke: [2, 2] },
  {
    color: '#F0E442',
    decal: {
      symbol: 'triangle',
      symbolSize: 0.8,
      dashArrayX: [
        [8, 8],
        [0, 8, 8, 0],
      ],
      dashArrayY: [8, 0],
      color: '#8A8B8F',
    },
    mark: 'emptyTriangle',
    stroke: [8, 2, 2, 2, 2, 2],
  },
  {
    color: '#5A5A5A',
    decal: {
      symbol: 'rect',
      dashArrayX: [
        [4, 4],
        [0, 4, 4, 0],
      ],
      dashArrayY: [4, 0],
      color: light,
    },
    mark: 'pin',
    stroke: [1, 4],
  },
];

/** The look of the series or slice with this index. */
export function lookOf(index: number): Display {
  return looks[index % looks.length] ?? plain;
}
