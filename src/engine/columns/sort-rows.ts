import type { Instant } from '../../model/issue.ts';
import type { Codes } from './column-arrays.ts';
import { ABSENT } from './value-codes.ts';

/** A pause where the time slice is used up, to be awaited; null where it is not. */
export type Pause = () => Promise<void> | null;

/** Which of two rows comes first: negative, the one given first. */
type CompareRows = (a: number, b: number) => number;

/** Keys are sorted by digits of 16 bits; three of them reach over every time span of ours. */
const DIGIT = 2 ** 16;
const DIGITS = 3;

/** Rows looked at between two looks at the time slice. */
const ROWS_AT_ONCE = 65_536;

/**
 * The rows from 0 on by a key of each, in whole numbers; `compare` decides where keys are the same. Others get their turn
 * meanwhile. By digits: comparing each with others takes ten times as long.
 */
export async function rowsByKey(
  keys: Float64Array,
  compare: CompareRows,
  pause: Pause,
): Promise<Uint32Array> {
  const rows = new Uint32Array(keys.length);
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < rows.length; row += 1) {
    rows[row] = row;
    const key = keys[row];
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
  }
  if (highest - lowest >= DIGIT ** DIGITS) {
    return rows.sort((a, b) => keys[a] - keys[b] || compare(a, b));
  }
  let sorted = rows;
  for (let unit = 1; highest - lowest >= unit; unit *= DIGIT) {
    sorted = await byDigit(sorted, (row) => Math.floor((keys[row] - lowest) / unit) % DIGIT, pause);
  }
  return sortTies(sorted, keys, { compare, pause });
}

/** The rows by a digit of each; those with the same one stay in the order they are in. */
async function byDigit(
  rows: Uint32Array<ArrayBuffer>,
  digitOf: (row: number) => number,
  pause: Pause,
): Promise<Uint32Array<ArrayBuffer>> {
  const digits = new Uint16Array(rows.length);
  const places = new Uint32Array(DIGIT + 1);
  for (let row = 0; row < rows.length; row += 1) {
    const digit = digitOf(row);
    digits[row] = digit;
    places[digit + 1] += 1;
    if (row % ROWS_AT_ONCE === 0) await pause();
  }
  for (let digit = 0; digit < DIGIT; digit += 1) {
    places[digit + 1] += places[digit];
  }
  const sorted = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const digit = digits[row];
    const index = places[digit];
    sorted[index] = row;
    places[digit] = index + 1;
    if (i % ROWS_AT_ONCE === 0) await pause();
  }
  return sorted;
}

async function sortTies(
  rows: Uint32Array,
  keys: Float64Array,
  { compare, pause }: { readonly compare: CompareRows; readonly pause: Pause },
): Promise<Uint32Array> {
  let start = 0;
  for (let i = 1; i <= rows.length; i += 1) {
    if (i < rows.length && keys[rows[i]] === keys[rows[start]]) continue;
    if (i - start > 1) sortRun(rows, start, i, compare);
    start = i;
    if (i % ROWS_AT_ONCE === 0) await pause();
  }
  return rows;
}

function sortRun(rows: Uint32Array, start: number, end: number, compare: CompareRows): void {
  const [first = 0, second = 0] = [rows[start], rows[start + 1]];
  // Most are of two, for which a sort takes its time to begin.
  if (end - start > 2) rows.subarray(start, end).sort(compare);
  else if (compare(first, second) > 0) {
    rows[start] = second;
    rows[start + 1] = first;
  }
}

/** Numbers compared between two steps: a millisecond or two. */
const COMPARED_AT_ONCE = 4_096;

/** Numbers that are sorted at once. */
const RUN = 512;

/** The numbers below `length` as `compare` orders them, those that are level as they are; each step is short. */
export function* sortedBy(length: number, compare: CompareRows): Generator<void, Uint32Array> {
  let order = rising(length);
  for (let start = 0; start < length; start += RUN) {
    yield;
    order.subarray(start, start + RUN).sort(compare);
  }
  let spare = new Uint32Array(length);
  for (let width = RUN; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(length, start + width);
      const end = Math.min(length, middle + width);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at += 1) {
        if (at % COMPARED_AT_ONCE === 0) yield;
        const [one, other] = [order[left], order[right]];
        const isLeft = right === end || (left < middle && compare(one, other) <= 0);
        spare[at] = isLeft ? one : other;
        if (isLeft) left += 1;
        else right += 1;
      }
    }
    [order, spare] = [spare, order];
  }
  return order;
}

/** The numbers below `length`. */
export function rising(length: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(length);
  for (let i = 0; i < length; i += 1) numbers[i] = i;
  return numbers;
}

/** The result of steps; others get their turn between them. */
export async function inSteps<Found>(finding: Generator<void, Found>, pause: Pause): Promise<Found> {
  for (;;) {
    const { done, value } = finding.next();
    if (done === true) return value;
    await pause();
  }
}

