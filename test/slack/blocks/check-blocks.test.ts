import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { checkBlocks, checkView } from '../../../src/slack/blocks/check-blocks.ts';
import { limits } from '../../../src/slack/blocks/limits.ts';
import { runs } from '../../support/soak.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const cell = (text: string) => ({ type: 'raw_text', text });
const section = (text = 'x') => ({ type: 'section', text: mrkdwn(text) });
const button = (more: object) => ({
  type: 'actions',
  elements: [{ type: 'button', text: plain('x'), ...more }],
});
const menu = (options: object[]) => ({ type: 'actions', elements: [{ type: 'static_select', options }] });
const input = (element: object) => ({ type: 'input', label: plain('x'), element });
const table = (rows: object[][], more: object = {}) => ({ type: 'table', rows, ...more });
const dataTable = (rows: object[][], more: object = {}) => ({
  type: 'data_table',
  caption: 'x',
  rows,
  ...more,
});
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const line = (categories: string[], names: string[]) => ({
  type: 'data_visualization',
  title: 'x',
  chart: {
    type: 'line',
    series: names.map((name) => ({ name, data: categories.map((label, value) => ({ label, value })) })),
    axis_config: { categories },
  },
});
const letters = (count: number) => times(count, (index) => `p${index}`);

/** A block that grows with a number; fine up to `most`, refused beyond. */
const growing: readonly [
  name: string,
  most: number,
  make: (size: number) => object,
  surface?: Parameters<typeof checkBlocks>[1],
][] = [
  ['header text', limits.header, (size) => ({ type: 'header', text: plain('x'.repeat(size)) })],
  ['section text', limits.section.text, (size) => section('x'.repeat(size))],
  [
    'section field',
    limits.section.field,
    (size) => ({ type: 'section', fields: [mrkdwn('x'.repeat(size))] }),
  ],
  [
    'section fields',
    limits.section.fields,
    (size) => ({ type: 'section', fields: times(size, () => mrkdwn('x')) }),
  ],
  [
    'context elements',
    limits.contextElements,
    (size) => ({ type: 'context', elements: times(size, () => mrkdwn('x')) }),
  ],
  [
    'actions elements',
    limits.actionsElements,
    (size) => ({ type: 'actions', elements: times(size, () => ({ type: 'button', text: plain('x') })) }),
  ],
  ['button text', limits.button.text, (size) => button({ text: plain('x'.repeat(size)) })],
  ['button value', limits.button.value, (size) => button({ value: 'x'.repeat(size) })],
  ['button address', limits.button.url, (size) => button({ url: 'x'.repeat(size) })],
  ['action id', limits.id, (size) => button({ action_id: 'x'.repeat(size) })],
  ['block id', limits.id, (size) => ({ type: 'divider', block_id: 'x'.repeat(size) })],
  [
    'options',
    limits.select.options,
    (size) => menu(times(size, (index) => ({ text: plain('x'), value: `${index}` }))),
  ],
  ['option text', limits.option.text, (size) => menu([{ text: plain('x'.repeat(size)), value: 'x' }])],
  ['option value', limits.option.value, (size) => menu([{ text: plain('x'), value: 'x'.repeat(size) }])],
  [
    'image alternative',
    limits.image.alt,
    (size) => ({ type: 'image', image_url: 'https://x.example/a.png', alt_text: 'x'.repeat(size) }),
  ],
  [
    'input label',
    limits.input.label,
    (size) => ({ ...input({ type: 'plain_text_input' }), label: plain('x'.repeat(size)) }),
    'modal',
  ],
  ['table rows', limits.table.rows, (size) => table(times(size, () => [cell('x')]))],
  ['table cells', limits.table.cells, (size) => table([times(size, () => cell('x'))])],
  [
    'table column settings',
    limits.table.columnSettings,
    (size) => table([[cell('x')]], { column_settings: times(size, () => ({ align: 'right' })) }),
  ],
  [
    'data table rows',
    limits.dataTable.rows,
    (size) => dataTable(times(Math.max(size, 2), () => [cell('x')])),
  ],
  [
    'data table page',
    limits.dataTable.pageSize,
    (size) => dataTable([[cell('x')], [cell('x')]], { page_size: size }),
  ],
  ['chart title', limits.chart.title, (size) => ({ ...line(['a'], ['b']), title: 'x'.repeat(size) })],
  ['chart series', limits.chart.series, (size) => line(['a'], letters(size))],
  ['chart points', limits.chart.points, (size) => line(letters(size), ['a'])],
  ['chart labels', limits.chart.label, (size) => line(['x'.repeat(size)], ['a'])],
];

