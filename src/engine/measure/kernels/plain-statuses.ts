import { reportIds } from '../../../model/report-ids.ts';
import { type ColumnArrays, FIRST_VISIT, rowFlag, STATUS_CODE } from '../../columns/column-arrays.ts';
import { FIRST_VALUE } from '../../columns/value-codes.ts';
import { type WorkClock, workOnGrid } from '../../visits/work-clock.ts';
import type { CellAmounts } from './cell-amounts.ts';
import { addExactly, type CellAccumulator } from './kernel-cells.ts';
import {
  endOfVisits,
  hasOnlySlots,
  isUntrimmed,
  type KernelPlan,
  type KernelRows,
  type LookedAt,
  NO_GROUP,
  onlySlots,
  type PlainLoop,
} from './kernel-plan.ts';

/**
 * True if `PlainStatuses` can answer a plan: total time in status, untrimmed, with at most one slot
 * per status. This is the most frequent question.
 */
export function isPlain(plan: KernelPlan): boolean {
  const { report, multiVisitBehavior, groups } = plan;
  return (
    report === reportIds.statusDuration &&
    multiVisitBehavior === 'total' &&
    isUntrimmed(plan) &&
    hasOnlySlots(plan.statuses) &&
    groups * 4 * (plan.statuses.at.length - 1) <= MAX_PLAIN
  );
}

const MAX_PLAIN = 2 ** 20;

/**
 * Time in status for complete histories. Amounts are added up by group, `listed` bit, whether the visit is the issue's
 * first in the status, and code of the status: two additions per visit, and no lookup. If single amounts are needed, only
 * the visits are counted so, and each row's amounts go to the cells.
 */
export class PlainStatuses implements PlainLoop {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  readonly #amounts: CellAmounts | null;
  readonly #codes: number;
  readonly #sums: Float64Array;
  readonly #settled: Float64Array;
  readonly #lostSums: Float64Array;
  readonly #visits: Uint32Array;
  /** By code its slot; -1 if it has none. */
  readonly #slotOf: Int32Array;

  constructor(
    arrays: ColumnArrays,
    plan: KernelPlan,
    clock: WorkClock,
    { cells, amounts }: { readonly cells: CellAccumulator; readonly amounts: CellAmounts | null },
  ) {
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#amounts = amounts;
    this.#slotOf = onlySlots(plan.statuses, -1).fill(-1, 0, FIRST_VALUE);
    this.#codes = this.#slotOf.length;
    const size = plan.groups * 4 * this.#codes;
    this.#sums = new Float64Array(size);
    this.#settled = new Float64Array(size);
    this.#lostSums = new Float64Array(size);
    this.#visits = new Uint32Array(size);
  }

  add(row: number, group: number, bit: number): boolean {
    const { statusAt, statusCount } = this.#arrays;
    const at = statusAt[row];
    const end = at + statusCount[row];
    const base = (2 * group + bit - 1) * 2 * this.#codes;
    if (this.#amounts !== null)
      this.#addAmounts(row, { base, cellBase: group * this.#plan.keys, amounts: this.#amounts });
    else if (this.#clock.kind === 0) this.#addAll(at, end, base);
    else this.#addWork(at, end, base);
    return true;
  }

  #addAll(at: number, end: number, base: number): void {
    const { visitStart, visitStatus } = this.#arrays;
    const { asOf } = this.#plan;
    const sums = this.#sums;
    const visits = this.#visits;
    const codes = this.#codes;
    let start = visitStart[at];
    if (at === end || start > asOf) return;
    let raw = visitStatus[at];
    for (let i = at + 1; i < end; i += 1) {
      const next = visitStart[i];
      if (next > asOf) break;
      const cell = base + (raw & STATUS_CODE) + (raw >>> FIRST_SHIFT) * codes;
      sums[cell] += next - start;
      visits[cell] += 1;
      start = next;
      raw = visitStatus[i];
    }
    const cell = base + (raw & STATUS_CODE) + (raw >>> FIRST_SHIFT) * codes;
    sums[cell] += asOf - start;
    visits[cell] += 1;
  }

  #addWork(at: number, end: number, base: number): void {
    const { visitStart, visitStatus } = this.#arrays;
    const { asOf } = this.#plan;
    const sums = this.#sums;
    const visits = this.#visits;
    const codes = this.#codes;
    const { before, start: origin, cellMs } = this.#clock;
    const start = visitStart[at];
    if (at === end || start > asOf) return;
    let raw = visitStatus[at];
    let worked = workOnGrid(before, origin, cellMs, start);
    for (let i = at + 1; i < end; i += 1) {
      const next = visitStart[i];
      if (next > asOf) break;
      const cell = base + (raw & STATUS_CODE) + (raw >>> FIRST_SHIFT) * codes;
      // `workOnGrid` inlined by hand: a call is not always compiled into the loop, which then takes twice the time.
      const passed = next - origin;
      const span = Math.floor(passed / cellMs);
      const full = before[span];
      const until = full * cellMs + ((before[span + 1] ?? 0) - full) * (passed - span * cellMs);
      sums[cell] += until - worked;
      visits[cell] += 1;
      worked = until;
      raw = visitStatus[i];
    }
    const cell = base + (raw & STATUS_CODE) + (raw >>> FIRST_SHIFT) * codes;
    sums[cell] += workOnGrid(before, origin, cellMs, asOf) - worked;
    visits[cell] += 1;
  }

