import { axesOption } from './axes-option.ts';
import { cutText } from './cut-text.ts';
import type { Drawable } from './drawable.ts';
import type { Drawing } from './drawing.ts';
import { type Font, fontFamily } from './font.ts';
import { pieOption } from './pie-option.ts';

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
  const named = kind !== 'pie' && series.length > 1;
  const names = series.map(({ name }) => cutText(name, 220, 12, font));
  const rows = named ? legendRows(names, font, width - 2 * MARGIN) : 0;
  const headEnd = note === '' ? HEAD - 10 : HEAD + 10;
  const top = headEnd + rows * LEGEND_ROW;
  const body = kind === 'pie' ? pieOption(chart, font, top) : axesOption(chart, font, { width, top });
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
