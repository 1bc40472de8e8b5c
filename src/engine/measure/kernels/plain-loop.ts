import type { Instant } from '../../../model/issue.ts';
import type { ColumnArrays } from '../../columns/column-arrays.ts';
import type { CodeSlots } from '../../reports/measuring/measure-plan.ts';
import type { KernelPlan, KernelRows } from './kernel-plan.ts';

/**
 * Adds up rows of whole histories for one report type, many times quicker than its measure does, which it is held to:
 * docs/decisions.md says how much each of them saves.
 */
export interface PlainLoop {
  /** False where the row is one for the measure. */
  add(row: number, group: number, bit: number, position: number): boolean;
  /** Moves sums to where they are exact, or to the cells. */
  settle(): void;
  /** Moves to the cells what is not there when all rows were added. */
  finish?(rows: KernelRows, positions: LookedAt): void;
}

/** The places of the rows that were looked at. `all`: some of them have been or are to be looked at in other ways. */
export interface LookedAt {
  readonly start: number;
  readonly end: number;
  readonly all: boolean;
}

/** Whether all of the time until now counts. */
export function isUntrimmed({ from, to }: KernelPlan): boolean {
  return from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
}

/** Behind the last visit of a row that has begun by an instant. After the last change all have. */
export function endOfVisits(
  { statusAt, statusCount, visitStart, updated }: ColumnArrays,
  row: number,
  asOf: Instant,
): number {
  const at = statusAt[row] ?? 0;
  let end = at + (statusCount[row] ?? 0);
  if ((updated[row] ?? 0) > asOf) while (end > at && (visitStart[end - 1] ?? 0) > asOf) end -= 1;
  return end;
}

/** By code the slot it counts for, -1 where there are none or several. */
export function onlySlots({ at, slots }: CodeSlots): Int32Array {
  const only = new Int32Array(Math.max(0, at.length - 1)).fill(-1);
  for (let code = 0; code < only.length; code += 1) {
    const first = at[code] ?? 0;
    if (at[code + 1] === first + 1) only[code] = slots[first] ?? -1;
  }
  return only;
}
