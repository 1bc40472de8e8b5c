import { sharesOf } from '../shares.ts';
import { figureText } from './chart.ts';
import { type Drawable, lookOf } from './drawable.ts';
import { cutText, type Font, fontFamily } from './font.ts';
import { areaOption, type Drawing, scatterOption } from './plot-option.ts';

const MARGIN = 16;

const TITLE_SIZE = 16;

/** Title and small print, with the space around them. */
const HEAD = 50;

const LEGEND_ROW = 28;

const LEGEND_MARK = 30;

const LEGEND_GAP = 14;

/** Lays a chart out: title, what is not shown, names of the series, figures. */
export function chartOption(chart: Drawable, font: Font, width: number): Drawing {
  const { kind, title, note, series } = chart;
  // Areas and lines of a scatter are named where they end.
  const isPlot = kind === 'stacked-area' || kind === 'scatter';
  const named = kind !== 'pie' && !isPlot && series.length > 1;
  const names = series.map(({ name }) => cutText(name, 220, 12, font));
  const rows = named ? legendRows(names, font, width - 2 * MARGIN) : 0;
  const headEnd = note === '' ? HEAD - 10 : HEAD + 10;
  const top = headEnd + rows * LEGEND_ROW;
  const body = isPlot
    ? (kind === 'scatter' ? scatterOption : areaOption)(chart, font, { width, top })
    : kind === 'pie'
      ? pieOption(chart, font, top)
      : axesOption(chart, font, { width, top });
  return {
    height: body.height,
    option: {
      animation: false,
      backgroundColor: '#FFFFFF',
      textStyle: { fontFamily, fontSize: 12, color: '#1D1C1D' },
      title: {
        text: cutText(title, width - 3 * MARGIN, TITLE_SIZE * 1.1, font),
        subtext: note,
        left: MARGIN - 5,
        top: 8,
        itemGap: 9,
        textStyle: { fontFamily, fontSize: TITLE_SIZE, fontWeight: 'bold', color: '#1D1C1D' },
        subtextStyle: { fontFamily, fontSize: 12, color: '#54555A' },
      },
      legend: {
        show: named,
        left: MARGIN - 5,
        top: headEnd - 2,
        width: width - 2 * MARGIN,
        itemWidth: 24,
        itemHeight: 14,
        itemGap: LEGEND_GAP,
        selectedMode: false,
        // Names may be the same once they are cut, so series go by their number.
        formatter: (index: string) => names[Number(index)] ?? '',
        textStyle: { fontFamily, fontSize: 12, color: '#1D1C1D' },
      },
      ...body.option,
    },
  };
}

function legendRows(names: readonly string[], font: Font, width: number): number {
  let [rows, used] = [1, 0];
  for (const name of names) {
    const needed = LEGEND_MARK + font.width(name, 12) + LEGEND_GAP;
    if (used > 0 && used + needed > width) [rows, used] = [rows + 1, 0];
    used += needed;
  }
  return rows;
}

const SIZE = 12;

const RIGHT = 28;

/** The height of figures that stand upright. */
const PLOT_HEIGHT = 250;

const MAX_NAME_WIDTH = 220;

/** The width of the figures along the upright axis (pixels). */
const FIGURES = 56;

/** The width that is left for lying bars beside names of full width (pixels). */
const LYING_WIDTH = 380;

/**
 * The room for categories: `lies` is true where bars lie, and `band` is the width (pixels) of a category where they
 * stand.
 */
interface Room {
  readonly lies: boolean;
  readonly band: number;
}

