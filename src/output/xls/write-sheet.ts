import { cellText } from '../spreadsheet/cell-text.ts';
import { columnWidths } from '../spreadsheet/column-widths.ts';
import type { DateCells } from '../spreadsheet/date-cells.ts';
import { isFormulaLike } from '../spreadsheet/formula-like.ts';
import type { SheetPart } from '../spreadsheet/sheet-parts.ts';
import { type CellSink, writeCells } from '../spreadsheet/write-cells.ts';
import { cellFormats } from './cell-formats.ts';
import { MOST_CELL_BYTES, writeNumber, writeText } from './cell-records.ts';
import type { SharedStrings } from './shared-strings.ts';
import { dimensions, sheetFoot, sheetHead } from './sheet-frame.ts';
import type { Spool } from './spool.ts';
import type { WrittenSheet } from './workbook-head.ts';

const CHUNK_BYTES = 2 ** 18;

/** What the sheets of a file have in common: where their records and texts go, and how dates look. */
export interface SheetTarget {
  readonly spool: Spool;
  readonly strings: SharedStrings;
  readonly dates: DateCells;
}

/** Appends a sheet, the header first, to the spool; `index` counts the sheets of the file from 0. */
export async function writeSheet(
  { spool, strings, dates }: SheetTarget,
  { name, columns, firstRows, rows }: SheetPart,
  index: number,
): Promise<WrittenSheet> {
  const start = spool.size();
  const head = sheetHead(columnWidths(columns, firstRows, dates));
  await spool.append(head);
  await spool.append(dimensions(0, columns.length));

  const rowBytes = columns.length * MOST_CELL_BYTES;
  const cells = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, rowBytes));
  let at = 0;
  let row = 0;
  const write = async () => {
    await spool.append(cells.subarray(0, at));
    at = 0;
    await strings.write();
  };
  const sink: CellSink = {
    text(column, text, quoted) {
      const format = quoted ? cellFormats.quoted : cellFormats.general;
      at = writeText(cells, at, row, column, format, strings.indexOf(text));
    },
    number(column, value, measured) {
      const format = measured ? cellFormats.measured : cellFormats.general;
      at = writeNumber(cells, at, row, column, format, value);
    },
    date(column, serial, kind) {
      at = writeNumber(cells, at, row, column, cellFormats[kind], serial);
    },
  };

  for (const [column, { title }] of columns.entries()) {
    const format = isFormulaLike(title) ? cellFormats.quotedHeader : cellFormats.header;
    at = writeText(cells, at, row, column, format, strings.indexOf(cellText(title)));
  }
  row++;
  for await (const part of rows) {
    for (const line of part) {
      if (at + rowBytes > cells.length || strings.isFull()) await write();
      writeCells(line, columns, dates, sink);
      row++;
    }
  }
  await write();
  await spool.append(sheetFoot(index, columns.length));
  await spool.patch(start + head.length, dimensions(row, columns.length));
  return { name, start, rows: row, columns: columns.length };
}
