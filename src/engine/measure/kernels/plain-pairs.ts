import { reportIds } from '../../../model/report-ids.ts';
import { type ColumnArrays, rowFlag, STATUS_CODE, stretchFlag } from '../../columns/column-arrays.ts';
import { FIRST_VALUE } from '../../columns/value-codes.ts';
import type { CodeSlots } from '../../reports/measuring/report-type.ts';
import { type WorkClock, workOnGrid } from '../../visits/work-clock.ts';
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
 * Time per assignee in the statuses that count, or per pair of assignee and status, for complete histories, stretch by
 * stretch. Amounts are added up by group, `listed` bit, assignee and status. Per assignee, these are the assignee's slot,
 * or the one after the last, and whether the status counts; per pair they are codes.
 */
export class PlainPairs implements PlainLoop {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  readonly #isByStatus: boolean;
  /** Number of statuses by which an assignee's time is divided. */
  readonly #width: number;
  /** Per assignee, by code of an assignee, and of a status: their part in the number of a pair. */
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
  readonly #observed: Uint8Array;
  readonly #settled: Float64Array;
  readonly #lostSums: Float64Array;

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator) {
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#isByStatus = isByStatus(plan);
    this.#width = widthOf(plan);
    this.#personAt = onlySlots(plan.assignees, plan.assignees.size).map((slot) => slot * this.#width);
    this.#statusAt = Int32Array.from(plan.counted, (one) => 1 - one);
    this.#pairs = pairsOf(plan);
    const size = 2 * plan.groups * this.#pairs;
    this.#facts = new Float64Array(FACTS * size);
    this.#last = new Int32Array(this.#isByStatus ? 0 : size).fill(-1);
    this.#first = new Uint32Array(this.#isByStatus ? 0 : FIRSTS * size);
    this.#observed = new Uint8Array(plan.counted.length);
    this.#settled = new Float64Array(size);
    this.#lostSums = new Float64Array(size);
  }

  /**
   * True if a plan suits the loop: untrimmed, no delegates, at most one slot per assignee, and not too large; per pair
   * also a slot of its own for each of them.
   */
  static fits(plan: KernelPlan): boolean {
    const { report, delegates, statuses, assignees, groups } = plan;
    const isByAssignee = report === reportIds.assigneeDuration || report === reportIds.groupDuration;
    const isPair = isByStatus(plan) && hasOwnSlots(statuses) && hasOwnSlots(assignees);
    const isSingle = delegates.length === 0 && hasOnlySlots(assignees);
    const isWorthIt = 2 * groups * pairsOf(plan) <= MAX_PAIRS;
    return (isByAssignee || isPair) && isUntrimmed(plan) && isSingle && isWorthIt;
  }

  /** Adds a row; false if columns have no stretches of it. */
  add(row: number, group: number, bit: number, position: number): boolean {
    const { statusAt, statusCount, assigneeAt, assigneeCount, visitStatus, stretches } = this.#arrays;
    const visit = statusAt[row];
    const span = assigneeAt[row];
    const isEmpty = statusCount[row] === 0 || assigneeCount[row] === 0;
    if (isEmpty || stretches[visit + span] === 0) return false;
    const pairs = (2 * group + bit - 1) * this.#pairs;
    if (this.#isByStatus) {
      if (this.#clock.kind === 0) this.#addPairs(visit, span, pairs);
      else this.#addWorkOfPairs(visit, span, pairs);
      return true;
    }
    const end = endOfVisits(this.#arrays, row, this.#plan.asOf);
    const observed = this.#observed;
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

  /** Adds an issue's stretches by pair in 24/7 time. */
  #addPairs(firstVisit: number, firstSpan: number, pairs: number): void {
    const { visitStart, visitStatus, spanStart, spanAssignee, stretches } = this.#arrays;
    const { asOf } = this.#plan;
    const facts = this.#facts;
    const width = this.#width;
    let visit = firstVisit;
    let span = firstSpan;
    let start = visitStart[visit];
    if (start > asOf) return;
    for (let at = visit + span; ; at += 1) {
      const flags = stretches[at];
      const fact = FACTS * (pairs + spanAssignee[span] * width + (visitStatus[visit] & STATUS_CODE));
      const count = fact + LATER - ((flags & FIRST_STRETCH) >>> 2);
      facts[count] += 1;
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

  /** Adds an issue's stretches by pair in working time. A test for the kind of time in each step would slow both down. */
  #addWorkOfPairs(firstVisit: number, firstSpan: number, pairs: number): void {
    const { visitStart, visitStatus, spanStart, spanAssignee, stretches } = this.#arrays;
    const { asOf } = this.#plan;
    const { before, start: origin, cellMs } = this.#clock;
    const facts = this.#facts;
    const width = this.#width;
    let visit = firstVisit;
    let span = firstSpan;
    const start = visitStart[visit];
    if (start > asOf) return;
    let begun = workOnGrid(before, origin, cellMs, start);
    for (let at = visit + span; ; at += 1) {
      const flags = stretches[at];
      const fact = FACTS * (pairs + spanAssignee[span] * width + (visitStatus[visit] & STATUS_CODE));
      const count = fact + LATER - ((flags & FIRST_STRETCH) >>> 2);
      facts[count] += 1;
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
      addExactly(this.#settled, this.#lostSums, pair, sum);
      facts[FACTS * pair] = 0;
    }
  }

  finish(rows: KernelRows, looked: LookedAt): void {
    this.#observeStatuses(rows, looked);
    const { keys, inner, statuses, assignees } = this.#plan;
    const [slotOf, keyOf] = [onlySlots(statuses, -1), onlySlots(assignees, -1)];
    for (let pair = 0; pair < this.#settled.length; pair += 1) {
      const count = this.#facts[FACTS * pair + FIRST];
      if (count === 0) continue;
      const part = Math.floor(pair / this.#pairs);
      const person = Math.floor((pair % this.#pairs) / this.#width);
      const status = pair % this.#width;
      const [position = 0, firstStatus = 0, other = 0] = this.#isByStatus
        ? [looked.start, status, person]
        : this.#first.subarray(FIRSTS * pair, FIRSTS * (pair + 1));
      // Time in statuses that do not count is left out.
      const slot = this.#isByStatus ? slotOf[status] : -status;
      const key = keyOf[other];
      if (key < 0 || slot < 0) continue;
      this.#cells.addSum((part >>> 1) * keys + key * inner + slot, {
        position,
        status: firstStatus,
        other,
        bit: (part & 1) + 1,
        visits: count + this.#facts[FACTS * pair + LATER],
        count,
        sum: this.#settled[pair],
        lost: this.#lostSums[pair],
      });
    }
  }

  /** Notes the first and the last visit of each status, since statuses count although no key is about them. */
  #observeStatuses({ rows, groups }: KernelRows, { start, end }: LookedAt): void {
    const { flags, statusAt, visitStatus } = this.#arrays;
    const observed = this.#observed;
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

function isByStatus({ report }: KernelPlan): boolean {
  return report === reportIds.statusDurationByAssignee || report === reportIds.assigneeDurationByStatus;
}

function widthOf(plan: KernelPlan): number {
  return isByStatus(plan) ? plan.statuses.at.length - 1 : 2;
}

/** Number of sums. */
function pairsOf(plan: KernelPlan): number {
  const { at, size } = plan.assignees;
  return (isByStatus(plan) ? at.length - 1 : size + 1) * widthOf(plan);
}

/** True if each code counts for at most one slot, and each slot belongs to one code. */
function hasOwnSlots(codes: CodeSlots): boolean {
  return codes.slots.length === codes.size && hasOnlySlots(codes);
}

const { visit: VISIT, span: SPAN, first: FIRST_STRETCH } = stretchFlag;
/** Bits of the visit or span that begins when a stretch ends. */
const NEXT = VISIT | SPAN;
const FACTS = 3;
/** Offsets of the number of visits that are the first of their issue, and of later ones. */
const FIRST = 1;
const LATER = 2;
const FIRSTS = 3;
/** Maximum number of pairs: they take 28 MB. */
const MAX_PAIRS = 2 ** 19;
