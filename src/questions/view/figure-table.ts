import type { RawTextElement, RichTextBlock } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { type Cells, type Column, cellIn, type Table } from '../../model/table.ts';
import { isolated } from '../../output/text-direction.ts';
import type { Sheet, SheetTable } from './answer-sheet.ts';
import { isDoneColumn, isToDoColumn } from './done-left-out.ts';
import { say } from './wording.ts';

/** A column; figures stand to the right, and long texts may take several lines. */
export interface FigureColumn {
  readonly title: string;
  readonly holds: 'figure' | 'name' | 'text';
}

/** What stands in a cell. */
export interface FigureCell {
  readonly text: string;
  readonly link?: string | null;
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

/** A row of a table; one that is not among the first is in the details. */
interface CappedRow {
  readonly isFirst: boolean;
  readonly cells: readonly FigureCell[];
}

/** A message holds no more parts of a table. */
const PARTS = 5;

/** The first rows of a table; where there are others, that is said, and the details have all. `what` they are, as a plural. */
export function cappedTable(
  columns: readonly FigureColumn[],
  rows: readonly CappedRow[],
  what: string,
): Pick<Sheet, 'table' | 'remarks' | 'details'> {
  const first = rows.filter(({ isFirst }) => isFirst);
  const more = rows.length - first.length;
  const table = figureTable(
    columns,
    first.map(({ cells }) => cells),
  );
  if (more === 0) return { table, remarks: [], details: [] };
  const details: Message[] = [];
  for (let start = 0; start < rows.length && details.length < PARTS; start += ROWS) {
    const part = rows.slice(start, start + ROWS);
    const whole = figureTable(
      columns,
      part.map(({ cells }) => cells),
    );
    if (whole === null) continue;
    const title =
      start === 0 ? `All ${rows.length} ${what}` : `All ${rows.length} ${what}, from ${start + 1} on`;
    details.push({
      text: escapeMrkdwn(`${title}. ${whole.text}.`),
      blocks: [section(`*${title}*`), whole.block],
    });
  }
  const isWhole = rows.length <= ROWS * PARTS;
  return {
    table,
    remarks: [say(() => `${more} more ${what} in ${isWhole ? 'the details' : 'the export'}.`)],
    details,
  };
}

function charactersOf(rows: readonly (readonly FigureCell[])[], length: number): number {
  return rows.flat().reduce((sum, { text }) => sum + Math.min(text.length, length) + 1, 0);
}

/** A cell without any character is refused. */
function cellOf({ text, link = null }: FigureCell, length: number): RawTextElement | RichTextBlock {
  const shown = shorten(text, length) || ' ';
  if (link === null) return { type: 'raw_text', text: shown };
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url: link, text: shown }] }],
  };
}

/** `WEB-1: Summary Basket loses its items, Review 2d 3h`. */
function rowText(columns: readonly FigureColumn[], cells: readonly FigureCell[], length: number): string {
  const [name, ...rest] = cells.map(({ text }) => isolated(shorten(text, length)));
  const told = rest.flatMap((text, index) => {
    const column = columns[index + 1];
    if (column === undefined || text.trim() === '') return [];
    return [column.holds === 'figure' ? `${isolated(shorten(column.title, length))} ${text}` : text];
  });
  return told.length === 0 ? (name ?? '') : `${name}: ${told.join(', ')}`;
}

/** A glance takes no more columns of values than these. */
const VALUES = 5;
const FIELDS = 3;

/** The columns shown at a glance, in the table's order. */
interface GlanceColumns {
  readonly fields: readonly Column[];
  readonly values: readonly Column[];
  /** How many columns of values are left out. */
  readonly more: number;
}

/**
 * Where columns are figures of one kind, those with the most in them, statuses where no work is done last; else the first.
 */
export function glanceColumns({
  columns,
  rows,
  statuses,
}: Pick<Table, 'columns' | 'rows' | 'statuses'>): GlanceColumns {
  const fields = columns.filter(({ part }) => part === 'field').slice(0, FIELDS);
  const values = columns.filter(({ part }) => part === 'value');
  const isFigures = ['duration', 'count'].some((figure) => values.every(({ kind }) => kind === figure));
  const rank = (column: Column) =>
    isDoneColumn(column, statuses) ? 2 : isToDoColumn(column, statuses) ? 1 : 0;
  const most = isFigures
    ? values.toSorted((a, b) => rank(a) - rank(b) || sumOf(rows, b) - sumOf(rows, a))
    : values;
  const chosen = most.slice(0, VALUES);
  return {
    fields,
    values: values.filter((column) => chosen.includes(column)),
    more: values.length - chosen.length,
  };
}

/** What stands in a column together; texts count nothing. */
export function sumOf(
  rows: readonly { readonly own: Cells; readonly cells: Cells }[],
  column: Column,
): number {
  return rows.reduce((sum, row) => {
    const value = cellIn(row, column)?.value;
    return sum + (typeof value === 'number' ? value : 0);
  }, 0);
}
