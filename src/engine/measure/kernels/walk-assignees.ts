import { type ColumnArrays, STATUS_CODE, stretchFlag } from '../../columns/column-arrays.ts';
import { ABSENT, FIRST_VALUE } from '../../columns/value-codes.ts';
import { addExactly, type CellAccumulator } from './kernel-cells.ts';
import type { CodeSlots, KernelPlan, KernelRows } from './kernel-plan.ts';
import type { LookedAt } from './plain-statuses.ts';
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
    if (counted[status] !== 1) return;
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

/**
 * Time of assignees in statuses of whole histories, stretch by stretch: added up by group, `vouched` and the codes of
 * assignee and status, with how many stretches there are and how many of them are not the first of their issue.
 */
export class PlainOverlaps {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  readonly #walk: (row: number) => void;
  readonly #codes: number;
  readonly #pairs: number;
  /**
   * By group, bit and codes of assignee and status: time since sums were moved, and how many stretches, of those that are
   * the first of an issue; then the same of later ones.
   */
  readonly #facts: Float64Array;
  readonly #settled: Float64Array;
  readonly #rests: Float64Array;

  constructor(
    arrays: ColumnArrays,
    plan: KernelPlan,
    clock: WorkClock,
    { cells, walk }: { readonly cells: CellAccumulator; readonly walk: (row: number) => void },
  ) {
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#walk = walk;
    this.#codes = plan.statuses.at.length - 1;
    this.#pairs = pairsOf(plan);
    const size = 2 * plan.groups * this.#pairs;
    this.#facts = new Float64Array(FACTS * size);
    this.#settled = new Float64Array(size);
    this.#rests = new Float64Array(size);
  }

  /** Whether all time counts, each status and person for themselves, and it is worth the memory. */
  static fits(plan: KernelPlan): boolean {
    const { kernel, from, to, statuses, assignees, groups } = plan;
    const isWhole = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
    const isWorthIt = 2 * groups * pairsOf(plan) <= MAX_PAIRS;
    return kernel === 'assigneeStatus' && isWhole && isWorthIt && isSingle(statuses) && isSingle(assignees);
  }

  add(row: number, group: number, bit: number, place: number): void {
    const { statusAt, statusCount, assigneeAt, assigneeCount, stretches } = this.#arrays;
    const visit = statusAt[row] ?? 0;
    const span = assigneeAt[row] ?? 0;
    const isEmpty = statusCount[row] === 0 || assigneeCount[row] === 0;
    if (isEmpty || stretches[visit + span] === 0) {
      this.#cells.begin(place, group, bit);
      this.#walk(row);
      return;
    }
    const pairs = (2 * group + bit - 1) * this.#pairs;
    if (this.#clock.kind === 0) this.#addAll(visit, span, pairs);
    else this.#addWork(visit, span, pairs);
  }

  /** Reckoned without choices: whether a visit or a span ends is what a processor guesses wrong every other time. */
  #addAll(firstVisit: number, firstSpan: number, pairs: number): void {
    const { visitStart, visitStatus, spanStart, spanAssignee, stretches } = this.#arrays;
    const { asOf } = this.#plan;
    const facts = this.#facts;
    const codes = this.#codes;
    let visit = firstVisit;
    let span = firstSpan;
    let start = visitStart[visit] ?? 0;
    if (start > asOf) return;
    for (let at = visit + span; ; at += 1) {
      const flags = stretches[at] ?? 0;
      const pair = pairs + (spanAssignee[span] ?? 0) * codes + ((visitStatus[visit] ?? 0) & STATUS_CODE);
      const fact = FACTS * pair + LATER - ((flags & FIRST) >>> 1);
      facts[fact + 1] = (facts[fact + 1] ?? 0) + 1;
      const isVisit = flags & VISIT;
      visit += isVisit;
      span += (flags & SPAN) >>> 1;
      const spanned = spanStart[span] ?? 0;
      const end = spanned + ((visitStart[visit] ?? 0) - spanned) * isVisit;
      if ((flags & NEXT) === 0 || end > asOf) {
        facts[fact] = (facts[fact] ?? 0) + (asOf - start);
        return;
      }
      facts[fact] = (facts[fact] ?? 0) + (end - start);
      start = end;
    }
  }