describe('checkBlocks', () => {
  test.each(growing)('%s: takes up to %i and refuses more', (_, max, make, surface = 'message') => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: max }), fc.integer({ min: 1, max: 40 }), (size, over) => {
        expect(checkBlocks([make(size)], surface)).toEqual([]);
        expect(checkBlocks([make(max + over)], surface)).not.toEqual([]);
      }),
      { numRuns: runs(15) },
    );
    expect(checkBlocks([make(max)], surface)).toEqual([]);
    expect(checkBlocks([make(max + 1)], surface)).not.toEqual([]);
  });

  test.each(['message', 'modal', 'home'] as const)('counts the blocks of a %s', (surface) => {
    const max = limits.blocks[surface];
    expect(
      checkBlocks(
        times(max, () => section()),
        surface,
      ),
    ).toEqual([]);
    expect(
      checkBlocks(
        times(max + 1, () => section()),
        surface,
      ),
    ).toMatchObject([{ path: '/blocks' }]);
  });

  test('takes any text that is not longer than its limit, in any script', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), (text) => {
        expect(checkBlocks([section(text)], 'message').length > 0).toBe(text.length > limits.section.text);
      }),
    );
  });

  test('names the place of a problem as a JSON pointer', () => {
    const [problem] = checkBlocks([section(), { type: 'header', text: plain('') }], 'message');

    expect(problem).toEqual({ path: '/blocks/1/text/text', message: 'must be more than 0 characters' });
  });

  test.each([
    ['an unknown block', { type: 'sektion' }, 'message'],
    ['no type', { text: mrkdwn('x') }, 'message'],
    ['no object', 'section', 'message'],
    ['a section of nothing', { type: 'section' }, 'message'],
    ['a header in mrkdwn', { type: 'header', text: mrkdwn('x') }, 'message'],
    ['a member nobody knows', { ...section(), colour: 'red' }, 'message'],
    ['an image without alternative', { type: 'image', image_url: 'https://x.example/a.png' }, 'message'],
    ['an image of nothing', { type: 'image', alt_text: 'x' }, 'message'],
    ['a menu without options', menu([]), 'message'],
    ['a table in a modal', table([[cell('x')]]), 'modal'],
    ['a table on Home', table([[cell('x')]]), 'home'],
    ['a chart on Home', line(['a'], ['b']), 'home'],
    ['a data table in a modal', dataTable([[cell('x')], [cell('x')]]), 'modal'],
    ['an empty cell', table([[cell('')]]), 'message'],
    ['a mrkdwn cell', table([[mrkdwn('x')]]), 'message'],
    ['a data table of a header only', dataTable([[cell('x')]]), 'message'],
    ['a ragged data table', dataTable([[cell('x'), cell('y')], [cell('x')]]), 'message'],
    [
      'rich text in a data table header',
      dataTable([
        [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] }],
        [cell('x')],
      ]),
      'message',
    ],
    [
      'a point without category',
      {
        ...line(['a'], ['b']),
        chart: { ...line(['a'], ['b']).chart, axis_config: { categories: ['a', 'c'] } },
      },
      'message',
    ],
    ['two series of one name', line(['a'], ['b', 'b']), 'message'],
    [
      'a slice of nothing',
      {
        type: 'data_visualization',
        title: 'x',
        chart: { type: 'pie', segments: [{ label: 'a', value: 0 }] },
      },
      'message',
    ],
    [
      'rich text without elements',
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_list', style: 'bullet', elements: [{ type: 'text', text: 'x' }] }],
      },
      'message',
    ],
    [
      'empty rich text',
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] }],
      },
      'message',
    ],
    ['a malformed date', button({ type: 'datepicker', initial_date: '20.11.2026' }), 'message'],
  ] as const)('refuses %s', (_, block, surface) => {
    expect(checkBlocks([block], surface)).not.toEqual([]);
  });

  test.each([
    ['two tables', [table([[cell('x')]]), dataTable([[cell('x')], [cell('y')]])]],
    ['three charts', times(3, () => line(['a'], ['b']))],
    ['cells of more than 10,000 characters', [table(times(100, () => [cell('x'.repeat(101))]))]],
    ['more than 13,200 characters in all', times(5, () => section('x'.repeat(2_700)))],
    [
      'one block id twice',
      [
        { type: 'divider', block_id: 'a' },
        { type: 'divider', block_id: 'a' },
      ],
    ],
    [
      'one action id twice in a block',
      [{ type: 'actions', elements: times(2, () => ({ type: 'button', text: plain('x'), action_id: 'a' })) }],
    ],
    ['no list', { type: 'divider' }],
  ])('refuses %s', (_, blocks) => {
    expect(checkBlocks(blocks, 'message')).not.toEqual([]);
  });

  test('takes a message of every kind of cell and element', () => {
    const richText = {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'link', url: 'https://x.example', text: 'WEB-1', style: { bold: true } },
            { type: 'date', timestamp: 1, format: '{date}' },
          ],
        },
      ],
    };
    const blocks = [
      table([[cell('a'), { type: 'raw_number', value: 1.5, text: '1.5 d' }, richText]], {
        column_settings: [{ is_wrapped: true }, null, { align: 'center' }],
      }),
      { ...section(), accessory: { type: 'overflow', options: [{ text: plain('x'), value: 'x' }] } },
      {
        type: 'actions',
        elements: [
          { type: 'users_select' },
          { type: 'external_select', min_query_length: 0 },
          { type: 'datepicker', initial_date: '2026-11-20' },
        ],
      },
      {
        type: 'context',
        elements: [{ type: 'image', image_url: 'https://x.example/a.png', alt_text: 'x' }, plain('x')],
      },
    ];

    expect(checkBlocks(blocks, 'message')).toEqual([]);
  });

  test('does not throw on anything', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom(...(['message', 'modal', 'home'] as const)),
        (value, surface) => {
          expect(Array.isArray(checkBlocks(value, surface))).toBe(true);
          expect(Array.isArray(checkBlocks([value], surface))).toBe(true);
        },
      ),
    );
  });
});

