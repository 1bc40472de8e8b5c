import { limits } from './limits.ts';
import {
  all,
  anyOf,
  anything,
  type Bounds,
  boolean,
  byType,
  charactersIn,
  integer,
  isRecord,
  list,
  matching,
  must,
  number,
  type Rule,
  shape,
  string,
} from './rule.ts';

/** A plain-text object. */
export function plainText({ min = 1, max = limits.text }: Bounds = {}): Rule {
  return byType('text', {
    plain_text: shape({ type: anyOf('plain_text'), text: string({ min, max }) }, { emoji: boolean }),
  });
}

/** A mrkdwn or a plain-text object. */
export function anyText({ min = 1, max = limits.text }: Bounds = {}): Rule {
  return byType('text', {
    plain_text: shape({ type: anyOf('plain_text'), text: string({ min, max }) }, { emoji: boolean }),
    mrkdwn: shape({ type: anyOf('mrkdwn'), text: string({ min, max }) }, { verbatim: boolean }),
  });
}

/** An option of a menu or a group of choices; `text` is what the element allows for it. */
export function option(text: Rule): Rule {
  return shape(
    { text, value: string({ max: limits.option.value }) },
    { description: anyText({ max: limits.option.description }), url: string({ max: limits.option.url }) },
  );
}

/** The question asked before an action is taken. */
export const confirm: Rule = shape(
  {
    title: plainText({ max: limits.confirm.title }),
    text: anyText({ max: limits.confirm.text }),
    confirm: plainText({ max: limits.confirm.button }),
    deny: plainText({ max: limits.confirm.button }),
  },
  { style: anyOf('primary', 'danger') },
);

/** An address the reader's browser opens. */
export function url(max: number = limits.button.url): Rule {
  return string({ max });
}

/** An image: an address or a file Slack already has, and words for those who do not see it. */
export function image(extra: Readonly<Record<string, Rule>> = {}): Rule {
  return all(
    shape(
      { type: anyOf('image'), alt_text: string({ max: limits.image.alt }) },
      { image_url: url(limits.image.url), slack_file: anything, ...extra },
    ),
    must(
      (value) => (value.image_url === undefined) !== (value.slack_file === undefined),
      'must have either image_url or slack_file',
    ),
  );
}

const style = shape(
  {},
  {
    bold: boolean,
    italic: boolean,
    strike: boolean,
    code: boolean,
    underline: boolean,
    highlight: boolean,
    client_highlight: boolean,
    unlink: boolean,
  },
);

