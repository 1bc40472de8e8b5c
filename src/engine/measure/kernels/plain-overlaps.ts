import { type ColumnArrays, STATUS_CODE, stretchFlag } from '../../columns/column-arrays.ts';
import { assigneeDurationByStatus, statusDurationByAssignee } from '../../reports/assignee-by-status.ts';
import type { CodeSlots } from '../../reports/measuring/report-type.ts';
import { type WorkClock, workOnGrid } from '../../visits/work-clock.ts';
import { addExactly, type CellAccumulator } from './kernel-cells.ts';
import type { KernelPlan, KernelRows } from './kernel-plan.ts';
import { isUntrimmed, type LookedAt, onlySlots, type PlainLoop } from './plain-loop.ts';

/**
 * Time per pair of assignee and status, for complete histories, stretch by stretch. Amounts are added up by group,
 * `listed` bit, and the codes of assignee and status.
 */
export class PlainOverlaps implements PlainLoop {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  readonly #codes: number;
  readonly #pairs: number;
  /**
   * By group, bit and codes of assignee and status: time since sums were last moved and number of stretches, for
   * stretches that are the first of their issue; then the same for later stretches.
   */
  readonly #facts: Float64Array;
  readonly #settled: Float64Array;
  readonly #rests: Float64Array;

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator) {
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#codes = plan.statuses.at.length - 1;
    this.#pairs = pairsOf(plan);
    const size = 2 * plan.groups * this.#pairs;
    this.#facts = new Float64Array(FACTS * size);
    this.#settled = new Float64Array(size);
    this.#rests = new Float64Array(size);
  }

  /** True if a plan suits the loop: untrimmed, a slot of its own per status and assignee, and not too large. */
  static fits(plan: KernelPlan): boolean {
    const { report, statuses, assignees, groups } = plan;
    const isPair = report === statusDurationByAssignee.id || report === assigneeDurationByStatus.id;
    const isWorthIt = 2 * groups * pairsOf(plan) <= MAX_PAIRS;
    return isPair && isUntrimmed(plan) && isWorthIt && isSingle(statuses) && isSingle(assignees);
  }

  /** Adds a row; false if columns have no stretches of it. */
  add(row: number, group: number, bit: number): boolean {
    const { statusAt, statusCount, assigneeAt, assigneeCount, stretches } = this.#arrays;
    const visit = statusAt[row];
    const span = assigneeAt[row];
    const isEmpty = statusCount[row] === 0 || assigneeCount[row] === 0;
    if (isEmpty || stretches[visit + span] === 0) return false;
    const pairs = (2 * group + bit - 1) * this.#pairs;
    if (this.#clock.kind === 0) this.#addAll(visit, span, pairs);
    else this.#addWork(visit, span, pairs);
    return true;
  }

  /**
   * Adds an issue in 24/7 time. Indexes are computed without branches, because a processor cannot predict whether a
   * visit or a span ends.
   */
  #addAll(firstVisit: number, firstSpan: number, pairs: number): void {
    const { visitStart, visitStatus, spanStart, spanAssignee, stretches } = this.#arrays;
    const { asOf } = this.#plan;
    const facts = this.#facts;
    const codes = this.#codes;
    let visit = firstVisit;
    let span = firstSpan;
    let start = visitStart[visit];
    if (start > asOf) return;
    for (let at = visit + span; ; at += 1) {
      const flags = stretches[at];
      const pair = pairs + spanAssignee[span] * codes + (visitStatus[visit] & STATUS_CODE);
      const fact = FACTS * pair + LATER - ((flags & FIRST) >>> 1);
      facts[fact + 1] += 1;
      const isVisit = flags & VISIT;
      visit += isVisit;
      span += (flags & SPAN) >>> 1;
      const spanned = spanStart[span];
      const end = spanned + (visitStart[visit] - spanned) * isVisit;
      if ((flags & NEXT) === 0 || end > asOf) {
        facts[fact] += asOf - start;
        return;
      }
      facts[fact] += end - start;
      start = end;
    }
  }

  /** Adds an issue in working time. A test for the kind of time in each step would slow both methods down. */
  #addWork(firstVisit: number, firstSpan: number, pairs: number): void {
    const { visitStart, visitStatus, spanStart, spanAssignee, stretches } = this.#arrays;
    const { asOf } = this.#plan;
    const { before, start: origin, cellMs } = this.#clock;
    const facts = this.#facts;
    const codes = this.#codes;
    let visit = firstVisit;
    let span = firstSpan;
    const start = visitStart[visit];
    if (start > asOf) return;
    let begun = workOnGrid(before, origin, cellMs, start);
    for (let at = visit + span; ; at += 1) {
      const flags = stretches[at];
      const pair = pairs + spanAssignee[span] * codes + (visitStatus[visit] & STATUS_CODE);
      const fact = FACTS * pair + LATER - ((flags & FIRST) >>> 1);
      facts[fact + 1] += 1;
      const isVisit = flags & VISIT;
      visit += isVisit;
      span += (flags & SPAN) >>> 1;
      const spanned = spanStart[span];
      const end = spanned + (visitStart[visit] - spanned) * isVisit;
      const isLast = (flags & NEXT) === 0 || end > asOf;
      const done = workOnGrid(before, origin, cellMs, isLast ? asOf : end);
      facts[fact] += done - begun;
      if (isLast) return;
      begun = done;
    }
  }

  settle(): void {
    const facts = this.#facts;
    for (let fact = 0; fact < facts.length; fact += LATER) {
      const sum = facts[fact];
      if (sum === 0) continue;
      addExactly(this.#settled, this.#rests, Math.floor(fact / FACTS), sum);
      facts[fact] = 0;
    }
  }

  finish(_rows: KernelRows, { start: position }: LookedAt): void {
    const { keys, inner, statuses, assignees } = this.#plan;
    const slotOf = onlySlots(statuses);
    const keyOf = onlySlots(assignees);
    for (let pair = 0; pair < this.#settled.length; pair += 1) {
      const count = this.#facts[FACTS * pair + 1];
      if (count === 0) continue;
      const part = Math.floor(pair / this.#pairs);
      const status = pair % this.#codes;
      const other = Math.floor((pair % this.#pairs) / this.#codes);
      const key = keyOf[other] ?? -1;
      const slot = slotOf[status] ?? -1;
      if (key < 0 || slot < 0) continue;
      this.#cells.addSum((part >>> 1) * keys + key * inner + slot, {
        position,
        status,
        other,
        bit: (part & 1) + 1,
        visits: count + this.#facts[FACTS * pair + LATER + 1],
        count,
        sum: this.#settled[pair],
        rest: this.#rests[pair],
      });
    }
  }
}

/** Number of pairs of codes of an assignee and a status. */
function pairsOf({ statuses, assignees }: KernelPlan): number {
  return (statuses.at.length - 1) * (assignees.at.length - 1);
}

const { visit: VISIT, span: SPAN, first: FIRST } = stretchFlag;
/** Bits of the visit or span that begins when a stretch ends. */
const NEXT = VISIT | SPAN;
/** Number of facts per pair, and the offset of those of later stretches. */
const FACTS = 4;
const LATER = 2;
/** Maximum number of pairs: they take 24 MB. */
const MAX_PAIRS = 2 ** 19;

/** True if each code counts for at most one slot, and each slot belongs to one code. */
function isSingle({ at, slots, size }: CodeSlots): boolean {
  return slots.length === size && at.every((start, code) => code === 0 || start - (at[code - 1] ?? 0) <= 1);
}
