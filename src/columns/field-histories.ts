import { changesOf, type FieldwiseIssue } from '../issues/issue-fields.ts';
import type { Change, FieldContent, FieldValue, Instant } from '../model/issue.ts';
import {
  asBytes,
  copied,
  FIRST_ROWS,
  type HistoryArrays,
  historyFlag,
  pickRows,
  roomBeside,
  roomFor,
  shared,
} from './column-arrays.ts';
import { type Rest, rising } from './sort-rows.ts';
import { ABSENT, ValueCodes } from './value-codes.ts';

/** What the codes of a field's history stand for: values, each as changes name it. */
export interface FieldHistory {
  readonly values: ValueCodes;
  readonly authors: ValueCodes;
}

/** One visit, as `timeline` has it. */
export interface HistoryVisit {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly start: Instant;
  readonly by: string | null;
}

/** What the histories of an issue's fields are read from. */
export interface HistorySource {
  readonly issue: FieldwiseIssue;
  /** The visits of a field from the issue's creation on, as of any time after its last change. */
  readonly visitsOf: (field: string) => readonly HistoryVisit[];
  /** What a field holds now, several values as one. */
  readonly valueNow: (field: string) => FieldValue | null;
}

/** What of a history is no array, as JSON. */
export interface HistoryFacts {
  readonly field: string;
  readonly values: readonly FieldContent[];
  /** How many visits the arrays have room for, those that no row leads to included. */
  readonly visits: number;
}

/** The two histories that every row has anyway. */
const RECORDED: readonly string[] = ['status', 'assignee'];

const MAX_VISITS = 0xffff;

/** Values with more letters in all, or more values, are not kept: descriptions and ranks, for instance. */
const MAX_LETTERS = 2 ** 24;
const MAX_VALUES = 2 ** 20;

/** All histories together, in bytes: beyond it those that were not used of late are let go. */
const MAX_BYTES = 160 * 2 ** 20;

/** Less that lies idle is of no account. */
const MIN_GARBAGE = 2 ** 16;

/** Fewer rows are in the cache of a processor whatever their order. */
const MIN_LAID = 2 ** 14;

/** Rows copied between two looks at the time slice. */
const ROWS_AT_ONCE = 16_384;

/** The histories of fields that were asked for, those used last at the end. */
export class FieldHistories {
  readonly #histories = new Map<string, OwnHistory>();
  readonly #authors: ValueCodes;
  /** Fields whose histories do not have every row yet. */
  readonly #unfilled = new Set<string>();
  /** Fields whose values are too long to be kept. */
  readonly #tooLong = new Set<string>();
  /** How many need a field's history for what they are making. */
  readonly #leases = new Map<string, number>();
  /** The values of histories that were let go: a code is given out once. */
  readonly #codes = new Map<string, ValueCodes>();

  readonly #maxBytes: number;

  constructor(authors = new ValueCodes(), maxBytes = MAX_BYTES) {
    this.#authors = authors;
    this.#maxBytes = maxBytes;
  }

  /** Histories as a snapshot has them; their arrays are still to be read. */
  static of(facts: readonly HistoryFacts[], authors: readonly FieldContent[], rows: number): FieldHistories {
    const histories = new FieldHistories(new ValueCodes(authors));
    for (const { field, values, visits } of facts) {
      const history = new OwnHistory(field, roomBeside(rows), new ValueCodes(values));
      history.reserve(visits, roomBeside(visits));
      history.visits = visits;
      histories.#histories.set(field, history);
    }
    return histories;
  }

  /** Whether a field's history can be asked for. */
  has(field: string): boolean {
    return this.#histories.has(field) && !this.#unfilled.has(field);
  }

  /** Whether a field's values are too long for its history to be kept. */
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
    this.#histories.set(field, new OwnHistory(field, capacity, this.#codes.get(field)));
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

