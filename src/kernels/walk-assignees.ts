import { type ColumnArrays, STATUS_CODE } from '../columns/column-arrays.ts';
import { ABSENT, FIRST_VALUE } from '../columns/value-codes.ts';
import type { Instant } from '../model/issue.ts';
import type { CellAccumulator } from './kernel-cells.ts';
import type { CodeSlots, KernelPlan } from './kernel-plan.ts';
import { RowVisits, type WorkClock, workOnGrid } from './row-visits.ts';

/** As `overlaps` lays assignees over statuses. */
export function walkAssignees(
  arrays: ColumnArrays,
  plan: KernelPlan,
  clock: WorkClock,
  cells: CellAccumulator,
): (row: number) => void {
  const { visitStart, visitStatus, statusAt, statusCount } = arrays;
  const { spanStart, spanAssignee, assigneeAt, assigneeCount } = arrays;
  const { statuses, assignees, counted, inner } = plan;
  const byStatus = plan.kernel === 'assigneeStatus';
  const people = new RowVisits(plan, clock);
  const stays = new RowVisits(plan, clock);
  const onlySlot = onlySlots(statuses);
  const add = (person: number, status: number, ms: number, span: number) => {
    const begin = assignees.at[person] ?? 0;
    if (byStatus) {
      const key = (assignees.slots[begin] ?? 0) * inner;
      const only = onlySlot[status] ?? -1;
      if (only >= 0) {
        cells.add(key + only, ms, 1, status, person);
        return;
      }
      const last = statuses.at[status + 1] ?? 0;
      for (let slot = statuses.at[status] ?? 0; slot < last; slot += 1) {
        cells.add(key + (statuses.slots[slot] ?? 0), ms, 1, status, person);
      }
      return;
    }
    if (((counted[status] ?? 0) & cells.bit) === 0) return;
    const end = assignees.at[person + 1] ?? 0;
    for (let slot = begin; slot < end; slot += 1) {
      cells.addPart(assignees.slots[slot] ?? 0, ms, span, status, person);
    }
  };
  return (row) => {
    const at = assigneeAt[row] ?? 0;
    stays.load(visitStart, visitStatus, STATUS_CODE, statusAt[row] ?? 0, statusCount[row] ?? 0);
    people.load(spanStart, spanAssignee, ASSIGNEE_CODE, at, assigneeCount[row] ?? 0);
    if (stays.hasUnknown || people.hasUnknown) cells.markUnknown();
    if (!byStatus) {
      for (let j = 0; j < stays.count; j += 1) {
        const code = stays.codes[j] ?? 0;
        if (code >= FIRST_VALUE) cells.meetOther(code, j);
      }
    }
    const { bounds: spans, count } = people;
    const { bounds, works: stayWorks } = stays;
    const { works } = people;
    let i = 0;
    let j = 0;
    while (i < count && j < stays.count) {
      const startA = spans[i] ?? 0;
      const endA = spans[i + 1] ?? 0;
      const startB = bounds[j] ?? 0;
      const endB = bounds[j + 1] ?? 0;
      const start = Math.max(startA, startB);
      const end = Math.min(endA, endB);
      const isMomentary = start === end && (startA === endA || startB === endB);
      if (
        (start < end || isMomentary) &&
        people.codes[i] !== ABSENT &&
        (stays.codes[j] ?? 0) >= FIRST_VALUE
      ) {
        // Work does not go back, so that of the later instant is the greater.
        const begun = Math.max(works[i] ?? 0, stayWorks[j] ?? 0);
        const until = Math.min(works[i + 1] ?? 0, stayWorks[j + 1] ?? 0);
        add(people.codes[i] ?? 0, stays.codes[j] ?? 0, until - begun, at + i);
      }
      if (endA < endB) i += 1;
      else if (endB < endA) j += 1;
      else {
        const isLastA = i + 1 >= count;
        const isLastB = j + 1 >= stays.count;
        if (!isLastA && spans[i + 2] === endA && isLastB) i += 1;
        else if (!isLastB && bounds[j + 2] === endB && isLastA) j += 1;
        else {
          i += 1;
          j += 1;
        }
      }
    }
  };
}

