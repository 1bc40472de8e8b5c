import { type ColumnArrays, STATUS_CODE } from '../columns/column-arrays.ts';
import { FIRST_VALUE } from '../columns/value-codes.ts';
import type { Instant } from '../model/issue.ts';
import type { CellAccumulator } from './kernel-cells.ts';
import type { CodeSlots, KernelPlan } from './kernel-plan.ts';
import { type RowVisits, type WorkClock, workOnGrid, workUntil } from './row-visits.ts';

/** Adds the visits of a row that were loaded, by status and period: as `cutByPeriods` cuts a visit. */
export function walkPeriods(
  visits: RowVisits,
  plan: KernelPlan,
  clock: WorkClock,
  cells: CellAccumulator,
): () => void {
  const periods = createPeriods(plan, clock);
  return () => {
    const { count, bounds, codes, works } = visits;
    for (let i = 0; i < count; i += 1) {
      const code = codes[i] ?? 0;
      if (code < FIRST_VALUE) continue;
      const first = periods.at(bounds[i] ?? 0);
      const last = Math.max(first, periods.endingAt(bounds[i + 1] ?? 0));
      const [begun, done] = [periods.within(works[i] ?? 0), periods.within(works[i + 1] ?? 0)];
      addEach(plan, periods, cells, { code, first, last, begun, done });
    }
  };
}

/** The periods of a question. */
interface Periods {
  /** Work until each begins, and until the last one ends. */
  readonly worksAt: Float64Array;
  /** When each ends; the last one never does. */
  readonly ends: Float64Array;
  /** The last one that has begun by an instant; before all of them the first. */
  at(instant: Instant): number;
  /** The last one in which something was that ended at an instant: not the one that begins just then. */
  endingAt(instant: Instant): number;
  /** Work until the first one begins and until the last one ends: what is done before and after does not count. */
  readonly least: number;
  readonly most: number;
  within(work: number): number;
}

function createPeriods({ periods }: KernelPlan, clock: WorkClock): Periods {
  const count = periods.length - 1;
  const [start, end] = [periods[0] ?? 0, periods[count] ?? 0];
  const worksAt = periods.map((instant) => workUntil(clock, instant));
  const [least, most] = [worksAt[0] ?? 0, worksAt[count] ?? 0];
  const ends = Float64Array.from(periods.subarray(1));
  ends[count - 1] = Number.POSITIVE_INFINITY;
  // By short span of time the period in which the span before it begins, so that rounding never leads too far.
  const spans = SPANS_OF_A_PERIOD * count;
  const perMs = spans / Math.max(1, end - start);
  const begun = new Int32Array(spans + 1);
  for (let span = 1, period = 0; span <= spans; span += 1) {
    while ((ends[period] ?? 0) <= start + (span - 1) / perMs) period += 1;
    begun[span] = period;
  }
  const at = (instant: Instant) => {
    const passed = Math.min(Math.max(instant, start), end) - start;
    let period = begun[(passed * perMs) | 0] ?? 0;
    while ((ends[period] ?? 0) <= instant) period += 1;
    return period;
  };
  return {
    ...{ worksAt, ends, least, most, at },
    endingAt(instant) {
      const period = at(instant);
      return period > 0 && ends[period - 1] === instant ? period - 1 : period;
    },
    within: (work) => Math.min(Math.max(work, least), most),
  };
}

const SPANS_OF_A_PERIOD = 16;

/** A visit in some periods, and the work done by its start and by its end. */
interface VisitInPeriods {
  readonly code: number;
  readonly first: number;
  readonly last: number;
  readonly begun: number;
  readonly done: number;
}

function addEach(
  { statuses: { at, slots }, inner }: KernelPlan,
  { worksAt }: Periods,
  cells: CellAccumulator,
  { code, first, last, begun, done }: VisitInPeriods,
): void {
  let before = begun;
  for (let period = first; period <= last; period += 1) {
    const until = period === last ? done : (worksAt[period + 1] ?? 0);
    for (let slot = at[code] ?? 0; slot < (at[code + 1] ?? 0); slot += 1) {
      cells.add((slots[slot] ?? 0) * inner + period, until - before, 1, code, 0);
    }
    before = until;
  }
}

