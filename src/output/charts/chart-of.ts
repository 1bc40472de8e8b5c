import type { Chart } from './chart.ts';
import { chartWords } from './chart-words.ts';
import type { NativeChart } from './native-chart.ts';

/** What a chart of Slack's shows, for who has to draw it. */
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
