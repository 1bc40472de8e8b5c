import { writeFile } from 'node:fs/promises';
import { dateText, dayText } from '../../time/date-text.ts';
import { writeZip, type ZipEntry } from '../file-bytes.ts';
import { isFormulaLike } from '../spreadsheet/excel-cells.ts';
import type { FileFormat, Sheet, SheetColumn, SheetRow, SheetValue, Workbook } from '../workbook.ts';

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
    else if (!bytes.number(value)) bytes.text(plainDecimal(value));
  };
}

/**
 * A number in plain decimals, never with an exponent: at most ten decimals, no trailing zeros, no "-0". Throws
 * RangeError for what is not finite.
 */
export function plainDecimal(value: number): string {
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
  const safe = start.replaceAll(/([;\t\r\n])([^;\t\r\n]+)/g, (whole, separator, left) =>
    isFormulaLike(left) ? `${separator}'${left}` : whole,
  );
  return `"${safe.replaceAll('"', '""')}"`;
}

/** No chunk is longer, in bytes. */
const CHUNK = 131_072;

/** Texts up to this length (UTF-16 units) are copied unit by unit, which takes less than calling the encoder. */
const SHORT = 96;

/** Largest number of bytes of a UTF-16 unit. */
const MAX_BYTES = 3;

/** Largest number of bytes of a number that is written here. */
const MAX_NUMBER = 32;

const [COMMA, MINUS, DOT, ZERO] = [0x2c, 0x2d, 0x2e, 0x30];

const DECIMALS = 1e10;
/** Below this, all digits of a number with ten decimals are fifteen at most: no two of such texts are one number. */
const MAX_EXACT = 1e5;
const MAX_INTEGER = 0x7fff_ffff;

/** ASCII that makes a cell need quotes. */
const special = new Uint8Array(128);
for (const character of '",\r\n;\t') special[character.charCodeAt(0)] = 1;

/** Collects text as UTF-8 in chunks of at most 128 KiB. */
class CsvBytes {
  #chunk: Buffer = Buffer.allocUnsafeSlow(CHUNK);
  #end = 0;
  #full: Uint8Array[] = [];

  hasFull(): boolean {
    return this.#full.length > 0;
  }

  /** Chunks that are full, and from now on are no longer known here. */
  takeFull(): readonly Uint8Array[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** All that is left. */
  takeRest(): readonly Uint8Array[] {
    const left = [...this.#full, this.#chunk.subarray(0, this.#end)];
    this.#full = [];
    this.#chunk = Buffer.alloc(0);
    this.#end = 0;
    return left;
  }

  comma(): void {
    this.#makeRoom(1);
    this.#chunk[this.#end] = COMMA;
    this.#end += 1;
  }

  /** Writes a text that needs no quotes; false, and nothing is written, for one that does or has halves of characters. */
  bare(text: string): boolean {
    const { length } = text;
    if (length > SHORT) return false;
    this.#makeRoom(length * MAX_BYTES);
    const chunk = this.#chunk;
    let end = this.#end;
    for (let at = 0; at < length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) {
        if (special[unit] === 1) return false;
        chunk[end] = unit;
        end += 1;
      } else if (unit < 0x800) {
        chunk[end] = 0xc0 | (unit >> 6);
        chunk[end + 1] = 0x80 | (unit & 0x3f);
        end += 2;
      } else if (unit < 0xd800 || unit > 0xdfff) {
        chunk[end] = 0xe0 | (unit >> 12);
        chunk[end + 1] = 0x80 | ((unit >> 6) & 0x3f);
        chunk[end + 2] = 0x80 | (unit & 0x3f);
        end += 3;
      } else return false;
    }
    this.#end = end;
    return true;
  }

  /** Writes any text as it is. */
  text(text: string): void {
    if (text.length * MAX_BYTES <= CHUNK) {
      this.#makeRoom(text.length * MAX_BYTES);
      this.#end += this.#chunk.write(text, this.#end);
      return;
    }
    const bytes = Buffer.from(text);
    this.#makeRoom(CHUNK);
    for (let at = 0; at < bytes.length; at += CHUNK) this.#full.push(bytes.subarray(at, at + CHUNK));
  }

  /**
   * Writes a number as `plainDecimal` does; false, and nothing is written, where its digits take more care: beyond 31 bits,
   * beyond 100,000 with decimals, or with more than ten of them.
   */
  number(value: number): boolean {
    const size = Math.abs(value);
    const isWhole = Number.isInteger(value);
    if (isWhole ? size > MAX_INTEGER : !(size < MAX_EXACT)) return false;
    let fraction = 0;
    let whole = size;
    if (!isWhole) {
      const scaled = Math.round(size * DECIMALS);
      // The shortest text of a number is the only one with so few digits that is read as this number.
      if (scaled / DECIMALS !== size) return false;
      whole = Math.floor(size);
      fraction = scaled - whole * DECIMALS;
    }
    this.#makeRoom(MAX_NUMBER);
    const chunk = this.#chunk;
    let end = this.#end;
    if (value < 0) {
      chunk[end] = MINUS;
      end += 1;
    }
    end = writeWhole(chunk, end, whole | 0);
    if (fraction > 0) {
      chunk[end] = DOT;
      const first = Math.floor(fraction / 100_000);
      writeFive(chunk, end + 1, first | 0);
      writeFive(chunk, end + 6, (fraction - first * 100_000) | 0);
      end += 11;
      while (chunk[end - 1] === ZERO) end -= 1;
    }
    this.#end = end;
    return true;
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= CHUNK) return;
    this.#full.push(this.#chunk.subarray(0, this.#end));
    // The reader of a chunk can keep it for a while.
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK);
    this.#end = 0;
  }
}

function writeWhole(chunk: Uint8Array, start: number, value: number): number {
  let end = start + 1;
  for (let left = (value / 10) | 0; left > 0; left = (left / 10) | 0) end += 1;
  let left = value;
  for (let at = end - 1; at >= start; at -= 1) {
    const next = (left / 10) | 0;
    chunk[at] = ZERO + left - next * 10;
    left = next;
  }
  return end;
}

function writeFive(chunk: Uint8Array, start: number, value: number): void {
  let left = value;
  for (let at = start + 4; at >= start; at -= 1) {
    const next = (left / 10) | 0;
    chunk[at] = ZERO + left - next * 10;
    left = next;
  }
}