  /**
   * The history can be asked for from now on. It was filled in the order of the store, and many rows are laid in their own,
   * in which they are read. Others get their turn meanwhile, but nobody may write.
   */
  end(field: string, rows: number, rest: Rest): void | Promise<void> {
    const filled = this.#histories.get(field);
    if (filled === undefined || !this.#unfilled.has(field)) return;
    if (rows < MIN_LAID) {
      this.#show(field);
      return;
    }
    return filled.compacted(rising(rows), filled.capacity, rest).then((laid) => {
      this.#histories.set(field, laid);
      this.#show(field);
    });
  }

  #show(field: string): void {
    this.#unfilled.delete(field);
    let bytes = 0;
    for (const [own, history] of this.#histories) if (!this.#unfilled.has(own)) bytes += history.bytes;
    for (const [oldest, history] of this.#histories) {
      if (bytes <= this.#maxBytes) break;
      if (oldest === field || this.#leases.has(oldest) || this.#unfilled.has(oldest)) continue;
      bytes -= history.bytes;
      this.#letGo(oldest);
    }
  }

  #letGo(field: string): void {
    const history = this.#histories.get(field);
    if (history !== undefined) this.#codes.set(field, history.values);
    this.#histories.delete(field);
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

  /** What there is to do to have room for so many rows, step by step. */
  *growing(capacity: number, length: number): Generator<() => void> {
    for (const history of this.#histories.values()) {
      if (capacity > history.capacity) yield () => history.grow(length);
    }
  }

  /** The same for some rows only, one after the other. Others get their turn meanwhile. */
  async compacted(rows: Uint32Array, rest: Rest): Promise<FieldHistories> {
    const compact = new FieldHistories(this.#authors, this.#maxBytes);
    for (const field of this.#tooLong) compact.#tooLong.add(field);
    for (const [field, values] of this.#codes) compact.#codes.set(field, values);
    for (const [field, history] of this.#histories) {
      if (!this.#unfilled.has(field))
        compact.#histories.set(field, await history.compacted(rows, roomBeside(rows.length), rest));
    }
    return compact;
  }

  /** What a snapshot keeps. */
  facts(maxValues: number): readonly HistoryFacts[] {
    return [...this.#histories]
      .filter(([field, { values }]) => this.has(field) && values.size <= maxValues)
      .map(([field, { values, visits }]) => ({ field, values: values.contents(), visits }));
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

class OwnHistory {
  readonly values: ValueCodes;
  /** Visits written, those that no row leads to any more included. */
  visits = 0;
  readonly #field: string;
  readonly #isRecorded: boolean;
  #garbage = 0;
  #at: Uint32Array;
  #count: Uint16Array;
  #flags: Uint8Array;
  #starts = shared(Float64Array, 0);
  #codes = shared(Uint32Array, 0);
  #authors = shared(Uint32Array, 0);

  constructor(field: string, capacity: number, values = new ValueCodes()) {
    this.#field = field;
    this.#isRecorded = RECORDED.includes(field);
    this.values = values;
    this.#at = shared(Uint32Array, capacity);
    this.#count = shared(Uint16Array, capacity);
    this.#flags = shared(Uint8Array, capacity);
    this.reserve(FIRST_ROWS, FIRST_ROWS);
  }

  get arrays(): HistoryArrays {
    const [at, count, flags] = [this.#at, this.#count, this.#flags];
    return { at, count, flags, starts: this.#starts, codes: this.#codes, authors: this.#authors };
  }

  get capacity(): number {
    return this.#at.length;
  }

  get bytes(): number {
    return [this.#at, this.#count, this.#flags, this.#starts, this.#codes, this.#authors].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }

  get isTooLong(): boolean {
    return this.values.letters > MAX_LETTERS || this.values.size > MAX_VALUES;
  }

  get waste(): number {
    return this.#garbage < MIN_GARBAGE ? 0 : this.#garbage / this.visits;
  }

  grow(capacity: number): void {
    this.#at = copied(this.#at, capacity);
    this.#count = copied(this.#count, capacity);
    this.#flags = copied(this.#flags, capacity);
  }

  /** Sees to it that so many visits have a place; `length`: for how many there is room then. */
  reserve(visits: number, length: number): void {
    if (visits <= this.#authors.length) return;
    this.#authors = copied(this.#authors, length);
    if (this.#isRecorded) return;
    this.#starts = copied(this.#starts, length);
    this.#codes = copied(this.#codes, length);
  }

  put(row: number, { issue, visitsOf, valueNow }: HistorySource, authors: ValueCodes): void {
    const visits = visitsOf(this.#field);
    const now = valueNow(this.#field);
    const changes = changesOf(issue, this.#field);
    const isKept = issue.history.complete && visits.length <= MAX_VISITS && !isAmbiguous(visits);
    const count = visits.length <= MAX_VISITS ? visits.length : 0;
    const before = this.#count[row] ?? 0;
    if (count > before) {
      this.#garbage += before;
      this.#at[row] = this.visits;
      this.visits += count;
      this.reserve(this.visits, roomFor(this.visits));
    } else this.#garbage += before - count;
    this.#count[row] = count;
    this.#flags[row] =
      (isKept ? 0 : historyFlag.needsIssue) |
      (isChain(changes, visits) ? 0 : historyFlag.contradicts) |
      (visits.at(-1)?.value?.id === now?.id ? 0 : historyFlag.differs);
    const at = this.#at[row] ?? 0;
    for (let i = 0; i < count; i += 1) {
      const visit = visits[i];
      if (visit === undefined) continue;
      this.#authors[at + i] = i === 0 ? ABSENT : authors.codeOf(visit.by);
      if (this.#isRecorded) continue;
      this.#starts[at + i] = visit.start;
      this.#codes[at + i] = visit.known ? this.values.codeOf(visit.value) : ABSENT;
    }
    // A value may have another name where a change leaves it: who looks for that name has to find the value.
    if (!this.#isRecorded) for (const { from } of changes) this.values.codeOf(from);
  }

  forget(row: number): void {
    this.#garbage += this.#count[row] ?? 0;
    this.#count[row] = 0;
  }

  async compacted(rows: Uint32Array, capacity: number, rest: Rest): Promise<OwnHistory> {
    const compact = new OwnHistory(this.#field, capacity, this.values);
    pickRows(this.#flags, compact.#flags, rows);
    pickRows(this.#count, compact.#count, rows);
    const begun = rest();
    if (begun !== null) await begun;
    let visits = 0;
    for (let row = 0; row < rows.length; row += 1) visits += compact.#count[row] ?? 0;
    compact.reserve(visits, roomBeside(visits));
    for (let row = 0; row < rows.length; row += 1) {
      const count = compact.#count[row] ?? 0;
      const from = this.#at[rows[row] ?? 0] ?? 0;
      const to = compact.visits;
      compact.#at[row] = to;
      for (let i = 0; i < count; i += 1) {
        compact.#authors[to + i] = this.#authors[from + i] ?? 0;
        if (this.#isRecorded) continue;
        compact.#starts[to + i] = this.#starts[from + i] ?? 0;
        compact.#codes[to + i] = this.#codes[from + i] ?? 0;
      }
      compact.visits += count;
      const due = row % ROWS_AT_ONCE === 0 ? rest() : null;
      if (due !== null) await due;
    }
    return compact;
  }
}

/** Whether two visits to one value begin at one instant, so that either change may be said to have opened either. */
function isAmbiguous(visits: readonly HistoryVisit[]): boolean {
  for (let i = 1; i < visits.length; i += 1) {
    const { start, value } = visits[i] ?? { start: 0, value: null };
    for (let before = i - 1; before >= 0 && visits[before]?.start === start; before -= 1) {
      if (visits[before]?.value?.id === value?.id) return true;
    }
  }
  return false;
}

/**
 * Whether each change of a field comes from the very value the one before led to, as the visits have it; false also of
 * changes at one instant or in no order, which are not looked into.
 */
export function isChain(changes: readonly Change[], visits: readonly Pick<HistoryVisit, 'value'>[]): boolean {
  if (visits.length < 2) return true;
  if (changes.length !== visits.length - 1) return false;
  let [rises, falls] = [true, true];
  for (let i = 1; i < changes.length; i += 1) {
    const [before, at] = [changes[i - 1]?.at ?? 0, changes[i]?.at ?? 0];
    rises &&= at > before;
    falls &&= at < before;
  }
  if (!(rises || falls)) return false;
  return changes.every(({ from }, i) => {
    const before = visits[rises ? i : changes.length - 1 - i]?.value ?? null;
    return before?.id === from?.id && before?.name === from?.name;
  });
}