const inline: Rule = byType('rich text element', {
  text: shape({ type: anyOf('text'), text: string() }, { style }),
  link: shape({ type: anyOf('link'), url: string() }, { text: string({ min: 0 }), unsafe: boolean, style }),
  emoji: shape(
    { type: anyOf('emoji'), name: string() },
    { unicode: string(), skin_tone: integer({ min: 1, max: 6 }), url: string(), style },
  ),
  user: shape({ type: anyOf('user'), user_id: string() }, { style }),
  channel: shape({ type: anyOf('channel'), channel_id: string() }, { style }),
  usergroup: shape({ type: anyOf('usergroup'), usergroup_id: string() }, { style }),
  team: shape({ type: anyOf('team'), team_id: string() }, { style }),
  broadcast: shape({ type: anyOf('broadcast'), range: anyOf('here', 'channel', 'everyone') }, { style }),
  color: shape(
    { type: anyOf('color'), value: matching(/^#[0-9a-f]{6}$/i, 'a color such as #a1b2c3') },
    { style },
  ),
  date: shape(
    { type: anyOf('date'), timestamp: integer(), format: string() },
    { url: string(), fallback: string(), style },
  ),
});

const border = anyOf('0', '1');
const borderNumber: Rule = (value, path, inspection) =>
  typeof value === 'number'
    ? number({ min: 0, max: 1 })(value, path, inspection)
    : border(value, path, inspection);

const section = shape({ type: anyOf('rich_text_section'), elements: list(inline, { min: 0 }) });

/** A rich text block: sections, lists, quotes and preformatted text, each of inline elements. */
export const richText: Rule = shape(
  {
    type: anyOf('rich_text'),
    elements: list(
      byType('rich text element', {
        rich_text_section: section,
        rich_text_list: shape(
          {
            type: anyOf('rich_text_list'),
            style: anyOf('bullet', 'ordered'),
            elements: list(byType('rich text element', { rich_text_section: section })),
          },
          { indent: integer({ min: 0, max: 8 }), offset: integer({ min: 0 }), border: borderNumber },
        ),
        rich_text_quote: shape(
          { type: anyOf('rich_text_quote'), elements: list(inline, { min: 0 }) },
          { border: borderNumber },
        ),
        rich_text_preformatted: shape(
          { type: anyOf('rich_text_preformatted'), elements: list(inline, { min: 0 }) },
          { border: borderNumber, language: string() },
        ),
      }),
    ),
  },
  { block_id: string({ max: limits.id }) },
);

const plainCells: Readonly<Record<string, Rule>> = {
  raw_text: shape({ type: anyOf('raw_text'), text: string() }),
  raw_number: shape({ type: anyOf('raw_number'), value: number(), text: string() }),
};
const cell = byType('table cell', { ...plainCells, rich_text: richText });
const headerCell = byType('table header cell', plainCells);

const columnSetting: Rule = (value, path, inspection) => {
  // Slack's own type lets null stand for "the default of this column".
  if (value !== null)
    shape({}, { align: anyOf('left', 'center', 'right'), is_wrapped: boolean })(value, path, inspection);
};

function fewCharacters(max: number): Rule {
  return (value, path, { say }) => {
    if (!isRecord(value)) return;
    const count = charactersIn(value.rows);
    if (count > max) say(`${path}/rows`, `no more than ${max} characters over all cells [has ${count}]`);
  };
}

const evenRows: Rule = (value, path, { say }) => {
  const rows = isRecord(value) && Array.isArray(value.rows) ? value.rows.filter(Array.isArray) : [];
  const width = rows[0]?.length;
  rows.forEach((row, index) => {
    if (row.length !== width)
      say(`${path}/rows/${index}`, `must have as many cells as the header [${width}]`);
  });
};

const headerRow: Rule = (value, path, inspection) => {
  const first = isRecord(value) && Array.isArray(value.rows) ? value.rows[0] : undefined;
  if (Array.isArray(first)) list(headerCell)(first, `${path}/rows/0`, inspection);
};

/** The plain table block. */
export const table: Rule = all(
  shape(
    {
      type: anyOf('table'),
      rows: list(list(cell, { max: limits.table.cells }), { max: limits.table.rows }),
    },
    {
      block_id: string({ max: limits.id }),
      column_settings: list(columnSetting, { min: 0, max: limits.table.columnSettings }),
    },
  ),
  fewCharacters(limits.table.characters),
);

/** The table the reader can sort and page through. */
export const dataTable: Rule = all(
  shape(
    {
      type: anyOf('data_table'),
      caption: string(),
      rows: list(list(cell, { max: limits.dataTable.columns }), {
        min: limits.dataTable.minRows,
        max: limits.dataTable.rows,
      }),
    },
    {
      block_id: string({ max: limits.id }),
      page_size: integer({ min: 1, max: limits.dataTable.pageSize }),
      row_header_column_index: integer({ min: 0, max: limits.dataTable.columns - 1 }),
    },
  ),
  evenRows,
  headerRow,
  fewCharacters(limits.dataTable.characters),
);

const { chart: most } = limits;
const label = string({ max: most.label });
const points = list(shape({ label, value: number() }), { max: most.points });
const axisConfig = shape(
  { categories: list(label, { max: most.points }) },
  { x_label: string({ max: most.axisLabel }), y_label: string({ max: most.axisLabel }) },
);

function membersNamed(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((each) => each[name]);
}

function repeats(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}

const seriesFitAxis: Rule = (value, path, { say }) => {
  if (!isRecord(value) || !isRecord(value.axis_config)) return;
  const categories = value.axis_config.categories;
  if (!Array.isArray(categories)) return;
  if (repeats(categories)) say(`${path}/axis_config/categories`, 'must be unique');
  if (repeats(membersNamed(value.series, 'name'))) say(`${path}/series`, 'names must be unique');
  membersNamed(value.series, 'data').forEach((data, index) => {
    const labels = membersNamed(data, 'label');
    const fits = labels.length === categories.length && categories.every((each) => labels.includes(each));
    if (!fits) say(`${path}/series/${index}/data`, 'must have exactly one point for every category');
  });
};

function alongAxis(type: string): Rule {
  return all(
    shape({
      type: anyOf(type),
      series: list(shape({ name: label, data: points }), { max: most.series }),
      axis_config: axisConfig,
    }),
    seriesFitAxis,
  );
}

const positive: Rule = (value, path, inspection) => {
  if (typeof value === 'number' && value <= 0) inspection.say(path, 'must be more than 0');
  else number()(value, path, inspection);
};

const uniqueSegments: Rule = (value, path, { say }) => {
  if (isRecord(value) && repeats(membersNamed(value.segments, 'label')))
    say(`${path}/segments`, 'labels must be unique');
};

/** The native chart: pie, bar, line or area. */
export const dataVisualization: Rule = shape(
  {
    type: anyOf('data_visualization'),
    title: string({ max: most.title }),
    chart: byType('chart', {
      pie: all(
        shape({
          type: anyOf('pie'),
          segments: list(shape({ label, value: positive }), { max: most.series }),
        }),
        uniqueSegments,
      ),
      bar: alongAxis('bar'),
      line: alongAxis('line'),
      area: alongAxis('area'),
    }),
  },
  { block_id: string({ max: limits.id }) },
);
