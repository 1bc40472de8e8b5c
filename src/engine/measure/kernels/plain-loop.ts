import type { Instant } from '../../../model/issue.ts';
import type { ColumnArrays } from '../../columns/column-arrays.ts';
import type { CodeSlots } from '../../reports/measuring/report-type.ts';
import type { KernelPlan, KernelRows } from './kernel-plan.ts';

/**
 * A loop over rows with complete histories for one report type. It gives the same result as the report type's measure,
 * at least three times as fast (docs/decisions.md).
 */
export interface PlainLoop {
  /** Adds a row; false if the measure must do it instead. */
  add(row: number, group: number, bit: number, position: number): boolean;
  /** Moves sums to where they stay exact, or to the cells. */
  settle(): void;
  /** Moves the remaining sums to the cells, after all rows were added. */
  finish?(rows: KernelRows, positions: LookedAt): void;
}

/** Indexes of the rows that the kernel has read. `all`: some rows of the question are added in other ways. */
export interface LookedAt {
  readonly start: number;
  readonly end: number;
  readonly all: boolean;
}

/** True if all time until the as-of instant counts. */
export function isUntrimmed({ from, to }: KernelPlan): boolean {
  return from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
}

/** Index after a row's last visit that has begun by an instant; all have, after the last update. */
export function endOfVisits(
  { statusAt, statusCount, visitStart, updated }: ColumnArrays,
  row: number,
  asOf: Instant,
): number {
  const at = statusAt[row];
  let end = at + statusCount[row];
  if (updated[row] > asOf) while (end > at && visitStart[end - 1] > asOf) end -= 1;
  return end;
}

/** By code: its only slot; -1 if it has none or several. */
export function onlySlots({ at, slots }: CodeSlots): Int32Array {
  const only = new Int32Array(Math.max(0, at.length - 1)).fill(-1);
  for (let code = 0; code < only.length; code += 1) {
    const first = at[code] ?? 0;
    if (at[code + 1] === first + 1) only[code] = slots[first] ?? -1;
  }
  return only;
}
