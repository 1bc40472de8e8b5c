import type { Codes } from './column-arrays.ts';
import { LAST } from './row-order.ts';
import { ABSENT } from './value-codes.ts';

/** Buckets that rows are counted in; what is empty has one of its own behind them. */
export const BUCKETS = 4_096;

/** Some of the rows, at even distances. */
export function everyRow(rows: Uint32Array, size: number): Uint32Array {
  const some = new Uint32Array(size);
  for (let i = 0; i < size; i += 1) some[i] = rows[Math.floor((i * rows.length) / size)];
  return some;
}

/** Keeps the rows whose keys are from one to another, and counts those with smaller ones. Without choices: nothing predicts them. */
export function keepBetween(
  rows: Uint32Array,
  keys: Float64Array,
  kept: Uint32Array,
  { low, high }: Pick<Bounds, 'low' | 'high'>,
): { readonly kept: number; readonly below: number } {
  let [count, below] = [0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    const key = keys[i] ?? LAST;
    const isBelow = Number(key < low);
    kept[count] = rows[i];
    below += isBelow;
    count += 1 - isBelow - Number(key > high);
  }
  return { kept: count, below };
}

/** The same as `keepBetween` where a column has the keys of all rows. */
export function keepByColumn(
  rows: Uint32Array,
  column: Float64Array,
  kept: Uint32Array,
  { low, high }: Pick<Bounds, 'low' | 'high'>,
): { readonly kept: number; readonly below: number } {
  let [count, below] = [0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const key = column[row] ?? LAST;
    const isBelow = Number(key < low);
    kept[count] = row;
    below += isBelow;
    count += 1 - isBelow - Number(key > high);
  }
  return { kept: count, below };
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
  kept: Uint32Array,
): { readonly kept: number; readonly below: number } {
  let [count, below] = [0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const at = sides[codes[row] ?? ABSENT];
    kept[count] = row;
    below += Number(at === side.below);
    count += Number(at === side.inside);
  }
  return { kept: count, below };
}

/** The same numbers with room for twice as many as are needed. */
export function withRoom(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * length);
  more.set(numbers);
  return more;
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
  kept: Uint32Array,
  { first, last, next }: { readonly first: number; readonly last: number; readonly next: Uint32Array },
): void {
  for (let i = 0; i < rows.length; i += 1) {
    const bucket = bucketOf[i];
    if (bucket < first || bucket > last) continue;
    const at = next[bucket];
    kept[at] = rows[i];
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
