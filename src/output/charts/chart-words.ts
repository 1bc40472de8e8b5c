import type { Chart } from './chart.ts';
import { figureText } from './figure-text.ts';

/** What a chart shows, one line for each series: `Finished (issues): W29 3, W30 none`. */
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
