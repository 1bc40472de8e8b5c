import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { AppError } from '../../model/error.ts';
import type { Tables } from '../sql/tables.ts';

/** Kinds of columns: both engines have one type for each. */
export type ColumnKind = 'text' | 'integer' | 'bytes';

interface MovedTable<Row> {
  /** The columns of the primary key in PostgreSQL, by which rows are in order in both engines. */
  readonly key: readonly (keyof Row & string)[];
  readonly columns: { readonly [Column in keyof Row]-?: ColumnKind };
}

const ofTenant = { tenant: 'text' } as const;
const ofTracker = { ...ofTenant, tracker: 'text' } as const;

/** Tables that are not moved by their rows, but by their files, to where the other store has them. */
export const movedAsFiles = ['blob', 'blob_part'] as const;

type RowTables = Omit<Tables, (typeof movedAsFiles)[number]>;

/** Every other table with its columns. What the schema has and is not here would be lost with a move: a test compares. */
const movedTables: { readonly [Name in keyof RowTables]: MovedTable<Selectable<RowTables[Name]>> } = {
  area: {
    key: ['tenant', 'area'],
    columns: { ...ofTenant, area: 'text', revision: 'integer', word: 'text' },
  },
  last_number: {
    key: ['tenant', 'kind'],
    columns: { ...ofTenant, kind: 'text', number: 'integer' },
  },
  document: {
    key: ['tenant', 'kind', 'id'],
    columns: {
      ...ofTenant,
      kind: 'text',
      id: 'text',
      added: 'integer',
      name: 'text',
      document: 'text',
    },
  },
  issue: {
    key: ['tenant', 'id'],
    columns: {
      id: 'integer',
      ...ofTracker,
      key: 'text',
      revision: 'integer',
      updated: 'integer',
      tracker_id: 'text',
      source_updated: 'integer',
      cut: 'integer',
      unread_roles: 'integer',
      packed: 'bytes',
    },
  },
  issue_term: {
    key: ['tenant', 'tracker', 'kind', 'number'],
    columns: { ...ofTracker, kind: 'text', number: 'integer', term: 'text' },
  },
  issue_gone: {
    key: ['tenant', 'tracker', 'key'],
    columns: { ...ofTracker, key: 'text', revision: 'integer' },
  },
  issue_alias: {
    key: ['tenant', 'tracker', 'key'],
    columns: { ...ofTracker, key: 'text', tracker_id: 'text' },
  },
  issue_former_key: {
    key: ['tenant', 'tracker', 'key'],
    columns: { ...ofTracker, key: 'text', issue_key: 'text' },
  },
  issue_seen: {
    key: ['tenant', 'tracker', 'tracker_id'],
    columns: { ...ofTracker, tracker_id: 'text' },
  },
  user: {
    key: ['tenant', 'tracker', 'id'],
    columns: { ...ofTracker, id: 'text', document: 'text' },
  },
  work: {
    key: ['tenant', 'kind', 'id'],
    columns: {
      ...ofTenant,
      kind: 'text',
      id: 'text',
      owner: 'text',
      added: 'integer',
      open: 'text',
      planned_for: 'integer',
      not_before: 'integer',
      holder: 'text',
      held_until: 'integer',
      served: 'integer',
      document: 'text',
    },
  },
  watch_alert: {
    key: ['tenant', 'watch', 'key', 'since'],
    columns: {
      ...ofTenant,
      watch: 'text',
      key: 'text',
      since: 'integer',
      state: 'text',
      account: 'text',
      claimed_at: 'integer',
      settled_at: 'integer',
    },
  },
  cache_entry: {
    key: ['tenant', 'key'],
    columns: {
      ...ofTenant,
      key: 'text',
      namespace: 'text',
      value: 'text',
      added: 'integer',
      expires_at: 'integer',
    },
  },
  audit: {
    key: ['tenant', 'number'],
    columns: {
      ...ofTenant,
      number: 'integer',
      at: 'integer',
      actor: 'text',
      via: 'text',
      token: 'text',
      request: 'text',
      action: 'text',
      subject: 'text',
      document: 'text',
    },
  },
};

/** A table as a move reads and writes it. */
export interface TableShape {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
}

type AnyTable = { readonly key: readonly string[]; readonly columns: Readonly<Record<string, ColumnKind>> };

/** The tables in the order in which they are moved. */
export const tableShapes: readonly TableShape[] = Object.entries<AnyTable>(movedTables).map(
  ([name, { key, columns }]) => ({
    name,
    key,
    columns: Object.entries(columns).map(([column, kind]) => ({ name: column, kind })),
  }),
);

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
