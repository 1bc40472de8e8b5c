import type { Instant } from '../model/issue.ts';
import { type ColumnArrays, IRREGULAR, rowFlag } from './column-arrays.ts';
import { placeAmong } from './evaluate-rows.ts';
import { type FinishStatuses, finishedAt, NEEDS_ISSUE } from './finished-rows.ts';
import { compareTexts, ranksOf, type TextPlaces } from './rank-texts.ts';
import { codeThen } from './rows-then.ts';
import { atOnce, byNumbers, inSteps, type Rest, rising } from './sort-rows.ts';
import { createTextReader, NOT_HELD } from './text-column.ts';
import { ABSENT } from './value-codes.ts';

/**
 * An order of rows as plain data, so that a worker can have it: one thing decides after the other. A place is a number;
 * what is empty has `LAST`, so that it comes last ascending and first descending.
 */
export interface RowOrder {
  readonly steps: readonly RowStep[];
  /** Places by step of rows, which ascend, of which columns do not tell them. */
  readonly asked: { readonly rows: Uint32Array; readonly places: readonly AskedPlaces[] };
}

/** Places of rows; of texts what they are compared by, in small letters. */
export type AskedPlaces = Float64Array | readonly (string | null)[];

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
  | { readonly kind: 'finished'; readonly statuses: FinishStatuses }
  /** Texts of a field, whatever their case. */
  | { readonly kind: 'text'; readonly field: string }
  /** No column tells it. */
  | { readonly kind: 'ask' }
);

/** The place of what is empty. */
export const LAST = Number.POSITIVE_INFINITY;

/** The rows, in their order, whose places only their issues tell; they have to be among `asked` before rows are ordered. */
export function rowsToAsk(
  { steps }: Pick<RowOrder, 'steps'>,
  columns: ColumnArrays,
  rows: Uint32Array,
  asOf: Instant,
): Uint32Array {
  const unknown = new Uint8Array(rows.length);
  for (const step of steps) markUnknown(step, rows, unknown, { columns, asOf });
  let count = 0;
  for (let i = 0; i < rows.length; i += 1) count += unknown[i] ?? 0;
  const found = new Uint32Array(count);
  let at = 0;
  for (let i = 0; at < count; i += 1) {
    if (unknown[i] === 0) continue;
    found[at] = rows[i] ?? 0;
    at += 1;
  }
  return found;
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
  const places = placesByStep(order, columns, rows, asOf);
  const chosen =
    count * 16 >= rows.length
      ? atOnce(sorted(order.steps, rows.length, places))
      : firstOf(order.steps, { length: rows.length, count }, places);
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
  const found = await inSteps(
    sorted(order.steps, rows.length, placesByStep(order, columns, rows, asOf)),
    rest,
  );
  for (let i = 0; i < found.length; i += 1) found[i] = rows[found[i] ?? 0] ?? 0;
  return found;
}

/** What decides, by index among the rows. Most orders are decided by their first step: others are looked up once needed. */
interface Places {
  /** Numbers by which a step orders; only what is level has the same. Each step of finding them is short. */
  numbers(step: number): Generator<void, Float64Array>;
  /** Compares two, ascending. */
  comparing(step: number): (a: number, b: number) => number;
}

