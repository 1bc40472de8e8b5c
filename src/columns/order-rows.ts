import type { Instant } from '../model/issue.ts';
import { type ColumnArrays, pickRows } from './column-arrays.ts';
import { LAST, type RowOrder, writePlaces } from './row-order.ts';
import { rising, sortedBy } from './sort-rows.ts';
import {
  afterLetters,
  compareTextKeys,
  createTextReader,
  firstLetters,
  LETTERS,
  type TextReader,
} from './text-column.ts';

/** Rows looked at in one step of a generator: less than a millisecond. */
const ROWS_AT_ONCE = 32_768;

/** So few rows are sorted by comparing them. */
const FEW = 1_024;

/** Buckets that rows are counted in; what is empty has one of its own behind them. */
const BUCKETS = 4_096;

/** So many rows are looked at to learn between which places most of them are. */
const SAMPLE = 512;

/** Texts that are the same for so many times `LETTERS` are compared as a whole. */
const MAX_DEPTH = 30;

/** What decides between rows that are level so far: a step of the order, of a text the letters after `depth` × `LETTERS`. */
interface Level {
  readonly step: number;
  readonly depth: number;
}

/** Which rows of an order are wanted, as of when. */
interface SpanOfRows {
  readonly asOf: Instant;
  /** No row has changed since. */
  readonly isNow?: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * The rows from one index to another of an order, and no more is sorted than they need: all rows are counted by what
 * decides first, and only those in the buckets of the span are looked at again. Each step is short.
 */
export function* orderedSpan(
  order: RowOrder,
  columns: ColumnArrays,
  rows: Uint32Array,
  { asOf, isNow = false, from, to }: SpanOfRows,
): Generator<void, Uint32Array> {
  const start = Math.min(from, rows.length);
  const found = new Uint32Array(Math.max(0, Math.min(to, rows.length) - start));
  yield* createSelecting(order, columns, { asOf, isNow })(rows, { step: 0, depth: 0 }, start, found);
  return found;
}

type Select = (
  rows: Uint32Array,
  level: Level,
  /** The index, in their order, of the first row that is wanted. */
  from: number,
  /** As many rows as are wanted. */
  found: Uint32Array,
) => Generator<void, void>;

function createSelecting(
  order: RowOrder,
  columns: ColumnArrays,
  { asOf, isNow }: { readonly asOf: Instant; readonly isNow: boolean },
): Select {
  const { steps, asked } = order;
  /** By row where it is among those whose places their issues say, and 0 where it is not; they begin at 1. */
  let askedAt: Uint32Array | null = null;
  const readers = new Map<string, TextReader | null>();
  const buffer = new Float64Array(ROWS_AT_ONCE);

  const indexAsked = (row: number) => (askedAt?.[row] ?? 0) - 1;

  function textsOf(field: string): TextReader | null {
    const known = readers.get(field);
    if (known !== undefined) return known;
    const texts = columns.texts[field];
    const reader = texts === undefined ? null : createTextReader(texts);
    readers.set(field, reader);
    return reader;
  }

  /** Writes what rows are ordered by on a level. */
  function writeKeys({ step: number, depth }: Level, rows: Uint32Array, keys: Float64Array): void {
    const step = steps[number];
    const own = asked.places[number] ?? [];
    if (step === undefined) return;
    if (step.kind === 'text') {
      const letters = columns.texts[step.field]?.letters;
      if (depth === 0 && letters !== undefined) pickRows(letters, keys, rows);
      else {
        const reader = textsOf(step.field);
        for (let i = 0; i < rows.length; i += 1)
          keys[i] = reader?.lettersAt(rows[i] ?? 0, depth * LETTERS) ?? LAST;
      }
    } else writePlaces(step, rows, keys, { columns, asOf, isNow });
    for (let i = 0; askedAt !== null && i < rows.length; i += 1) {
      const index = indexAsked(rows[i] ?? 0);
      if (index < 0) continue;
      const place = own[index] ?? null;
      keys[i] =
        typeof place === 'number' ? place : place === null ? LAST : firstLetters(place, depth * LETTERS);
    }
  }

  /** Compares rows, which are level before a step, by their indices. */
  function comparing(rows: Uint32Array, first: number): (a: number, b: number) => number {
    const keys: (Float64Array | undefined)[] = [];
    return (a, b) => {
      for (let number = first; number < steps.length; number += 1) {
        const step = steps[number];
        let own = keys[number];
        if (own === undefined) {
          own = new Float64Array(rows.length);
          writeKeys({ step: number, depth: 0 }, rows, own);
          keys[number] = own;
        }
        const [one, other] = [own[a] ?? LAST, own[b] ?? LAST];
        let compared = one === other ? 0 : one < other ? -1 : 1;
        if (compared === 0 && step?.kind === 'text' && afterLetters(one) !== 'nothing') {
          compared = compareTexts(step.field, number, rows[a] ?? 0, rows[b] ?? 0);
        }
        if (compared !== 0) return step?.descends === true ? -compared : compared;
      }
      return 0;
    };
  }

  function compareTexts(field: string, number: number, row: number, other: number): number {
    const [index, otherIndex] = [indexAsked(row), indexAsked(other)];
    const reader = textsOf(field);
    if (index < 0 && otherIndex < 0) return reader?.compareRows(row, other) ?? 0;
    const keyOf = (one: number, at: number) => {
      if (at < 0) return reader?.keyAt(one) ?? null;
      const place = asked.places[number]?.[at];
      return typeof place === 'string' ? place : null;
    };
    return compareTextKeys(keyOf(row, index), keyOf(other, otherIndex));
  }

  /** Between which keys most rows are; the same one where all have it. */
  function* boundsOf(rows: Uint32Array, level: Level): Generator<void, Bounds> {
    const some = Uint32Array.from(
      { length: SAMPLE },
      (_, i) => rows[Math.floor((i * rows.length) / SAMPLE)] ?? 0,
    );
    const sampled = buffer.subarray(0, SAMPLE);
    writeKeys(level, some, sampled);
    const bounds = widened(noBounds, sampled);
    if (bounds.low < bounds.high) return bounds;
    let all = noBounds;
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const block = rows.subarray(start, start + ROWS_AT_ONCE);
      const keys = buffer.subarray(0, block.length);
      writeKeys(level, block, keys);
      all = widened(all, keys);
      yield;
    }
    return all;
  }