/** Bars and lines along an axis; bars lie where their names would not fit below them. */
function axesOption(
  chart: Drawable,
  font: Font,
  { width, top }: { readonly width: number; readonly top: number },
): Drawing {
  const { kind, unit, series } = chart;
  if (series.length === 0 || chart.categories.length === 0) return { option: {}, height: top + 20 };
  const categories = chart.categories.map((name) => cutText(name, MAX_NAME_WIDTH, SIZE, font));
  const widest = Math.max(...categories.map((name) => font.width(name, SIZE)));
  const plotWidth = width - MARGIN - FIGURES - RIGHT;
  const lies = kind !== 'line' && widest > plotWidth / categories.length - 8;
  const abreast = kind === 'bar' ? series.length : 1;
  const unitSpace = unit === '' ? 0 : 22;
  const plotHeight = lies ? categories.length * (abreast * 17 + 11) + 10 : PLOT_HEIGHT;
  const names = {
    type: 'category' as const,
    data: categories,
    inverse: lies,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: '#8A8B8F' }, onZero: true },
    axisLabel: {
      color: '#1D1C1D',
      fontSize: SIZE,
      hideOverlap: true,
      ...(lies ? { interval: 0 } : {}),
    },
  };
  const figures = {
    type: 'value' as const,
    name: unit,
    nameLocation: lies ? ('middle' as const) : ('end' as const),
    nameGap: lies ? 28 : 12,
    nameTextStyle: {
      color: '#54555A',
      fontSize: SIZE,
      align: lies ? ('center' as const) : ('left' as const),
    },
    ...(isFlat(chart) ? { min: 0, max: 1, interval: 1 } : {}),
    splitLine: { lineStyle: { color: '#E3E4E8' } },
    axisLabel: {
      color: '#54555A',
      fontSize: SIZE,
      formatter: (value: number) => figureText(value),
      hideOverlap: true,
    },
  };
  // Names of what lies stand left of the whole plot, also where bars run to the left of zero.
  const lying = { ...names, axisLine: { ...names.axisLine, onZero: false } };
  const standing = {
    ...names,
    axisLabel: { ...names.axisLabel, interval: kind === 'line' ? ('auto' as const) : 0 },
  };
  const pointOf = (value: number | null) => ({
    value: value ?? '-',
    ...(value === null || !hasRoom(value, chart, font, lies) ? { label: { show: false } } : {}),
  });
  const bottom = MARGIN + 24 + (lies ? unitSpace : 0);
  return {
    height: top + plotHeight + bottom + (lies ? 0 : unitSpace),
    option: {
      grid: {
        left: lies ? MARGIN + widest + 8 : MARGIN + FIGURES - 8,
        right: lies ? RIGHT + 30 : RIGHT,
        top: top + (lies ? 0 : unitSpace),
        height: plotHeight,
        outerBoundsMode: 'none',
      },
      xAxis: lies ? figures : standing,
      yAxis: lies ? lying : figures,
      series: series.map(({ values }, i) => {
        const label = labelOf(chart, font, { lies, band: plotWidth / categories.length });
        const { color, decal, mark, stroke } = lookOf(i);
        const shared = { name: String(i), data: values.map(pointOf), color };
        if (kind === 'line') {
          return {
            ...shared,
            type: 'line' as const,
            symbol: mark,
            symbolSize: 8,
            showAllSymbol: true,
            lineStyle: { width: 2.5, type: stroke },
            label,
          };
        }
        return {
          ...shared,
          type: 'bar' as const,
          barMaxWidth: lies ? 17 : 48,
          barGap: '8%',
          barCategoryGap: '22%',
          itemStyle: { decal, borderColor: '#FFFFFF', borderWidth: kind === 'stacked-bar' ? 1 : 0 },
          ...(kind === 'stacked-bar' ? { stack: 'all' } : {}),
          label,
        };
      }),
    },
  };
}

/** Figures stand at bars and points where they have room. */
function labelOf({ kind, series, categories }: Drawable, font: Font, { lies, band }: Room) {
  const shown = series.flatMap(({ values }) => values.map((value) => figureText(value ?? 0)));
  const widest = Math.max(...shown.map((figure) => font.width(figure, SIZE - 1)));
  const abreast = kind === 'bar' ? series.length : 1;
  const fits = lies || widest + 2 <= (0.85 * band) / abreast;
  const few = kind !== 'line' || (series.length === 1 && categories.length <= 15);
  return {
    show: fits && few,
    position: kind === 'stacked-bar' ? ('inside' as const) : lies ? ('right' as const) : ('top' as const),
    fontSize: SIZE - 1,
    color: '#1D1C1D',
    ...(kind === 'stacked-bar' ? { backgroundColor: '#FFFFFF', padding: [1, 3], borderRadius: 2 } : {}),
    formatter: ({ value }: { readonly value?: unknown }) =>
      typeof value === 'number' ? figureText(value) : '',
  };
}

/** True if the figure of a piece of a stack has room in it. */
function hasRoom(value: number, { kind, series, categories }: Drawable, font: Font, lies: boolean): boolean {
  if (kind !== 'stacked-bar') return true;
  const share = Math.abs(value) / largestStack(series, categories.length);
  const needed = lies ? font.width(figureText(value), SIZE - 1) + 10 : 17;
  // The axis ends at a round figure, so that the largest stack is shorter than it.
  return 0.8 * share * (lies ? LYING_WIDTH : PLOT_HEIGHT) >= needed;
}

function largestStack(series: Drawable['series'], length: number): number {
  const totals = Array.from({ length }, (_, i) =>
    series.reduce((sum, { values }) => sum + Math.abs(values[i] ?? 0), 0),
  );
  return Math.max(1e-9, ...totals);
}

function isFlat({ series }: Drawable): boolean {
  return series.every(({ values }) => values.every((value) => value === null || value === 0));
}

const DIAMETER = 230;

/** A pie whose slices are named beside them, with figure and share. */
function pieOption({ unit, categories, series }: Drawable, font: Font, top: number): Drawing {
  const values = categories.map((_, i) => series[0]?.values[i] ?? 0);
  const shares = sharesOf(values, 1);
  const height = categories.length === 0 ? top + 20 : top + DIAMETER + 50;
  return {
    height,
    option: {
      series: [
        {
          type: 'pie',
          radius: DIAMETER / 2,
          center: ['50%', top + DIAMETER / 2 + 15],
          startAngle: 90,
          minAngle: 2,
          data: values.map((value, i) => ({
            value,
            name: String(i),
            itemStyle: {
              color: lookOf(i).color,
              decal: lookOf(i).decal,
              borderColor: '#FFFFFF',
              borderWidth: 2,
            },
          })),
          label: {
            position: 'outer',
            alignTo: 'none',
            lineHeight: 16,
            fontSize: 12,
            color: '#1D1C1D',
            formatter: ({ dataIndex }: { readonly dataIndex: number }) => {
              const value = values[dataIndex] ?? 0;
              const figure = `${figureText(value)}${unit === '' ? '' : ` ${unit}`}`;
              const name = cutText(categories[dataIndex] ?? '', 170, 12, font);
              return `${name}\n${figure} · ${shares[dataIndex] ?? 0}%`;
            },
          },
          labelLine: { length: 10, length2: 10 },
        },
      ],
    },
  };
}