const modal = (more: object = {}) => ({ type: 'modal', title: plain('x'), blocks: [], ...more });
const anInput = { type: 'input', label: plain('x'), element: { type: 'plain_text_input' } };

describe('checkView', () => {
  test.each([
    ['title', limits.view.title, (size: number) => modal({ title: plain('x'.repeat(size)) })],
    ['submit', limits.view.submit, (size: number) => modal({ submit: plain('x'.repeat(size)) })],
    ['close', limits.view.close, (size: number) => modal({ close: plain('x'.repeat(size)) })],
    [
      'private_metadata',
      limits.view.privateMetadata,
      (size: number) => modal({ private_metadata: 'x'.repeat(size) }),
    ],
    ['callback_id', limits.view.callbackId, (size: number) => modal({ callback_id: 'x'.repeat(size) })],
    [
      'Home private_metadata',
      limits.view.privateMetadata,
      (size: number) => ({ type: 'home', blocks: [], private_metadata: 'x'.repeat(size) }),
    ],
  ])('%s: takes %i characters and no more', (_, max, make) => {
    expect(checkView(make(max))).toEqual([]);
    expect(checkView(make(max + 1))).not.toEqual([]);
  });

  test('wants a submit button where something is entered', () => {
    expect(checkView(modal({ blocks: [anInput] }))).toMatchObject([{ path: '/submit' }]);
    expect(checkView(modal({ blocks: [anInput], submit: plain('Go') }))).toEqual([]);
  });

  test.each([
    ['no title', { type: 'modal', blocks: [] }, '/title'],
    ['a Home tab with a title', { type: 'home', blocks: [], title: plain('x') }, '/title'],
    ['no blocks', { type: 'home' }, '/blocks'],
    ['another type', { type: 'message', blocks: [] }, '/type'],
    ['a wrong block', modal({ blocks: [{ type: 'table', rows: [] }] }), '/blocks/0/type'],
    ['no view', null, ''],
  ])('refuses %s', (_, view, path) => {
    expect(checkView(view)).toContainEqual(expect.objectContaining({ path }));
  });
});
