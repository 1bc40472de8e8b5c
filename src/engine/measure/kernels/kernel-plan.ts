import type { Instant } from '../../../model/issue.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import type { ColumnArrays } from '../../columns/column-arrays.ts';
import type { CodeSlots, MeasurePlan, ReportType } from '../../reports/measuring/report-type.ts';

/** A question to a kernel, as plain data that can be sent to a worker thread. */
export interface KernelPlan extends MeasurePlan {
  /** Id of the report type that measures. */
  readonly report: string;
  /** Amounts are numbers of visits instead of time. */
  readonly countsVisits: boolean;
  /** For a cut history, columns contain everything that counts, as of an instant after its last change. */
  readonly readsCut: boolean;
  readonly goesThrough: ReportType['fields'];
  /** Null means 24/7. */
  readonly calendar: CalendarDefinition | null;
  /** No issue of the rows was created before this instant. */
  readonly earliest: Instant;
  /** By code of an issue's current status: `LISTED` if the known status lists cover its site, otherwise `UNLISTED`. */
  readonly listed: Uint8Array;
  /** Number of groups; each has its own keys. */
  readonly groups: number;
}

/** The rows of a question in their order, and the group of each; `groups` null means that all rows are one group. */
export interface KernelRows {
  readonly rows: Uint32Array;
  readonly groups: Uint32Array | null;
}

/** The group of a row whose group columns cannot show. */
export const NO_GROUP = 0xffffffff;

/** Values of `KernelPlan.listed`, used as bits. */
export const UNLISTED = 1;
export const LISTED = 2;

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

/** True if each code counts for at most one slot. */
export function hasOnlySlots({ at }: CodeSlots): boolean {
  return at.every((start, code) => code === 0 || start - (at[code - 1] ?? 0) <= 1);
}

/** By code: its only slot; `none` if it has none or several. */
export function onlySlots({ at, slots }: CodeSlots, none: number): Int32Array {
  const only = new Int32Array(Math.max(0, at.length - 1)).fill(none);
  for (let code = 0; code < only.length; code += 1) {
    const first = at[code] ?? 0;
    if (at[code + 1] === first + 1) only[code] = slots[first] ?? none;
  }
  return only;
}
