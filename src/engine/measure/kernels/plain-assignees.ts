import { type ColumnArrays, rowFlag, STATUS_CODE, stretchFlag } from '../../columns/column-arrays.ts';
import { FIRST_VALUE } from '../../columns/value-codes.ts';
import type { CodeSlots } from '../../reports/measuring/report-type.ts';
import { assigneeDuration, groupDuration } from '../../reports/time-by-assignee.ts';
import { type WorkClock, workOnGrid } from '../../visits/work-clock.ts';
import { addExactly, type CellAccumulator } from './kernel-cells.ts';
import { type KernelPlan, type KernelRows, NO_GROUP } from './kernel-plan.ts';
import { endOfVisits, isUntrimmed, type LookedAt, onlySlots, type PlainLoop } from './plain-loop.ts';

/**
 * Time per assignee in the statuses that count, for complete histories, stretch by stretch. Amounts are added up by
 * group, `listed` bit, slot of the assignee, and whether the status counts. Assignees without a slot have one after the
 * last, so that the loop needs no branch.
 */
export class PlainAssignees implements PlainLoop {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  /** By code of an assignee, and of a status: their part in the number of a pair. */
  readonly #personAt: Int32Array;
  readonly #statusAt: Int32Array;
  readonly #pairs: number;
  /** By group, bit and pair: time since sums were last moved, number of first visits of an issue, and of later ones. */
  readonly #facts: Float64Array;
  /** Index of the span that was added last to a pair; -1 if there is none. */
  readonly #last: Int32Array;
  /** Index of the first issue of a pair among the rows, and its codes. */
  readonly #first: Uint32Array;
  /** By code of a status: bits of `KernelPlan.listed` of the issues that were in it. */
  readonly #met: Uint8Array;
  readonly #settled: Float64Array;
  readonly #rests: Float64Array;

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator) {
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#personAt = slotOrNone(plan.assignees).map((slot) => slot * WIDTH);
    this.#statusAt = Int32Array.from(plan.counted, (one) => 1 - one);
    this.#pairs = pairsOf(plan);
    const size = 2 * plan.groups * this.#pairs;
    this.#facts = new Float64Array(FACTS * size);
    this.#last = new Int32Array(size).fill(-1);
    this.#first = new Uint32Array(FIRSTS * size);
    this.#met = new Uint8Array(plan.counted.length);
    this.#settled = new Float64Array(size);
    this.#rests = new Float64Array(size);
  }

  /** True if a plan suits the loop: untrimmed, no delegates, at most one slot per assignee, and not too large. */
  static fits(plan: KernelPlan): boolean {
    const { report, delegates, assignees, groups } = plan;
    const isAssignee = report === assigneeDuration.id || report === groupDuration.id;
    const isSingle = delegates.length === 0 && hasOnlySlots(assignees);
    return isAssignee && isUntrimmed(plan) && isSingle && 2 * groups * pairsOf(plan) <= MAX_PAIRS;
  }

  /** Adds a row; false if columns have no stretches of it. */
  add(row: number, group: number, bit: number, position: number): boolean {
    const { statusAt, statusCount, assigneeAt, assigneeCount } = this.#arrays;
    const { visitStatus, stretches } = this.#arrays;
    const visit = statusAt[row];
    const span = assigneeAt[row];
    const isEmpty = statusCount[row] === 0 || assigneeCount[row] === 0;
    if (isEmpty || stretches[visit + span] === 0) return false;
    const pairs = (2 * group + bit - 1) * this.#pairs;
    const end = endOfVisits(this.#arrays, row, this.#plan.asOf);
    const observed = this.#met;
    const counted = this.#plan.counted;
    let isCounted = 1;
    for (let i = visit; i < end; i += 1) {
      const code = visitStatus[i] & STATUS_CODE;
      observed[code] = (observed[code] ?? 0) | bit;
      isCounted &= counted[code] ?? 0;
    }
    if (isCounted === 1) this.#addSpans(row, pairs, position);
    else this.#addStretches(visit, span, pairs, position);
    return true;
  }

  /** Adds an issue whose statuses all count: then each span is one visit. */
  #addSpans(row: number, pairs: number, position: number): void {
    const { assigneeAt, assigneeCount, spanStart, spanAssignee } = this.#arrays;
    const { asOf } = this.#plan;
    const { kind, before: grid, start: origin, cellMs } = this.#clock;
    const isAlways = kind === 0;
    const facts = this.#facts;
    const last = this.#last;
    const personAt = this.#personAt;
    const low = assigneeAt[row];
    let end = low + assigneeCount[row];
    while (end > low && spanStart[end - 1] > asOf) end -= 1;
    if (end === low) return;
    const start = spanStart[low];
    let begun = isAlways ? start : workOnGrid(grid, origin, cellMs, start);
    for (let span = low; span < end; span += 1) {
      const until = span + 1 < end ? spanStart[span + 1] : asOf;
      const done = isAlways ? until : workOnGrid(grid, origin, cellMs, until);
      const person = spanAssignee[span];
      const pair = pairs + (personAt[person] ?? 0);
      const before = last[pair];
      last[pair] = span;
      if (before < 0) this.#comesUp(pair, position, 0, person);
      // The pair's previous span belongs to another issue.
      const isFirst = ((before - low) | (span - before)) >>> 31;
      const fact = FACTS * pair;
      facts[fact] += done - begun;
      const count = fact + LATER - isFirst;
      facts[count] += 1;
      begun = done;
    }
  }

  /**
   * Adds an issue stretch by stretch. The loop has no branches, because a processor cannot predict whether a visit or a
   * span ends, or whether the issue was with the assignee before.
   */
  #addStretches(firstVisit: number, firstSpan: number, pairs: number, position: number): void {
    const { visitStart, visitStatus, spanStart, spanAssignee, stretches } = this.#arrays;
    const { asOf } = this.#plan;
    const { kind, before: grid, start: origin, cellMs } = this.#clock;
    const isAlways = kind === 0;
    const facts = this.#facts;
    const last = this.#last;
    const personAt = this.#personAt;
    const statusAt = this.#statusAt;
    let visit = firstVisit;
    let span = firstSpan;
    const start = visitStart[visit];
    if (start > asOf) return;
    let begun = isAlways ? start : workOnGrid(grid, origin, cellMs, start);
    const low = span;
    for (let at = visit + span; ; at += 1) {
      const flags = stretches[at];
      const status = visitStatus[visit] & STATUS_CODE;
      const person = spanAssignee[span];
      const pair = pairs + (personAt[person] ?? 0) + (statusAt[status] ?? 0);
      const before = last[pair];
      last[pair] = span;
      if (before < 0) this.#comesUp(pair, position, status, person);
      // The pair's previous span belongs to another issue, or is this span, whose stretches are one visit.
      const isFirst = ((before - low) | (span - before)) >>> 31;
      const other = before ^ span;
      const fact = FACTS * pair;
      const count = fact + LATER - isFirst;
      facts[count] += (other | -other) >>> 31;
      const isVisit = flags & VISIT;
      visit += isVisit;
      span += (flags & SPAN) >>> 1;
      const spanned = spanStart[span];
      const end = spanned + (visitStart[visit] - spanned) * isVisit;
      const isLast = (flags & NEXT) === 0 || end > asOf;
      const until = isLast ? asOf : end;
      const done = isAlways ? until : workOnGrid(grid, origin, cellMs, until);
      facts[fact] += done - begun;
      if (isLast) return;
      begun = done;
    }
  }

  #comesUp(pair: number, position: number, status: number, person: number): void {
    this.#first[FIRSTS * pair] = position;
    this.#first[FIRSTS * pair + 1] = status;
    this.#first[FIRSTS * pair + 2] = person;
  }

  settle(): void {
    const facts = this.#facts;
    for (let pair = 0; pair < this.#settled.length; pair += 1) {
      const sum = facts[FACTS * pair];
      if (sum === 0) continue;
      addExactly(this.#settled, this.#rests, pair, sum);
      facts[FACTS * pair] = 0;
    }
  }

  finish(rows: KernelRows, looked: LookedAt): void {
    this.#observeStatuses(rows, looked);
    const { keys, assignees } = this.#plan;
    for (let pair = 0; pair < this.#settled.length; pair += 1) {
      const count = this.#facts[FACTS * pair + FIRST];
      if (count === 0) continue;
      const part = Math.floor(pair / this.#pairs);
      const person = Math.floor((pair % this.#pairs) / WIDTH);
      // Time in statuses that do not count is left out.
      if (person === assignees.size || pair % WIDTH === 1) continue;
      this.#cells.addSum((part >>> 1) * keys + person, {
        position: this.#first[FIRSTS * pair],
        status: this.#first[FIRSTS * pair + 1],
        other: this.#first[FIRSTS * pair + 2],
        bit: (part & 1) + 1,
        visits: count + this.#facts[FACTS * pair + LATER],
        count,
        sum: this.#settled[pair],
        rest: this.#rests[pair],
      });
    }
  }

  /** Notes the first and the last visit of each status, since statuses count although no key is about them. */
  #observeStatuses({ rows, groups }: KernelRows, { start, end }: LookedAt): void {
    const { flags, statusAt, visitStatus } = this.#arrays;
    const observed = this.#met;
    for (const step of [1, -1]) {
      const isMissing = observed.map((bits, code) => (bits > 0 && code >= FIRST_VALUE ? 1 : 0));
      let missing = isMissing.reduce((sum, one) => sum + one, 0);
      for (let i = 0; i < end - start && missing > 0; i += 1) {
        const position = step > 0 ? start + i : end - 1 - i;
        const row = rows[position];
        if ((flags[row] & ~rowFlag.contradicts) !== 0 || groups?.[position] === NO_GROUP) continue;
        const at = statusAt[row];
        const count = endOfVisits(this.#arrays, row, this.#plan.asOf) - at;
        for (let j = 0; j < count; j += 1) {
          const visit = step > 0 ? j : count - 1 - j;
          const code = visitStatus[at + visit] & STATUS_CODE;
          if (isMissing[code] !== 1) continue;
          isMissing[code] = 0;
          missing -= 1;
          this.#cells.begin(position, 0, observed[code] ?? 0);
          this.#cells.observeStatus(code, visit);
        }
      }
    }
  }
}

/** Number of sums per assignee: time in statuses that count, and in others. */
const WIDTH = 2;

/** Number of sums, including those of assignees without a slot. */
function pairsOf({ assignees }: KernelPlan): number {
  return (assignees.size + 1) * WIDTH;
}

const { visit: VISIT, span: SPAN } = stretchFlag;
/** Bits of the visit or span that begins when a stretch ends. */
const NEXT = VISIT | SPAN;
const FACTS = 3;
/** Offsets of the number of visits that are the first of their issue, and of later ones. */
const FIRST = 1;
const LATER = 2;
const FIRSTS = 3;
/** Maximum number of pairs: they take 28 MB. */
const MAX_PAIRS = 2 ** 19;

/** True if each code counts for at most one slot. */
function hasOnlySlots({ at }: CodeSlots): boolean {
  return at.every((start, code) => code === 0 || start - (at[code - 1] ?? 0) <= 1);
}

/** By code: its only slot, or the one after the last slot if it has none. */
function slotOrNone(codes: CodeSlots): Int32Array {
  return onlySlots(codes).map((slot) => (slot < 0 ? codes.size : slot));
}
