import { z } from 'zod';
import { limits } from './limits.ts';
import { charactersIn, isRecord } from './mrkdwn.ts';

/** A place that shows blocks; each takes other blocks. */
type Surface = 'message' | 'modal' | 'home';

/** One thing that Slack would refuse: where (a JSON pointer) and why. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** An object of a type with these members and no others, as Slack refuses members that it does not know. */
function typed(type: string, required: Shape, optional: Shape = {}) {
  const others = Object.entries(optional).map(([name, schema]) => [name, schema.optional()]);
  return z.strictObject({ type: z.literal(type), ...required, ...Object.fromEntries(others) });
}

type Typed = ReturnType<typeof typed>;

/** An object whose `type` is one of these. */
function oneOf(first: Typed, ...others: readonly Typed[]) {
  return z.discriminatedUnion('type', [first, ...others]);
}

/** A text within bounds; the length is in UTF-16 units, which is never less than what Slack counts. */
function text(max = Number.POSITIVE_INFINITY, min = 1) {
  return z
    .string()
    .min(min, `must be more than ${min - 1} characters`)
    .max(max, {
      error: ({ input }) => `must be less than ${max + 1} characters [has ${String(input).length}]`,
    });
}

function listOf<Item extends z.ZodType>(item: Item, max = Number.POSITIVE_INFINITY, min = 1) {
  return z.array(item).min(min).max(max);
}

function plainText(max: number = limits.text) {
  return typed('plain_text', { text: text(max) }, { emoji: z.boolean() });
}

function mrkdwnText(max: number = limits.text) {
  return typed('mrkdwn', { text: text(max) }, { verbatim: z.boolean() });
}

function anyText(max: number = limits.text) {
  return oneOf(plainText(max), mrkdwnText(max));
}

const id = { block_id: text(limits.id) };

const image = typed(
  'image',
  { alt_text: text(limits.image.alt) },
  { ...id, image_url: text(limits.image.url), slack_file: z.unknown() },
).refine(
  (value) => (value.image_url === undefined) !== (value.slack_file === undefined),
  'must have either image_url or slack_file',
);

const style = z.strictObject({ bold: z.boolean().optional(), italic: z.boolean().optional() });
const inline = oneOf(
  typed('text', { text: text() }, { style }),
  typed('link', { url: text() }, { text: text(undefined, 0), style }),
  typed('date', { timestamp: z.int(), format: text() }, { fallback: text() }),
);
const richTextSection = typed('rich_text_section', { elements: z.array(inline) });
const richText = typed(
  'rich_text',
  {
    elements: listOf(
      oneOf(
        richTextSection,
        typed('rich_text_list', { style: z.enum(['bullet', 'ordered']), elements: listOf(richTextSection) }),
        typed('rich_text_preformatted', { elements: z.array(inline) }),
      ),
    ),
  },
  id,
);

const confirm = z.strictObject({
  title: plainText(limits.confirm.title),
  text: anyText(limits.confirm.text),
  confirm: plainText(limits.confirm.button),
  deny: plainText(limits.confirm.button),
  style: z.enum(['primary', 'danger']).optional(),
});
const option = z.strictObject({
  text: anyText(limits.option.text),
  value: text(limits.option.value),
  description: anyText(limits.option.description).optional(),
  url: text(limits.option.url).optional(),
});
const options = listOf(option, limits.select.options);
const optionGroups = listOf(
  z.strictObject({ label: plainText(limits.select.groupLabel), options }),
  limits.select.groups,
);

const button = typed(
  'button',
  { text: plainText(limits.button.text) },
  {
    action_id: text(limits.id),
    confirm,
    value: text(limits.button.value),
    url: text(limits.button.url),
    style: z.enum(['primary', 'danger']),
  },
);

function menu(type: string, more: Shape = {}) {
  const placeholder = plainText(limits.placeholder);
  return typed(type, {}, { action_id: text(limits.id), confirm, placeholder, ...more });
}

function menuOf(type: string, more: Shape) {
  return menu(type, { options, option_groups: optionGroups, ...more }).refine(
    (value) => (value.options === undefined) !== (value.option_groups === undefined),
    'must have either options or option_groups',
  );
}

const several = { max_selected_items: z.int().min(1) };
const searched = { min_query_length: z.int().min(0) };
const choices = listOf(option, limits.choices);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-11-20');

