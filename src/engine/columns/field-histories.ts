import type { FieldContent } from '../../model/issue.ts';
import { asBytes, type HistoryArrays, roomBeside } from './column-arrays.ts';
import type { HistoryPart } from './field-part.ts';
import { type HistoryBits, HistoryColumn, type HistorySource, isTooLong } from './history-column.ts';
import { type Pause, rising } from './sort-rows.ts';
import { codesIn, ValueCodes } from './value-codes.ts';

/** The values that the codes of a field's history stand for, as changes name them, and their authors. */
interface FieldHistory {
  readonly values: ValueCodes;
  readonly authors: ValueCodes;
}

/** The members of a history that are no arrays, as JSON. */
export interface HistoryFacts {
  readonly field: string;
  readonly bits: HistoryBits;
  readonly values: readonly FieldContent[];
  /** The number of visits that the arrays have room for, including those that no row leads to. */
  readonly visits: number;
}

/** Options for making a history available, which may evict others. */
export interface HistoryEnd {
  readonly pause: Pause;
  /** Receives each history that is let go to make room, by row. */
  readonly onLetGo: (field: string, history: HistoryPart) => void;
}

/** All histories together, in bytes: beyond it those that were not used of late are let go. */
const MAX_BYTES = 64 * 2 ** 20;

/** Fewer rows are in the cache of a processor whatever their order. */
const MIN_LAID = 2 ** 14;

/** The histories of fields that were asked for, those used last at the end. */
export class FieldHistories {
  readonly #histories = new Map<string, HistoryColumn>();
  readonly #authors: ValueCodes;
  /** Fields whose histories do not have every row yet. */
  readonly #unfilled = new Set<string>();
  /** Fields whose values are too long to be kept. */
  readonly #tooLong = new Set<string>();
  /** The number of leases on each field's history, which is not let go while there are any. */
  readonly #leases = new Map<string, number>();
  /** The values of histories that were let go, those last let go at the end: a code is not soon given out again. */
  readonly #codes = new Map<string, ValueCodes>();

  readonly #maxBytes: number;

  constructor(authors = new ValueCodes(), maxBytes = MAX_BYTES) {
    this.#authors = authors;
    this.#maxBytes = maxBytes;
  }

  /** Histories as a snapshot has them; their arrays are still to be read. */
  static of(facts: readonly HistoryFacts[], authors: readonly FieldContent[], rows: number): FieldHistories {
    const histories = new FieldHistories(new ValueCodes(authors));
    for (const { field, bits, values, visits } of facts) {
      const history = new HistoryColumn(field, roomBeside(rows), new ValueCodes(values), bits);
      history.reserve(visits, roomBeside(visits));
      history.visits = visits;
      history.isFilled = true;
      histories.#histories.set(field, history);
    }
    return histories;
  }

  /** Returns true where a field's history can be asked for. */
  has(field: string): boolean {
    return this.#histories.has(field) && !this.#unfilled.has(field);
  }

  /** Returns true where a field's values are too long for its history to be kept. */
  isTooLong(field: string): boolean {
    return this.#tooLong.has(field);
  }