  /**
   * Adds the amounts of a row by cell. The loop has no branches, because a processor cannot predict whether an issue
   * returns to a status: then its cell is written again, and overwritten by the next one.
   */
  #addAmounts(
    row: number,
    {
      base,
      cellBase,
      amounts: found,
    }: { readonly base: number; readonly cellBase: number; readonly amounts: CellAmounts },
  ): void {
    const { statusAt, visitStart, visitStatus } = this.#arrays;
    const { asOf } = this.#plan;
    const at = statusAt[row];
    const end = endOfVisits(this.#arrays, row, asOf);
    if (at === end) return;
    const { kind, before, start: origin, cellMs } = this.#clock;
    const isAlways = kind === 0;
    const { amounts, rowCells } = found;
    const visits = this.#visits;
    const codes = this.#codes;
    const slotOf = this.#slotOf;
    const first = visitStart[at];
    let begun = isAlways ? first : workOnGrid(before, origin, cellMs, first);
    let size = 0;
    for (let i = at; i < end; i += 1) {
      const until = i + 1 < end ? visitStart[i + 1] : asOf;
      const done = isAlways ? until : workOnGrid(before, origin, cellMs, until);
      const raw = visitStatus[i];
      const code = raw & STATUS_CODE;
      const isFirst = raw >>> FIRST_SHIFT;
      const slot = slotOf[code] ?? -1;
      visits[base + code + isFirst * codes] += 1;
      if (slot >= 0) {
        const cell = cellBase + slot;
        amounts[cell] = amounts[cell] * (1 - isFirst) + (done - begun);
        rowCells[size] = cell;
        size += isFirst;
      }
      begun = done;
    }
    found.endRow(size);
  }

  settle(): void {
    for (let cell = 0; cell < this.#sums.length; cell += 1) {
      addExactly(this.#settled, this.#lostSums, cell, this.#sums[cell]);
      this.#sums[cell] = 0;
    }
  }

  finish(rows: KernelRows, looked: LookedAt): void {
    const cells = this.#cells;
    const { keys } = this.#plan;
    const codes = this.#codes;
    /** The code of each slot; -1 if several of its codes came up. */
    const seen = new Map<number, number>();
    for (let cell = 0; cell < this.#visits.length; cell += 1) {
      const visits = this.#visits[cell];
      const code = cell % codes;
      const slot = this.#slotOf[code];
      if (visits > 0 && slot >= 0) seen.set(slot, (seen.get(slot) ?? code) === code ? code : -1);
    }
    const first = this.#firstPositions(rows, looked, seen);
    for (let cell = 0; cell < this.#visits.length; cell += 1) {
      const visits = this.#visits[cell];
      const code = cell % codes;
      const slot = this.#slotOf[code];
      if (visits === 0 || slot < 0) continue;
      const part = Math.floor(cell / codes);
      const { position = 0, status = code } = first.get(slot) ?? {};
      cells.addSum((part >>> 2) * keys + slot, {
        count: (part & 1) === 1 ? visits : 0,
        visits,
        position,
        status,
        bit: ((part >>> 1) & 1) + 1,
        sum: this.#settled[cell],
        lost: this.#lostSums[cell],
      });
    }
  }

  /**
   * By slot, the index of the first row that was in one of its statuses, and the code of that status. Unless `all` is set,
   * it reads rows only for slots with several codes: a single code already determines the name of the column.
   */
  #firstPositions(
    { rows, groups }: KernelRows,
    { start, end, all }: LookedAt,
    seen: ReadonlyMap<number, number>,
  ): ReadonlyMap<number, { readonly position: number; readonly status: number }> {
    const { flags, statusAt, visitStatus } = this.#arrays;
    const first = new Map<number, { position: number; status: number }>();
    const missing = new Set<number>();
    for (const [slot, status] of seen) {
      if (status < 0 || all) missing.add(slot);
      else first.set(slot, { position: start, status });
    }
    for (let position = start; position < end && missing.size > 0; position += 1) {
      const row = rows[position];
      if ((flags[row] & ~rowFlag.contradicts) !== 0 || groups?.[position] === NO_GROUP) continue;
      const end = endOfVisits(this.#arrays, row, this.#plan.asOf);
      for (let i = statusAt[row]; i < end; i += 1) {
        const status = visitStatus[i] & STATUS_CODE;
        const slot = this.#slotOf[status];
        if (missing.delete(slot)) first.set(slot, { position, status });
      }
    }
    return first;
  }
}

const FIRST_SHIFT = Math.log2(FIRST_VISIT);
