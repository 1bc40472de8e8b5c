import { type ColumnArrays, type HistoryArrays, historyFlag } from '../../columns/column-arrays.ts';
import { historyColumns } from '../../columns/rows-then.ts';
import { BLOCKED } from '../../visits/blocked-visits.ts';
import { type FieldVisits, NONE, VisitCursor } from '../../visits/field-visits.ts';
import type { WorkClock } from '../../visits/work-clock.ts';
import type { KernelPlan } from './kernel-plan.ts';

/** A cursor over rows of columns. */
export class ColumnCursor extends VisitCursor {
  readonly #loads: readonly ((row: number) => void)[];
  readonly #all: readonly FieldVisits[];

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock) {
    super(plan, clock, plan.histories.length);
    const fields = this.histories.map((visits, i) => [plan.histories[i]?.field ?? '', visits] as const);
    if (plan.goesThrough === 'assignee') fields.push(['assignee', this.assignees]);
    if (plan.goesThrough === 'blocked') fields.push([BLOCKED, this.blocked]);
    if (plan.goesThrough !== 'history') fields.push(['status', this.statuses]);
    this.#all = fields.map(([, visits]) => visits);
    this.#loads = fields.map(([field, visits]) => loader(arrays, field, visits));
  }

  /** Moves to a row; `naming` is the issue's bit of `KernelPlan.listed`. */
  load(row: number, naming: number): void {
    this.naming = naming;
    for (const load of this.#loads) load(row);
  }

  /** True if part of the time of the row's issue is unknown. */
  get hasUnknown(): boolean {
    for (const { gap } of this.#all) if (gap !== NONE) return true;
    return false;
  }
}

function loader(arrays: ColumnArrays, field: string, visits: FieldVisits): (row: number) => void {
  const columns = historyColumns(arrays, field);
  if (columns === null) return () => {};
  const { at, count, starts, codes, mask } = columns;
  return (row) => visits.loadRow(starts, codes, mask, at[row], count[row]);
}

/** Returns whether columns contain all histories of a row that a plan needs; null if they do for every row. */
export function holdsHistories(
  { histories }: ColumnArrays,
  plan: KernelPlan,
): ((row: number) => boolean) | null {
  const named = plan.goesThrough === 'blocked' ? [BLOCKED] : plan.histories.map(({ field }) => field);
  const fields = named.filter((field) => !isRecorded(field));
  const [only, ...others] = fields.map((field): Uint8Array | null => histories[field]?.flags ?? null);
  if (only === undefined) return null;
  if (only === null || others.includes(null)) return () => false;
  if (others.length === 0) return (row) => (only[row] & historyFlag.needsIssue) === 0;
  return (row) => [only, ...others].every((flags) => ((flags?.[row] ?? 0) & historyFlag.needsIssue) === 0);
}

/** Returns whether a row has nothing that a plan measures; null if any row may have something. */
export function hasNothing(
  { histories }: ColumnArrays,
  { goesThrough }: KernelPlan,
): ((row: number) => boolean) | null {
  const { count } = (goesThrough === 'blocked' ? histories[BLOCKED] : undefined) ?? {};
  return count === undefined ? null : (row) => count[row] === 0;
}

/** True if columns contain the visits of a field for every row. */
export function isRecorded(field: string): field is 'status' | 'assignee' {
  return field === 'status' || field === 'assignee';
}

/** Columns with the history of what blocked the issues. */
export function withBlocked(arrays: ColumnArrays, history: HistoryArrays): ColumnArrays {
  return { ...arrays, histories: { ...arrays.histories, [BLOCKED]: history } };
}
