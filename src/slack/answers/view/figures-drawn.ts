import type {
  DataTableBlock,
  RawNumberElement,
  RawTextElement,
  RichTextBlock,
  RichTextSection,
} from '@slack/types';
import { type Cells, type Column, cellIn, type ObservedStatuses, type Table } from '../../../model/table.ts';
import { type Chart, nativeChart } from '../../../output/charts/chart.ts';
import { durationWords, isolated, shorten, unitLengths } from '../../../output/readable-text.ts';
import { limits } from '../../blocks/limits.ts';
import type { Message, MessageBlock } from '../../blocks/message.ts';
import { context, escapeMrkdwn, section } from '../../blocks/mrkdwn.ts';
import type { AnswerSheet, AnswerTable, DetailTable } from './answer-sheet.ts';
import { wordedText } from './marked-wording.ts';

/** A column; figures are on the right, and long texts can take several lines. */
interface FigureColumn {
  readonly title: string;
  readonly holds: 'figure' | 'name' | 'text';
}

/** Columns of one kind, by their titles. */
export function columnsOf(holds: FigureColumn['holds'], ...titles: readonly string[]): FigureColumn[] {
  return titles.map((title) => ({ title, holds }));
}

/** The content of a cell. */
export interface FigureCell {
  readonly text: string;
  readonly link?: string | null;
  /** The number that the text means, by which a reader can sort. */
  readonly value?: number | null;
  /** It is in no sum: shown in italics. */
  readonly muted?: boolean;
}

/** A longer title makes a column of short figures wide. */
const TITLE_LENGTH = 40;

/** Leaves room in the message for everything beside the table. */
const CHARACTERS = 5_500;
const ROWS = limits.table.rows - 1;
/** Tried one after the other until the table is small enough. */
const LENGTHS = [80, 60, 40, 25, 15, 8];