/**
 * Time in statuses by period of whole histories, added up by what happens where visits begin and end, however many
 * periods lie between: with R(t), the work from an instant to the end of its period, the time in a visit's first and last
 * period is R(start) and -R(end) more than all of each period after its first up to its last. How many visits a period
 * has follows from how many have begun and ended before.
 */
export class PlainPeriods {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  readonly #periods: Periods;
  /**
   * By code where the facts of its slot are among those of a period; -1 where it has several, or is not the only one of
   * it, so that it matters which came up first.
   */
  readonly #slotOf: Int32Array;
  readonly #codeOf: Uint32Array;
  /**
   * By group, bit, period and slot the sum of R of visits that go on, less that of those that came from before, and the
   * time of those within; and four counts: see `COUNT`.
   */
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;
  readonly #slots: number;
  /** By slot the last period of the visit before, and of which issue since sums were moved it was. */
  readonly #seen: Int32Array;
  #issues = 0;
  /** The first place since sums were moved; -1: there is none. */
  #first = -1;

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator) {
    const { statuses, groups, inner } = plan;
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#periods = createPeriods(plan, clock);
    const { slotOf, codeOf } = onlySlots(statuses);
    this.#slotOf = slotOf;
    this.#codeOf = codeOf;
    this.#slots = statuses.size;
    const size = 2 * groups * inner * statuses.size;
    this.#sums = new Float64Array(size);
    this.#counts = new Uint32Array(4 * size);
    this.#seen = new Int32Array(statuses.size).fill(-1);
  }

  /** Whether all time counts, and it is worth the memory. */
  static fits({ kernel, from, to, groups, statuses, inner }: KernelPlan): boolean {
    const isWhole = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
    const isWorthIt = 2 * groups * statuses.size * inner <= MOST_CELLS && inner <= MOST_PERIODS;
    return kernel === 'statusPeriod' && isWhole && isWorthIt;
  }

  add(row: number, group: number, bit: number, place: number): void {
    const { statusAt, statusCount, visitStart, visitStatus } = this.#arrays;
    const { asOf, inner } = this.#plan;
    const at = statusAt[row] ?? 0;
    const end = at + (statusCount[row] ?? 0);
    const start = visitStart[at] ?? 0;
    if (at === end || start > asOf) return;
    if (this.#first < 0) this.#first = place;
    const sums = this.#sums;
    const counts = this.#counts;
    const seen = this.#seen;
    const slotOf = this.#slotOf;
    const { kind, before, start: origin, cellMs } = this.#clock;
    const periods = this.#periods;
    const { worksAt, ends, least, most } = periods;
    const slots = this.#slots;
    const base = (2 * group + bit - 1) * inner;
    const issue = this.#issues * inner;
    this.#issues += 1;
    const isAlways = kind === 0;
    let period = periods.at(start);
    let here = (base + period) * slots;
    let limit = ends[period] ?? 0;
    let begun = isAlways ? start : workOnGrid(before, origin, cellMs, start);
    begun = Math.min(Math.max(begun, least), most);
    for (let i = at; i < end; i += 1) {
      const next = i + 1 < end ? (visitStart[i + 1] ?? 0) : Number.POSITIVE_INFINITY;
      const until = Math.min(next, asOf);
      let done = isAlways ? until : workOnGrid(before, origin, cellMs, until);
      done = Math.min(Math.max(done, least), most);
      const code = (visitStatus[i] ?? 0) & STATUS_CODE;
      const slot = slotOf[code] ?? -1;
      if (slot >= 0) {
        const from = here + slot;
        const other = (seen[slot] ?? 0) ^ (issue + period);
        const again = 4 * from + COUNT.again;
        // One more where both are the same, without a branch: nothing foretells which it is.
        counts[again] = (counts[again] ?? 0) + 1 + ((other | -other) >> 31);
        if (until < limit) {
          sums[from] = (sums[from] ?? 0) + (done - begun);
          const within = 4 * from + COUNT.within;
          counts[within] = (counts[within] ?? 0) + 1;
          seen[slot] = issue + period;
          if (next > asOf) return;
          begun = done;
          continue;
        }
        const after = periods.at(until);
        const last = after > 0 && ends[after - 1] === until ? after - 1 : after;
        seen[slot] = issue + last;
        const to = (base + last) * slots + slot;
        sums[from] = (sums[from] ?? 0) + ((worksAt[period + 1] ?? 0) - begun);
        sums[to] = (sums[to] ?? 0) - ((worksAt[last + 1] ?? 0) - done);
        const starting = 4 * from + COUNT.begun;
        counts[starting] = (counts[starting] ?? 0) + 1;
        const ending = 4 * to + COUNT.ended;
        counts[ending] = (counts[ending] ?? 0) + 1;
        period = after;
      } else {
        if (code >= FIRST_VALUE) {
          this.#cells.begin(place, group, bit);
          const last = Math.max(period, periods.endingAt(until));
          addEach(this.#plan, periods, this.#cells, { code, first: period, last, begun, done });
        }
        if (until >= limit) period = periods.at(until);
      }
      if (next > asOf) return;
      begun = done;
      here = (base + period) * slots;
      limit = ends[period] ?? 0;
    }
  }

  /** Moves what was added up to the cells. */
  settle(): void {
    const { groups, inner, keys } = this.#plan;
    const { worksAt } = this.#periods;
    const place = this.#first;
    const sums = this.#sums;
    const counts = this.#counts;
    const slots = this.#slots;
    for (let series = 0; place >= 0 && series < 2 * groups * slots; series += 1) {
      const slot = series % slots;
      const part = Math.floor(series / slots);
      let open = 0;
      for (let period = 0; period < inner; period += 1) {
        const cell = (part * inner + period) * slots + slot;
        const count = (fact: number) => counts[4 * cell + fact] ?? 0;
        const visits = open + count(COUNT.begun) + count(COUNT.within);
        if (visits > 0) {
          this.#cells.addSum((part >>> 1) * keys + slot * inner + period, {
            ...{ count: visits - count(COUNT.again), visits, place, rest: 0 },
            sum: (sums[cell] ?? 0) + open * ((worksAt[period + 1] ?? 0) - (worksAt[period] ?? 0)),
            ...{ bit: (part & 1) + 1, status: this.#codeOf[slot] ?? 0 },
          });
        }
        open += count(COUNT.begun) - count(COUNT.ended);
      }
    }
    sums.fill(0);
    counts.fill(0);
    this.#seen.fill(-1);
    this.#issues = 0;
    this.#first = -1;
  }
}

/** What is counted of a cell. `again`: visits of an issue that was there before in the same period. */
const COUNT = { within: 0, begun: 1, ended: 2, again: 3 } as const;
/** 12 MB. */
const MOST_CELLS = 2 ** 19;
/** So that an issue's place in its block and a period are one number of 32 bits. */
const MOST_PERIODS = 2 ** 15;

/** By code its slot, where it is the only one of it and has no other; and by slot its code. */
function onlySlots({ at, slots, size }: CodeSlots) {
  const codesOf = new Uint32Array(size);
  for (const slot of slots) codesOf[slot] = (codesOf[slot] ?? 0) + 1;
  const slotOf = new Int32Array(at.length).fill(-1);
  const codeOf = new Uint32Array(size);
  for (let code = FIRST_VALUE; code < at.length - 1; code += 1) {
    const first = at[code] ?? 0;
    const slot = slots[first] ?? 0;
    if (at[code + 1] !== first + 1 || codesOf[slot] !== 1) continue;
    slotOf[code] = slot;
    codeOf[slot] = code;
  }
  return { slotOf, codeOf };
}
