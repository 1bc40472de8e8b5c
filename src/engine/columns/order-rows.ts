import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, lengthened, pickRows } from './column-arrays.ts';
import { codedPlaces, instantsOf, type RowOrder, writePlaces } from './row-order.ts';
import {
  type Bounds,
  BUCKETS,
  countKeys,
  everyRow,
  type KeptRows,
  keepBetween,
  keepByCodes,
  keepByColumn,
  keepRows,
  LAST,
  noBounds,
  rising,
  sidesOf,
  sortedBy,
  widened,
} from './sort-rows.ts';
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

/** Up to this number rows are sorted by comparing them. */
const FEW = 1_024;

/** Rows that are looked at to learn between which places most of them are. */
const SAMPLE = 512;

/** Rows from which it is learnt between which keys a page is; no more than this share of all rows. */
const PAGE_SAMPLE = 4_096;
const MAX_SAMPLE = 1 / 8;

/** A longer part of the rows is no page. */
const MAX_PAGE = 1 / 4;

/** Keeping more than this share of the rows saves nothing. */
const MAX_KEPT = 1 / 2;

/** The number of standard deviations of a rank by which a page may differ from its place in the sample. */
const SAMPLE_WIDTH = 4;

/** Texts read in one step of a generator: a millisecond or two. */
const TEXTS_AT_ONCE = 8_192;

/** Times `LETTERS` after which texts that are the same are compared as a whole. */
const MAX_DEPTH = 30;

/**
 * The criterion between rows that are level so far: a step of the order, and for a text the letters after `depth` ×
 * `LETTERS`.
 */
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
 * The rows from one index to another of an order, and no more is sorted than they need: of a page, only the rows between two
 * keys that a sample gives are looked at again; of a longer span, those in its buckets. Each step is short.
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

