import type { EChartsOption } from 'echarts';
import { figureText } from './chart.ts';
import { type Drawable, lookOf } from './drawable.ts';
import { cutText, type Font, fontFamily } from './font.ts';

/** The options for ECharts, and the height of the picture (pixels). */
export interface Drawing {
  readonly option: EChartsOption;
  readonly height: number;
}

/** The width of a picture and where its plot can begin, in pixels. */
interface Place {
  readonly width: number;
  readonly top: number;
}

const SIZE = 12;
const MARGIN = 10;
const PLOT_HEIGHT = 210;

/** The line of the unit above the plot, and that of the categories below it. */
const UNIT_HEIGHT = 24;
const CATEGORY_HEIGHT = 38;

const MAX_NAMED_CATEGORIES = 8;

/** The width of the figures along the upright axis (pixels). */
const FIGURES = 36;

/** The widest name at the right end, and how far apart two of them are at least (pixels). */
const MAX_NAME_WIDTH = 105;
const NAME_HEIGHT = 15;

/** The colored square before a name (pixels). */
const MARK = 9;

const INK = '#1D1C1D';
const SOFT = '#54555A';
const PAPER = '#FFFFFF';

/** Areas on top of each other, the first at the bottom, each named where it ends. */
export function areaOption(chart: Drawable, font: Font, place: Place): Drawing {
  const last = chart.categories.length - 1;
  const totals = chart.categories.map((_, i) =>
    chart.series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0),
  );
  let below = 0;
  const middles = chart.series.map(({ values }) => {
    const value = values[last] ?? 0;
    below += value;
    return below - value / 2;
  });
  const { option, axis, height } = frameOf(chart, font, place, {
    largest: Math.max(0, ...totals),
    ends: middles,
  });
  return {
    height,
    option: {
      ...option,
      xAxis: { ...axis, boundaryGap: false },
      series: chart.series.map(({ values }, i) => ({
        type: 'line' as const,
        stack: 'all',
        data: values.map((value) => value ?? 0),
        symbol: 'none',
        color: lookOf(i).color,
        lineStyle: { width: 1.5, color: PAPER },
        areaStyle: { color: lookOf(i).color, opacity: 1 },
      })),
    },
  };
}

/** Points, and lines over the categories to compare them with, each named where it ends. */
export function scatterOption(chart: Drawable, font: Font, place: Place): Drawing {
  const { categories, series, points = [] } = chart;
  const lines = series.flatMap(({ values }) => values.map((value) => value ?? 0));
  const top = topOf(
    points.map(({ value }) => value),
    Math.max(0, ...lines),
  );
  const above = points.filter(({ value }) => value > top);
  const farthest = above.findIndex(({ value }) => above.every((one) => one.value <= value));
  const ends = series.map(({ values }) => values.findLast((value) => value !== null) ?? 0);
  const { option, axis, height, max } = frameOf(chart, font, place, { largest: top, ends });
  const { color } = lookOf(0);
  const isMany = points.length > MANY_POINTS;
  return {
    height,
    option: {
      ...option,
      // Points have places between the categories, which an axis of names does not have.
      xAxis: [axis, { type: 'value' as const, min: 0, max: Math.max(1, categories.length), show: false }],
      series: [
        ...series.map(({ values }, i) => ({
          type: 'line' as const,
          xAxisIndex: 1,
          data: values.flatMap((value, at) => {
            return value === null
              ? [[at, '-']]
              : [
                  [at, value],
                  [at + 1, value],
                ];
          }),
          symbol: 'none',
          lineStyle: { width: 2, type: lookOf(i).stroke, color: lineColor(i) },
        })),
        {
          type: 'scatter' as const,
          xAxisIndex: 1,
          data: points.filter(({ value }) => value <= top).map(({ at, value }) => [at, value]),
          symbolSize: isMany ? 5 : 8,
          itemStyle: { color, opacity: isMany ? 0.45 : 0.75 },
        },
        {
          type: 'scatter' as const,
          xAxisIndex: 1,
          data: above.map(({ at }) => [at, max]),
          symbol: 'triangle',
          symbolSize: 9,
          itemStyle: { color },
          label: {
            show: true,
            position: 'right' as const,
            color: INK,
            fontSize: SIZE - 1,
            // Figures of several would lie on each other.
            formatter: ({ dataIndex }: { readonly dataIndex: number }) =>
              dataIndex === farthest ? figureText(Math.round(above[dataIndex]?.value ?? 0)) : '',
          },
        },
      ],
    },
  };
}

