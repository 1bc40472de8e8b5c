import { createHash } from 'node:crypto';
import { AppError } from '../../model/error.ts';
import { tables } from '../sql/tables.ts';

/** Tables that are not moved by their rows, but by their files, to where the other store has them. */
const movedAsFiles: readonly string[] = ['blob', 'blob_part'];

/** A table as a move reads and writes it, with the columns by which rows are in order in both engines. */
export interface TableShape {
  readonly name: string;
  readonly key: readonly string[];
  /** Both engines have one type for each kind. */
  readonly columns: readonly { readonly name: string; readonly kind: 'text' | 'integer' | 'bytes' }[];
}

const kinds = {
  text: 'text',
  'text?': 'text',
  integer: 'integer',
  'integer?': 'integer',
  numbered: 'integer',
  bytes: 'bytes',
} as const;

/** The tables in the order in which they are moved. What the schema has and is not here would be lost: a test compares. */
export const tableShapes: readonly TableShape[] = Object.entries(tables)
  .filter(([name]) => !movedAsFiles.includes(name))
  .map(([name, { key, columns }]) => ({
    name,
    key,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, kind: kinds[type] })),
  }));

/** The table whose rows the database itself gives a number, which no other row of it ever had: the column `id`. */
export const NUMBERED = 'issue';

/** The names of columns as SQL lists them. */
export function columnList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** A value of a column. */
type RowValue = string | number | null | Uint8Array;

/** The values of a row in the order of its table's columns. */
export type Row = readonly RowValue[];

/** Rows that follow one another, at least one. */
export interface Slice {
  readonly rows: readonly Row[];
  /** The rows as `COPY … (FORMAT binary)` takes them, which is also what checksums are made of. */
  readonly bytes: Uint8Array;
  /** The key of the last row. */
  readonly last: Row;
}

/** The limits of a slice: a number of rows, and a number of bytes that its last row may exceed. */
const MAX_ROWS = 5_000;
const MAX_BYTES = 8 * 2 ** 20;

/** The count and checksum of the rows of a table that were read, in order from its first row. */
export interface Tally {
  readonly rows: number;
  readonly bytes: number;
  /** The checksum of all rows so far in their order, in hexadecimal digits. */
  readonly checksum: string;
}

export const nothingRead: Tally = { rows: 0, bytes: 0, checksum: '' };

/** Adds a slice. Two sides come to the same checksum as they cut the same rows into the same slices. */
export function addSlice({ rows, bytes, checksum }: Tally, slice: Slice): Tally {
  return {
    rows: rows + slice.rows.length,
    bytes: bytes + slice.bytes.length,
    checksum: createHash('sha256').update(checksum).update(slice.bytes).digest('hex'),
  };
}

/** Cuts rows into slices; where it begins after the end of a slice, the slices are the same as from the first row on. */
export async function* slicesOf(
  rows: AsyncIterable<Row> | Iterable<Row>,
  table: TableShape,
): AsyncGenerator<Slice> {
  const keyAt = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
  const lastOf = (row: Row) => keyAt.map((index) => row[index] ?? null);
  let some: Row[] = [];
  let encoder = new RowEncoder(table);
  for await (const row of rows) {
    encoder.add(row);
    some.push(row);
    if (some.length < MAX_ROWS && encoder.length < MAX_BYTES) continue;
    yield { rows: some, bytes: encoder.bytes(), last: lastOf(row) };
    some = [];
    encoder = new RowEncoder(table);
  }
  const last = some.at(-1);
  if (last !== undefined) yield { rows: some, bytes: encoder.bytes(), last: lastOf(last) };
}

/** The length that stands for no value. */
const NO_VALUE = -1;

/** Writes rows as PostgreSQL reads them: the number of columns, then for each its length and its bytes. */
class RowEncoder {
  readonly #table: TableShape;
  #buffer = Buffer.allocUnsafe(2 ** 16);
  #end = 0;

  constructor(table: TableShape) {
    this.#table = table;
  }

  get length(): number {
    return this.#end;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#end);
  }

  add(row: Row): void {
    this.#reserve(2);
    this.#end = this.#buffer.writeInt16BE(row.length, this.#end);
    for (const [index, { kind }] of this.#table.columns.entries()) {
      const value = row[index] ?? null;
      if (value === null) this.#addLength(NO_VALUE);
      else if (kind === 'text' && typeof value === 'string') this.#addText(value);
      else if (kind === 'integer' && typeof value === 'number' && Number.isInteger(value)) {
        this.#addLength(8);
        this.#reserve(8);
        this.#end = this.#buffer.writeBigInt64BE(BigInt(value), this.#end);
      } else if (kind === 'bytes' && value instanceof Uint8Array) {
        this.#addLength(value.length);
        this.#reserve(value.length);
        this.#buffer.set(value, this.#end);
        this.#end += value.length;
      } else throw this.#unmovable(row, index, `is no ${kind}`);
      if (typeof value === 'string' && value.includes('\0'))
        throw this.#unmovable(row, index, 'has a character of code 0, which PostgreSQL cannot store');
    }
  }

  #addText(text: string): void {
    this.#reserve(4 + 3 * text.length);
    const length = this.#buffer.write(text, this.#end + 4);
    this.#addLength(length);
    this.#end += length;
  }

  #addLength(length: number): void {
    this.#reserve(4);
    this.#end = this.#buffer.writeInt32BE(length, this.#end);
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#end + bytes));
    larger.set(this.#buffer.subarray(0, this.#end));
    this.#buffer = larger;
  }

  #unmovable(row: Row, index: number, why: string): AppError {
    const { name, columns } = this.#table;
    const texts = columns.slice(0, index).map((column, i) => `${column.name} '${row[i] ?? ''}'`);
    const place = `'${columns[index]?.name}' of table '${name}'`;
    return new AppError(
      'store-unavailable',
      `A row cannot be moved: the value in ${place} ${why} (${texts.slice(0, 3).join(', ')}).`,
    );
  }
}
