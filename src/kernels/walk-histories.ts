import { type ColumnArrays, historyFlag } from '../columns/column-arrays.ts';
import { historyColumns } from '../columns/rows-then.ts';
import type { CellAccumulator } from './kernel-cells.ts';
import type { KernelPlan } from './kernel-plan.ts';
import { RowVisits, type WorkClock } from './row-visits.ts';

/** Adds up time per value of the fields of a report about histories, each visit by itself. */
export function walkHistories(
  arrays: ColumnArrays,
  plan: KernelPlan,
  clock: WorkClock,
  cells: CellAccumulator,
): (row: number) => void {
  const visits = new RowVisits(plan, clock);
  const histories = plan.histories.flatMap(({ field, slots, first }) => {
    const columns = historyColumns(arrays, field);
    return columns === null ? [] : [{ ...columns, slots, first }];
  });
  return (row) => {
    for (const { starts, codes: all, mask, at, count: counts, slots, first } of histories) {
      visits.load(starts, all, mask, at[row] ?? 0, counts[row] ?? 0);
      if (visits.hasUnknown) cells.markUnknown();
      const { count, codes, works } = visits;
      for (let i = 0; i < count; i += 1) {
        const code = codes[i] ?? 0;
        const end = slots.at[code + 1] ?? 0;
        for (let slot = slots.at[code] ?? 0; slot < end; slot += 1) {
          cells.add(first + (slots.slots[slot] ?? 0), (works[i + 1] ?? 0) - (works[i] ?? 0), 1, code, 0);
        }
      }
    }
  };
}

/** Whether columns hold all histories of a row that a plan needs; null where they hold them of every row. */
export function holdsHistories(
  { histories }: ColumnArrays,
  plan: KernelPlan,
): ((row: number) => boolean) | null {
  const fields = plan.histories.map(({ field }) => field).filter((field) => !isRecorded(field));
  if (fields.length === 0) return null;
  const flags = fields.map((field) => histories[field]?.flags ?? null);
  return (row) => flags.every((one) => one !== null && ((one[row] ?? 0) & historyFlag.needsIssue) === 0);
}

/** Whether the visits of a field are columns of every row. */
export function isRecorded(field: string): field is 'status' | 'assignee' {
  return field === 'status' || field === 'assignee';
}
