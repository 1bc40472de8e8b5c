import { type ColumnArrays, FIRST_VISIT, rowFlag, STATUS_CODE } from '../../columns/column-arrays.ts';
import { FIRST_VALUE } from '../../columns/value-codes.ts';
import { statusDuration } from '../../reports/status-duration.ts';
import { type WorkClock, workOnGrid } from '../../visits/work-clock.ts';
import type { CellAmounts } from './cell-amounts.ts';
import { addExactly, type CellAccumulator } from './kernel-cells.ts';
import { type KernelPlan, type KernelRows, NO_GROUP } from './kernel-plan.ts';
import { endOfVisits, isUntrimmed, type LookedAt, type PlainLoop } from './plain-loop.ts';

/**
 * True if `PlainStatuses` and `PlainAmounts` can answer a plan: total time in status, untrimmed, with at most one slot
 * per status. This is the most frequent question.
 */
export function isPlain(plan: KernelPlan): boolean {
  const { report, multiVisitBehavior, groups } = plan;
  const { at } = plan.statuses;
  const isSingle = at.every((start, code) => code === 0 || start - (at[code - 1] ?? 0) <= 1);
  return (
    report === statusDuration.id &&
    multiVisitBehavior === 'total' &&
    isUntrimmed(plan) &&
    isSingle &&
    groups * 4 * (at.length - 1) <= MAX_PLAIN
  );
}

const MAX_PLAIN = 2 ** 20;

/**
 * Time in status for complete histories. Amounts are added up by group, `listed` bit, whether the visit is the issue's
 * first in the status, and code of the status: two additions per visit, and no lookup.
 */