/** A table of figures and names, and the same in words; null without a row. As large as Slack takes it, never larger. */
export function figureTable(
  columns: readonly FigureColumn[],
  rows: readonly (readonly FigureCell[])[],
): AnswerTable | null {
  if (rows.length === 0 || columns.length === 0) return null;
  const shownColumns = columns.slice(0, limits.table.cells);
  const shownRows = rows.slice(0, ROWS).map((cells) => cells.slice(0, limits.table.cells));
  const titles = shownColumns.map(({ title }) => ({ text: shorten(title, TITLE_LENGTH) }));
  const length = LENGTHS.find((max) => charactersOf([titles, ...shownRows], max) <= CHARACTERS) ?? 4;
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
  AnswerSheet,
  'headline' | 'summary' | 'chart' | 'table' | 'remarks' | 'page' | 'details'
>;

/** A table, with its rows that are elsewhere. */
export type TableParts = Required<Pick<AnswerSheet, 'table' | 'remarks' | 'details'>>;

/** A message takes no more parts of a table. */
const PARTS = 5;
/** Rows of a table on one page: as many as can be seen without scrolling. */
export const PAGE_ROWS = 10;
/** The same below a picture. */
export const PAGE_ROWS_BELOW_CHART = 5;
/** Beside a picture there is no room for more rows. */
const ROWS_BESIDE_CHART = 6;
/** A longer name would take a second line, or the room of a figure. */
const GLANCE_LENGTH = 34;

interface WholeTable {
  readonly columns: readonly FigureColumn[];
  readonly rows: readonly (readonly FigureCell[])[];
  readonly what: string;
}

/** The first rows of a table; where there are others, that is said, and the details have all. */
export function cappedTable(table: WholeTable): TableParts {
  const { columns, rows, what } = table;
  const more = rows.length - PAGE_ROWS;
  const first = figureTable(
    columns,
    rows
      .slice(0, PAGE_ROWS)
      .map((cells) => cells.map((cell) => ({ ...cell, text: shorten(cell.text, GLANCE_LENGTH) }))),
  );
  if (more <= 0) return { table: first, remarks: [], details: [] };
  const where = rows.length <= ROWS * PARTS ? 'Details' : 'the export';
  return {
    table: first,
    remarks: [wordedText(() => `${more} more ${what} in ${where}.`)],
    details: detailsOf(table),
  };
}

/** A picture, with what it shows in one line, and the table behind it: in the details, unless it is small. */
export function tableBehind(
  chart: Chart | null,
  table: WholeTable,
  figures: readonly (readonly [name: string, figure: string])[],
): TableParts & Pick<AnswerSheet, 'summary' | 'chart'> {
  if (chart === null || table.rows.length <= ROWS_BESIDE_CHART) return { chart, ...cappedTable(table) };
  const line = wordedText(({ words, strong }) =>
    figures.map(([name, figure]) => `${words(shorten(name, TITLE_LENGTH))} ${strong(figure)}`).join(' · '),
  );
  return { summary: line, chart, table: null, remarks: [], details: detailsOf(table) };
}

/** A table, and the picture of it: in the details, unless the table is small. */
export function chartBehind(chart: Chart | null, table: WholeTable): TableParts & Pick<AnswerSheet, 'chart'> {
  const capped = cappedTable(table);
  if (chart === null || table.rows.length <= ROWS_BESIDE_CHART) return { chart, ...capped };
  const drawn = nativeChart(chart);
  const picture = drawn === null ? [] : [{ text: escapeMrkdwn(chart.alt), blocks: [drawn] }];
  return { chart: null, ...capped, details: [...picture, ...capped.details] };
}

function detailsOf({ columns, rows, what }: WholeTable): Message[] {
  const starts = rows.keys().filter((index) => index % ROWS === 0);
  return [...starts.take(PARTS)].flatMap((start) => {
    const cells = rows.slice(start, start + ROWS);
    const title = `All ${rows.length} ${what}${start === 0 ? '' : `, from ${start + 1} on`}`;
    const part = pagedTable(columns, cells, { caption: title, pageRows: PAGE_ROWS });
    if (part === null) return [];
    const { block, text } = part;
    const titled = block.type === 'data_table' ? [block] : [section(`*${title}*`), block];
    return [{ text: escapeMrkdwn(`${title}. ${text}.`), blocks: titled }];
  });
}

function charactersOf(rows: readonly (readonly FigureCell[])[], length: number): number {
  return rows.flat().reduce((sum, cell) => sum + Math.min(cell.text.length, length) + 1, 0);
}

/** A cell without any character is refused. */
function cellOf(cell: FigureCell, length: number): RawTextElement | RichTextBlock {
  const { link = null, muted = false } = cell;
  const text = shorten(cell.text, length) || ' ';
  if (link === null && !muted) return { type: 'raw_text', text };
  const style = muted ? { style: { italic: true } } : {};
  return richCell([
    link === null ? { type: 'text', text, ...style } : { type: 'link', url: link, text, ...style },
  ]);
}

function richCell(elements: RichTextSection['elements']): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** `WEB-1: Summary Basket loses its items, Review 2d 3h`. */
function rowText(columns: readonly FigureColumn[], cells: readonly FigureCell[], length: number): string {
  const [name, ...others] = cells.map((cell) => isolated(shorten(cell.text, length)));
  const described = others.flatMap((text, index) => {
    const column = columns[index + 1];
    if (column === undefined || text.trim() === '') return [];
    return [column.holds === 'figure' ? `${isolated(shorten(column.title, length))} ${text}` : text];
  });
  return described.length === 0 ? (name ?? '') : `${name}: ${described.join(', ')}`;
}

const VALUES = 5;
const FIELDS = 3;

interface GlanceColumns {
  readonly fields: readonly Column[];
  readonly values: readonly Column[];
  /** The number of columns of values that are left out, beside statuses where no work is done. */
  readonly more: number;
}

/**
 * As many as there is room for: where columns are figures of one kind, those with the most in them, of statuses those where work is done if there are any;
 * else the first.
 */
export function glanceColumns({ columns, rows, statuses }: Table, room = VALUES): GlanceColumns {
  const fields = columns.filter(({ part }) => part === 'field').slice(0, FIELDS);
  const values = columns.filter(({ part }) => part === 'value');
  const isFigures = ['duration', 'count'].some((figure) => values.every(({ kind }) => kind === figure));
  const started = isFigures ? startedColumns(values, statuses) : values;
  const sorted = isFigures ? started.toSorted((a, b) => sumOf(rows, b) - sumOf(rows, a)) : values;
  const chosen = sorted.slice(0, room);
  return {
    fields,
    values: values.filter((column) => chosen.includes(column)),
    more: sorted.length - chosen.length,
  };
}

/** Those of some columns that are not about time before work starts, or after it is done; all where there are no others. */
export function startedColumns(
  columns: readonly Column[],
  { included, deleted }: ObservedStatuses,
): readonly Column[] {
  const idle = [...included, ...deleted].filter(
    ({ category }) => category === 'To Do' || category === 'Done',
  );
  const started = columns.filter(
    ({ id, parent, child, stage }) =>
      stage !== 'queue' &&
      stage !== 'done' &&
      !idle.some((status) => [id, parent?.id, child?.id].includes(status.id)),
  );
  return started.length > 0 ? started : columns;
}

/** The sum of the numbers in a column; texts count nothing. */
export function sumOf(
  rows: readonly { readonly own: Cells; readonly cells: Cells }[],
  column: Column,
): number {
  return rows.reduce((sum, row) => {
    const value = cellIn(row, column)?.value;
    return sum + (typeof value === 'number' ? value : 0);
  }, 0);
}

interface DurationChart {
  readonly kind: 'bar' | 'pie';
  readonly title: string;
  readonly names: readonly string[];
  /** A bar, or several beside each other, of durations (ms). */
  readonly bars: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
  readonly dayMs: number;
  /** A value that is missing is drawn as this: Slack draws no chart with one missing. */
  readonly missing?: 0;
}

/** A chart of durations; null where there is nothing to compare. */
export function durationChart({ kind, title, names, bars, dayMs, missing }: DurationChart): Chart | null {
  const longest = Math.max(0, ...bars.flatMap(({ values }) => values.map((value) => value ?? 0)));
  if (bars.length < 2 || longest === 0) return null;
  const { unit, ms: unitMs, of } = chartUnit(longest, dayMs);
  const labels = chartLabels(bars.map(({ label }) => label));
  const series = chartLabels(names).map((name, index) => ({
    name,
    values: bars.map(({ values }) => {
      const value = values[index] ?? null;
      if (value === null) return missing ?? null;
      // Slack takes no slice of 0, and counts shares from what it is given.
      return kind === 'pie' ? Number((value / unitMs).toPrecision(4)) : of(value);
    }),
  }));
  const described = bars.map(({ values }, index) => {
    const texts = values.map((value) => (value === null ? 'none' : durationWords(value, dayMs)));
    return `${labels[index]} ${texts.join(' and ')}`;
  });
  const legend = names.length > 1 ? ` (${names.join(' and ')})` : '';
  return {
    kind,
    title: shorten(title, limits.chart.title),
    unit,
    categories: labels,
    series,
    alt: shorten(`${title}${legend}: ${described.join(', ')}.`, limits.image.alt),
  };
}

/** Names short enough for a chart, none empty, none twice. */
export function chartLabels(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const short = shorten(name.trim(), limits.chart.label) || '(no name)';
    let label = short;
    for (let count = 2; taken.has(label); count += 1) {
      const mark = ` (${count})`;
      label = `${shorten(short, limits.chart.label - mark.length)}${mark}`;
    }
    taken.add(label);
    return label;
  });
}

