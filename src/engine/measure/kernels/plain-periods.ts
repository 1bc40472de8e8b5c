import type { Instant } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { type ColumnArrays, STATUS_CODE } from '../../columns/column-arrays.ts';
import { FIRST_VALUE } from '../../columns/value-codes.ts';
import type { CodeSlots } from '../../reports/measuring/report-type.ts';
import { type WorkClock, workOnGrid, workUntil } from '../../visits/work-clock.ts';
import type { CellAccumulator } from './kernel-cells.ts';
import { isUntrimmed, type KernelPlan, type PlainLoop } from './kernel-plan.ts';

/** The time periods of a question, prepared for fast lookups. */
interface Periods {
  /** Work until each period begins, and until the last one ends. */
  readonly worksAt: Float64Array;
  /** The instant at which each period ends; infinite for the last. */
  readonly ends: Float64Array;
  /**
   * By cell (of `cellMs`, counted from `start`): the last period that has begun at its start. The last cell contains
   * `end`.
   */
  readonly byCell: Uint16Array;
  readonly start: Instant;
  readonly end: Instant;
  readonly cellMs: number;
  /** The last period that has begun by an instant; the first period if none has. */
  at(instant: Instant): number;
  /** The period in which a visit that ends at an instant has its end: not the period that begins at this instant. */
  endingAt(instant: Instant): number;
}

function createPeriods({ periods }: KernelPlan, clock: WorkClock): Periods {
  const count = periods.length - 1;
  const [start, end] = [periods[0] ?? 0, periods[count]];
  const worksAt = periods.map((instant) => workUntil(clock, instant));
  const ends = Float64Array.from(periods.subarray(1));
  ends[count - 1] = Number.POSITIVE_INFINITY;
  const cellMs = evenCell(periods) ?? Math.max(1, Math.ceil((end - start) / (CELLS_OF_A_PERIOD * count)));
  const byCell = new Uint16Array(Math.floor((end - start) / cellMs) + 1);
  for (let cell = 0, period = 0; cell < byCell.length; cell += 1) {
    while (ends[period] <= start + cell * cellMs) period += 1;
    byCell[cell] = period;
  }
  const at = (instant: Instant) => {
    const cell = Math.floor((instant - start) / cellMs);
    let period = byCell[Math.min(Math.max(cell, 0), byCell.length - 1)];
    while (ends[period] <= instant) period += 1;
    return period;
  };
  return {
    worksAt,
    ends,
    byCell,
    start,
    end,
    cellMs,
    at,
    endingAt(instant) {
      const period = at(instant);
      return period > 0 && ends[period - 1] === instant ? period - 1 : period;
    },
  };
}

/** Number of cells per period, if periods do not begin at cells of equal length. */
const CELLS_OF_A_PERIOD = 16;
const MINUTE = 60_000;
/** Maximum number of cells: they take 1 MB. */
const MAX_SPANS = 2 ** 19;

/** The length (ms) of cells such that every period begins with a cell; null if there would be too many cells. */
function evenCell(periods: Float64Array): number | null {
  const [start, end] = [periods[0] ?? 0, periods.at(-1) ?? 0];
  const ms = periods.reduce((common, instant) => commonDivisor(common, instant - start), 0);
  return ms >= MINUTE && (end - start) / ms < MAX_SPANS ? ms : null;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** A visit with the first and last of its periods, and the work done until its start and its end. */
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
    const until = period === last ? done : worksAt[period + 1];
    for (let slot = at[code] ?? 0; slot < (at[code + 1] ?? 0); slot += 1) {
      cells.add((slots[slot] ?? 0) * inner + period, until - before, 1, code, 0);
    }
    before = until;
  }
}

/**
 * Time in statuses by period, for complete histories. A visit takes the same steps regardless of how many periods it
 * covers. If R(t) is the work from an instant t until its period ends, a visit adds R(start) to its first period, the
 * whole work of each later period up to its last, and −R(end) to its last. The number of visits in a period follows
 * from how many have begun and ended before.
 */
