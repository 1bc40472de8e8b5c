import { type ColumnArrays, historyFlag } from '../../columns/column-arrays.ts';
import { historyColumns } from '../../columns/rows-then.ts';
import type { CellAccumulator } from './kernel-cells.ts';
import type { CodeSlots, KernelPlan } from './kernel-plan.ts';
import { RowVisits, type WorkClock, workUntil } from './row-visits.ts';

/** Adds up time per value of the fields of a report about histories, each visit by itself. */
export function walkHistories(
  arrays: ColumnArrays,
  plan: KernelPlan,
  clock: WorkClock,
  cells: CellAccumulator,
): (row: number) => void {
  const { asOf, from, to, vouched } = plan;
  const statusCodes = arrays.fields.status ?? new Uint32Array(arrays.rows);
  const isWhole = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
  const walks = plan.histories.map(({ field, slots, first }) => {
    const columns = historyColumns(arrays, field);
    if (columns === null) return () => {};
    const { at, count, starts, codes, mask } = columns;
    const add = adder(slots, first, cells);
    const visits = new RowVisits(plan, clock);
    if (!isWhole) {
      return (row: number) => {
        const bit = vouched[statusCodes[row] ?? 0] ?? 0;
        visits.load(starts, codes, mask, at[row] ?? 0, count[row] ?? 0);
        for (let i = 0; i < visits.count; i += 1) {
          add(visits.codes[i] ?? 0, (visits.works[i + 1] ?? 0) - (visits.works[i] ?? 0), bit);
        }
      };
    }
    const worked = workUntil(clock, asOf);
    // Of whole histories nothing is unknown, and visits adjoin.
    return (row: number) => {
      const low = at[row] ?? 0;
      const end = low + (count[row] ?? 0);
      const start = starts[low] ?? 0;
      if (low === end || start > asOf) return;
      const bit = vouched[statusCodes[row] ?? 0] ?? 0;
      let begun = workUntil(clock, start);
      let code = codes[low] ?? 0;
      for (let i = low + 1; i < end; i += 1) {
        const next = starts[i] ?? 0;
        if (next > asOf) break;
        const done = workUntil(clock, next);
        add(code & mask, done - begun, bit);
        begun = done;
        code = codes[i] ?? 0;
      }
      add(code & mask, worked - begun, bit);
    };
  });
  const [only] = walks;
  if (only !== undefined && walks.length === 1) return only;
  return (row) => {
    for (const walk of walks) walk(row);
  };
}

/** Adds a visit to the slots of its value, with the issue's `vouched`; nearly always each value has the slot of its code. */
function adder(
  { at, slots }: CodeSlots,
  first: number,
  cells: CellAccumulator,
): (code: number, amount: number, bit: number) => void {
  return (code, amount, bit) => {
    const end = at[code + 1] ?? 0;
    for (let slot = at[code] ?? 0; slot < end; slot += 1) {
      cells.add(first + (slots[slot] ?? 0), amount, 1, code, bit);
    }
  };
}

/** Whether columns hold all histories of a row that a plan needs; null where they hold them of every row. */
export function holdsHistories(
  { histories }: ColumnArrays,
  plan: KernelPlan,
): ((row: number) => boolean) | null {
  const fields = plan.histories.map(({ field }) => field).filter((field) => !isRecorded(field));
  const [only, ...others] = fields.map((field) => histories[field]?.flags ?? null);
  if (only === undefined) return null;
  if (only === null || others.includes(null)) return () => false;
  if (others.length === 0) return (row) => ((only[row] ?? 0) & historyFlag.needsIssue) === 0;
  return (row) => [only, ...others].every((flags) => ((flags?.[row] ?? 0) & historyFlag.needsIssue) === 0);
}

/** Whether the visits of a field are columns of every row. */
export function isRecorded(field: string): field is 'status' | 'assignee' {
  return field === 'status' || field === 'assignee';
}
