import fc from 'fast-check';
import { expect, test } from '#jest';
import { type Chart, nativeChart } from '../../../src/output/charts/chart.ts';
import { chartPng, chartSvg } from '../../../src/output/charts/chart-picture.ts';
import { runs } from '../../support/soak.ts';

const area: Chart = {
  kind: 'stacked-area',
  title: 'Cumulative flow',
  unit: 'issues',
  categories: ['Sep 7', 'Sep 8', 'Sep 9'],
  series: [
    { name: 'Done +4', values: [0, 2, 4] },
    { name: 'Review 1', values: [1, 1, 1] },
    { name: 'To Do +2', values: [0, 1, 2] },
  ],
  alt: 'Done +4',
};
const scatter: Chart = {
  kind: 'scatter',
  title: 'Age of work in progress',
  unit: 'days',
  categories: ['Doing', 'Review'],
  series: [
    { name: 'p50', values: [2, 3] },
    { name: 'p85', values: [5, null] },
  ],
  points: [
    { at: 0.5, value: 1 },
    { at: 0.3, value: 4 },
    { at: 1.5, value: 6 },
  ],
  alt: 'Doing 2 issues',
};

const textsOf = (svg: string | null) =>
  [...(svg ?? '').matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);

test('Slack has no block for areas and for points', () => {
  expect([area, scatter].map(nativeChart)).toEqual([null, null]);
});

test('areas and lines are named where they end, from the top down', async () => {
  const places = async (chart: Chart) => {
    const svg = (await chartSvg(chart)) ?? '';
    return chart.series.map(({ name }) => {
      const [, y = ''] =
        new RegExp(`<text[^>]*translate\\([\\d.]+ ([\\d.]+)\\)[^>]*>${name.replace('+', '\\+')}<`).exec(
          svg,
        ) ?? [];
      return Number(y);
    });
  };
  const [done = 0, review = 0, toDo = 0] = await places(area);
  expect(toDo).toBeGreaterThan(0);
  expect(review).toBeGreaterThanOrEqual(toDo + 15);
  expect(done).toBeGreaterThanOrEqual(review + 15);
  const [p50 = 0, p85 = 0] = await places(scatter);
  expect(p50).toBeGreaterThanOrEqual(p85 + 15);
});

test('a value far above all others is at the upper edge, with its figure', async () => {
  const { points = [] } = scatter;
  const usual = textsOf(await chartSvg(scatter));
  expect(usual).not.toContain('400');
  const far = [...points, ...points, ...points, ...points, { at: 0.7, value: 399.6 }];
  const texts = textsOf(await chartSvg({ ...scatter, points: far }));
  expect(texts).toContain('400');
  // The axis ends where the others do.
  expect(texts.filter((text) => /^\d+$/.test(text) && Number(text) > 20)).toEqual(['400']);
});

test('letters that the font lacks mean words', async () => {
  expect(await chartSvg({ ...area, series: [{ name: '週', values: [1, 2, 3] }] })).toBeNull();
});

const amount = fc.oneof(fc.nat(5), fc.double({ min: 0, max: 1e9, noNaN: true }));

test('whatever the figures, there is a picture, the same every time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('stacked-area', 'scatter'),
      fc.integer({ min: 0, max: 20 }),
      fc.array(fc.array(fc.option(amount), { minLength: 20, maxLength: 20 }), { maxLength: 10 }),
      fc.array(fc.record({ at: fc.double({ min: 0, max: 20, noNaN: true }), value: amount }), {
        maxLength: 200,
      }),
      async (kind, count, rows, points) => {
        const chart: Chart = {
          ...{ kind, title: 'T', unit: '', points, alt: 'T' },
          categories: Array.from({ length: count }, (_, i) => `C${i}`),
          series: rows.map((values, i) => ({ name: `S${i}`, values: values.slice(0, count) })),
        };
        const svg = await chartSvg(chart);
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        expect(await chartSvg(chart)).toBe(svg);
        expect((await chartPng(chart))?.length).toBeGreaterThan(100);
      },
    ),
    { numRuns: runs(40) },
  );
});