  /** A history that is kept, which counts as used; null of one that is not. */
  find(field: string): FieldHistory | null {
    const history = this.#histories.get(field);
    if (history === undefined || this.#unfilled.has(field)) return null;
    this.#histories.delete(field);
    this.#histories.set(field, history);
    return { values: history.values, authors: this.#authors };
  }

  arrays(): Readonly<Record<string, HistoryArrays>> {
    const arrays: Record<string, HistoryArrays> = {};
    for (const [field, history] of this.#histories) if (this.has(field)) arrays[field] = history.arrays;
    return arrays;
  }

  /** Begins to keep a field: from now on `write` writes it; it can be asked for after `end`. */
  begin(field: string, capacity: number): void {
    if (this.#histories.has(field) || this.#tooLong.has(field)) return;
    this.#histories.set(field, new HistoryColumn(field, capacity, this.#codes.get(field)));
    this.#codes.delete(field);
    this.#unfilled.add(field);
  }

  /** Gives up a field that was begun and cannot be filled. */
  abandon(field: string): void {
    if (this.#unfilled.delete(field)) this.#letGo(field);
  }

  /** Keeps a field's history, once it is there, until the answer is called. */
  lease(field: string): () => void {
    this.#leases.set(field, (this.#leases.get(field) ?? 0) + 1);
    return () => {
      const others = (this.#leases.get(field) ?? 1) - 1;
      if (others === 0) this.#leases.delete(field);
      else this.#leases.set(field, others);
    };
  }

  /** Writes one field of a row that was there before the field was begun. */
  fill(field: string, row: number, source: HistorySource): void {
    const history = this.#histories.get(field);
    if (history === undefined) return;
    history.put(row, source, this.#authors);
    if (this.#unfilled.has(field) && history.isTooLong) this.#forgetField(field);
  }

  /** Puts what `part` has of a field that was begun in rows: the answer is called for each of its issues. */
  filling(field: string, { arrays, values, authors }: HistoryPart): (i: number, row: number) => void {
    const history = this.#histories.get(field);
    if (history === undefined) return () => {};
    const codes = { codes: codesIn(history.values, values), authors: codesIn(this.#authors, authors) };
    if (this.#unfilled.has(field) && history.isTooLong) this.#forgetField(field);
    const visits = history.visits + arrays.authors.length;
    history.reserve(visits, roomBeside(visits));
    return (i, row) => history.copy(row, arrays, i, codes);
  }

  /**
   * The history can be asked for from now on. It was filled in the order of the store, and many rows are laid in their own,
   * in which they are read. Others get their turn meanwhile, but no one may write.
   */
  end(field: string, rows: number, { pause, onLetGo }: HistoryEnd): void | Promise<void> {
    const filled = this.#histories.get(field);
    if (filled === undefined || !this.#unfilled.has(field)) return;
    if (rows < MIN_LAID || filled.isLaid(rows)) {
      this.#show(field, onLetGo);
      return;
    }
    return filled.compacted(rising(rows), filled.capacity, pause).then((laid) => {
      this.#histories.set(field, laid);
      this.#show(field, onLetGo);
    });
  }

  #show(field: string, onLetGo: HistoryEnd['onLetGo']): void {
    this.#unfilled.delete(field);
    const shown = this.#histories.get(field);
    if (shown !== undefined) shown.isFilled = true;
    let bytes = 0;
    for (const [own, history] of this.#histories) if (!this.#unfilled.has(own)) bytes += history.bytes;
    for (const [oldest, history] of this.#histories) {
      if (bytes <= this.#maxBytes) break;
      if (oldest === field || this.#leases.has(oldest) || this.#unfilled.has(oldest)) continue;
      bytes -= history.bytes;
      onLetGo(oldest, {
        arrays: history.arrays,
        values: history.values.contents(),
        authors: this.#authors.contents(),
      });
      this.#letGo(oldest);
    }
  }

  #letGo(field: string): void {
    const history = this.#histories.get(field);
    if (history !== undefined) this.#codes.set(field, history.values);
    this.#histories.delete(field);
    let [letters, size] = [0, 0];
    for (const values of this.#codes.values()) {
      letters += values.letters;
      size += values.size;
    }
    for (const [oldest, values] of this.#codes) {
      if (!isTooLong({ letters, size })) break;
      this.#codes.delete(oldest);
      letters -= values.letters;
      size -= values.size;
    }
  }

  /** Writes the histories of a row. */
  write(row: number, source: HistorySource): void {
    for (const [field, history] of this.#histories) {
      history.put(row, source, this.#authors);
      if (history.isTooLong && !this.#unfilled.has(field)) this.#forgetField(field);
    }
  }

  /** The part of the most wasteful history that lies idle; 0 of small ones. */
  get waste(): number {
    return Math.max(0, ...this.#histories.values().map(({ waste }) => waste));
  }

  /** The issue of a row is gone. */
  forget(row: number): void {
    for (const history of this.#histories.values()) history.forget(row);
  }

  /** The steps that make room for a number of rows. */
  *growing(capacity: number, length: number): Generator<() => void> {
    for (const history of this.#histories.values()) {
      if (capacity > history.capacity) yield () => history.grow(length);
    }
  }

  /** The same for some rows only, one after the other. Others get their turn meanwhile. */
  async compacted(rows: Uint32Array, pause: Pause): Promise<FieldHistories> {
    const compact = new FieldHistories(this.#authors, this.#maxBytes);
    for (const field of this.#tooLong) compact.#tooLong.add(field);
    for (const [field, values] of this.#codes) compact.#codes.set(field, values);
    // One that is used meanwhile comes to the end, and would be met again.
    for (const [field, history] of [...this.#histories]) {
      if (this.#unfilled.has(field)) compact.#codes.set(field, history.values);
      else compact.#histories.set(field, await history.compacted(rows, roomBeside(rows.length), pause));
    }
    return compact;
  }

  /** The facts of the histories that a snapshot keeps: those with `maxValues` values at most, and those that have a lease. */
  facts(maxValues: number): readonly HistoryFacts[] {
    return [...this.#histories]
      .filter(
        ([field, { values }]) => this.has(field) && (values.size <= maxValues || this.#leases.has(field)),
      )
      .map(([field, { bits, values, visits }]) => ({ field, bits, values: values.contents(), visits }));
  }

  authorFacts(): readonly FieldContent[] {
    return this.#authors.contents();
  }

  /** The arrays of the histories of `facts`, of so many rows. */
  bytesOf(facts: readonly HistoryFacts[], rows: number): readonly Uint8Array<SharedArrayBuffer>[] {
    return facts.flatMap(({ field, visits }) => {
      const arrays = this.#histories.get(field)?.arrays;
      if (arrays === undefined) return [];
      const { at, count, flags, starts, codes, authors } = arrays;
      const byRow = [at, count, flags].map((one) => asBytes(one.subarray(0, rows)));
      return [...byRow, ...[starts, codes, authors].map((one) => asBytes(one.subarray(0, visits)))];
    });
  }

  #forgetField(field: string): void {
    this.#histories.delete(field);
    this.#unfilled.delete(field);
    this.#tooLong.add(field);
  }
}
