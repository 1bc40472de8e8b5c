import { dateText, dayText } from '../time/java-dates.ts';
import { csvCell } from './csv.ts';
import { decimalText } from './decimal-text.ts';
import { rowChunks } from './row-chunks.ts';
import type { Sheet, SheetColumn, SheetRow, SheetValue, Workbook } from './workbook.ts';

/** Excel knows UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A sheet as CSV in chunks of bytes: dates in the workbook's patterns, an empty cell for "never". */
export function csvSheet(
  { columns, rows }: Sheet,
  book: Pick<Workbook, 'formats' | 'timeZone'>,
  byteOrderMark: boolean,
): AsyncGenerator<Uint8Array> {
  const cells = columns.map(({ kind }) => cellWriter(kind, book));
  const titles = columns.map(({ title }) => csvCell(title)).join(',');
  return rowChunks(rows, {
    head: `${byteOrderMark ? BYTE_ORDER_MARK : ''}${titles}\r\n`,
    line: (row) => csvLine(row, cells),
    tail: () => '',
  });
}

type CellWriter = (value: string | number) => string;

function csvLine(row: SheetRow, cells: readonly CellWriter[]): string {
  let line = '';
  for (let at = 0; at < cells.length; at += 1) {
    const value: SheetValue = row[at] ?? null;
    if (at > 0) line += ',';
    if (value !== null) line += cells[at]?.(value) ?? '';
  }
  // A line without anything on it would be read as no line at all.
  return line === '' ? '""\r\n' : `${line}\r\n`;
}

function cellWriter(
  kind: SheetColumn['kind'],
  { formats, timeZone }: Pick<Workbook, 'formats' | 'timeZone'>,
): CellWriter {
  const { dateFormat, dateTimeFormat } = formats;
  if (kind === 'instant') {
    return (value) => csvCell(typeof value === 'number' ? dateText(value, dateTimeFormat, timeZone) : value);
  }
  if (kind === 'day') return (value) => csvCell(dayText(String(value), dateFormat));
  return (value) => (typeof value === 'number' ? decimalText(value) : csvCell(value));
}
