import { type ColumnArrays, lengthened } from '../columns/column-arrays.ts';
import { type ObservedSlots, RowCursor, type ScanPlan } from './row-cursor.ts';

/** Some rows, and the index of the first one among all that are scanned. */
export interface ScannedRows {
  readonly rows: Uint32Array;
  readonly offset: number;
}

/** Numbers by key, those of a key in the order of the rows, in one or several arrays. */
export type NumbersByKey = ReadonlyMap<number, readonly Float64Array[]>;

/**
 * The result of a scan: lists of numbers, and sums by index. Key 0 of `rest` lists the indexes of the rows that columns
 * cannot speak for.
 */
export interface ScanFound<List extends string = string, Sum extends string = string> {
  readonly lists: Readonly<Record<List | 'rest', NumbersByKey>>;
  readonly sums: Readonly<Record<Sum, Float64Array>>;
  readonly observed: ObservedSlots;
}

/** Takes in rows, of which a cursor reads what it needs. */
interface ScanSink<List extends string = string, Sum extends string = string> {
  readonly lists: Readonly<Record<List | 'rest', Pick<NumberLists, 'done'>>>;
  readonly sums: Readonly<Record<Sum, NumberSums>>;
  /** Adds a row, which has an index among all that are scanned. */
  add(row: number, index: number): void;
}

/** A pass over rows. Its sinks know nothing but columns and plan, so that it can run in any thread. */
export interface Scan<Plan extends ScanPlan, List extends string = string, Sum extends string = string> {
  readonly name: string;
  sink(cursor: RowCursor, plan: Plan): ScanSink<List, Sum>;
}

/** Starts a scan, to which rows are added in their order. */
export function startScan<Plan extends ScanPlan, List extends string, Sum extends string>(
  scan: Scan<Plan, List, Sum>,
  columns: ColumnArrays,
  plan: Plan,
): { readonly add: (some: ScannedRows) => void; readonly found: () => ScanFound<List, Sum> } {
  const cursor = new RowCursor(columns, plan);
  const { lists, sums, add } = scan.sink(cursor, plan);
  return {
    add({ rows, offset }) {
      for (let i = 0; i < rows.length; i += 1) add(rows[i], offset + i);
    },
    found: () => ({
      lists: mapMembers(lists, (list) => list.done()),
      sums: mapMembers(sums, ({ values }) => values),
      observed: cursor.observed(),
    }),
  };
}

/** Runs a scan over some rows. */
export function scanRows<Plan extends ScanPlan, List extends string, Sum extends string>(
  scan: Scan<Plan, List, Sum>,
  columns: ColumnArrays,
  some: ScannedRows,
  plan: Plan,
): ScanFound<List, Sum> {
  const { add, found } = startScan(scan, columns, plan);
  add(some);
  return found();
}

/** The result of a scan over several parts of the rows, in their order. */
export function joinFound<List extends string, Sum extends string>(
  parts: readonly [ScanFound<List, Sum>, ...ScanFound<List, Sum>[]],
): ScanFound<List, Sum> {
  const [first, ...others] = parts;
  if (others.length === 0) return first;
  return {
    lists: mapMembers(first.lists, (_, name) => joinLists(parts.map((part) => part.lists[name]))),
    sums: mapMembers(first.sums, (_, name) => joinSums(parts.map((part) => part.sums[name]))),
    observed: {
      codes: [...new Set(parts.flatMap(({ observed }) => observed.codes))],
      by: first.observed.by.map((_, slot) =>
        parts.reduce((bits, { observed }) => bits | (observed.by[slot] ?? 0), 0),
      ),
    },
  };
}

function joinLists(parts: readonly NumbersByKey[]): NumbersByKey {
  const all = new Map<number, Float64Array[]>();
  for (const part of parts) {
    for (const [key, arrays] of part) {
      const known = all.get(key);
      if (known === undefined) all.set(key, [...arrays]);
      else known.push(...arrays);
    }
  }
  return all;
}

function joinSums(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(Math.max(...parts.map(({ length }) => length)));
  for (const part of parts) for (const [i, sum] of part.entries()) all[i] += sum;
  return all;
}

function mapMembers<Name extends string, Value, Other>(
  members: Readonly<Record<Name, Value>>,
  map: (value: Value, name: Name) => Other,
): Readonly<Record<Name, Other>> {
  const entries = (Object.keys(members) as Name[]).map((name) => [name, map(members[name], name)]);
  return Object.fromEntries(entries) as Record<Name, Other>;
}

/** The numbers of a key as one array. */
export function numbersAt(lists: NumbersByKey, key = 0): Float64Array {
  return joinNumbers(lists.get(key) ?? []);
}

/** One array after the other. */
export function joinNumbers(parts: readonly Float64Array[]): Float64Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const FIRST_NUMBERS = 64;
const SHARED_FROM = 4_096;

/** Numbers that are added one by one to the list of a key. */
export class NumberLists {
  readonly #lists: { values: Float64Array<ArrayBuffer>; length: number }[] = [];

  push(key: number, value: number): void {
    const known = this.#lists[key];
    const list = known ?? { values: new Float64Array(FIRST_NUMBERS), length: 0 };
    if (known === undefined) this.#lists[key] = list;
    if (list.length === list.values.length) {
      list.values = lengthened(list.values, list.length * 2);
    }
    list.values[list.length] = value;
    list.length += 1;
  }

  /** Many numbers are in memory that threads share, so that they are not copied. */
  done(): NumbersByKey {
    const done = new Map<number, readonly Float64Array[]>();
    this.#lists.forEach(({ values, length }, key) => {
      const isMany = length >= SHARED_FROM;
      const own = isMany ? new Float64Array(new SharedArrayBuffer(8 * length)) : new Float64Array(length);
      own.set(values.subarray(0, length));
      done.set(key, [own]);
    });
    return done;
  }
}

/** Sums by index, which need not be known before. */
export class NumberSums {
  values: Float64Array<ArrayBuffer>;

  constructor(length = 0) {
    this.values = new Float64Array(length);
  }

  add(index: number, value: number): void {
    if (index >= this.values.length) {
      this.values = lengthened(this.values, Math.max(FIRST_NUMBERS, index * 2));
    }
    this.values[index] += value;
  }
}