function placesByStep(
  { steps, asked }: RowOrder,
  columns: ColumnArrays,
  rows: Uint32Array,
  asOf: Instant,
): Places {
  const known: (Float64Array | undefined)[] = [];
  let askedAt: Int32Array | null = null;

  /** By index where the row is among those that were asked; -1: it is not. Null: none is. */
  function* findAsked(): Generator<void, Int32Array | null> {
    if (asked.rows.length === 0 || askedAt !== null) return askedAt;
    const found = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i += 1) {
      if (i % ROWS_AT_ONCE === 0) yield;
      const row = rows[i] ?? 0;
      const at = placeAmong(asked.rows, row);
      found[i] = asked.rows[at] === row ? at : -1;
    }
    askedAt = found;
    return found;
  }

  function* numbersOf(number: number, step: RowStep): Generator<void, Float64Array> {
    const found = new Float64Array(rows.length);
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      yield;
      const until = from + ROWS_AT_ONCE;
      placesBy(step, rows.subarray(from, until), found.subarray(from, until), { columns, asOf });
    }
    const own = asked.places[number];
    const at = yield* findAsked();
    for (let i = 0; at !== null && own instanceof Float64Array && i < at.length; i += 1) {
      const place = at[i] ?? -1;
      if (place >= 0) found[i] = own[place] ?? LAST;
    }
    return found;
  }

  function textsOf(number: number, field: string): TextPlaces {
    const texts = columns.texts[field];
    const own = asked.places[number] ?? [];
    const at = atOnce(findAsked());
    return {
      rows,
      reader: texts === undefined ? null : createTextReader(texts),
      keyAsked(i) {
        const place = at?.[i] ?? -1;
        const key = place < 0 || own instanceof Float64Array ? undefined : own[place];
        return place < 0 ? undefined : (key ?? null);
      },
    };
  }

  function* numbers(number: number): Generator<void, Float64Array> {
    const before = known[number];
    const step = steps[number];
    if (before !== undefined || step === undefined) return before ?? new Float64Array(rows.length);
    if (step.kind === 'text') yield* findAsked();
    const found =
      step.kind === 'text'
        ? yield* ranksOf(textsOf(number, step.field), LAST)
        : yield* numbersOf(number, step);
    known[number] = found;
    return found;
  }

  return {
    numbers,
    comparing(number) {
      const step = steps[number];
      if (step?.kind === 'text') return compareTexts(textsOf(number, step.field));
      const places = atOnce(numbers(number));
      return (a, b) => {
        const [one, other] = [places[a] ?? LAST, places[b] ?? LAST];
        return one === other ? 0 : one < other ? -1 : 1;
      };
    },
  };
}

/** Marks with 1 the rows whose places by a step only their issues tell. */
function markUnknown(
  step: RowStep,
  rows: Uint32Array,
  unknown: Uint8Array,
  { columns, asOf }: { readonly columns: ColumnArrays; readonly asOf: Instant },
): void {
  const { project, flags, updated, ownUpdate } = columns;
  switch (step.kind) {
    case 'ask':
      unknown.fill(1);
      return;
    case 'project':
      for (let i = 0; i < rows.length; i += 1) {
        if ((project[rows[i] ?? 0] ?? IRREGULAR) >= step.places.length) unknown[i] = 1;
      }
      return;
    case 'number':
      for (let i = 0; i < rows.length; i += 1) if (project[rows[i] ?? 0] === IRREGULAR) unknown[i] = 1;
      return;
    case 'instant': {
      if (step.column === 'created') return;
      const until = step.column === 'updated' ? ownUpdate : updated;
      for (let i = 0; i < rows.length; i += 1) if ((until[rows[i] ?? 0] ?? 0) > asOf) unknown[i] = 1;
      return;
    }
    case 'finished':
      for (let i = 0; i < rows.length; i += 1) {
        if (finishedAt(columns, rows[i] ?? 0, step.statuses, asOf) === NEEDS_ISSUE) unknown[i] = 1;
      }
      return;
    case 'text': {
      const sizes = columns.texts[step.field]?.size;
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i] ?? 0;
        const isNow = ((flags[row] ?? 0) & rowFlag.odd) === 0 && (updated[row] ?? 0) <= asOf;
        if (!isNow || (sizes?.[row] ?? NOT_HELD) === NOT_HELD) unknown[i] = 1;
      }
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
        if (!isKnown || (codes?.[row] ?? ABSENT) >= step.places.length) unknown[i] = 1;
      }
      return;
    }
  }
}

