import type { Change, FieldValue, Instant } from '../../model/issue.ts';
import { changesOf, type FieldwiseIssue } from '../../model/issues/issue-fields.ts';
import {
  bitsOf,
  type CodeBits,
  type Codes,
  copied,
  FIRST_ROWS,
  type HistoryArrays,
  historyFlag,
  newCodes,
  pickRows,
  putCode,
  roomBeside,
  roomFor,
  shared,
} from './column-arrays.ts';
import type { Pause } from './sort-rows.ts';
import { ABSENT, ValueCodes } from './value-codes.ts';

/** One visit, as `timeline` has it. */
export interface HistoryVisit {
  readonly value: FieldValue | null;
  readonly known: boolean;
  readonly start: Instant;
  readonly by: string | null;
}

/** An issue, with the visits of its fields, from which histories are written. */
export interface HistorySource {
  readonly issue: FieldwiseIssue;
  /** The visits of a field from the issue's creation on, as of any time after its last change. */
  readonly visitsOf: (field: string) => readonly HistoryVisit[];
  /** The current content of a field; several values are one. */
  readonly valueNow: (field: string) => FieldValue | null;
}

/** Bits of the codes of a history and of its authors. */
export type HistoryBits = Readonly<Record<'codes' | 'authors', CodeBits>>;

/** The two histories that every row has anyway. */
const RECORDED: readonly string[] = ['status', 'assignee'];

const MAX_VISITS = 0xffff;

/** Values with more letters in all, or more values, are not kept: descriptions and ranks, for instance. */
const MAX_LETTERS = 2 ** 24;
const MAX_VALUES = 2 ** 20;

/** The approximate memory of a value beside the arrays, and of each letter of the text by which it is found. */
const VALUE_BYTES = 140;
const LETTER_BYTES = 4;

/** Returns true where values are too long, or too many, to be kept. */
export function isTooLong({ letters, size }: Pick<ValueCodes, 'letters' | 'size'>): boolean {
  return letters > MAX_LETTERS || size > MAX_VALUES;
}

/** Less that lies idle is of no account. */
const MIN_GARBAGE = 2 ** 16;

/** Share of rows out of order up to which ordering all of them costs more than it saves. */
const MAX_MISPLACED = 1 / 64;

/** Rows copied between two looks at the time slice. */
const ROWS_AT_ONCE = 16_384;

/** The visits of one field, written row by row: a change costs its issue. */
export class HistoryColumn {
  readonly values: ValueCodes;
  /** Visits written, those that no row leads to any more included. */
  visits = 0;
  readonly #field: string;
  readonly #isRecorded: boolean;
  readonly #isDerived: boolean;
  /** It has every row, and changes come to it one by one. */
  isFilled = false;
  #garbage = 0;
  #at: Uint32Array;
  #count: Uint16Array;
  #flags: Uint8Array;
  #starts = shared(Float64Array, 0);
  #codes: Codes;
  #authors: Codes;

  constructor(
    field: string,
    capacity: number,
    values = new ValueCodes(),
    bits: HistoryBits = { codes: 16, authors: 16 },
  ) {
    this.#field = field;
    this.#isRecorded = RECORDED.includes(field);
    this.#isDerived = isDerived(field);
    this.values = values;
    this.#codes = newCodes(0, bits.codes);
    this.#authors = newCodes(0, bits.authors);
    this.#at = shared(Uint32Array, capacity);
    this.#count = shared(Uint16Array, capacity);
    this.#flags = shared(Uint8Array, capacity);
    this.reserve(FIRST_ROWS, FIRST_ROWS);
  }

