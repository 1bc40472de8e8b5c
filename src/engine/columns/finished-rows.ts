import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, rowFlag } from './column-arrays.ts';
import { historyColumns, lastBegun, speaksThen } from './rows-then.ts';

/**
 * The effect of a status on the finish of an issue, as a number; `unknown` if the category of the status is unknown.
 */
export const finishKind = { unknown: 0, open: 1, done: 2 } as const;

/** The statuses by code of `values('status')`. A code beyond the end is one that came later. */
export interface FinishStatuses {
  /** Values of `finishKind`. */
  readonly kinds: Uint8Array;
  /** The same number for codes of one status, whatever it was called at the time. */
  readonly slots: Uint16Array;
}

/** Only the issue itself shows whether and when it was finished. */
export const NEEDS_ISSUE = Number.NEGATIVE_INFINITY;

/**
 * When the issue of a row was finished as of an instant at which it existed: when it last left a status that is not Done.
 * NaN where it was not, or was created as done; `NEEDS_ISSUE` where columns cannot show it.
 */
export function finishedAt(
  columns: ColumnArrays,
  row: number,
  { kinds, slots }: FinishStatuses,
  asOf: Instant,
): number {
  const flags = columns.flags[row];
  const updated = columns.updated[row];
  if (!speaksThen(flags, updated, asOf)) return NEEDS_ISSUE;
  const { at, count, starts, codes, mask } = historyColumns(columns, 'status');
  const first = at[row];
  const codeOf = (visit: number) => codes[visit] & mask;
  let visit = lastBegun(starts, first, first + count[row], asOf);
  const own = codeOf(visit);
  // After its last update the tracker shows where the issue is, whatever its history says.
  const shown = updated <= asOf ? (columns.fields.status?.[row] ?? 0) : own;
  if (kinds[shown] === finishKind.open) return Number.NaN;
  const isWhole = (flags & rowFlag.cut) === 0 && kinds[shown] === finishKind.done;
  if (!isWhole || slots[own] !== slots[shown]) return NEEDS_ISSUE;
  while (visit >= first && kinds[codeOf(visit)] === finishKind.done) visit -= 1;
  if (visit < first) return Number.NaN;
  return kinds[codeOf(visit)] === finishKind.open ? starts[visit + 1] : NEEDS_ISSUE;
}
