import type { Chart } from './chart.ts';
import { chartSvg } from './chart-svg.ts';
import { fontFamily, fontFiles } from './font.ts';

/** Twice as many pixels as the picture is wide, for dense screens. */
const ZOOM = 2;

/**
 * The chart as a PNG, 1360 pixels wide, or null where the font lacks letters of it. What draws it is loaded with the
 * first one.
 */
export async function chartPng(chart: Chart): Promise<Uint8Array<ArrayBuffer> | null> {
  const svg = await chartSvg(chart);
  if (svg === null) return null;
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: fontFamily },
  });
  return new Uint8Array(image.asPng());
}