/** The number of rows that are looked at in one step: letters after the first ones are read from the texts. */
function rowsAtOnce({ depth }: Level): number {
  return depth > 0 ? TEXTS_AT_ONCE : ROWS_AT_ONCE;
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
  const { steps, loaded } = order;
  /** The places of rows among the loaded ones, from 1 on, by row; 0 of others. */
  let loadedAt: Uint32Array | null = null;
  const readers = new Map<string, TextReader | null>();
  const buffer = new Float64Array(ROWS_AT_ONCE);

  const indexLoaded = (row: number) => (loadedAt?.[row] ?? 0) - 1;

  function textsOf(field: string): TextReader | null {
    const known = readers.get(field);
    if (known !== undefined) return known;
    const texts = columns.texts[field];
    const reader = texts === undefined ? null : createTextReader(texts);
    readers.set(field, reader);
    return reader;
  }

  /** The first letters of the texts of a step, by row. */
  function lettersOf(number: number): Float64Array | null {
    const step = steps[number];
    return (step?.kind === 'text' ? columns.texts[step.field]?.letters : null) ?? null;
  }

  /** Returns the column that has the keys of all rows on a level; null where they have to be written. */
  function columnOf({ step: number, depth }: Level): Float64Array | null {
    const step = steps[number];
    if (loadedAt !== null || depth > 0 || step === undefined) return null;
    // An unresolved issue has NaN in its column, and its key is `LAST`.
    if (step.kind === 'instant' && step.column !== 'resolved' && isNow)
      return instantsOf(columns, step.column);
    return lettersOf(number);
  }

  /** Writes what rows are ordered by on a level. */
  function writeKeys({ step: number, depth }: Level, rows: Uint32Array, keys: Float64Array): void {
    const step = steps[number];
    const own = loaded.places[number] ?? [];
    if (step === undefined) return;
    if (step.kind === 'text') {
      const letters = lettersOf(number);
      if (depth === 0 && letters !== null) pickRows(letters, keys, rows);
      else {
        const reader = textsOf(step.field);
        if (reader === null) keys.fill(LAST, 0, rows.length);
        else reader.writeLetters(rows, depth * LETTERS, keys);
      }
    } else writePlaces(step, rows, keys, { columns, asOf, isNow });
    if (loadedAt === null && isNow) {
      // A row whose issue could not be loaded comes last.
      if (step.kind !== 'text')
        for (let i = 0; i < rows.length; i += 1) if (Number.isNaN(keys[i])) keys[i] = LAST;
      return;
    }
    for (let i = 0; i < rows.length; i += 1) {
      const index = indexLoaded(rows[i]);
      const sortKey = own[index] ?? null;
      // A row that is gone, or was written to since its place was found, comes last.
      if (index < 0) keys[i] = Number.isNaN(keys[i]) ? LAST : (keys[i] ?? LAST);
      else if (typeof sortKey === 'number') keys[i] = sortKey;
      else keys[i] = sortKey === null ? LAST : firstLetters(sortKey, depth * LETTERS);
    }
  }

  /** Compares rows, which are level up to there, by their indices. */
  function comparing(rows: Uint32Array, from: Level): (a: number, b: number) => number {
    const keys: (Float64Array | undefined)[] = [];
    return (a, b) => {
      for (let number = from.step; number < steps.length; number += 1) {
        const step = steps[number];
        let own = keys[number];
        if (own === undefined) {
          own = new Float64Array(rows.length);
          writeKeys(number === from.step ? from : { step: number, depth: 0 }, rows, own);
          keys[number] = own;
        }
        const [one, other] = [own[a] ?? LAST, own[b] ?? LAST];
        let compared = one === other ? 0 : one < other ? -1 : 1;
        if (compared === 0 && step?.kind === 'text' && afterLetters(one) !== 'nothing') {
          compared = compareTexts(step.field, number, rows[a], rows[b]);
        }
        if (compared !== 0) return step?.descends === true ? -compared : compared;
      }
      return 0;
    };
  }

  function compareTexts(field: string, number: number, row: number, other: number): number {
    const [index, otherIndex] = [indexLoaded(row), indexLoaded(other)];
    const reader = textsOf(field);
    if (index < 0 && otherIndex < 0) return reader?.compareRows(row, other) ?? 0;
    const keyOf = (one: number, at: number) => {
      if (at < 0) return reader?.keyAt(one) ?? null;
      const sortKey = loaded.places[number]?.[at];
      return typeof sortKey === 'string' ? sortKey : null;
    };
    return compareTextKeys(keyOf(row, index), keyOf(other, otherIndex));
  }

  /** Between which keys most rows are; the same one where all have it. */
  function* boundsOf(rows: Uint32Array, level: Level): Generator<void, Bounds> {
    const sampled = buffer.subarray(0, SAMPLE);
    writeKeys(level, everyRow(rows, SAMPLE), sampled);
    const bounds = widened(noBounds, sampled);
    if (bounds.low < bounds.high) return bounds;
    let all = noBounds;
    const size = rowsAtOnce(level);
    for (let start = 0; start < rows.length; start += size) {
      const block = rows.subarray(start, start + size);
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

  /**
   * The rows between two keys that a sample gives, in their order, where all the wanted ones are among them; null where that
   * is not so, or saves nothing.
   */
  function* narrowed(
    rows: Uint32Array,
    level: Level,
    from: number,
    length: number,
  ): Generator<void, Narrowed | null> {
    const samples = Math.min(PAGE_SAMPLE, Math.floor(rows.length * MAX_SAMPLE));
    const sampled = buffer.subarray(0, samples);
    writeKeys(level, everyRow(rows, samples), sampled);
    sampled.sort();
    const descends = steps[level.step]?.descends === true;
    const [first, end] = descends ? [rows.length - from - length, rows.length - from] : [from, from + length];
    const indexOf = (rank: number, side: -1 | 1) => {
      const share = rank / rows.length;
      const reach = SAMPLE_WIDTH * Math.sqrt(samples * share * (1 - share)) + SAMPLE_WIDTH;
      return Math.round(samples * share + side * reach);
    };
    const low = sampled[indexOf(first, -1)] ?? Number.NEGATIVE_INFINITY;
    const high = sampled[indexOf(end, 1)] ?? LAST;
    yield;
    const next = low === high ? nextLevel(level, low) : level;
    const keptOfSample = sampled.filter((key) => key >= low && key <= high).length;
    if (next === null || (next === level && keptOfSample > samples * MAX_KEPT)) return null;
    const column = columnOf(level);
    const coded = loadedAt === null && isNow ? codedPlaces(steps[level.step], columns) : null;
    const byCode =
      coded === null ? null : { codes: coded.codes, sides: sidesOf(coded.places, { low, high }) };
    let keptRows = new Uint32Array(ROWS_AT_ONCE);
    let [count, below] = [0, 0];
    const size = rowsAtOnce(level);
    for (let start = 0; start < rows.length; start += size) {
      const block = rows.subarray(start, start + size);
      if (count + block.length > keptRows.length) keptRows = lengthened(keptRows, 2 * (count + block.length));
      const into = keptRows.subarray(count);
      let found: KeptRows;
      if (column !== null) found = keepByColumn(block, column, into, { low, high });
      else if (byCode !== null) found = keepByCodes(block, byCode, into);
      else {
        const keys = buffer.subarray(0, block.length);
        writeKeys(level, block, keys);
        found = keepBetween(block, keys, into, { low, high });
      }
      count += found.inside;
      below += found.below;
      yield;
    }
    const before = descends ? rows.length - count - below : below;
    if (before > from || before + count < from + length) return null;
    return { rows: keptRows.subarray(0, count), level: next, before };
  }

  function* select(rows: Uint32Array, level: Level, from: number, found: Uint32Array): Generator<void, void> {
    if (found.length === 0) return;
    if (level.step >= steps.length) {
      found.set(rows.subarray(from, from + found.length));
      return;
    }
    if (rows.length <= FEW) {
      const sorted = rising(rows.length).sort(comparing(rows, level));
      for (let i = 0; i < found.length; i += 1) found[i] = rows[sorted[from + i]];
      yield;
      return;
    }
    if (found.length < rows.length * MAX_PAGE) {
      const part = yield* narrowed(rows, level, from, found.length);
      if (part !== null) return yield* select(part.rows, part.level, from - part.before, found);
    }
    const { low, high, hasEmpty } = yield* boundsOf(rows, level);
    if (low > high || (low === high && !hasEmpty)) {
      const next = nextLevel(level, low > high ? LAST : low);
      if (next !== null) return yield* select(rows, next, from, found);
      const sorted = yield* sortedBy(rows.length, comparing(rows, level));
      for (let i = 0; i < found.length; i += 1) found[i] = rows[sorted[from + i]];
      return;
    }
    yield* selectAmong(rows, level, { low, high }, from, found);
  }

  /** Counts rows by bucket, and goes on with those of the buckets in which the wanted ones are. */
  function* selectAmong(
    rows: Uint32Array,
    level: Level,
    { low, high }: Pick<Bounds, 'low' | 'high'>,
    from: number,
    found: Uint32Array,
  ): Generator<void, void> {
    const into = { low, high, descends: steps[level.step]?.descends === true };
    const bucketOf = new Uint16Array(rows.length);
    const counts = new Uint32Array(BUCKETS + 1);
    const size = rowsAtOnce(level);
    for (let start = 0; start < rows.length; start += size) {
      const block = rows.subarray(start, start + size);
      const keys = buffer.subarray(0, block.length);
      writeKeys(level, block, keys);
      countKeys(keys, bucketOf.subarray(start, start + size), counts, into);
      yield;
    }
    let [first, before] = [0, 0];
    while (before + counts[first] <= from) before += counts[first++];
    // By bucket where its rows begin among those that are gone on with.
    const starts = new Uint32Array(BUCKETS + 2);
    let [last, count] = [first, counts[first]];
    while (before + count < from + found.length) {
      last += 1;
      starts[last] = count;
      count += counts[last] ?? 0;
    }
    starts[last + 1] = count;
    const keptRows = new Uint32Array(count);
    const next = starts.slice();
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const end = start + ROWS_AT_ONCE;
      keepRows(rows.subarray(start, end), bucketOf.subarray(start, end), keptRows, { first, last, next });
      yield;
    }
    if (count <= FEW) return yield* select(keptRows, level, from - before, found);
    for (let bucket = first; bucket <= last; bucket += 1) {
      const [start, end] = [starts[bucket], starts[bucket + 1]];
      const wantedFrom = Math.max(start, from - before);
      const wantedTo = Math.min(end, from - before + found.length);
      const wanted = found.subarray(wantedFrom - (from - before), wantedTo - (from - before));
      yield* select(keptRows.subarray(start, end), level, wantedFrom - start, wanted);
    }
  }

  return function* (rows, level, from, found) {
    if (loaded.rows.length > 0) {
      loadedAt = new Uint32Array(columns.rows);
      for (let i = 0; i < loaded.rows.length; i += 1) {
        if (i % ROWS_AT_ONCE === 0) yield;
        loadedAt[loaded.rows[i]] = i + 1;
      }
    }
    yield* select(rows, level, from, found);
  };
}

/** Rows among which all wanted ones are, what decides between them, and how many others come before them. */
interface Narrowed {
  readonly rows: Uint32Array;
  readonly level: Level;
  readonly before: number;
}
