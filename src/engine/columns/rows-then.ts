import type { Instant } from '../../model/issue.ts';
import { type Codes, type ColumnArrays, type HistoryArrays, rowFlag, STATUS_CODE } from './column-arrays.ts';
import { ABSENT } from './value-codes.ts';

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
  const held = columns.histories[of] ?? null;
  if (of === 'status') {
    const { statusAt: at, statusCount: count, visitStart: starts, visitStatus: codes } = columns;
    return { at, count, starts, codes, mask: STATUS_CODE, authors: held, flags: null };
  }
  if (of === 'assignee') {
    const { assigneeAt: at, assigneeCount: count, spanStart: starts, spanAssignee: codes } = columns;
    return { at, count, starts, codes, mask: MASK, authors: held, flags: null };
  }
  return held === null ? null : { ...held, mask: MASK, authors: held };
}

/** All bits that a code can have. */
const MASK = 0x7fffffff;
