import type { Instant } from '../model/issue.ts';
import { type ColumnArrays, rowFlag, STATUS_CODE } from './column-arrays.ts';
import { ABSENT } from './value-codes.ts';

/** Whether columns say what an issue had as of an instant: not of an odd one, nor of a cut history's past. */
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
  const { at, count, starts, codes } = historyColumns(columns, of);
  const first = at[row] ?? 0;
  return (codes[lastBegun(starts, first, first + (count[row] ?? 0), asOf)] ?? ABSENT) & CODE_BITS[of];
}

/** Of visits from `first` on and before `end`, the last one that had begun at an instant. */
export function lastBegun(starts: Float64Array, first: number, end: number, asOf: Instant): number {
  let visit = end - 1;
  while (visit > first && (starts[visit] ?? 0) > asOf) visit -= 1;
  return visit;
}

/** The bits of a visit's number that are its code. */
export const CODE_BITS = { status: STATUS_CODE, assignee: 0x7fffffff } as const;

/** The columns of a history: where a row's visits begin and how many they are, and by visit when it began and its code. */
export function historyColumns(columns: ColumnArrays, of: 'status' | 'assignee') {
  return of === 'status'
    ? {
        at: columns.statusAt,
        count: columns.statusCount,
        starts: columns.visitStart,
        codes: columns.visitStatus,
      }
    : {
        at: columns.assigneeAt,
        count: columns.assigneeCount,
        starts: columns.spanStart,
        codes: columns.spanAssignee,
      };
}
