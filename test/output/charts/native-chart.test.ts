import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { type Chart, chartOf, nativeChart } from '../../../src/output/charts/chart.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';

const weeks: Chart = {
  kind: 'bar',
  title: 'Finished',
  unit: 'issues',
  categories: ['W29', 'W30'],
  series: [{ name: 'Finished', values: [3, 0] }],
  alt: 'Finished: three, then none',
};

test('bars become bars, with the unit on the axis and one point for every category', () => {
  expect(nativeChart(weeks)).toEqual({
    type: 'data_visualization',
    title: 'Finished',
    chart: {
      type: 'bar',
      series: [
        {
          name: 'Finished',
          data: [
            { label: 'W29', value: 3 },
            { label: 'W30', value: 0 },
          ],
        },
      ],
      axis_config: { categories: ['W29', 'W30'], y_label: 'issues' },
    },
  });
});

describe('what the block cannot say is not shown by it', () => {
  const named = (count: number) => Array.from({ length: count }, (_, i) => `N${i}`);
  test.each<[string, Partial<Chart>]>([
    ['a value that is not there', { series: [{ name: 'F', values: [1, null] }] }],
    ['no category', { categories: [], series: [{ name: 'F', values: [] }] }],
    ['no series', { series: [] }],
    ['21 points', { categories: named(21), series: [{ name: 'F', values: named(21).map(() => 1) }] }],
    ['7 series', { series: named(7).map((name) => ({ name, values: [1, 2] })) }],
    ['a name of 21 characters', { categories: ['W29', 'W'.repeat(21)] }],
    ['a name twice', { categories: ['W29', 'W29'] }],
    ['a pie with nothing in a slice', { kind: 'pie' }],
    ['a title of 51 characters', { title: 'T'.repeat(51) }],
    [
      'bars on each other',
      { kind: 'stacked-bar', series: ['A', 'B'].map((name) => ({ name, values: [1, 2] })) },
    ],
  ])('%s', (_, change) => {
    expect(nativeChart({ ...weeks, ...change })).toBeNull();
  });
});

const names = fc.array(fc.string({ maxLength: 25, unit: 'grapheme' }), { maxLength: 24 });
const charts: fc.Arbitrary<Chart> = fc
  .tuple(
    fc.constantFrom<Chart['kind'][]>('bar', 'stacked-bar', 'line', 'pie'),
    fc.string({ maxLength: 60 }),
    fc.string({ maxLength: 60 }),
    names,
    fc.array(fc.string({ maxLength: 25 }), { maxLength: 8 }),
  )
  .chain(([kind, title, unit, categories, seriesNames]) =>
    fc
      .array(
        fc.array(fc.option(fc.double(), { freq: 50 }), {
          minLength: categories.length,
          maxLength: categories.length,
        }),
        { minLength: seriesNames.length, maxLength: seriesNames.length },
      )
      .map((values) => ({
        kind,
        title,
        unit,
        categories,
        series: seriesNames.map((name, i) => ({ name, values: values[i] ?? [] })),
        alt: '',
      })),
  );

test('whatever the chart, its block is one that Slack takes', () => {
  fc.assert(
    fc.property(charts, (chart) => {
      const block = nativeChart(chart);
      if (block !== null) expect(checkBlocks([block], 'message')).toEqual([]);
    }),
  );
});

test('a block says what its chart said, for who draws it', () => {
  const block = nativeChart(weeks);
  expect(block && chartOf(block)).toEqual({ ...weeks, alt: 'Finished (issues): W29 3, W30 0' });
  const pie = nativeChart({ ...weeks, kind: 'pie', series: [{ name: 'Finished', values: [3, 1.5] }] });
  expect(pie && chartOf(pie)).toMatchObject({ kind: 'pie', series: [{ values: [3, 1.5] }] });
});