/** Writes the places of some rows by one step; no matter what where only the issue tells. */
function placesBy(
  step: RowStep,
  rows: Uint32Array,
  found: Float64Array,
  { columns, asOf }: { readonly columns: ColumnArrays; readonly asOf: Instant },
): void {
  const { project, number, flags, updated } = columns;
  switch (step.kind) {
    case 'ask':
    case 'text':
      return;
    case 'project':
      for (let i = 0; i < rows.length; i += 1) found[i] = step.places[project[rows[i] ?? 0] ?? 0] ?? LAST;
      return;
    case 'number':
      for (let i = 0; i < rows.length; i += 1) found[i] = number[rows[i] ?? 0] ?? 0;
      return;
    case 'instant': {
      const instants = step.column === 'updated' ? columns.ownUpdate : columns[step.column];
      for (let i = 0; i < rows.length; i += 1) {
        const at = instants[rows[i] ?? 0] ?? LAST;
        found[i] = at <= asOf ? at : LAST;
      }
      return;
    }
    case 'finished':
      for (let i = 0; i < rows.length; i += 1) {
        const at = finishedAt(columns, rows[i] ?? 0, step.statuses, asOf);
        found[i] = Number.isNaN(at) ? LAST : at;
      }
      return;
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
      return;
    }
  }
}

/** Compares by the steps from one of them on. */
function compareFrom(
  first: number,
  steps: readonly RowStep[],
  places: Places,
): (a: number, b: number) => number {
  const known: ((a: number, b: number) => number)[] = [];
  return (a, b) => {
    for (let step = first; step < steps.length; step += 1) {
      let compare = known[step];
      if (compare === undefined) {
        compare = places.comparing(step);
        known[step] = compare;
      }
      const compared = compare(a, b);
      if (compared !== 0) return steps[step]?.descends === true ? -compared : compared;
    }
    return 0;
  };
}

/** So few are sorted sooner by comparing them. */
const FEW = 2_000;

/** Rows gone through at once. */
const ROWS_AT_ONCE = 65_536;

/** The numbers below `length` in order: by the step that decides least first, each time leaving those that are level. */
function* sorted(steps: readonly RowStep[], length: number, places: Places): Generator<void, Uint32Array> {
  let order = rising(length);
  if (length <= FEW) return order.sort(compareFrom(0, steps, places));
  for (let step = steps.length - 1; step >= 0; step -= 1) {
    const numbers = yield* places.numbers(step);
    order = yield* byNumbers(order, numbers, steps[step]?.descends === true);
  }
  return order;
}

/** The first `count` of the numbers below `length`, in order: a heap of them has the last one on top. */
function firstOf(
  steps: readonly RowStep[],
  { length, count }: { readonly length: number; readonly count: number },
  places: Places,
): Uint32Array {
  const heap = new Uint32Array(count);
  if (count === 0) return heap;
  for (let i = 0; i < count; i += 1) heap[i] = i;
  const [first] = steps;
  const isText = first?.kind === 'text';
  const sign = first?.descends === true ? -1 : 1;
  const compareAll = compareFrom(0, steps, places);
  const compareOthers = compareFrom(1, steps, places);
  const numbers = isText ? new Float64Array() : atOnce(places.numbers(0));
  const compare = (a: number, b: number) => {
    if (isText) return compareAll(a, b);
    const [one, other] = [numbers[a] ?? LAST, numbers[b] ?? LAST];
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
  if (isText) {
    for (let i = count; i < length; i += 1) {
      if (compareAll(i, heap[0] ?? 0) >= 0) continue;
      heap[0] = i;
      sink(0);
    }
    return heap.sort(compare);
  }
  let limit = sign * (numbers[heap[0] ?? 0] ?? LAST);
  for (let i = count; i < length; i += 1) {
    const place = sign * (numbers[i] ?? LAST);
    // Nearly every one comes behind by its first place.
    if (place > limit || (place === limit && compareOthers(i, heap[0] ?? 0) >= 0)) continue;
    heap[0] = i;
    sink(0);
    limit = sign * (numbers[heap[0] ?? 0] ?? LAST);
  }
  return heap.sort(compare);
}
