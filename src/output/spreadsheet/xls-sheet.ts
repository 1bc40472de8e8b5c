import { type CellSink, cellText, type DateCells, isFormulaLike, writeCells } from './excel-cells.ts';
import { columnWidths, type SheetPart } from './sheet-parts.ts';
import {
  CHUNK_BYTES,
  float64,
  record,
  recordTypes,
  type SharedStrings,
  type Spool,
  uint16s,
  uint32s,
} from './xls-records.ts';
import { cellFormats, filterButtons, type WrittenSheet } from './xls-workbook.ts';

/** The common parts of the sheets of a file: the writers of records and texts, and the form of dates. */
interface SheetTarget {
  readonly spool: Spool;
  readonly strings: SharedStrings;
  readonly dates: DateCells;
}

const DEFAULT_FORMAT = 15;

/** No cell needs more bytes. */
const MAX_CELL_BYTES = 18;

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

  const rowBytes = columns.length * MAX_CELL_BYTES;
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

/** The bounds of the cells: rows and columns from 0, both ends without the last. [MS-XLS] 2.4.90. */
function dimensions(rows: number, columns: number): Uint8Array {
  return record('DIMENSIONS', uint32s(0, rows), uint16s(0, columns, 0));
}

/**
 * Everything before the cells of a sheet whose columns have these widths (characters) but its dimensions, which come
 * last. Order and contents: [MS-XLS] 2.1.7.20.5.
 */
function sheetHead(widths: readonly number[]): Uint8Array {
  return Buffer.concat([
    record('BOF', uint16s(0x0600, 0x0010, 0x0dbb, 0x07cc), uint32s(0, 6)),
    ...calculation,
    ...page,
    record('DEFCOLWIDTH', uint16s(8)),
    ...widthRecords(widths),
    ...(widths.length > 0 ? [record('AUTOFILTERINFO', uint16s(widths.length))] : []),
  ]);
}

/** Everything behind the cells: the buttons of the filter, and the window with the header frozen on top. */
function sheetFoot(sheet: number, columns: number): Uint8Array {
  const window = sheet === 0 ? 0x07be : 0x01be;
  return Buffer.concat([
    filterButtons(sheet, columns),
    record('WINDOW2', uint16s(window, 0, 0, 0x0040, 0, 0, 0, 0, 0)),
    record('PANE', uint16s(0, 1, 1, 0, 2)),
    selection(3, 0),
    selection(2, 1),
    record('EOF'),
  ]);
}

/** Excel's own defaults: automatic, a hundred rounds at most, A1 references, saved values are recalculated. */
const calculation = [
  record('CALCMODE', uint16s(1)),
  record('CALCCOUNT', uint16s(100)),
  record('REFMODE', uint16s(1)),
  record('ITERATION', uint16s(0)),
  record('DELTA', float64(0.001)),
  record('SAVERECALC', uint16s(1)),
];

/** Nothing printed but the cells, rows as high as their font, no outline; what the printer does is left to it. */
const page = [
  record('PRINTHEADERS', uint16s(0)),
  record('PRINTGRID', uint16s(0)),
  record('GRIDSET', uint16s(1)),
  record('GUTS', uint16s(0, 0, 0, 0)),
  record('DEFAULTROWHEIGHT', uint16s(0, 0x00ff)),
  record('WSBOOL', uint16s(0x04c1)),
  record('HEADER'),
  record('FOOTER'),
  record('HCENTER', uint16s(0)),
  record('VCENTER', uint16s(0)),
  record('SETUP', uint16s(0, 100, 1, 1, 1, 0x0004, 0, 0), float64(0.5), float64(0.5), uint16s(1)),
];

/** Columns beside each other with the same width share a record. Widths are counted in 256ths of a character. */
function widthRecords(widths: readonly number[]): Uint8Array[] {
  const records: Uint8Array[] = [];
  for (let first = 0; first < widths.length; ) {
    const width = widths[first] ?? 0;
    const next = widths.findIndex((other, column) => column > first && other !== width);
    const end = next === -1 ? widths.length : next;
    records.push(
      record('COLINFO', uint16s(first, end - 1, Math.round(width * 256), DEFAULT_FORMAT, 0x0002, 0)),
    );
    first = end;
  }
  return records;
}

/** One selected cell, the first of a pane, which its number names. */
function selection(pane: number, row: number): Uint8Array {
  return record('SELECTION', Buffer.of(pane), uint16s(row, 0, 0, 1, row, row), Buffer.of(0, 0));
}

const { LABELSST, NUMBER, RK } = recordTypes;

/**
 * Writes a cell with the text at a place among the shared strings; returns where the next record begins. Rows and
 * columns are counted from 0, a format is the index of an XF record. [MS-XLS] 2.4.149.
 */
function writeText(
  bytes: Buffer,
  at: number,
  row: number,
  column: number,
  format: number,
  index: number,
): number {
  return bytes.writeUInt32LE(index, writeHead(bytes, at, LABELSST, 10, row, column, format));
}

/** Writes a cell with a finite number, in the short form (RK) where it is exact. [MS-XLS] 2.4.180, 2.4.220. */
function writeNumber(
  bytes: Buffer,
  at: number,
  row: number,
  column: number,
  format: number,
  value: number,
): number {
  const short = rk(value);
  return short === null
    ? bytes.writeDoubleLE(value, writeHead(bytes, at, NUMBER, 14, row, column, format))
    : bytes.writeInt32LE(short, writeHead(bytes, at, RK, 10, row, column, format));
}

function writeHead(
  bytes: Buffer,
  at: number,
  type: number,
  length: number,
  row: number,
  column: number,
  format: number,
): number {
  bytes.writeUInt16LE(type, at);
  bytes.writeUInt16LE(length, at + 2);
  bytes.writeUInt16LE(row, at + 4);
  bytes.writeUInt16LE(column, at + 6);
  return bytes.writeUInt16LE(format, at + 8);
}

/** A number of 30 bits, whole or in hundredths; the two lowest bits say which. [MS-XLS] 2.5.217. */
function rk(value: number): number | null {
  if (isShort(value)) return (value << 2) | 2;
  const hundredths = Math.round(value * 100);
  return isShort(hundredths) && hundredths / 100 === value ? (hundredths << 2) | 3 : null;
}

function isShort(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 29) && value < 2 ** 29;
}
