import type { RawTextElement, RichTextBlock, RichTextSection } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section, shorten } from '../../block-kit/mrkdwn.ts';
import { type Cells, type Column, cellIn, type Table } from '../../model/table.ts';
import { type Chart, nativeChart } from '../../output/charts/chart.ts';
import { isolated } from '../../output/readable-text.ts';
import type { Sheet, SheetTable } from './answer-sheet.ts';
import { startedColumns } from './done-left-out.ts';
import { say } from './wording.ts';

/** A column; figures are on the right, and long texts can take several lines. */
export interface FigureColumn {
  readonly title: string;
  readonly holds: 'figure' | 'name' | 'text';
}

/** What is in a cell; `rest` follows the text, outside of its link. */
export interface FigureCell {
  readonly text: string;
  readonly link?: string | null;
  /** It is in no sum: shown in italics. */
  readonly muted?: boolean;
  readonly rest?: string;
}

/** A longer title makes a column of short figures wide. */
const TITLE_LENGTH = 40;

/** Leaves room in a message for everything beside its table. */
const CHARACTERS = 5_500;
const ROWS = limits.table.rows - 1;
/** Tried one after the other until the table is small enough. */
const LENGTHS = [80, 60, 40, 25, 15, 8];

/** A table of figures and names, and the same in words; null without a row. As large as Slack takes it, never larger. */
export function figureTable(
  columns: readonly FigureColumn[],
  rows: readonly (readonly FigureCell[])[],
): SheetTable | null {
  if (rows.length === 0 || columns.length === 0) return null;
  const shownColumns = columns.slice(0, limits.table.cells);
  const shownRows = rows.slice(0, ROWS).map((cells) => cells.slice(0, limits.table.cells));
  const titles = shownColumns.map(({ title }) => ({ text: shorten(title, TITLE_LENGTH) }));
  const length = LENGTHS.find((most) => charactersOf([titles, ...shownRows], most) <= CHARACTERS) ?? 4;
  return {
    block: {
      type: 'table',
      column_settings: shownColumns.map(({ holds }) =>
        holds === 'figure' ? { align: 'right' } : { is_wrapped: holds === 'text' },
      ),
      rows: [titles, ...shownRows].map((cells) => cells.map((cell) => cellOf(cell, length))),
    },
    text: shownRows.map((cells) => rowText(shownColumns, cells, length)).join('; '),
  };
}

/** The parts of a sheet that are about figures. */
export type FigureParts = Pick<
  Sheet,
  'headline' | 'summary' | 'chart' | 'table' | 'remarks' | 'page' | 'details'
>;

/** A message holds no more parts of a table. */
const PARTS = 5;
/** A glance takes no more rows; beside a picture there is only room for some. */
const ROWS_AT_A_GLANCE = 10;
const ROWS_BESIDE_CHART = 6;

/** A table, and what its rows are, as a plural. */
interface WholeTable {
  readonly columns: readonly FigureColumn[];
  readonly rows: readonly (readonly FigureCell[])[];
  readonly what: string;
}

/** The first rows of a table; where there are others, that is said, and the details have all. */
export function cappedTable(table: WholeTable): Pick<Sheet, 'table' | 'remarks' | 'details'> {
  const { columns, rows, what } = table;
  const more = rows.length - ROWS_AT_A_GLANCE;
  const first = figureTable(columns, rows.slice(0, ROWS_AT_A_GLANCE));
  if (more <= 0) return { table: first, remarks: [], details: [] };
  const where = rows.length <= ROWS * PARTS ? 'Details' : 'the export';
  return {
    table: first,
    remarks: [say(() => `${more} more ${what} in ${where}.`)],
    details: detailsOf(table),
  };
}

/** A picture, with what it shows in one line, and the table behind it: in the details, unless it is small. */
export function tableBehind(
  chart: Chart | null,
  table: WholeTable,
  figures: readonly (readonly [name: string, figure: string])[],
): Pick<Sheet, 'summary' | 'chart' | 'table' | 'remarks' | 'details'> {
  if (chart === null || table.rows.length <= ROWS_BESIDE_CHART) return { chart, ...cappedTable(table) };
  const line = say(({ words, strong }) =>
    figures.map(([name, figure]) => `${words(shorten(name, TITLE_LENGTH))} ${strong(figure)}`).join(' · '),
  );
  return { summary: line, chart, table: null, remarks: [], details: detailsOf(table) };
}

