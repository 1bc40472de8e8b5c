import type { Chart } from './chart.ts';
import { chartOption } from './chart-option.ts';
import { drawable } from './drawable.ts';
import { fontFamily, fontFiles, loadFont } from './font.ts';

/** Twice as many pixels as the picture is wide, for dense screens. */
const ZOOM = 2;

/** The width of a message in pixels. */
const WIDTH = 680;

/** The width (pixels) that points and areas are laid out in: narrow, so that a phone shows their letters large enough. */
const PLOT_WIDTH = 380;

const widthOf = ({ kind }: Pick<Chart, 'kind'>) =>
  kind === 'scatter' || kind === 'stacked-area' ? PLOT_WIDTH : WIDTH;

/**
 * The chart as a PNG, 1360 pixels wide, or null where the font lacks letters of it. What draws it is loaded with the
 * first one.
 */
export async function chartPng(chart: Chart): Promise<Uint8Array<ArrayBuffer> | null> {
  const svg = await chartSvg(chart);
  if (svg === null) return null;
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, {
    fitTo: { mode: 'width', value: ZOOM * WIDTH },
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: fontFamily },
  });
  return new Uint8Array(image.asPng());
}

/**
 * The chart as SVG that asks for one font by name, or null where that font lacks letters of it. The same chart is the
 * same text every time. What draws it is loaded with the first chart.
 */
export async function chartSvg(chart: Chart): Promise<string | null> {
  const font = await loadFont();
  const shown = drawable(chart, font);
  if (shown === null) return null;
  const echarts = await import('echarts');
  echarts.setPlatformAPI({
    measureText: (text, css) => ({
      width: font.width(text, Number.parseFloat(/([\d.]+)px/.exec(css ?? '')?.[1] ?? '12')),
    }),
  });
  const width = widthOf(chart);
  const { option, height } = chartOption(shown, font, width);
  const drawing = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    drawing.setOption(option);
    return withoutCounts(drawing.renderToSVGString());
  } finally {
    drawing.dispose();
  }
}

/**
 * Names of patterns and classes count the drawings of this process; classes say only what happens below a pointer.
 * Quotes in texts are escaped, so that these are attributes.
 */
function withoutCounts(svg: string): string {
  return svg
    .replaceAll(/="url\(#zr\d+-/g, '="url(#')
    .replaceAll(/ id="zr\d+-/g, ' id="')
    .replaceAll(/ class="zr\d+-cls-\d+"/g, '')
    .replaceAll(/<style ?>.*?<\/style>/gs, '');
}
