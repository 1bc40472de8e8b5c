import { Resvg } from '@resvg/resvg-js';
import { describe, expect, test } from '#jest';
import type { Chart } from '../../../src/output/charts/chart.ts';
import { chartPng, chartSvg } from '../../../src/output/charts/chart-picture.ts';

function aChart(change: Partial<Chart> = {}): Chart {
  return {
    kind: 'bar',
    title: 'Time in status',
    unit: 'days',
    categories: ['To Do', 'In Review'],
    series: [{ name: 'Time', values: [1.25, 3] }],
    alt: '',
    ...change,
  };
}

async function svgOf(change: Partial<Chart>): Promise<string> {
  return (await chartSvg(aChart(change))) ?? '';
}

/** The texts of a picture, in the order they are drawn. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

const many = (count: number, name = 'N') => Array.from({ length: count }, (_, i) => `${name}${i}`);

test('figures, names, unit and title are written', async () => {
  const texts = textsOf(await svgOf({}));
  expect(texts).toEqual(
    expect.arrayContaining(['Time in status', 'days', 'To Do', 'In Review', '1.25', '3']),
  );
});

test('text from outside stays text', async () => {
  const svg = await svgOf({ title: `<script>alert("x")</script> & 'co'`, categories: ['<b>', '"&"'] });
  expect(svg).not.toMatch(/<script|<b>/);
  expect(svg).toContain('&lt;script&gt;');
  expect(textsOf(svg)).toContain('&lt;b&gt;');
});

test('what XML cannot say, and line ends, are left out', async () => {
  const texts = textsOf(await svgOf({ categories: ['a\u0000b\nc', '\ud800d'] }));
  expect(texts).toContain('ab c');
  expect(await chartPng(aChart({ categories: ['a\u0000b\nc', 'd'] }))).not.toBeNull();
});

test('the same chart is the same picture, whatever was drawn between', async () => {
  const chart = aChart({ series: many(3).map((name) => ({ name, values: [1, 2] })) });
  const first = [await chartSvg(chart), await chartPng(chart)];
  await chartSvg(aChart({ kind: 'pie' }));
  expect([await chartSvg(chart), await chartPng(chart)]).toEqual(first);
});

test('series are told by pattern and name, not by colour alone', async () => {
  const svg = await svgOf({ series: many(4).map((name) => ({ name, values: [1, 2] })) });
  expect(new Set(svg.match(/url\(#[^)]+\)/g)).size).toBe(4);
  expect(textsOf(svg)).toEqual(expect.arrayContaining(many(4)));
});

test('a slice is told with its figure and its share', async () => {
  const texts = textsOf(await svgOf({ kind: 'pie', series: [{ name: 'Time', values: [1, 3] }] }));
  expect(texts).toEqual(expect.arrayContaining(['To Do', '1 days · 25%', '3 days · 75%']));
});

test('a figure that is not there is a gap, not a nought', async () => {
  const texts = textsOf(await svgOf({ kind: 'line', series: [{ name: 'Time', values: [null, 7.77] }] }));
  expect(texts).toContain('7.77');
  expect(texts.filter((text) => text === '0')).toHaveLength(1);
});

describe('what is too much is left out and told', () => {
  test('series', async () => {
    const texts = textsOf(await svgOf({ series: many(12, 'S').map((name) => ({ name, values: [1, 2] })) }));
    expect(texts).toContain('and 4 more that are not drawn');
    expect(texts).not.toContain('S8');
  });

  test('pieces of a stack and slices are added up', async () => {
    const series = many(10, 'S').map((name) => ({ name, values: [10, 20] }));
    const stack = textsOf(await svgOf({ kind: 'stacked-bar', series }));
    expect(stack).toEqual(expect.arrayContaining(['3 more', '30', '60']));
    const categories = many(10);
    const pie = textsOf(
      await svgOf({ kind: 'pie', categories, series: [{ name: 'T', values: categories.map(() => 1) }] }),
    );
    expect(pie).toEqual(expect.arrayContaining(['3 more', '3 days · 30%']));
  });

  test('categories', async () => {
    const categories = many(10_000);
    const series = [{ name: 'T', values: categories.map((_, i) => i) }];
    expect(textsOf(await svgOf({ categories, series }))).toContain('the first 40 of 10000');
    expect(textsOf(await svgOf({ kind: 'line', categories, series }))).toContain('the last 60 of 10000');
  });

  test('long names', async () => {
    const texts = textsOf(await svgOf({ categories: ['To Do', `Waiting ${'very '.repeat(50)}long`] }));
    expect(texts.some((text) => /^Waiting very .*…$/.test(text))).toBe(true);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(50);
  });
});

test('letters that the font lacks make no picture, and pictograms are left out', async () => {
  expect(await chartSvg(aChart({ title: '進行中' }))).toBeNull();
  expect(await chartPng(aChart({ categories: ['किया', 'b'] }))).toBeNull();
  expect(await chartSvg(aChart({ categories: ['🚀', 'b'] }))).toBeNull();
  expect(textsOf(await svgOf({ categories: ['Done 🚀👩‍💻', 'Ship'] }))).toContain('Done');
});

describe('a PNG shows something, in the size of a message', () => {
  const cases: [string, Partial<Chart>][] = [
    ['bars', {}],
    ['right-to-left and Cyrillic names', { title: 'الوقت', categories: ['בבדיקה', 'Готово'] }],
    ['a stack', { kind: 'stacked-bar', series: many(4).map((name) => ({ name, values: [1, 2] })) }],
    ['a line', { kind: 'line' }],
    ['a pie', { kind: 'pie' }],
    ['only noughts', { series: [{ name: 'T', values: [0, 0] }] }],
    ['a pie of noughts', { kind: 'pie', series: [{ name: 'T', values: [0, 0] }] }],
    ['losses', { series: [{ name: 'T', values: [-3, 2] }] }],
    ['one point', { kind: 'line', categories: ['W1'], series: [{ name: 'T', values: [2] }] }],
    ['nothing', { categories: [], series: [] }],
    ['nothing but gaps', { series: [{ name: 'T', values: [null, null] }] }],
  ];
  test.each(cases)('%s', async (_, change) => {
    const png = Buffer.from((await chartPng(aChart(change))) ?? []);
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    expect(width).toBe(1360);
    expect(height).toBeLessThan(3400);
    const inside = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
    const { pixels } = new Resvg(inside).render();
    const dark = pixels.filter((value, i) => i % 4 === 0 && value < 100).length;
    expect(dark).toBeGreaterThan(200);
  });
});