/**
 * The largest value that a plot of points reaches to. Few that are far above all others would press these together: they are at
 * its upper edge, as triangles.
 */
function topOf(values: readonly number[], lines: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const usual = 1.25 * Math.max(lines, sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0);
  const largest = Math.max(lines, sorted.at(-1) ?? 0);
  return largest > 1.6 * usual ? usual : largest;
}

/** More points lie on each other, so that they are small and let others through. */
const MANY_POINTS = 150;

/** The color of a line; points have the first one. */
const lineColor = (index: number) => lookOf([2, 5, 3][index] ?? 7).color;

/** The largest value, and where the series end, in the order of their names. */
interface Extent {
  readonly largest: number;
  readonly ends: readonly number[];
}

/** The upright axis, the one of the categories, and the names of the series at the right end. */
function frameOf(chart: Drawable, font: Font, { width, top }: Place, { largest, ends }: Extent) {
  const { unit, categories, series, kind } = chart;
  const names = series.map(({ name }) => cutText(name, MAX_NAME_WIDTH, SIZE, font));
  const right = MARGIN + 12 + MARK + Math.max(0, ...names.map((name) => font.width(name, SIZE)));
  const begin = top + (unit === '' ? 8 : UNIT_HEIGHT);
  const step = kind === 'stacked-area' ? Math.max(1, stepOf(largest)) : stepOf(largest);
  const max = step * Math.max(1, Math.ceil(largest / step));
  const isNamed = kind === 'scatter' && categories.length <= MAX_NAMED_CATEGORIES;
  const band = (width - MARGIN - FIGURES - right) / Math.max(1, categories.length);
  return {
    max,
    height: begin + PLOT_HEIGHT + CATEGORY_HEIGHT + (isNamed ? SIZE : 0),
    axis: {
      type: 'category' as const,
      data: categories.map((name) => cutText(name, MAX_NAME_WIDTH, SIZE, font)),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: '#8A8B8F' } },
      axisLabel: {
        color: INK,
        fontSize: SIZE,
        // Few names all have a place, on two lines where they need it.
        ...(isNamed
          ? { interval: 0, width: band - 4, overflow: 'break' as const, lineHeight: SIZE + 2 }
          : { hideOverlap: true }),
      },
    },
    option: {
      grid: {
        left: MARGIN + FIGURES,
        right,
        top: begin,
        height: PLOT_HEIGHT,
        outerBoundsMode: 'none' as const,
      },
      yAxis: {
        type: 'value' as const,
        name: unit,
        nameGap: 12,
        nameTextStyle: { color: SOFT, fontSize: SIZE, align: 'left' as const },
        min: 0,
        max,
        interval: step,
        splitLine: { lineStyle: { color: '#E3E4E8' } },
        axisLabel: { color: SOFT, fontSize: SIZE, formatter: (value: number) => figureText(value) },
      },
      graphic: apart(
        ends.map((end) => begin + PLOT_HEIGHT * (1 - end / max)),
        begin,
        begin + PLOT_HEIGHT,
      ).flatMap((y, i) => [
        {
          type: 'rect' as const,
          shape: { x: width - right + 6, y: y - MARK / 2, width: MARK, height: MARK },
          style: { fill: kind === 'scatter' ? lineColor(i) : lookOf(i).color },
        },
        {
          type: 'text' as const,
          left: width - right + 10 + MARK,
          top: y - SIZE / 2,
          style: { text: names[i] ?? '', font: `${SIZE}px ${fontFamily}`, fill: INK },
        },
      ]),
    },
  };
}

/** Figures along an axis, round ones, at most six apart. */
function stepOf(largest: number): number {
  const rough = Math.max(largest, 1e-9) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((round) => round * power >= rough) ?? 10) * power;
}

/** Places (pixels) of names as near to where they belong as they can be without lying on each other. */
function apart(wanted: readonly number[], from: number, until: number): readonly number[] {
  const order = wanted.map((_, i) => i).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const found = [...wanted];
  let next = from;
  for (const i of order) {
    found[i] = Math.max(found[i] ?? 0, next);
    next = (found[i] ?? 0) + NAME_HEIGHT;
  }
  next = until;
  for (const i of order.toReversed()) {
    found[i] = Math.min(found[i] ?? 0, next);
    next = (found[i] ?? 0) - NAME_HEIGHT;
  }
  return found;
}