export class PlainStatuses implements PlainLoop {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  readonly #codes: number;
  readonly #sums: Float64Array;
  readonly #settled: Float64Array;
  readonly #rests: Float64Array;
  readonly #visits: Uint32Array;

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator) {
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#codes = plan.statuses.at.length - 1;
    const size = plan.groups * 4 * this.#codes;
    this.#sums = new Float64Array(size);
    this.#settled = new Float64Array(size);
    this.#rests = new Float64Array(size);
    this.#visits = new Uint32Array(size);
  }

  /** Number of visits by group, `listed` bit, whether the visit is the first in the status, and code. */
  get visits(): Uint32Array {
    return this.#visits;
  }

  add(row: number, group: number, bit: number): boolean {
    const { statusAt, statusCount } = this.#arrays;
    const at = statusAt[row];
    const base = (2 * group + bit - 1) * 2 * this.#codes;
    const end = at + statusCount[row];
    if (this.#clock.kind === 0) this.#addAll(at, end, base);
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

  settle(): void {
    for (let cell = 0; cell < this.#sums.length; cell += 1) {
      addExactly(this.#settled, this.#rests, cell, this.#sums[cell]);
      this.#sums[cell] = 0;
    }
  }

  finish(rows: KernelRows, looked: LookedAt): void {
    const cells = this.#cells;
    const { statuses, groups, keys } = this.#plan;
    const codes = this.#codes;
    /** The code of each slot; -1 if several of its codes came up. */
    const seen = new Map<number, number>();
    const slotOf = (code: number) => statuses.slots[statuses.at[code] ?? 0] ?? 0;
    for (let cell = 0; cell < this.#visits.length; cell += 1) {
      const code = cell % codes;
      if (this.#visits[cell] === 0 || code < FIRST_VALUE) continue;
      const slot = slotOf(code);
      const other = seen.get(slot);
      seen.set(slot, other === undefined || other === code ? code : -1);
    }
    const first = firstPositions(this.#arrays, rows, this.#plan, { ...looked, slots: seen });
    for (let part = 0; part < 2 * groups; part += 1) {
      for (let code = FIRST_VALUE; code < codes; code += 1) {
        for (const isFirst of [0, 1]) {
          const cell = (2 * part + isFirst) * codes + code;
          const visits = this.#visits[cell];
          if (visits === 0) continue;
          const slot = slotOf(code);
          const { position = 0, status = code } = first.get(slot) ?? {};
          cells.addSum((part >>> 1) * keys + slot, {
            count: isFirst === 1 ? visits : 0,
            visits,
            position,
            status,
            bit: (part & 1) + 1,
            sum: this.#settled[cell],
            rest: this.#rests[cell],
          });
        }
      }
    }
  }
}

const FIRST_SHIFT = Math.log2(FIRST_VISIT);

/** By slot: index of the first row that was in one of its statuses, and the code of that status. */
type FirstPositions = ReadonlyMap<number, { readonly position: number; readonly status: number }>;

/**
 * Finds where each slot came up first. Unless `all` is set, it reads rows only for slots with several codes: a single
 * code already determines the name of the column.
 */
function firstPositions(
  { flags, statusAt, statusCount, visitStart, visitStatus }: ColumnArrays,
  { rows, groups }: KernelRows,
  { statuses, asOf }: KernelPlan,
  { start, end, all, slots }: LookedAt & { readonly slots: ReadonlyMap<number, number> },
): FirstPositions {
  const first = new Map<number, { position: number; status: number }>();
  const missing = new Set<number>();
  for (const [slot, status] of slots) {
    if (status < 0 || all) missing.add(slot);
    else first.set(slot, { position: start, status });
  }
  for (let position = start; position < end && missing.size > 0; position += 1) {
    const row = rows[position];
    if ((flags[row] & ~rowFlag.contradicts) !== 0 || groups?.[position] === NO_GROUP) continue;
    const at = statusAt[row];
    for (let i = at; i < at + statusCount[row] && visitStart[i] <= asOf; i += 1) {
      const status = visitStatus[i] & STATUS_CODE;
      if (status < FIRST_VALUE) continue;
      const slot = statuses.slots[statuses.at[status] ?? 0] ?? 0;
      if (missing.delete(slot)) first.set(slot, { position, status });
    }
  }
  return first;
}

/** Time in status like `PlainStatuses`, with the single amounts of each row and cell. */
export class PlainAmounts implements PlainLoop {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #statuses: PlainStatuses;
  readonly #amounts: CellAmounts;
  readonly #codes: number;
  readonly #slotOf: Int32Array;

  constructor(
    arrays: ColumnArrays,
    plan: KernelPlan,
    clock: WorkClock,
    { cells, amounts }: { readonly cells: CellAccumulator; readonly amounts: CellAmounts },
  ) {
    const { at, slots } = plan.statuses;
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#statuses = new PlainStatuses(arrays, plan, clock, cells);
    this.#amounts = amounts;
    this.#codes = at.length - 1;
    this.#slotOf = Int32Array.from({ length: this.#codes }, (_, code) =>
      code < FIRST_VALUE || at[code] === at[code + 1] ? -1 : (slots[at[code] ?? 0] ?? -1),
    );
  }

  /**
   * Adds a row. The loop has no branches, because a processor cannot predict whether an issue returns to a status: then
   * its cell is written again, and overwritten by the next one.
   */
  add(row: number, group: number, bit: number): boolean {
    const { statusAt, visitStart, visitStatus } = this.#arrays;
    const { asOf, keys } = this.#plan;
    const at = statusAt[row];
    const end = endOfVisits(this.#arrays, row, asOf);
    if (at === end) return true;
    const { amounts, rowCells } = this.#amounts;
    const { visits } = this.#statuses;
    const codes = this.#codes;
    const slotOf = this.#slotOf;
    const { kind, before, start: origin, cellMs } = this.#clock;
    const base = group * keys;
    const visitBase = (2 * group + bit - 1) * 2 * codes;
    const isAlways = kind === 0;
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
      const visit = visitBase + code + isFirst * codes;
      visits[visit] += 1;
      if (slot >= 0) {
        const cell = base + slot;
        amounts[cell] = amounts[cell] * (1 - isFirst) + (done - begun);
        rowCells[size] = cell;
        size += isFirst;
      }
      begun = done;
    }
    this.#amounts.endRow(size);
    return true;
  }

  settle(): void {
    // Nothing to do: the accumulator settles the amounts of all rows.
  }

  finish(rows: KernelRows, looked: LookedAt): void {
    this.#statuses.finish(rows, looked);
  }
}