const menus = [
  menuOf('static_select', { initial_option: option }),
  menuOf('multi_static_select', { ...several, initial_options: listOf(option) }),
  menu('external_select', { ...searched, initial_option: option }),
  menu('multi_external_select', { ...searched, ...several, initial_options: listOf(option) }),
  menu('users_select', { initial_user: text() }),
  menu('multi_users_select', { ...several, initial_users: z.array(text()) }),
  menu('conversations_select', { filter: z.unknown(), initial_conversation: text() }),
  menu('checkboxes', { options: choices, initial_options: choices }),
  menu('radio_buttons', { options: choices, initial_option: option }),
  menu('datepicker', { initial_date: day }),
];
const datetimepicker = menu('datetimepicker', { initial_date_time: z.int().min(0) });
const overflow = menu('overflow', { options: listOf(option, limits.overflowOptions) });
const textInput = menu('plain_text_input', {
  initial_value: text(limits.plainTextInput, 0),
  multiline: z.boolean(),
  max_length: z.int().min(1).max(limits.plainTextInput),
});

const section = typed(
  'section',
  {},
  {
    ...id,
    text: anyText(limits.section.text),
    fields: listOf(anyText(limits.section.field), limits.section.fields),
    accessory: oneOf(button, image, overflow, ...menus),
  },
).refine((value) => value.text !== undefined || value.fields !== undefined, 'must have text or fields');

const common = [
  typed('context', { elements: listOf(oneOf(image, plainText(), mrkdwnText()), limits.contextElements) }, id),
  typed('header', { text: plainText(limits.header) }, id),
  typed('divider', {}, id),
  image,
  typed(
    'actions',
    { elements: listOf(oneOf(button, overflow, datetimepicker, ...menus), limits.actionsElements) },
    id,
  ),
  typed(
    'input',
    { label: plainText(limits.input.label), element: oneOf(textInput, datetimepicker, ...menus) },
    { ...id, hint: plainText(limits.input.hint), optional: z.boolean(), dispatch_action: z.boolean() },
  ),
  richText,
];

const plainCells = [
  typed('raw_text', { text: text() }),
  typed('raw_number', { value: z.number(), text: text() }),
] as const;
const cell = oneOf(...plainCells, richText);
// Slack's own type lets null be the default of a column.
const columnSetting = z
  .strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() })
  .nullable();

function fewCharacters(max: number) {
  return [
    (value: { readonly rows?: unknown }) => charactersIn(value.rows) <= max,
    `no more than ${max} characters over all cells`,
  ] as const;
}

const table = typed(
  'table',
  { rows: listOf(listOf(cell, limits.table.cells), limits.table.rows) },
  { ...id, column_settings: listOf(columnSetting, limits.table.columnSettings, 0) },
).refine(...fewCharacters(limits.table.characters));

const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: text(limits.id).optional(),
    caption: text(),
    rows: z
      .tuple([listOf(oneOf(...plainCells), limits.dataTable.columns)])
      .rest(listOf(cell, limits.dataTable.columns))
      .refine(
        ({ length }) => length >= limits.dataTable.minRows && length <= limits.dataTable.rows,
        `must have ${limits.dataTable.minRows} to ${limits.dataTable.rows} rows`,
      )
      .refine(
        ([header, ...rows]) => rows.every(({ length }) => length === header.length),
        'must have as many cells as the header in each row',
      ),
    page_size: z.int().min(1).max(limits.dataTable.pageSize).optional(),
  })
  .refine(...fewCharacters(limits.dataTable.characters));

const label = text(limits.chart.label);

function areUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function alongAxis(type: 'bar' | 'line') {
  const data = listOf(z.strictObject({ label, value: z.number() }), limits.chart.points);
  return z
    .strictObject({
      type: z.literal(type),
      series: listOf(z.strictObject({ name: label, data }), limits.chart.series),
      axis_config: z.strictObject({
        categories: listOf(label, limits.chart.points).refine(areUnique, 'must be unique'),
        x_label: text(limits.chart.axisLabel).optional(),
        y_label: text(limits.chart.axisLabel).optional(),
      }),
    })
    .refine(({ series }) => areUnique(series.map(({ name }) => name)), 'names of series must be unique')
    .refine(
      ({ series, axis_config: { categories } }) =>
        series.every(
          ({ data }) =>
            data.length === categories.length && data.every((point) => categories.includes(point.label)),
        ),
      'must have exactly one point for every category',
    );
}