  get arrays(): HistoryArrays {
    const [at, count, flags] = [this.#at, this.#count, this.#flags];
    return { at, count, flags, starts: this.#starts, codes: this.#codes, authors: this.#authors };
  }

  get bits(): HistoryBits {
    return { codes: bitsOf(this.#codes), authors: bitsOf(this.#authors) };
  }

  get capacity(): number {
    return this.#at.length;
  }

  get bytes(): number {
    return [this.#at, this.#count, this.#flags, this.#starts, this.#codes, this.#authors].reduce(
      (sum, { byteLength }) => sum + byteLength,
      VALUE_BYTES * this.values.size + LETTER_BYTES * this.values.letters,
    );
  }

  get isTooLong(): boolean {
    return isTooLong(this.values);
  }

  get waste(): number {
    return this.#garbage < MIN_GARBAGE ? 0 : this.#garbage / this.visits;
  }

  /** Returns true where visits lie in the order of their rows, with few exceptions, and the arrays have little spare room. */
  isLaid(rows: number): boolean {
    if (this.waste > 0 || this.#authors.length > roomFor(this.visits)) return false;
    let [end, misplaced] = [0, 0];
    for (let row = 0; row < rows; row += 1) {
      const [at = 0, count = 0] = [this.#at[row], this.#count[row]];
      if (count === 0) continue;
      if (at < end) misplaced += 1;
      else end = at + count;
    }
    return misplaced <= rows * MAX_MISPLACED;
  }

  grow(capacity: number): void {
    this.#at = copied(this.#at, capacity);
    this.#count = copied(this.#count, capacity);
    this.#flags = copied(this.#flags, capacity);
  }

  /** Makes places for a number of visits; `length`: for how many there is room then. */
  reserve(visits: number, length: number): void {
    if (visits <= this.#authors.length) return;
    this.#authors = copied(this.#authors, length);
    if (this.#isRecorded) return;
    this.#starts = copied(this.#starts, length);
    this.#codes = copied(this.#codes, length);
  }

  put(row: number, { issue, visitsOf, valueNow }: HistorySource, authors: ValueCodes): void {
    const visits = visitsOf(this.#field);
    const changes = this.#isDerived ? [] : changesOf(issue, this.#field);
    // Nothing but its visits is known of a field of no tracker.
    const isChained = this.#isDerived || isChain(changes, visits);
    const isSame = this.#isDerived || visits.at(-1)?.value?.id === valueNow(this.#field)?.id;
    const isKept = issue.history.complete && visits.length <= MAX_VISITS && !isAmbiguous(visits);
    const count = visits.length <= MAX_VISITS ? visits.length : 0;
    this.#reserveRow(row, count);
    this.#flags[row] =
      (isKept ? 0 : historyFlag.needsIssue) |
      (isChained ? 0 : historyFlag.contradicts) |
      (isSame ? 0 : historyFlag.differs);
    const at = this.#at[row];
    for (let i = 0; i < count; i += 1) {
      const visit = visits[i];
      if (visit === undefined) continue;
      this.#authors = putCode(this.#authors, at + i, i === 0 ? ABSENT : authors.codeOf(visit.by));
      if (this.#isRecorded) continue;
      this.#starts[at + i] = visit.start;
      this.#codes = putCode(this.#codes, at + i, visit.known ? this.#codeOf(visit.value) : ABSENT);
    }
    // A value may have another name where a change leaves it, and is found by that as well.
    if (!this.#isRecorded) for (const { from } of changes) this.values.codeOf(from);
  }

  /** Sets of keys, of which there are many, say all in their ids: as plain texts they take a third of the memory. */
  #codeOf(value: FieldValue | null): number {
    return this.values.codeOf(this.#field === BLOCKERS ? (value?.id ?? null) : value);
  }

  /** Puts in a row what another column has of a row; `codes` and `authors` lead from its codes to those here. */
  copy(
    row: number,
    from: HistoryArrays,
    other: number,
    { codes, authors }: Readonly<Record<'codes' | 'authors', Uint32Array>>,
  ): void {
    const count = from.count[other];
    this.#reserveRow(row, count);
    this.#flags[row] = from.flags[other];
    const [at, start] = [this.#at[row], from.at[other]];
    for (let i = 0; i < count; i += 1) {
      this.#authors = putCode(this.#authors, at + i, authors[from.authors[start + i]]);
      if (this.#isRecorded) continue;
      this.#starts[at + i] = from.starts[start + i];
      this.#codes = putCode(this.#codes, at + i, codes[from.codes[start + i]] ?? 0);
    }
  }

  /** Finds a place for the visits of a row, the one before where it is large enough. */
  #reserveRow(row: number, count: number): void {
    const before = this.#count[row];
    if (count > before) {
      this.#garbage += before;
      this.#at[row] = this.visits;
      this.visits += count;
      // While it is filled, arrays that were outgrown would take more memory than those in use.
      this.reserve(this.visits, this.isFilled ? roomFor(this.visits) : 2 * this.visits);
    } else this.#garbage += before - count;
    this.#count[row] = count;
  }

  forget(row: number): void {
    this.#garbage += this.#count[row];
    this.#count[row] = 0;
  }

  async compacted(rows: Uint32Array, capacity: number, pause: Pause): Promise<HistoryColumn> {
    const compact = new HistoryColumn(this.#field, capacity, this.values, this.bits);
    compact.isFilled = true;
    pickRows(this.#flags, compact.#flags, rows);
    pickRows(this.#count, compact.#count, rows);
    await pause();
    let visits = 0;
    for (let row = 0; row < rows.length; row += 1) visits += compact.#count[row];
    compact.reserve(visits, roomBeside(visits));
    for (let row = 0; row < rows.length; row += 1) {
      const count = compact.#count[row];
      const from = this.#at[rows[row]];
      const to = compact.visits;
      compact.#at[row] = to;
      for (let i = 0; i < count; i += 1) {
        compact.#authors[to + i] = this.#authors[from + i];
        if (this.#isRecorded) continue;
        compact.#starts[to + i] = this.#starts[from + i];
        compact.#codes[to + i] = this.#codes[from + i];
      }
      compact.visits += count;
      if (row % ROWS_AT_ONCE === 0) await pause();
    }
    return compact;
  }
}

/** Returns true where two visits to one value begin at one instant, so that either change may be said to have opened either. */
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
 * Returns true where each change of a field comes from the very value the one before led to, as the visits have it; false also of
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

/**
 * The field, of no tracker, that holds the keys of the issues that an issue is linked to as blocked by. Its history has no visits
 * of issues that never were.
 */
export const BLOCKERS = 'calc:blockers';

/** The field, of no tracker, whose history is that of a flag (its field) without the visits of issues that never had one. */
export function flagHistory(flag: string): string {
  return `${FLAG}${flag}`;
}

/** The flag behind a field of `flagHistory`; null of any other field. */
export function flagBehind(field: string): string | null {
  return field.startsWith(FLAG) ? field.slice(FLAG.length) : null;
}

const FLAG = 'calc:flag ';

/** Returns true of a field, of no tracker, that has a history alone. */
export function isDerived(field: string): boolean {
  return field === BLOCKERS || flagBehind(field) !== null;
}