/** A table, and the picture of it: in the details, unless the table is small. */
export function chartBehind(
  chart: Chart | null,
  table: WholeTable,
): Pick<Sheet, 'chart' | 'table' | 'remarks' | 'details'> {
  const capped = cappedTable(table);
  if (chart === null || table.rows.length <= ROWS_BESIDE_CHART) return { chart, ...capped };
  const drawn = nativeChart(chart);
  const picture = drawn === null ? [] : [{ text: escapeMrkdwn(chart.alt), blocks: [drawn] }];
  return { chart: null, ...capped, details: [...picture, ...capped.details] };
}

/** All rows, in as many messages as they take. */
function detailsOf({ columns, rows, what }: WholeTable): Message[] {
  const starts = rows.keys().filter((index) => index % ROWS === 0);
  return [...starts.take(PARTS)].flatMap((start) => {
    const part = figureTable(columns, rows.slice(start, start + ROWS));
    if (part === null) return [];
    const title = `All ${rows.length} ${what}${start === 0 ? '' : `, from ${start + 1} on`}`;
    return [{ text: escapeMrkdwn(`${title}. ${part.text}.`), blocks: [section(`*${title}*`), part.block] }];
  });
}

function charactersOf(rows: readonly (readonly FigureCell[])[], length: number): number {
  return rows.flat().reduce((sum, cell) => sum + Math.min(wholeText(cell).length, length) + 1, 0);
}

function wholeText({ text, rest = '' }: FigureCell): string {
  return rest === '' ? text : `${text} ${rest}`;
}

/** A cell without any character is refused. */
function cellOf(cell: FigureCell, length: number): RawTextElement | RichTextBlock {
  const { link = null, muted = false } = cell;
  const whole = shorten(wholeText(cell), length) || ' ';
  if (link === null && !muted) return { type: 'raw_text', text: whole };
  const style = muted ? { style: { italic: true } } : {};
  if (link === null) return richCell([{ type: 'text', text: whole, ...style }]);
  const text = shorten(cell.text, length) || ' ';
  const rest = whole.startsWith(text) ? whole.slice(text.length) : '';
  return richCell([
    { type: 'link', url: link, text, ...style },
    ...(rest === '' ? [] : [{ type: 'text' as const, text: rest, ...style }]),
  ]);
}

function richCell(elements: RichTextSection['elements']): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** `WEB-1: Summary Basket loses its items, Review 2d 3h`. */
function rowText(columns: readonly FigureColumn[], cells: readonly FigureCell[], length: number): string {
  const [name, ...rest] = cells.map((cell) => isolated(shorten(wholeText(cell), length)));
  const told = rest.flatMap((text, index) => {
    const column = columns[index + 1];
    if (column === undefined || text.trim() === '') return [];
    return [column.holds === 'figure' ? `${isolated(shorten(column.title, length))} ${text}` : text];
  });
  return told.length === 0 ? (name ?? '') : `${name}: ${told.join(', ')}`;
}

/** A glance takes no more columns. */
const VALUES = 5;
const FIELDS = 3;

/** The columns shown at a glance, in the table's order. */
interface GlanceColumns {
  readonly fields: readonly Column[];
  readonly values: readonly Column[];
  /** How many columns of values are left out, beside statuses where no work is done. */
  readonly more: number;
}

/**
 * As many as there is room for: where columns are figures of one kind, those with the most in them, of statuses those where work is done if there are any;
 * else the first.
 */
export function glanceColumns(
  { columns, rows, statuses }: Pick<Table, 'columns' | 'rows' | 'statuses'>,
  room = VALUES,
): GlanceColumns {
  const fields = columns.filter(({ part }) => part === 'field').slice(0, FIELDS);
  const values = columns.filter(({ part }) => part === 'value');
  const isFigures = ['duration', 'count'].some((figure) => values.every(({ kind }) => kind === figure));
  const started = isFigures ? startedColumns(values, statuses) : values;
  const most = isFigures ? started.toSorted((a, b) => sumOf(rows, b) - sumOf(rows, a)) : values;
  const chosen = most.slice(0, room);
  return {
    fields,
    values: values.filter((column) => chosen.includes(column)),
    more: most.length - chosen.length,
  };
}

/** What is in a column together; texts count nothing. */
export function sumOf(
  rows: readonly { readonly own: Cells; readonly cells: Cells }[],
  column: Column,
): number {
  return rows.reduce((sum, row) => {
    const value = cellIn(row, column)?.value;
    return sum + (typeof value === 'number' ? value : 0);
  }, 0);
}