const pie = z.strictObject({
  type: z.literal('pie'),
  segments: listOf(z.strictObject({ label, value: z.number().gt(0) }), limits.chart.series).refine(
    (segments) => areUnique(segments.map((one) => one.label)),
    'labels must be unique',
  ),
});

const dataVisualization = typed(
  'data_visualization',
  {
    title: text(limits.chart.title),
    chart: z.discriminatedUnion('type', [pie, alongAxis('bar'), alongAxis('line')]),
  },
  id,
);

/** The blocks that we send, by surface. Where sources disagree (tables on Home) a block is left out. */
const blocksOf: Readonly<Record<Surface, z.ZodType>> = {
  message: z.discriminatedUnion('type', [section, ...common, table, dataTable, dataVisualization]),
  modal: oneOf(section, ...common),
  home: oneOf(section, ...common),
};

const viewMembers = {
  private_metadata: text(limits.view.privateMetadata, 0),
  callback_id: text(limits.view.callbackId, 0),
  external_id: text(limits.view.externalId, 0),
};
const viewSchema = oneOf(
  typed(
    'modal',
    { title: plainText(limits.view.title), blocks: z.array(z.unknown()) },
    {
      ...viewMembers,
      submit: plainText(limits.view.submit),
      close: plainText(limits.view.close),
      notify_on_close: z.boolean(),
    },
  ),
  typed('home', { blocks: z.array(z.unknown()) }, viewMembers),
);

function problemsOf(schema: z.ZodType, value: unknown, path: string): readonly Problem[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) => {
    const at = [path, ...issue.path.map(String)].join('/');
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: `${at}/${key}`, message: 'invalid additional property' }))
      : [{ path: at, message: issue.message }];
  });
}

/** Everything Slack would refuse about these blocks on this surface; empty when it would take them. */
export function checkBlocks(blocks: unknown, surface: Surface, path = '/blocks'): readonly Problem[] {
  if (!Array.isArray(blocks)) return [{ path, message: 'must be a list' }];
  const max = limits.blocks[surface];
  return [
    ...(blocks.length > max
      ? [{ path, message: `no more than ${max} items allowed [has ${blocks.length}]` }]
      : []),
    ...blocks.flatMap((block, i) => [
      ...problemsOf(blocksOf[surface], block, `${path}/${i}`),
      ...repeated(isRecord(block) ? block.elements : null, 'action_id', `${path}/${i}/elements`),
    ]),
    ...repeated(blocks, 'block_id', path),
    ...(surface === 'message' ? messageProblems(blocks, path) : []),
  ];
}

/** Everything Slack would refuse about a modal or a Home tab; empty when it would take it. */
export function checkView(view: unknown): readonly Problem[] {
  const { type = '', blocks = null, submit = null } = isRecord(view) ? view : {};
  const isModal = type !== 'home';
  const inputs = (Array.isArray(blocks) ? blocks : []).filter(
    (block) => isRecord(block) && block.type === 'input',
  );
  return [
    ...problemsOf(viewSchema, view, ''),
    ...(Array.isArray(blocks) ? checkBlocks(blocks, isModal ? 'modal' : 'home') : []),
    ...(isModal && submit === null && inputs.length > 0
      ? [{ path: '/submit', message: 'missing required field: a modal with an input block needs it' }]
      : []),
  ];
}

function messageProblems(blocks: readonly unknown[], path: string): readonly Problem[] {
  const countOf = (...types: readonly unknown[]) =>
    blocks.filter((block) => isRecord(block) && types.includes(block.type)).length;
  const characters = charactersIn(blocks);
  const messages = [
    ...(countOf('table', 'data_table') > limits.table.perMessage ? ['only_one_table_allowed'] : []),
    ...(countOf('data_visualization') > limits.chart.perMessage
      ? [`no more than ${limits.chart.perMessage} charts a message`]
      : []),
    ...(characters > limits.messageCharacters
      ? [`msg_blocks_too_long: no more than ${limits.messageCharacters} characters [has ${characters}]`]
      : []),
  ];
  return messages.map((message) => ({ path, message }));
}

function repeated(items: unknown, name: 'block_id' | 'action_id', path: string): readonly Problem[] {
  const ids = (Array.isArray(items) ? items : []).map((item) => (isRecord(item) ? item[name] : undefined));
  return ids.flatMap((id, i) =>
    id !== undefined && ids.indexOf(id) < i
      ? [{ path: `${path}/${i}/${name}`, message: `duplicate ${name}: ${id}` }]
      : [],
  );
}