  /** The same in working time; asked at each step which of the two it is, both take longer. */
  #addWork(firstVisit: number, firstSpan: number, pairs: number): void {
    const { visitStart, visitStatus, spanStart, spanAssignee, stretches } = this.#arrays;
    const { asOf } = this.#plan;
    const { before, start: origin, cellMs } = this.#clock;
    const facts = this.#facts;
    const codes = this.#codes;
    let visit = firstVisit;
    let span = firstSpan;
    const start = visitStart[visit] ?? 0;
    if (start > asOf) return;
    let begun = workOnGrid(before, origin, cellMs, start);
    for (let at = visit + span; ; at += 1) {
      const flags = stretches[at] ?? 0;
      const pair = pairs + (spanAssignee[span] ?? 0) * codes + ((visitStatus[visit] ?? 0) & STATUS_CODE);
      const fact = FACTS * pair + LATER - ((flags & FIRST) >>> 1);
      facts[fact + 1] = (facts[fact + 1] ?? 0) + 1;
      const isVisit = flags & VISIT;
      visit += isVisit;
      span += (flags & SPAN) >>> 1;
      const spanned = spanStart[span] ?? 0;
      const end = spanned + ((visitStart[visit] ?? 0) - spanned) * isVisit;
      const isLast = (flags & NEXT) === 0 || end > asOf;
      const done = workOnGrid(before, origin, cellMs, isLast ? asOf : end);
      facts[fact] = (facts[fact] ?? 0) + (done - begun);
      if (isLast) return;
      begun = done;
    }
  }

  settle(): void {
    const facts = this.#facts;
    for (let fact = 0; fact < facts.length; fact += LATER) {
      const sum = facts[fact] ?? 0;
      if (sum === 0) continue;
      addExactly(this.#settled, this.#rests, Math.floor(fact / FACTS), sum);
      facts[fact] = 0;
    }
  }

  finish(_rows: KernelRows, { start: place }: LookedAt): void {
    const { keys, inner, statuses, assignees } = this.#plan;
    const slotOf = onlySlots(statuses);
    const keyOf = onlySlots(assignees);
    for (let pair = 0; pair < this.#settled.length; pair += 1) {
      const count = this.#facts[FACTS * pair + 1] ?? 0;
      if (count === 0) continue;
      const part = Math.floor(pair / this.#pairs);
      const status = pair % this.#codes;
      const other = Math.floor((pair % this.#pairs) / this.#codes);
      const key = keyOf[other] ?? -1;
      const slot = slotOf[status] ?? -1;
      if (key < 0 || slot < 0) continue;
      this.#cells.addSum((part >>> 1) * keys + key * inner + slot, {
        place,
        status,
        other,
        bit: (part & 1) + 1,
        visits: count + (this.#facts[FACTS * pair + LATER + 1] ?? 0),
        count,
        sum: this.#settled[pair] ?? 0,
        rest: this.#rests[pair] ?? 0,
      });
    }
  }
}

/** How many pairs of codes of an assignee and a status there are. */
function pairsOf({ statuses, assignees }: KernelPlan): number {
  return (statuses.at.length - 1) * (assignees.at.length - 1);
}

const { visit: VISIT, span: SPAN, first: FIRST } = stretchFlag;
/** What begins when a stretch ends. */
const NEXT = VISIT | SPAN;
/** How many facts a pair has, and where those of later stretches begin. */
const FACTS = 4;
const LATER = 2;
/** 24 MB. */
const MAX_PAIRS = 2 ** 19;

/** Whether each code counts for one slot at most, and each slot is of one code. */
function isSingle({ at, slots, size }: CodeSlots): boolean {
  return slots.length === size && at.every((start, code) => code === 0 || start - (at[code - 1] ?? 0) <= 1);
}

/** By code the slot it counts for, -1 where there are none or several. */
export function onlySlots({ at, slots }: CodeSlots): Int32Array {
  const only = new Int32Array(Math.max(0, at.length - 1)).fill(-1);
  for (let code = 0; code < only.length; code += 1) {
    const first = at[code] ?? 0;
    if (at[code + 1] === first + 1) only[code] = slots[first] ?? -1;
  }
  return only;
}

/** Assignees have no other bits; codes are far fewer. */
const ASSIGNEE_CODE = 0x7fffffff;
