import type { Instant } from '../model/issue.ts';
import { type ColumnArrays, IRREGULAR, rowFlag } from './issue-columns.ts';
import { codeThen, placeAmong } from './row-predicates.ts';
import type { Rest } from './sort-rows.ts';
import { ABSENT } from './value-codes.ts';

/**
 * An order of rows as plain data, so that a worker can have it: one thing decides after the other. A place is a number;
 * what is empty has `LAST`, so that it comes last ascending and first descending.
 */
export interface RowOrder {
  readonly steps: readonly RowStep[];
  /** Places by step of rows, which ascend, of which columns do not tell them. */
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

/** The rows whose places only their issues tell, ascending; they have to be among `asked` before rows are ordered. */
export function rowsToAsk(
  { steps }: Pick<RowOrder, 'steps'>,
  columns: ColumnArrays,
  rows: Uint32Array,
  asOf: Instant,
): Uint32Array {
  const untold = new Uint8Array(rows.length);
  for (const step of steps) markUntold(step, rows, untold, { columns, asOf });
  let count = 0;
  for (let i = 0; i < rows.length; i += 1) count += untold[i] ?? 0;
  const found = new Uint32Array(count);
  let at = 0;
  for (let i = 0; at < count; i += 1) {
    if (untold[i] === 0) continue;
    found[at] = rows[i] ?? 0;
    at += 1;
  }
  return found.sort();
}

/**
 * The first `count` rows in an order; with `count` at least their number, all of them. A few are chosen in one look at
 * the rows; otherwise all are sorted, which takes ten times as long.
 */
export function topRows(
  order: RowOrder,
  columns: ColumnArrays,
  rows: Uint32Array,
  { asOf, count }: { readonly asOf: Instant; readonly count: number },
): Uint32Array {
  const placesOf = placesByStep(order, columns, rows, asOf);
  const { steps } = order;
  const chosen =
    count * 16 >= rows.length
      ? atOnce(sorted(steps, rows.length, placesOf))
      : firstOf(steps, { length: rows.length, count }, placesOf);
  const top = new Uint32Array(Math.min(count, rows.length));
  for (let i = 0; i < top.length; i += 1) top[i] = rows[chosen[i] ?? 0] ?? 0;
  return top;
}

/** All rows in an order, as `topRows` has them; others get their turn while many are sorted. */
export async function sortByOrder(
  order: RowOrder,
  columns: ColumnArrays,
  rows: Uint32Array,
  { asOf, rest }: { readonly asOf: Instant; readonly rest: Rest },
): Promise<Uint32Array> {
  const sorting = sorted(order.steps, rows.length, placesByStep(order, columns, rows, asOf));
  for (;;) {
    const { done, value } = sorting.next();
    if (done === true) return value.map((i) => rows[i] ?? 0);
    const due = rest();
    if (due !== null) await due;
  }
}

/** Places by index among the rows. Most orders are decided by their first step: others are looked up once needed. */
function placesByStep(
  { steps, asked }: RowOrder,
  columns: ColumnArrays,
  rows: Uint32Array,
  asOf: Instant,
): (step: number) => Float64Array {
  const askedAt = asked.rows.length === 0 ? null : rows.map((row) => placeAmong(asked.rows, row));
  const known: (Float64Array | undefined)[] = [];
  return (step) => {
    const found = known[step];
    if (found !== undefined) return found;
    const one = steps[step];
    const places = one === undefined ? new Float64Array() : placesBy(one, columns, rows, asOf);
    for (let i = 0; askedAt !== null && i < places.length; i += 1) {
      const at = askedAt[i] ?? 0;
      if (asked.rows[at] === rows[i]) places[i] = asked.places[step]?.[at] ?? LAST;
    }
    known[step] = places;
    return places;
  };
}

/** Marks with 1 the rows whose places by a step only their issues tell. */
function markUntold(
  step: RowStep,
  rows: Uint32Array,
  untold: Uint8Array,
  { columns, asOf }: { readonly columns: ColumnArrays; readonly asOf: Instant },
): void {
  const { project, flags, updated, ownUpdate } = columns;
  switch (step.kind) {
    case 'ask':
      untold.fill(1);
      return;
    case 'project':
      for (let i = 0; i < rows.length; i += 1) {
        if ((project[rows[i] ?? 0] ?? IRREGULAR) >= step.places.length) untold[i] = 1;
      }
      return;
    case 'number':
      for (let i = 0; i < rows.length; i += 1) if (project[rows[i] ?? 0] === IRREGULAR) untold[i] = 1;
      return;
    case 'instant': {
      if (step.column === 'created') return;
      const until = step.column === 'updated' ? ownUpdate : updated;
      for (let i = 0; i < rows.length; i += 1) if ((until[rows[i] ?? 0] ?? 0) > asOf) untold[i] = 1;
      return;
    }
    case 'code': {
      const codes = columns.fields[step.field];
      const isHistory = step.field === 'status' || step.field === 'assignee';
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i] ?? 0;
        const flag = flags[row] ?? 0;
        const isNow = step.always || ((flag & rowFlag.odd) === 0 && (updated[row] ?? 0) <= asOf);
        const isKnown = isNow || (isHistory && (flag & (rowFlag.odd | rowFlag.cut)) === 0);
        if (!isKnown || (codes?.[row] ?? ABSENT) >= step.places.length) untold[i] = 1;
      }
      return;
    }
  }
}

