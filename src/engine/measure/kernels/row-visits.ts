import type { Instant } from '../../../model/issue.ts';
import { calendarOf, workGrid } from '../../../time/calendar.ts';
import { ABSENT } from '../../columns/value-codes.ts';
import type { KernelPlan } from './kernel-plan.ts';

/**
 * The visits of one field of one row that a question is about, as `timeline` and `trimVisits` give them: visit `i` lasts
 * from `bounds[i]` until `bounds[i + 1]`, until when `works[i]` and `works[i + 1]` ms of work were done.
 */
export class RowVisits {
  count = 0;
  /** Something of the time is unknown. */
  hasUnknown = false;
  /** The last one is still open. */
  isOpen = false;
  bounds = new Float64Array(64);
  works = this.bounds;
  codes = new Uint32Array(64);
  readonly #clock: WorkClock;
  readonly #asOf: Instant;
  readonly #from: Instant;
  readonly #to: Instant;
  readonly #isTrimmed: boolean;

  constructor({ asOf, from, to }: KernelPlan, clock: WorkClock) {
    this.#clock = clock;
    this.#asOf = asOf;
    this.#from = from;
    this.#to = to;
    this.#isTrimmed = from !== Number.NEGATIVE_INFINITY || to !== Number.POSITIVE_INFINITY;
    if (clock.kind !== 0) this.works = new Float64Array(64);
  }

  load(
    starts: Float64Array,
    codes: Uint32Array | Uint16Array,
    mask: number,
    at: number,
    length: number,
  ): void {
    if (length >= this.codes.length) this.#grow(length);
    const asOf = this.#asOf;
    const bounds = this.bounds;
    const own = this.codes;
    let count = 0;
    let hasUnknown = false;
    for (let i = 0; i < length; i += 1) {
      const start = starts[at + i] ?? 0;
      if (start > asOf) break;
      const code = (codes[at + i] ?? 0) & mask;
      if (code === ABSENT) {
        // Known time that ends as of the instant has nothing unknown behind it.
        if (start === asOf && i > 0) break;
        hasUnknown = true;
      }
      bounds[i] = start;
      own[i] = code;
      count += 1;
    }
    bounds[count] = asOf;
    this.count = count;
    this.hasUnknown = hasUnknown;
    this.isOpen = count > 0;
    if (this.#isTrimmed) this.#trim();
    if (this.#clock.kind !== 0) this.#work();
  }

  /** What reaches into the window is one stretch, for visits adjoin. */
  #trim(): void {
    const { bounds, codes, count } = this;
    const from = this.#from;
    const to = this.#to;
    let kept = 0;
    let first = -1;
    let isOpen = false;
    let hasUnknown = false;
    for (let i = 0; i < count; i += 1) {
      const start = bounds[i] ?? 0;
      const end = bounds[i + 1] ?? 0;
      const reaches = end > from || (end === from && (i === count - 1 || start === end));
      if (!reaches || start >= to || from >= to) continue;
      if (first < 0) first = i;
      kept += 1;
      isOpen = i === count - 1 && end < to;
      hasUnknown ||= codes[i] === ABSENT;
    }
    for (let i = 0; i < kept; i += 1) {
      bounds[i] = Math.max(bounds[first + i] ?? 0, from);
      codes[i] = codes[first + i] ?? 0;
    }
    if (kept > 0) bounds[kept] = Math.max(from, Math.min(bounds[first + kept] ?? 0, to));
    this.count = kept;
    this.isOpen = isOpen;
    this.hasUnknown = hasUnknown;
  }

  #work(): void {
    const { bounds, works, count } = this;
    const { kind, start, cellMs, before, work } = this.#clock;
    for (let i = 0; i <= count; i += 1) {
      const instant = bounds[i] ?? 0;
      if (kind === 2) {
        works[i] = work(instant);
        continue;
      }
      works[i] = workOnGrid(before, start, cellMs, instant);
    }
  }

  #grow(length: number): void {
    const size = 2 * length + 1;
    this.bounds = new Float64Array(size);
    this.works = this.#clock.kind === 0 ? this.bounds : new Float64Array(size);
    this.codes = new Uint32Array(size);
  }
}

/** Working time up to an instant: the clock, a grid, or whatever the calendar says. */
export interface WorkClock {
  /** 0: every millisecond counts; 1: a grid; 2: `work`. */
  readonly kind: number;
  readonly start: number;
  readonly cellMs: number;
  readonly before: Uint32Array;
  readonly work: (instant: Instant) => number;
}

const grids = new Map<string, NonNullable<ReturnType<typeof workGrid>>>();
/** Some megabytes each. */
const MAX_GRIDS = 8;

export function createWorkClock({
  calendar: definition,
  earliest,
  asOf,
  from,
  to,
  periods,
}: KernelPlan): WorkClock {
  const always = { kind: 0, start: 0, cellMs: 1, before: new Uint32Array(2), work: (at: Instant) => at };
  if (definition === null) return always;
  const calendar = calendarOf(definition);
  if (calendar.continuous) return always;
  const key = JSON.stringify(definition);
  const first = Math.min(earliest, asOf);
  // The last period ends later than what is asked about.
  const last = Math.max(asOf, periods.at(-1) ?? asOf);
  let grid = grids.get(key);
  if (grid === undefined || grid.from > first || grid.until < last) {
    grid =
      workGrid(definition, Math.min(first, grid?.from ?? first), Math.max(last, grid?.until ?? last)) ??
      undefined;
    grids.delete(key);
    const [oldest] = grids.keys();
    if (grids.size >= MAX_GRIDS && oldest !== undefined) grids.delete(oldest);
    if (grid !== undefined) grids.set(key, grid);
  }
  const anchor = Math.min(
    first,
    from > Number.NEGATIVE_INFINITY ? from : first,
    to < Number.POSITIVE_INFINITY ? to : first,
  );
  const work = (at: Instant) => calendar.between(anchor, at);
  if (grid === undefined) return { ...always, kind: 2, work };
  const { from: start, cellMs, before } = grid;
  return { kind: 1, start, cellMs, before, work };
}

/** Working time from some beginning until an instant. */
export function workUntil(clock: WorkClock, instant: Instant): number {
  if (clock.kind === 0) return instant;
  return clock.kind === 2
    ? clock.work(instant)
    : workOnGrid(clock.before, clock.start, clock.cellMs, instant);
}

/**
 * The same of a grid: by numbers alone, so that loops over millions of visits are compiled alike, whatever other clocks a
 * thread has seen.
 */
export function workOnGrid(before: Uint32Array, start: Instant, cellMs: number, instant: Instant): number {
  const passed = instant - start;
  const cell = Math.floor(passed / cellMs);
  const done = before[cell] ?? 0;
  return done * cellMs + ((before[cell + 1] ?? 0) - done) * (passed - cell * cellMs);
}