/** The unit of the values of a chart of durations. */
interface ChartUnit {
  readonly unit: string;
  readonly ms: number;
  /** A duration (ms) in it, with two decimals at most. */
  readonly of: (ms: number) => number;
}

/** The largest unit in which the longest duration (ms) is two or more. `dayMs` is the length of a day. */
export function chartUnit(longestMs: number, dayMs: number): ChartUnit {
  const units: readonly (readonly [string, number])[] = [
    [dayMs < 24 * unitLengths.hours ? 'working days' : 'days', dayMs],
    ['hours', unitLengths.hours],
    ['minutes', unitLengths.minutes],
    ['seconds', unitLengths.seconds],
  ];
  const [unit, length] = units.find(([, each]) => longestMs >= 2 * each) ?? ['seconds', unitLengths.seconds];
  return { unit, ms: length, of: (ms) => Math.round((100 * ms) / length) / 100 };
}

/**
 * A table with more rows than fit on a page as one that is sorted, by the `value` of a cell or else by its text, searched
 * and paged through; a smaller one as it is.
 */
export function pagedTable(
  columns: readonly FigureColumn[],
  cells: readonly (readonly FigureCell[])[],
  { caption, pageRows }: { readonly caption: string; readonly pageRows: number },
): DetailTable | null {
  const table = figureTable(columns, cells);
  const [heading, ...rows] = table?.block.rows ?? [];
  if (table === null || heading === undefined || rows.length <= pageRows) return table;
  const sorted = rows.map((row, i) => row.map((cell, column) => sortedCell(cell, cells[i]?.[column]?.value)));
  const block: DataTableBlock = {
    type: 'data_table',
    caption,
    page_size: pageRows,
    rows: [heading, ...sorted],
  };
  return { block, text: table.text };
}

type TableCell = RawTextElement | RawNumberElement | RichTextBlock;

function sortedCell(cell: TableCell, value: number | null | undefined): TableCell {
  return cell.type === 'raw_text' && typeof value === 'number'
    ? { type: 'raw_number', value, text: cell.text }
    : cell;
}

/**
 * The message behind *Details* of an answer whose table leaves no room for its picture: the picture, all rows where
 * some were left out, and what the figures mean (mrkdwn).
 */
export function chartDetail(
  chart: Chart | null,
  table: DetailTable | null,
  meaning: string,
): readonly Message[] {
  const drawn = chart === null ? null : nativeChart(chart);
  if (drawn === null && table === null) return [];
  const blocks: MessageBlock[] = [
    ...(drawn === null ? [] : [drawn]),
    ...(table === null ? [] : [table.block]),
    context(meaning),
  ];
  const text = [
    ...(chart === null ? [] : [chart.alt]),
    ...(table === null ? [] : [`${table.text}.`]),
    meaning,
  ];
  return [{ text: escapeMrkdwn(text.join(' ')), blocks }];
}