/** Time of assignees in statuses of whole histories: as `walkAssignees` has it, without a copy of the visits. */
export class PlainOverlaps {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  readonly #keyOf: Int32Array;
  readonly #slotOf: Int32Array;

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator) {
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#keyOf = onlySlots(plan.assignees).map((slot) => (slot < 0 ? -1 : slot * plan.inner));
    this.#slotOf = onlySlots(plan.statuses);
  }

  /** Whether all time counts, and each status and person once. */
  static fits({ kernel, from, to, statuses }: KernelPlan): boolean {
    const isWhole = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
    const { at } = statuses;
    const isSingle = at.every((start, code) => code === 0 || start - (at[code - 1] ?? 0) <= 1);
    return kernel === 'assigneeStatus' && isWhole && isSingle;
  }

  add(row: number, group: number, bit: number, place: number): void {
    const { visitStart, visitStatus, statusAt, statusCount } = this.#arrays;
    const { spanStart, spanAssignee, assigneeAt, assigneeCount } = this.#arrays;
    const { asOf } = this.#plan;
    const cells = this.#cells;
    const { kind, before, start: origin, cellMs } = this.#clock;
    const isAlways = kind === 0;
    const keyOf = this.#keyOf;
    const slotOf = this.#slotOf;
    let i = assigneeAt[row] ?? 0;
    let j = statusAt[row] ?? 0;
    let lastSpan = i + (assigneeCount[row] ?? 0) - 1;
    let lastStay = j + (statusCount[row] ?? 0) - 1;
    while (lastSpan >= i && (spanStart[lastSpan] ?? 0) > asOf) lastSpan -= 1;
    while (lastStay >= j && (visitStart[lastStay] ?? 0) > asOf) lastStay -= 1;
    if (i > lastSpan || j > lastStay) return;
    cells.begin(place, group, bit);
    let endA = i < lastSpan ? (spanStart[i + 1] ?? 0) : asOf;
    let endB = j < lastStay ? (visitStart[j + 1] ?? 0) : asOf;
    let person = spanAssignee[i] ?? 0;
    let status = (visitStatus[j] ?? 0) & STATUS_CODE;
    let key = keyOf[person] ?? -1;
    let slot = slotOf[status] ?? -1;
    let start = Math.max(spanStart[i] ?? 0, visitStart[j] ?? 0);
    let begun = isAlways ? start : workOnGrid(before, origin, cellMs, start);
    for (;;) {
      const end = Math.min(endA, endB);
      const isMomentary = start === end && (spanStart[i] === endA || visitStart[j] === endB);
      if (start < end || isMomentary) {
        const done = isAlways ? end : workOnGrid(before, origin, cellMs, end);
        if (key >= 0 && slot >= 0) cells.add(key + slot, done - begun, 1, status, person);
        start = end;
        begun = done;
      }
      let [goesA, goesB] = [endA <= endB, endB <= endA];
      if (goesA && goesB) {
        // A momentary visit that comes next still meets the other one.
        if (i < lastSpan && j === lastStay && endAfter(spanStart, i, lastSpan, asOf) === endA) goesB = false;
        else if (j < lastStay && i === lastSpan && endAfter(visitStart, j, lastStay, asOf) === endB)
          goesA = false;
      }
      if (goesA) {
        i += 1;
        if (i > lastSpan) return;
        endA = i < lastSpan ? (spanStart[i + 1] ?? 0) : asOf;
        person = spanAssignee[i] ?? 0;
        key = keyOf[person] ?? -1;
      }
      if (goesB) {
        j += 1;
        if (j > lastStay) return;
        endB = j < lastStay ? (visitStart[j + 1] ?? 0) : asOf;
        status = (visitStatus[j] ?? 0) & STATUS_CODE;
        slot = slotOf[status] ?? -1;
      }
    }
  }

  settle(): void {
    // The cells have it all.
  }
}

/** When the visit behind another one ends. */
function endAfter(starts: Float64Array, visit: number, last: number, asOf: Instant): Instant {
  return visit + 1 < last ? (starts[visit + 2] ?? 0) : asOf;
}

/** By code the slot it counts for, -1 where there are none or several. */
function onlySlots({ at, slots }: CodeSlots): Int32Array {
  const only = new Int32Array(Math.max(0, at.length - 1)).fill(-1);
  for (let code = 0; code < only.length; code += 1) {
    const first = at[code] ?? 0;
    if (at[code + 1] === first + 1) only[code] = slots[first] ?? -1;
  }
  return only;
}

/** Assignees have no other bits; codes are far fewer. */
const ASSIGNEE_CODE = 0x7fffffff;