/** The place of what is empty. */
export const LAST = Number.POSITIVE_INFINITY;

/** Buckets that rows are counted in; what is empty has one of its own behind them. */
export const BUCKETS = 4_096;

/** Some of the rows, at even distances. */
export function everyRow(rows: Uint32Array, size: number): Uint32Array {
  const some = new Uint32Array(size);
  for (let i = 0; i < size; i += 1) some[i] = rows[Math.floor((i * rows.length) / size)];
  return some;
}

/** Number of rows that were kept, and of those with smaller keys. */
export interface KeptRows {
  readonly inside: number;
  readonly below: number;
}

/** Keeps the rows whose keys are from one to another, and counts those with smaller ones. Without choices: nothing predicts them. */
export function keepBetween(
  rows: Uint32Array,
  keys: Float64Array,
  into: Uint32Array,
  { low, high }: Pick<Bounds, 'low' | 'high'>,
): KeptRows {
  let [count, below] = [0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    const key = keys[i] ?? LAST;
    const isBelow = Number(key < low);
    into[count] = rows[i];
    below += isBelow;
    count += 1 - isBelow - Number(key > high);
  }
  return { inside: count, below };
}

/** The same as `keepBetween` where a column has the keys of all rows. */
export function keepByColumn(
  rows: Uint32Array,
  column: Float64Array,
  into: Uint32Array,
  { low, high }: Pick<Bounds, 'low' | 'high'>,
): KeptRows {
  let [count, below] = [0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const key = column[row] ?? LAST;
    const isBelow = Number(key < low);
    into[count] = row;
    below += isBelow;
    count += 1 - isBelow - Number(key > high);
  }
  return { inside: count, below };
}

/** Sides of two bounds. */
const side = { below: 0, inside: 1, above: 2 };

/** Returns by code on which side of two bounds its place is, for `keepByCodes`. */
export function sidesOf(places: Float64Array, { low, high }: Pick<Bounds, 'low' | 'high'>): Uint8Array {
  return Uint8Array.from(places, (key) => (key < low ? side.below : key > high ? side.above : side.inside));
}

/** The same as `keepBetween` where the keys of all rows are the places of their codes. */
export function keepByCodes(
  rows: Uint32Array,
  { codes, sides }: { readonly codes: Codes; readonly sides: Uint8Array },
  into: Uint32Array,
): KeptRows {
  let [count, below] = [0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const at = sides[codes[row] ?? ABSENT];
    into[count] = row;
    below += Number(at === side.below);
    count += Number(at === side.inside);
  }
  return { inside: count, below };
}

/** Counts rows by their keys; buckets are in the order of these. */
export function countKeys(
  keys: Float64Array,
  bucketOf: Uint16Array,
  counts: Uint32Array,
  { low, high, descends }: Pick<Bounds, 'low' | 'high'> & { readonly descends: boolean },
): void {
  const scale = high > low ? (BUCKETS - 1) / (high - low) : 0;
  const [first, sign] = descends ? [BUCKETS, -1] : [0, 1];
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? LAST;
    let bucket = BUCKETS;
    if (key <= low) bucket = 0;
    else if (key < high) bucket = ((key - low) * scale) | 0;
    else if (key < LAST) bucket = BUCKETS - 1;
    bucket = first + sign * bucket;
    bucketOf[i] = bucket;
    counts[bucket] += 1;
  }
}

/** Puts the rows of some buckets, from `first` to `last`, to where the next one of each is. */
export function keepRows(
  rows: Uint32Array,
  bucketOf: Uint16Array,
  into: Uint32Array,
  { first, last, next }: { readonly first: number; readonly last: number; readonly next: Uint32Array },
): void {
  for (let i = 0; i < rows.length; i += 1) {
    const bucket = bucketOf[i];
    if (bucket < first || bucket > last) continue;
    const at = next[bucket];
    into[at] = rows[i];
    next[bucket] = at + 1;
  }
}

/** The lowest and the highest of some keys, without what is empty. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly hasEmpty: boolean;
}

/** The bounds of no keys. */
export const noBounds: Bounds = { low: LAST, high: Number.NEGATIVE_INFINITY, hasEmpty: false };

/** Bounds that have some more keys in them. */
export function widened(bounds: Bounds, keys: Float64Array): Bounds {
  let { low, high, hasEmpty } = bounds;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? LAST;
    if (key === LAST) hasEmpty = true;
    else {
      if (key < low) low = key;
      if (key > high) high = key;
    }
  }
  return { low, high, hasEmpty };
}

/** The index of the first of some instants, which are in their order, that is after another; their number where none is. */
export function placeAfter(instants: Float64Array, at: Instant): number {
  let [low, high] = [0, instants.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instants[middle] > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
