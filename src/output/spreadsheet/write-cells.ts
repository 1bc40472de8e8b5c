import type { SheetColumn, SheetRow } from '../workbook.ts';
import { cellText } from './cell-text.ts';
import type { DateCells } from './date-cells.ts';
import { isFormulaLike } from './formula-like.ts';

/** What a file takes cells with, in the order of the columns; empty cells are left out. */
export interface CellSink {
  /** `quoted`: a spreadsheet would run the text, were it typed; the style must say that it is text. */
  text(column: number, text: string, quoted: boolean): void;
  /** `measured`: in a unit, and so shown with two decimals, whatever the value; a plain number is shown as it is. */
  number(column: number, value: number, measured: boolean): void;
  /** A serial number to be shown as an instant or as a day. */
  date(column: number, serial: number, kind: 'instant' | 'day'): void;
}

/**
 * Tells the cells of a row to a sink, texts cut to what a cell holds. Throws RangeError for a number that is not
 * finite: no cell can hold it, and an empty one would say "never".
 */
export function writeCells(
  row: SheetRow,
  columns: readonly SheetColumn[],
  dates: DateCells,
  sink: CellSink,
): void {
  for (let at = 0; at < columns.length; at += 1) {
    const value = row[at] ?? null;
    if (value === null) continue;
    const kind = columns[at]?.kind;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new RangeError(`Column '${columns[at]?.id}' holds ${value}.`);
      const told = kind === 'instant' ? dates.instantCell(value) : value;
      if (typeof told === 'string') writeText(at, told, sink);
      else if (kind === 'instant') sink.date(at, told, 'instant');
      else sink.number(at, told, columns[at]?.unit !== null);
    } else {
      const told = kind === 'day' ? dates.dayCell(value) : value;
      if (typeof told === 'string') writeText(at, told, sink);
      else sink.date(at, told, 'day');
    }
  }
}

/** Tells the titles of the columns to a sink. */
export function writeTitles(columns: readonly SheetColumn[], sink: CellSink): void {
  for (const [at, { title }] of columns.entries()) writeText(at, title, sink);
}

function writeText(column: number, text: string, sink: CellSink): void {
  sink.text(column, cellText(text), isFormulaLike(text));
}
