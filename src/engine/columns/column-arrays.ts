import type { Instant } from '../../model/issue.ts';
import { ABSENT } from './value-codes.ts';

/** Codes that `ValueCodes` gave out: of 16 bits as long as all of them fit. */
export type Codes = Uint16Array | Uint32Array;

/** Bits of each code in an array. */
export type CodeBits = 16 | 32;

const MAX_NARROW = 0xffff;

/** Facts of a row, as bits of `flags`. */
export const rowFlag = {
  /** There is no issue in the row any more. */
  dead: 1,
  /** The history is cut. */
  cut: 2,
  /** Only the issue itself shows what there is to know of it. */
  odd: 4,
  /** Some change of status or assignee does not come from just what the one before it led to, or may not. */
  contradicts: 8,
} as const;

/** The flags of a row nothing was written to yet. */
export const NEW_ROW = 0xff;

/** In the column of statuses: the issue is in this status for the first time. The other bits are the code. */
export const FIRST_VISIT = 0x8000;

/**
 * In the column of stretches, what begins when the stretch ends: the next visit, the next span, or both; neither after the
 * last one. `first`: the issue is with this assignee in this status for the first time. Kernels reckon with these values.
 */
export const stretchFlag = { visit: 1, span: 2, first: 4 } as const;

/** A visit's code without `FIRST_VISIT`. */
export const STATUS_CODE = 0x7fff;

/** The code of `project` where a key is not a project's key and a number. */
export const IRREGULAR = 0xffffffff;

/**
 * The columns themselves, by row, over memory that threads share. Nothing else is needed to count: a kernel gets this
 * and a list of rows. Visits and spans of a row lie one after the other, in order, from `statusAt[row]` (`assigneeAt`)
 * on; each ends where the next begins, the last one whenever asked. Their values are codes of `values('status')` and
 * `values('assignee')`: `ABSENT` is time about which nothing is known, `EMPTY` no value.
 *
 * A stretch is the time in which neither the status nor the assignee changes. Those of a row lie from `statusAt[row]` +
 * `assigneeAt[row]` on; where the first one is 0, some visit or span has no length,
 * and stretches are not held.
 */
export interface ColumnArrays extends Readonly<RowArrays> {
  /** Rows given out, dead ones included. */
  readonly rows: number;
  /** Codes of contents as of now by field id: of `heldFields`, and of those that were asked for. */
  readonly fields: Readonly<Record<string, Codes>>;
  /** Texts as of now by field id, of fields whose texts were asked for. */
  readonly texts: Readonly<Record<string, TextArrays>>;
  /** Histories by field id, of fields whose histories were asked for. */
  readonly histories: Readonly<Record<string, HistoryArrays>>;
}

/** Bits of `HistoryArrays.flags`. */
export const historyFlag = {
  /**
   * The row's visits are not all there is to know: its history is cut, too long (then there are none), or has two visits to
   * one value that begin at one instant.
   */
  needsIssue: 1,
  /** Some change does not come from just what the one before it led to. */
  contradicts: 2,
  /** The last visit is to another value than the field holds now, or may be. */
  differs: 4,
} as const;

/**
 * The visits of one field by row, over memory that threads share: those of a row begin at `at[row]`, in order, each until
 * the next one. Statuses and assignees have theirs among the row arrays; here are only the authors of these (`starts` and
 * `codes` are empty).
 */
export interface HistoryArrays {
  readonly at: Uint32Array;
  readonly count: Codes;
  readonly flags: Uint8Array;
  /** When each visit began, epoch ms. */
  readonly starts: Float64Array;
  /** Codes of `FieldHistory.values`. */
  readonly codes: Codes;
  /**
   * The author of the change that opened a visit: codes of `FieldHistories.authors`, `ABSENT` for the first one of a
   * row.
   */
  readonly authors: Codes;
}

/** Texts of one field by row, over memory that threads share. */
export interface TextArrays {
  /** The place where a row's text begins: the number of its chunk above `PLACE_BITS`, the place in the chunk below. */
  readonly at: Uint32Array;
  /** Twice its bytes, and one more where a character takes two of them; 0 of no text, `NOT_HELD` where only the issue shows it. */
  readonly size: Uint32Array;
  /** The first letters of each text as a number (`firstLetters`), so that an order need not read the texts. */
  readonly letters: Float64Array;
  readonly chunks: readonly Uint8Array[];
}