/** The places of some rows by one step; no matter what where only the issue tells. */
function placesBy(step: RowStep, columns: ColumnArrays, rows: Uint32Array, asOf: Instant): Float64Array {
  const found = new Float64Array(rows.length);
  const { project, number, flags, updated } = columns;
  switch (step.kind) {
    case 'ask':
      return found;
    case 'project':
      for (let i = 0; i < rows.length; i += 1) found[i] = step.places[project[rows[i] ?? 0] ?? 0] ?? LAST;
      return found;
    case 'number':
      for (let i = 0; i < rows.length; i += 1) found[i] = number[rows[i] ?? 0] ?? 0;
      return found;
    case 'instant': {
      const instants = step.column === 'updated' ? columns.ownUpdate : columns[step.column];
      for (let i = 0; i < rows.length; i += 1) {
        const at = instants[rows[i] ?? 0] ?? LAST;
        found[i] = at <= asOf ? at : LAST;
      }
      return found;
    }
    case 'code': {
      const { field, places, always } = step;
      const codes = columns.fields[field];
      const of = field === 'status' || field === 'assignee' ? field : null;
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i] ?? 0;
        const isWhole = ((flags[row] ?? 0) & (rowFlag.odd | rowFlag.cut)) === 0;
        const isPast = of !== null && !always && isWhole && (updated[row] ?? 0) > asOf;
        found[i] = places[isPast ? codeThen(columns, of, row, asOf) : (codes?.[row] ?? ABSENT)] ?? LAST;
      }
      return found;
    }
  }
}

/** Compares by all steps but the first. */
function compareLevel(
  steps: readonly RowStep[],
  placesOf: (step: number) => Float64Array,
): (a: number, b: number) => number {
  return (a, b) => {
    for (let step = 1; step < steps.length; step += 1) {
      const places = placesOf(step);
      const [one, other] = [places[a] ?? LAST, places[b] ?? LAST];
      if (one !== other) return one < other === (steps[step]?.descends === true) ? 1 : -1;
    }
    return 0;
  };
}

const DIGITS = 0x10000;

/** Rows moved between two looks at whether others are to have their turn. */
const ROWS_AT_ONCE = 65_536;

/**
 * The numbers below `length` in order: by the step that decides least first, each time leaving those that are level as
 * they are, 16 bits at a time. Comparing each with others takes ten times as long.
 */