  function nextLevel({ step, depth }: Level, key: number): Level | null {
    if (steps[step]?.kind !== 'text') return { step: step + 1, depth: 0 };
    const after = afterLetters(key);
    if (after === 'nothing') return { step: step + 1, depth: 0 };
    return after === 'more' && depth < MAX_DEPTH ? { step, depth: depth + 1 } : null;
  }

  function* select(rows: Uint32Array, level: Level, from: number, found: Uint32Array): Generator<void, void> {
    if (found.length === 0) return;
    if (level.step >= steps.length) {
      found.set(rows.subarray(from, from + found.length));
      return;
    }
    if (rows.length <= FEW) {
      const sorted = rising(rows.length).sort(comparing(rows, level.step));
      for (let i = 0; i < found.length; i += 1) found[i] = rows[sorted[from + i] ?? 0] ?? 0;
      yield;
      return;
    }
    const coded = codesOf(level.step);
    if (coded !== null) {
      const count: CountBuckets = (block, bucketOf, counts) => countCodes(coded, block, bucketOf, counts);
      return yield* selectAmong(
        rows,
        { count, level, within: { step: level.step + 1, depth: 0 } },
        from,
        found,
      );
    }
    const { low, high, hasEmpty } = yield* boundsOf(rows, level);
    if (low > high || (low === high && !hasEmpty)) {
      const next = nextLevel(level, low > high ? LAST : low);
      if (next !== null) return yield* select(rows, next, from, found);
      const sorted = yield* sortedBy(rows.length, comparing(rows, level.step));
      for (let i = 0; i < found.length; i += 1) found[i] = rows[sorted[from + i] ?? 0] ?? 0;
      return;
    }
    const into = { low, high, descends: steps[level.step]?.descends === true };
    const count: CountBuckets = (block, bucketOf, counts) => {
      const keys = buffer.subarray(0, block.length);
      writeKeys(level, block, keys);
      countKeys(keys, bucketOf, counts, into);
    };
    yield* selectAmong(rows, { count, level, within: level }, from, found);
  }

  /** The codes of a step that nothing but codes decides, and their buckets, each of one place; null of other steps. */
  function codesOf(number: number): CodedStep | null {
    const step = steps[number];
    if (askedAt !== null || (step?.kind !== 'code' && step?.kind !== 'project')) return null;
    const { places, descends } = step;
    const hasHistory = step.kind === 'code' && ['status', 'assignee'].includes(step.field);
    const mayBePast = hasHistory && !isNow && !(step.kind === 'code' && step.always);
    const codes = step.kind === 'code' ? columns.fields[step.field] : columns.project;
    if (mayBePast || codes === undefined || places.length > BUCKETS) return null;
    const ranks = new Map([...new Set(places)].sort((a, b) => a - b).map((place, rank) => [place, rank]));
    const bucketOf = (place: number) => {
      const bucket = place === LAST ? BUCKETS : (ranks.get(place) ?? BUCKETS);
      return descends ? BUCKETS - bucket : bucket;
    };
    return { codes, buckets: Uint16Array.from(places, bucketOf), none: bucketOf(LAST) };
  }