/** The columns that every issue has. A longer array takes the place of one that is full. */
export interface RowArrays {
  /** Epoch ms, UTC. */
  created: Float64Array;
  updated: Float64Array;
  /** When the tracker itself says that the issue was updated, which may be before its last change; else `updated`. */
  ownUpdate: Float64Array;
  /** NaN where it is not resolved. */
  resolved: Float64Array;
  flags: Uint8Array;
  accessClass: Uint32Array;
  /** Code of the key's part before the number, in `projectKeys`; `IRREGULAR` where the key has another form. */
  project: Uint32Array;
  /** The key's number. */
  number: Uint32Array;
  /** Id of the issue in the store. */
  storeId: Uint32Array;
  statusAt: Uint32Array;
  statusCount: Uint16Array;
  assigneeAt: Uint32Array;
  assigneeCount: Uint16Array;
  visitStart: Float64Array;
  /** With `FIRST_VISIT`. */
  visitStatus: Uint16Array;
  spanStart: Float64Array;
  spanAssignee: Uint32Array;
  /** Bits of `stretchFlag`. */
  stretches: Uint8Array;
}

/** In the order in which a snapshot has them. */
const kinds = {
  created: Float64Array,
  updated: Float64Array,
  ownUpdate: Float64Array,
  resolved: Float64Array,
  flags: Uint8Array,
  accessClass: Uint32Array,
  project: Uint32Array,
  number: Uint32Array,
  storeId: Uint32Array,
  statusAt: Uint32Array,
  statusCount: Uint16Array,
  assigneeAt: Uint32Array,
  assigneeCount: Uint16Array,
  visitStart: Float64Array,
  visitStatus: Uint16Array,
  spanStart: Float64Array,
  spanAssignee: Uint32Array,
  stretches: Uint8Array,
} as const;

/** Numbers of one kind, in memory that threads share. */
type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array;

export type ColumnName = keyof RowArrays;

export const columnNames = Object.keys(kinds) as readonly ColumnName[];

/** The unit of which a column has an element; there are as many stretches as visits and spans at most. */
export type ColumnUnit = 'rows' | 'visits' | 'spans';

const ofRows: readonly ColumnUnit[] = ['rows'];
const ofVisits: readonly ColumnUnit[] = ['visits'];
const ofSpans: readonly ColumnUnit[] = ['spans'];
const ofBoth: readonly ColumnUnit[] = ['visits', 'spans'];

export function columnUnits(name: ColumnName): readonly ColumnUnit[] {
  if (name === 'visitStart' || name === 'visitStatus') return ofVisits;
  if (name === 'stretches') return ofBoth;
  return name === 'spanStart' || name === 'spanAssignee' ? ofSpans : ofRows;
}

/** The number of elements of a column that are in use. */
export function lengthUsed(name: ColumnName, used: Readonly<Record<ColumnUnit, number>>): number {
  let length = 0;
  for (const unit of columnUnits(name)) length += used[unit];
  return length;
}

/** Up to this number of rows memory need not be saved. */
export const FIRST_ROWS = 64;

export function emptyArrays(): RowArrays {
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, shared<Numbers>(kind, FIRST_ROWS)]),
  ) as unknown as RowArrays;
}

/** Puts an array of another length in the place of one, with the same numbers. */
export function resize(arrays: RowArrays, name: ColumnName, length: number): void {
  const columns: Record<ColumnName, Numbers> = arrays;
  columns[name] = copied(columns[name], length);
}

/** A quarter more than needed: adding one by one copies little, and little lies idle. */
export function roomFor(count: number): number {
  return Math.ceil(Math.max(FIRST_ROWS, count) * 1.25);
}

/** Room for some days of changes: growing copies a whole array. */
export function roomBeside(used: number): number {
  return Math.max(FIRST_ROWS, Math.ceil(used * 1.02));
}

export function shared<Kind extends Numbers>(kind: NumbersOf<Kind>, length: number): Kind {
  return new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT));
}

/** The constructor of numbers over a buffer. */
interface NumbersOf<Kind extends Numbers> {
  new (buffer: SharedArrayBuffer): Kind;
  readonly BYTES_PER_ELEMENT: number;
}

