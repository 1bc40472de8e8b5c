import { cutText } from './cut-text.ts';
import type { Drawable } from './drawable.ts';
import type { Drawing } from './drawing.ts';
import { figureText } from './figure-text.ts';
import type { Font } from './font.ts';
import { lookOf } from './palette.ts';

const DIAMETER = 230;

/** A pie whose slices are named beside them, with figure and share. */
export function pieOption({ unit, categories, series }: Drawable, font: Font, top: number): Drawing {
  const values = categories.map((_, i) => series[0]?.values[i] ?? 0);
  const total = values.reduce((sum, value) => sum + value, 0);
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
              const share = Math.round((1000 * value) / total) / 10;
              return `${cutText(categories[dataIndex] ?? '', 170, 12, font)}\n${figure} · ${share} %`;
            },
          },
          labelLine: { length: 10, length2: 10 },
        },
      ],
    },
  };
}