export class PlainPeriods implements PlainLoop {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: WorkClock;
  readonly #cells: CellAccumulator;
  readonly #periods: Periods;
  /** By code: its slot if neither has another, otherwise -1; and the codes that have several slots, or share one. */
  readonly #slotOf: Int32Array;
  readonly #others: readonly number[];
  readonly #codes: number;
  /**
   * By group, bit, period and code: see `FACT`. They are in one array, because lookups in memory take most of the time.
   */
  readonly #facts: Float64Array;
  /**
   * By code: number of the issue since sums were last moved × number of periods + last period of its previous visit.
   */
  readonly #seen: Int32Array;
  #works = new Float64Array(64);
  #issues = 0;
  /** Index of the first row since sums were last moved; -1 if there is none. */
  #first = -1;

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: WorkClock, cells: CellAccumulator) {
    const { statuses, groups, inner } = plan;
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#cells = cells;
    this.#periods = createPeriods(plan, clock);
    this.#slotOf = ownSlots(statuses);
    const { at } = statuses;
    this.#others = [...this.#slotOf.keys()].filter(
      (code) => this.#slotOf[code] === -1 && at[code] !== at[code + 1],
    );
    this.#codes = this.#slotOf.length;
    this.#facts = new Float64Array(2 * groups * inner * this.#codes * FACTS);
    this.#seen = new Int32Array(this.#codes).fill(-1);
  }

  /** True if a plan suits the loop: untrimmed, with periods that begin at equal cells, and not too large. */
  static fits(plan: KernelPlan): boolean {
    const { report, groups, statuses, inner, periods } = plan;
    const isByPeriod =
      report === reportIds.statusDurationByTimePeriod || report === reportIds.timePeriodDurationByStatus;
    const isWorthIt = 2 * groups * statuses.at.length * inner <= MAX_CELLS && inner <= MAX_PERIODS;
    return isByPeriod && isUntrimmed(plan) && isWorthIt && evenCell(periods) !== null;
  }

  /** Adds a row; false if it has time outside the periods. */
  add(row: number, group: number, bit: number, position: number): boolean {
    const { statusAt, statusCount, visitStart, visitStatus } = this.#arrays;
    const { asOf, inner } = this.#plan;
    const at = statusAt[row];
    let end = at + statusCount[row];
    while (end > at && visitStart[end - 1] > asOf) end -= 1;
    if (at === end) return true;
    const { worksAt, byCell, start, end: last, cellMs } = this.#periods;
    const from = visitStart[at];
    if (from < start || asOf > last) return false;
    const facts = this.#facts;
    const seen = this.#seen;
    const codes = this.#codes;
    const isAlways = this.#clock.kind === 0;
    const works = isAlways ? visitStart : this.#worksOf(at, end);
    const base = (2 * group + bit - 1) * inner;
    const issue = this.#issues * inner;
    this.#issues += 1;
    const width = codes * FACTS;
    let begun = isAlways ? from : (works[0] ?? 0);
    let period = byCell[((from - start) / cellMs) | 0];
    let here = (base + period) * width;
    let limit = worksAt[period + 1];
    for (let i = at; i < end; i += 1) {
      const until = i + 1 < end ? visitStart[i + 1] : asOf;
      const done = isAlways ? until : works[i + 1 - at];
      const passed = (until - start) / cellMs;
      const cell = passed | 0;
      const next = byCell[cell];
      const there = (base + next) * width;
      const nextLimit = worksAt[next + 1];
      const code = visitStatus[i] & STATUS_CODE;
      let ending = next;
      let final = there + code * FACTS;
      let left = nextLimit - done;
      if (cell === passed && next > period && this.#plan.periods[next] === until) {
        // The visit ends exactly with the previous period.
        ending = next - 1;
        final -= width;
        left = 0;
      }
      const first = here + code * FACTS;
      const other = (seen[code] ?? 0) ^ (issue + period);
      seen[code] = issue + ending;
      facts[first] += limit - begun;
      facts[final] -= left;
      // Without a branch, because a processor cannot predict whether the issue was in this cell before.
      const beginning = first + FACT.again + ((other | -other) >>> 31);
      facts[beginning] += 1;
      facts[final + FACT.ended] += 1;
      period = next;
      begun = done;
      here = there;
      limit = nextLimit;
    }
    if (this.#first < 0) this.#first = position;
    if (this.#others.length > 0) {
      this.#cells.begin(position, group, bit);
      this.#addOthers(at, end, works);
    }
    return true;
  }

  /** Adds the visits of codes that have no slot of their own. */
  #addOthers(at: number, end: number, works: Float64Array): void {
    const { visitStart, visitStatus } = this.#arrays;
    const { asOf } = this.#plan;
    const isAlways = this.#clock.kind === 0;
    const periods = this.#periods;
    for (let i = at; i < end; i += 1) {
      const code = visitStatus[i] & STATUS_CODE;
      if (!this.#others.includes(code)) continue;
      const from = visitStart[i];
      const until = i + 1 < end ? visitStart[i + 1] : asOf;
      const [begun, done] = isAlways ? [from, until] : [works[i - at], works[i + 1 - at]];
      const first = periods.at(from);
      const last = Math.max(first, periods.endingAt(until));
      addEach(this.#plan, periods, this.#cells, { code, first, last, begun, done });
    }
  }

  /** Work until each visit begins, and until the as-of instant. */
  #worksOf(at: number, end: number): Float64Array {
    const { visitStart } = this.#arrays;
    const { before, start, cellMs } = this.#clock;
    if (end - at >= this.#works.length) this.#works = new Float64Array(2 * (end - at));
    const works = this.#works;
    for (let i = at; i < end; i += 1) {
      works[i - at] = workOnGrid(before, start, cellMs, visitStart[i]);
    }
    works[end - at] = workOnGrid(before, start, cellMs, this.#plan.asOf);
    return works;
  }

  /** Moves the facts to the cells. */
  settle(): void {
    const { groups, inner, keys } = this.#plan;
    const { worksAt } = this.#periods;
    const position = this.#first;
    const facts = this.#facts;
    const codes = this.#codes;
    for (let series = 0; position >= 0 && series < 2 * groups * codes; series += 1) {
      const code = series % codes;
      const part = Math.floor(series / codes);
      const slot = this.#slotOf[code] ?? -1;
      let open = 0;
      for (let period = 0; slot >= 0 && period < inner; period += 1) {
        const cell = ((part * inner + period) * codes + code) * FACTS;
        const again = facts[cell + FACT.again];
        const begun = again + facts[cell + FACT.new];
        const visits = open + begun;
        if (visits > 0) {
          this.#cells.addSum((part >>> 1) * keys + slot * inner + period, {
            count: visits - again,
            visits,
            position,
            lost: 0,
            bit: (part & 1) + 1,
            status: code,
            sum: facts[cell] + open * (worksAt[period + 1] - worksAt[period]),
          });
        }
        open += begun - facts[cell + FACT.ended];
      }
    }
    facts.fill(0);
    this.#seen.fill(-1);
    this.#issues = 0;
    this.#first = -1;
  }
}

/**
 * Offsets in the facts of a cell. The first fact is the sum of R(start) of visits that begin in it minus that of R(end)
 * of visits that end in it. `again` and `new` are the numbers of visits that begin in it, of issues that were in the
 * cell before and of others; `ended` is the number of visits that end in it.
 */
const FACT = { again: 1, new: 2, ended: 3 } as const;
const FACTS = 4;
/** Maximum number of cells: their facts take 16 MB. */
const MAX_CELLS = 2 ** 19;
/** Maximum number of periods, so that an issue's number in its block and a period fit into one 32-bit number. */
const MAX_PERIODS = 2 ** 15;

/** By code: its slot if neither has another, otherwise -1. */
function ownSlots({ at, slots, size }: CodeSlots): Int32Array {
  const codesOf = new Uint32Array(size);
  for (const slot of slots) codesOf[slot] = (codesOf[slot] ?? 0) + 1;
  const slotOf = new Int32Array(at.length - 1).fill(-1);
  for (let code = FIRST_VALUE; code < slotOf.length; code += 1) {
    const first = at[code] ?? 0;
    const slot = slots[first];
    if (at[code + 1] === first + 1 && codesOf[slot] === 1) slotOf[code] = slot;
  }
  return slotOf;
}
