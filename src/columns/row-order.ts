import type { Instant } from '../model/issue.ts';
import { type ColumnArrays, IRREGULAR, rowFlag } from './issue-columns.ts';
import { codeThen } from './row-predicates.ts';
import { type Rest, sortRows } from './sort-rows.ts';
import { ABSENT } from './value-codes.ts';

/**
 * An order of rows as plain data, so that a worker can have it: one thing decides after the other. A place is a number;
 * what is empty has `LAST`, so that it comes last ascending and first descending.
 */
export interface RowOrder {
  readonly steps: readonly RowStep[];
  /** Places by step of rows of which columns do not tell them. */
  readonly asked: { readonly rows: Uint32Array; readonly places: readonly Float64Array[] };
}

/** One thing that decides. */
export type RowStep = { readonly descends: boolean } & (
  | {
      readonly kind: 'code';
      readonly field: string;
      /** By code of what the field held then. */
      readonly places: Float64Array;
      /** The field never changes. */
      readonly always: boolean;
    }
  /** Places by code of the key's project. */
  | { readonly kind: 'project'; readonly places: Float64Array }
  | { readonly kind: 'number' }
  | { readonly kind: 'instant'; readonly column: 'created' | 'updated' | 'resolved' }
  /** No column tells it. */
  | { readonly kind: 'ask' }
);

/** The place of what is empty. */
export const LAST = Number.POSITIVE_INFINITY;

/** Where only the issue itself tells a place. */
const UNTOLD = Number.NaN;

/** The rows whose places only their issues tell, ascending; they have to be among `asked` before rows are ordered. */
export function rowsToAsk(
  { steps }: Pick<RowOrder, 'steps'>,
  columns: ColumnArrays,
  rows: Uint32Array,
  asOf: Instant,
): Uint32Array {
  const untold = new Uint8Array(rows.length);
  for (const step of steps) {
    const places = placesBy(step, columns, rows, asOf);
    for (let i = 0; i < places.length; i += 1) if (Number.isNaN(places[i])) untold[i] = 1;
  }
  return rows.filter((_, i) => untold[i] === 1).sort();
}

/**
 * The first `count` rows in an order; with `count` at least their number, all of them. So many are chosen in one look at
 * the rows; all are sorted, which at a million takes about a second.
 */
export function topRows(
  order: RowOrder,
  columns: ColumnArrays,
  rows: Uint32Array,
  { asOf, count }: { readonly asOf: Instant; readonly count: number },
): Uint32Array {
  const compare = compareWithin(order, columns, rows, asOf);
  const chosen =
    count * 4 >= rows.length
      ? Uint32Array.from({ length: rows.length }, (_, i) => i)
      : firstOf(rows.length, count, compare);
  return chosen
    .sort(compare)
    .subarray(0, count)
    .map((i) => rows[i] ?? 0);
}

/** All rows in an order; others get their turn while many are sorted. */
export async function sortByOrder(
  order: RowOrder,
  columns: ColumnArrays,
  rows: Uint32Array,
  { asOf, rest }: { readonly asOf: Instant; readonly rest: Rest },
): Promise<Uint32Array> {
  const places = Uint32Array.from({ length: rows.length }, (_, i) => i);
  const sorted = await sortRows(places, compareWithin(order, columns, rows, asOf), rest);
  return sorted.map((i) => rows[i] ?? 0);
}

/** Compares rows by their index among `rows`. */
function compareWithin(
  { steps, asked }: RowOrder,
  columns: ColumnArrays,
  rows: Uint32Array,
  asOf: Instant,
): (a: number, b: number) => number {
  const askedAt = new Map(Array.from(asked.rows, (row, i) => [row, i]));
  const known: (Float64Array | undefined)[] = [];
  // Most orders are decided by their first step: places of the others are looked up once they are needed.
  const placesOf = (step: number): Float64Array => {
    const found = known[step];
    if (found !== undefined) return found;
    const one = steps[step];
    const places = one === undefined ? new Float64Array() : placesBy(one, columns, rows, asOf);
    if (askedAt.size > 0) {
      for (let i = 0; i < places.length; i += 1) {
        const at = askedAt.get(rows[i] ?? 0);
        if (at !== undefined) places[i] = asked.places[step]?.[at] ?? LAST;
      }
    }
    known[step] = places;
    return places;
  };
  return (a, b) => {
    for (let step = 0; step < steps.length; step += 1) {
      const places = placesOf(step);
      const [one, other] = [places[a] ?? LAST, places[b] ?? LAST];
      if (one !== other) return one < other === (steps[step]?.descends === true) ? 1 : -1;
    }
    return 0;
  };
}

/** The places of some rows by one step, `UNTOLD` where only the issue tells. */
function placesBy(step: RowStep, columns: ColumnArrays, rows: Uint32Array, asOf: Instant): Float64Array {
  const found = new Float64Array(rows.length);
  const { project, number, flags, updated } = columns;
  switch (step.kind) {
    case 'ask':
      return found.fill(UNTOLD);
    case 'project':
      for (let i = 0; i < rows.length; i += 1) found[i] = step.places[project[rows[i] ?? 0] ?? 0] ?? UNTOLD;
      return found;
    case 'number':
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i] ?? 0;
        found[i] = project[row] === IRREGULAR ? UNTOLD : (number[row] ?? 0);
      }
      return found;
    case 'instant': {
      const { column } = step;
      const instants = column === 'updated' ? columns.ownUpdate : columns[column];
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i] ?? 0;
        const at = instants[row] ?? Number.NaN;
        const isUntold =
          column === 'updated' ? at > asOf : column === 'resolved' && (updated[row] ?? 0) > asOf;
        found[i] = isUntold ? UNTOLD : at <= asOf ? at : LAST;
      }
      return found;
    }
    case 'code': {
      const { field, places, always } = step;
      const codes = columns.fields[field];
      const of = field === 'status' || field === 'assignee' ? field : null;
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i] ?? 0;
        const flag = flags[row] ?? 0;
        if (always || ((flag & rowFlag.odd) === 0 && (updated[row] ?? 0) <= asOf)) {
          found[i] = places[codes?.[row] ?? ABSENT] ?? UNTOLD;
        } else if (of !== null && (flag & (rowFlag.odd | rowFlag.cut)) === 0) {
          found[i] = places[codeThen(columns, of, row, asOf)] ?? UNTOLD;
        } else found[i] = UNTOLD;
      }
      return found;
    }
  }
}

/** The first `count` of the numbers below `length`, in no order: a heap of them has the last one on top. */
function firstOf(length: number, count: number, compare: (a: number, b: number) => number): Uint32Array {
  const heap = Uint32Array.from({ length: count }, (_, i) => i);
  const sink = (from: number) => {
    const moved = heap[from] ?? 0;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && compare(heap[child + 1] ?? 0, heap[child] ?? 0) > 0) child += 1;
      if (compare(heap[child] ?? 0, moved) <= 0) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = moved;
  };
  for (let at = (count >> 1) - 1; at >= 0; at -= 1) sink(at);
  for (let i = count; i < length; i += 1) {
    if (count === 0 || compare(i, heap[0] ?? 0) >= 0) continue;
    heap[0] = i;
    sink(0);
  }
  return heap;
}
