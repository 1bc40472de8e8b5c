import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, rowFlag } from './column-arrays.ts';
import { countsFinish, type FlowRows, flowIndex, kindCode, needsTypeThen } from './flow-rows.ts';
import { historyColumns, lastBegun, speaksThen } from './rows-then.ts';

/** The statuses by code of `values('status')`. A code beyond the end is one that came later. */
export interface FinishStatuses {
  /** By flow, values of `kindCode`. */
  readonly kinds: readonly Uint8Array[];
  readonly flows: FlowRows;
  /** The same number for codes of one status, whatever it was called at the time. */
  readonly slots: Uint16Array;
}

/** Only the issue itself shows whether and when it was finished. */
export const NEEDS_ISSUE = Number.NEGATIVE_INFINITY;

/**
 * When the issue of a row was finished as of an instant at which it existed: when it last left a status that is not done.
 * NaN where it was not, was created as done, or does not count as finished work; `NEEDS_ISSUE` where columns cannot show it.
 */
export function finishedAt(
  columns: ColumnArrays,
  row: number,
  { kinds: kindsOf, slots, flows }: FinishStatuses,
  asOf: Instant,
): number {
  if (needsTypeThen(columns, flows, row, asOf)) return NEEDS_ISSUE;
  const index = flowIndex(columns, flows, row);
  if (index >= 0 && flows.counts[index] !== 1) return Number.NaN;
  const flow = index < 0 ? 0 : flows.flows[index];
  const kinds = kindsOf[flow] ?? slots;
  const isDone = (code: number) => kinds[code] === kindCode.done;
  const isUnknown = (code: number) => (kinds[code] ?? kindCode.unknown) === kindCode.unknown;
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
  if (!isDone(shown) && !isUnknown(shown)) return Number.NaN;
  const isWhole = (flags & rowFlag.cut) === 0 && isDone(shown);
  if (!isWhole || slots[own] !== slots[shown]) return NEEDS_ISSUE;
  // Columns have the resolution of now alone.
  if (flows.dropped !== null && updated > asOf) return NEEDS_ISSUE;
  if (!countsFinish(columns, flows, row, flow)) return Number.NaN;
  while (visit >= first && isDone(codeOf(visit))) visit -= 1;
  if (visit < first) return Number.NaN;
  return isUnknown(codeOf(visit)) ? NEEDS_ISSUE : starts[visit + 1];
}
