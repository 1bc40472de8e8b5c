import { writeFile } from 'node:fs/promises';
import { dateText, dayText } from '../../time/date-text.ts';
import { writeZip, type ZipEntry } from '../file-bytes.ts';
import { isFormulaLike } from '../spreadsheet/excel-cells.ts';
import type { FileFormat, Sheet, SheetColumn, SheetRow, SheetValue, Workbook } from '../workbook.ts';
import { CsvBytes } from './csv-bytes.ts';

/** The first sheet of a workbook, and nothing of the others: a CSV is one table. */
export const csv: FileFormat = {
  id: 'csv',
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  maxColumns: null,
  async write(book, path, { byteOrderMark }) {
    const [sheet] = book.sheets;
    await writeFile(path, sheet === undefined ? '' : csvSheet(sheet, book, byteOrderMark), { flag: 'wx' });
  },
};

/** Every sheet of a workbook as a CSV of its own, in one ZIP. */
export const csvZip: FileFormat = {
  id: 'csvZip',
  extension: 'zip',
  mediaType: 'application/zip',
  maxColumns: null,
  write: (book, path, { byteOrderMark, compression }) =>
    writeZip(path, compression, entries(book, byteOrderMark)),
};

async function* entries(book: Workbook, byteOrderMark: boolean): AsyncGenerator<ZipEntry> {
  for (const sheet of book.sheets) {
    yield {
      name: `${fileName(book.title)}-${fileName(sheet.id)}.csv`,
      content: csvSheet(sheet, book, byteOrderMark),
    };
  }
}

const MAX_NAME = 80;

/** Letters and digits of any script: whatever else may mean something to a file system. */
function fileName(text: string): string {
  const plain = text.normalize().replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-');
  return [...plain].slice(0, MAX_NAME).join('').replaceAll(/^-|-$/g, '') || 'sheet';
}

/** A sheet as CSV in chunks of bytes: dates in the workbook's patterns, an empty cell for "never". */
async function* csvSheet(
  { columns, rows }: Sheet,
  book: Pick<Workbook, 'formats' | 'timeZone'>,
  byteOrderMark: boolean,
): AsyncGenerator<Uint8Array> {
  const bytes = new CsvBytes();
  const cells = columns.map(({ kind }) => cellWriter(kind, book, bytes));
  bytes.text(`${byteOrderMark ? '\uFEFF' : ''}${csvLine(columns.map(({ title }) => title))}`);
  for await (const part of rows) {
    for (const row of part) {
      writeLine(row, cells, bytes);
      if (bytes.hasFull()) yield* bytes.takeFull();
    }
  }
  yield* bytes.takeRest();
}

function writeLine(row: SheetRow, cells: readonly CellWriter[], bytes: CsvBytes): void {
  let isEmpty = cells.length < 2;
  for (let at = 0; at < cells.length; at += 1) {
    const value: SheetValue = row[at] ?? null;
    if (at > 0) bytes.comma();
    if (value === null || value === '') continue;
    cells[at]?.(value);
    isEmpty = false;
  }
  // A line without anything on it would be read as no line at all.
  bytes.text(isEmpty ? '""\r\n' : '\r\n');
}

type CellWriter = (value: string | number) => void;

function cellWriter(
  kind: SheetColumn['kind'],
  { formats, timeZone }: Pick<Workbook, 'formats' | 'timeZone'>,
  bytes: CsvBytes,
): CellWriter {
  const { dateFormat, dateTimeFormat } = formats;
  const text = (value: string) => {
    if (isFormulaLike(value) || !bytes.bare(value)) bytes.text(csvCell(value));
  };
  if (kind === 'instant') {
    return (value) => text(typeof value === 'number' ? dateText(value, dateTimeFormat, timeZone) : value);
  }
  if (kind === 'day') return (value) => text(dayText(String(value), dateFormat));
  return (value) => {
    if (typeof value !== 'number') text(value);
    else if (!bytes.number(value)) bytes.text(decimalText(value));
  };
}

/**
 * A number in plain decimals, never with an exponent: at most ten decimals, no trailing zeros, no "-0". Throws
 * RangeError for what is not finite.
 */
export function decimalText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no decimals.`);
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? String(value) : String(BigInt(value));
  const text = String(value);
  if (text.length - text.indexOf('.') <= 11 && !text.includes('e')) return text;
  const rounded = value.toFixed(10).replace(/\.?0+$/, '');
  return rounded === '-0' ? '0' : rounded;
}

/** Lines of text cells as CSV: RFC 4180, lines end with CRLF, the last one included. */
export function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map(csvLine).join('');
}

/** One of these lines. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A text as a cell of CSV. What a spreadsheet would run as a formula gets an apostrophe in front, also behind what
 * separates cells elsewhere: one that splits at semicolons or tabs does not know our quotes in the middle of a line.
 */
function csvCell(text: string): string {
  const start = isFormulaLike(text) ? `'${text}` : text;
  if (!/[",\r\n;\t]/.test(start)) return start;
  const safe = start.replaceAll(/([;\t\r\n])([^;\t\r\n]+)/g, (whole, separator, rest) =>
    isFormulaLike(rest) ? `${separator}'${rest}` : whole,
  );
  return `"${safe.replaceAll('"', '""')}"`;
}