  /**
   * Counts rows by bucket of a level, and goes on with those of the buckets in which the wanted ones are; `within` is the
   * level that decides among the rows of one bucket.
   */
  function* selectAmong(
    rows: Uint32Array,
    {
      count: countBuckets,
      level,
      within,
    }: { readonly count: CountBuckets } & Record<'level' | 'within', Level>,
    from: number,
    found: Uint32Array,
  ): Generator<void, void> {
    const bucketOf = new Uint16Array(rows.length);
    const counts = new Uint32Array(BUCKETS + 1);
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const end = start + ROWS_AT_ONCE;
      countBuckets(rows.subarray(start, end), bucketOf.subarray(start, end), counts);
      yield;
    }
    let [first, before] = [0, 0];
    while (before + (counts[first] ?? 0) <= from) before += counts[first++] ?? 0;
    // By bucket where its rows begin among those that are gone on with.
    const starts = new Uint32Array(BUCKETS + 2);
    let [last, count] = [first, counts[first] ?? 0];
    while (before + count < from + found.length) {
      last += 1;
      starts[last] = count;
      count += counts[last] ?? 0;
    }
    starts[last + 1] = count;
    const kept = new Uint32Array(count);
    const next = starts.slice();
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const end = start + ROWS_AT_ONCE;
      keepRows(rows.subarray(start, end), bucketOf.subarray(start, end), kept, { first, last, next });
      yield;
    }
    if (count <= FEW) return yield* select(kept, level, from - before, found);
    for (let bucket = first; bucket <= last; bucket += 1) {
      const [start, end] = [starts[bucket] ?? 0, starts[bucket + 1] ?? 0];
      const wantedFrom = Math.max(start, from - before);
      const wantedTo = Math.min(end, from - before + found.length);
      const wanted = found.subarray(wantedFrom - (from - before), wantedTo - (from - before));
      yield* select(kept.subarray(start, end), within, wantedFrom - start, wanted);
    }
  }

  return function* (rows, level, from, found) {
    if (asked.rows.length > 0) {
      askedAt = new Uint32Array(columns.rows);
      for (let i = 0; i < asked.rows.length; i += 1) {
        if (i % ROWS_AT_ONCE === 0) yield;
        askedAt[asked.rows[i] ?? 0] = i + 1;
      }
    }
    yield* select(rows, level, from, found);
  };
}

/** Writes the bucket of each row, and counts the rows of each bucket. */
type CountBuckets = (rows: Uint32Array, bucketOf: Uint16Array, counts: Uint32Array) => void;

/** Codes by row, and the bucket of each code. */
interface CodedStep {
  readonly codes: Uint32Array;
  readonly buckets: Uint16Array;
  /** The bucket of codes that have no place. */
  readonly none: number;
}

function countCodes(
  { codes, buckets, none }: CodedStep,
  rows: Uint32Array,
  bucketOf: Uint16Array,
  counts: Uint32Array,
): void {
  for (let i = 0; i < rows.length; i += 1) {
    const bucket = buckets[codes[rows[i] ?? 0] ?? 0] ?? none;
    bucketOf[i] = bucket;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
}

/** The same by key, the buckets being in the order of their keys. */
function countKeys(
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
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
}

/** Puts the rows of some buckets, from `first` to `last`, to where the next one of each is. */
function keepRows(
  rows: Uint32Array,
  bucketOf: Uint16Array,
  kept: Uint32Array,
  { first, last, next }: { readonly first: number; readonly last: number; readonly next: Uint32Array },
): void {
  for (let i = 0; i < rows.length; i += 1) {
    const bucket = bucketOf[i] ?? 0;
    if (bucket < first || bucket > last) continue;
    const at = next[bucket] ?? 0;
    kept[at] = rows[i] ?? 0;
    next[bucket] = at + 1;
  }
}

/** The lowest and the highest of some keys, without what is empty. */
interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly hasEmpty: boolean;
}

const noBounds: Bounds = { low: LAST, high: Number.NEGATIVE_INFINITY, hasEmpty: false };

function widened(bounds: Bounds, keys: Float64Array): Bounds {
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