export function copied<Kind extends Numbers>(numbers: Kind, length: number): Kind {
  const more = shared(numbers.constructor as unknown as NumbersOf<Kind>, length);
  more.set(numbers);
  return more;
}

/** The same numbers in memory of this thread alone, with room for more. */
export function lengthened<Kind extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  numbers: Kind,
  length: number,
): Kind {
  const more = new (numbers.constructor as new (length: number) => Kind)(length);
  more.set(numbers);
  return more;
}

export function newCodes(length: number, bits: CodeBits = 16): Codes {
  return shared<Codes>(bits === 16 ? Uint16Array : Uint32Array, length);
}

export function bitsOf(codes: Codes): CodeBits {
  return codes.BYTES_PER_ELEMENT === Uint16Array.BYTES_PER_ELEMENT ? 16 : 32;
}

/** Writes a code; what is returned takes the place of the array, and is a wider one where the code would not fit. */
export function putCode(codes: Codes, index: number, code: number): Codes {
  if (code > MAX_NARROW && bitsOf(codes) === 16) {
    const wide = newCodes(codes.length, 32);
    wide.set(codes);
    wide[index] = code;
    return wide;
  }
  codes[index] = code;
  return codes;
}

export function asBytes({ buffer, byteOffset, byteLength }: Numbers): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(buffer as SharedArrayBuffer, byteOffset, byteLength);
}

/** Copies the numbers of some rows, one after the other. */
export function pickRows(from: Numbers, to: Numbers, rows: Uint32Array): void {
  if (from instanceof Float64Array) for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i]];
  else if (from instanceof Uint32Array) for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i]];
  else for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i]];
}

/** Returns true where columns say what an issue had as of an instant: not of an odd one, nor of a cut history's past. */
export function speaksThen(flags: number, updated: Instant, asOf: Instant): boolean {
  return (flags & rowFlag.odd) === 0 && (updated <= asOf || (flags & rowFlag.cut) === 0);
}

/** The code of the status or assignee an issue of a whole history had as of an instant at which it existed. */
export function codeThen(
  columns: ColumnArrays,
  of: 'status' | 'assignee',
  row: number,
  asOf: Instant,
): number {
  const { at, count, starts, codes, mask } = historyColumns(columns, of);
  const first = at[row];
  return (codes[lastBegun(starts, first, first + count[row], asOf)] ?? ABSENT) & mask;
}

/** The last one of the visits from `first` on and before `end` that had begun at an instant. */
export function lastBegun(starts: Float64Array, first: number, end: number, asOf: Instant): number {
  let visit = end - 1;
  while (visit > first && starts[visit] > asOf) visit -= 1;
  return visit;
}

/** The columns of one field's history: where a row's visits begin, how many they are, when each began, its code, its author. */
interface HistoryColumns {
  readonly at: Uint32Array;
  readonly count: Codes;
  readonly starts: Float64Array;
  readonly codes: Codes;
  /** The bits of a number in `codes` that are the code. */
  readonly mask: number;
  /** Null where the authors are not held. */
  readonly authors: HistoryArrays | null;
  /** Bits of `historyFlag` by row; null where the flags of rows say all. */
  readonly flags: Uint8Array | null;
}

/** The history of a field; null where it is not held. */
export function historyColumns(columns: ColumnArrays, of: 'status' | 'assignee'): HistoryColumns;
export function historyColumns(columns: ColumnArrays, of: string): HistoryColumns | null;
export function historyColumns(columns: ColumnArrays, of: string): HistoryColumns | null {
  const history = columns.histories[of] ?? null;
  if (of === 'status') {
    const { statusAt: at, statusCount: count, visitStart: starts, visitStatus: codes } = columns;
    return { at, count, starts, codes, mask: STATUS_CODE, authors: history, flags: null };
  }
  if (of === 'assignee') {
    const { assigneeAt: at, assigneeCount: count, spanStart: starts, spanAssignee: codes } = columns;
    return { at, count, starts, codes, mask: MASK, authors: history, flags: null };
  }
  return history === null ? null : { ...history, mask: MASK, authors: history };
}

/** All bits that a code can have. */
const MASK = 0x7fffffff;
