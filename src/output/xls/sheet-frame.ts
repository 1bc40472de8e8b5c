import { filterButtons } from './filter-buttons.ts';
import { double, longs, record, words } from './record.ts';

const DEFAULT_FORMAT = 15;

/** The bounds of the cells: rows and columns from 0, both ends without the last. [MS-XLS] 2.4.90. */
export function dimensions(rows: number, columns: number): Uint8Array {
  return record('DIMENSIONS', longs(0, rows), words(0, columns, 0));
}

/**
 * Everything before the cells of a sheet whose columns have these widths (characters) but its dimensions, which come
 * last. Order and contents: [MS-XLS] 2.1.7.20.5.
 */
export function sheetHead(widths: readonly number[]): Uint8Array {
  return Buffer.concat([
    record('BOF', words(0x0600, 0x0010, 0x0dbb, 0x07cc), longs(0, 6)),
    ...calculation,
    ...page,
    record('DEFCOLWIDTH', words(8)),
    ...columnWidths(widths),
    ...(widths.length > 0 ? [record('AUTOFILTERINFO', words(widths.length))] : []),
  ]);
}

/** Everything behind the cells: the buttons of the filter, and the window with the header frozen on top. */
export function sheetFoot(sheet: number, columns: number): Uint8Array {
  const window = sheet === 0 ? 0x07be : 0x01be;
  return Buffer.concat([
    filterButtons(sheet, columns),
    record('WINDOW2', words(window, 0, 0, 0x0040, 0, 0, 0, 0, 0)),
    record('PANE', words(0, 1, 1, 0, 2)),
    selection(3, 0),
    selection(2, 1),
    record('EOF'),
  ]);
}

/** Excel's own defaults: automatic, a hundred rounds at most, A1 references, saved values are recalculated. */
const calculation = [
  record('CALCMODE', words(1)),
  record('CALCCOUNT', words(100)),
  record('REFMODE', words(1)),
  record('ITERATION', words(0)),
  record('DELTA', double(0.001)),
  record('SAVERECALC', words(1)),
];

/** Nothing printed but the cells, rows as high as their font, no outline; what the printer does is left to it. */
const page = [
  record('PRINTHEADERS', words(0)),
  record('PRINTGRID', words(0)),
  record('GRIDSET', words(1)),
  record('GUTS', words(0, 0, 0, 0)),
  record('DEFAULTROWHEIGHT', words(0, 0x00ff)),
  record('WSBOOL', words(0x04c1)),
  record('HEADER'),
  record('FOOTER'),
  record('HCENTER', words(0)),
  record('VCENTER', words(0)),
  record('SETUP', words(0, 100, 1, 1, 1, 0x0004, 0, 0), double(0.5), double(0.5), words(1)),
];

/** Columns beside each other with the same width share a record. Widths are counted in 256ths of a character. */
function columnWidths(widths: readonly number[]): Uint8Array[] {
  const records: Uint8Array[] = [];
  for (let first = 0; first < widths.length; ) {
    const width = widths[first] ?? 0;
    const next = widths.findIndex((other, column) => column > first && other !== width);
    const end = next === -1 ? widths.length : next;
    records.push(
      record('COLINFO', words(first, end - 1, Math.round(width * 256), DEFAULT_FORMAT, 0x0002, 0)),
    );
    first = end;
  }
  return records;
}

/** One selected cell, the first of a pane, which its number names. */
function selection(pane: number, row: number): Uint8Array {
  return record('SELECTION', Buffer.of(pane), words(row, 0, 0, 1, row, row), Buffer.of(0, 0));
}