function* sorted(
  steps: readonly RowStep[],
  length: number,
  placesOf: (step: number) => Float64Array,
): Generator<void, Uint32Array> {
  let order = new Uint32Array(length);
  for (let i = 0; i < length; i += 1) order[i] = i;
  let spare = new Uint32Array(length);
  for (let step = steps.length - 1; step >= 0; step -= 1) {
    const places = placesOf(step);
    yield;
    const digits = digitsOf(places, steps[step]?.descends === true);
    for (let digit = 0; digit < 4; digit += 1) {
      yield;
      const starts = startsOf(digits, digit);
      if (starts === null) continue;
      for (let from = 0; from < length; from += ROWS_AT_ONCE) {
        yield;
        const until = Math.min(length, from + ROWS_AT_ONCE);
        for (let i = from; i < until; i += 1) {
          const one = order[i] ?? 0;
          const value = digits[4 * one + digit] ?? 0;
          const at = starts[value] ?? 0;
          starts[value] = at + 1;
          spare[at] = one;
        }
      }
      [order, spare] = [spare, order];
    }
  }
  return order;
}

function atOnce<Found>(finding: Generator<void, Found>): Found {
  for (;;) {
    const { done, value } = finding.next();
    if (done === true) return value;
  }
}

/** Numbers as four digits of 16 bits each, the last one weighing most, whose order is that of the numbers. */
function digitsOf(places: Float64Array, descends: boolean): Uint16Array {
  const words = new Uint32Array(Float64Array.from(places).buffer);
  const turned = descends ? 0xffffffff : 0;
  for (let i = 1; i < words.length; i += 2) {
    const high = words[i] ?? 0;
    // The bits of negative numbers count the other way round.
    const isNegative = high >>> 31 === 1;
    words[i] = (isNegative ? ~high : high ^ 0x80000000) ^ turned;
    words[i - 1] = (isNegative ? ~(words[i - 1] ?? 0) : (words[i - 1] ?? 0)) ^ turned;
  }
  return new Uint16Array(words.buffer);
}

/** By value of a digit: how many have a smaller one. Null where all have the same. */
function startsOf(digits: Uint16Array, digit: number): Uint32Array | null {
  const starts = new Uint32Array(DIGITS);
  const length = digits.length / 4;
  for (let at = digit; at < digits.length; at += 4) {
    const value = digits[at] ?? 0;
    starts[value] = (starts[value] ?? 0) + 1;
  }
  if (length === 0 || starts[digits[digit] ?? 0] === length) return null;
  let sum = 0;
  for (let value = 0; value < DIGITS; value += 1) {
    const count = starts[value] ?? 0;
    starts[value] = sum;
    sum += count;
  }
  return starts;
}

/** The first `count` of the numbers below `length`, in order: a heap of them has the last one on top. */
function firstOf(
  steps: readonly RowStep[],
  { length, count }: { readonly length: number; readonly count: number },
  placesOf: (step: number) => Float64Array,
): Uint32Array {
  const heap = new Uint32Array(count);
  if (count === 0) return heap;
  for (let i = 0; i < count; i += 1) heap[i] = i;
  const places = placesOf(0);
  const sign = steps[0]?.descends === true ? -1 : 1;
  const compareOthers = compareLevel(steps, placesOf);
  const compare = (a: number, b: number) => {
    const [one, other] = [places[a] ?? LAST, places[b] ?? LAST];
    return one === other ? compareOthers(a, b) : one < other ? -sign : sign;
  };
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
  let limit = sign * (places[heap[0] ?? 0] ?? LAST);
  for (let i = count; i < length; i += 1) {
    const place = sign * (places[i] ?? LAST);
    // Nearly every one comes behind by its first place.
    if (place > limit || (place === limit && compareOthers(i, heap[0] ?? 0) >= 0)) continue;
    heap[0] = i;
    sink(0);
    limit = sign * (places[heap[0] ?? 0] ?? LAST);
  }
  return heap.sort(compare);
}
