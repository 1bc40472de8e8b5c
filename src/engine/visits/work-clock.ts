import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { type Calendar, calendarOf, workGrid } from '../../time/calendar.ts';

/** Working time (ms) up to an instant, counted from an arbitrary origin: the instant itself, a grid, or a calendar. */
export interface WorkClock {
  /** 0: 24/7, the instant itself; 1: a grid with `before[i]` working cells before cell `i`; 2: `work`. */
  readonly kind: number;
  readonly start: number;
  readonly cellMs: number;
  readonly before: Uint32Array;
  readonly work: (instant: Instant) => number;
}

/** The instants that a clock must cover. `periods` has the start of each time period, and the end of the last. */
interface ClockSpan {
  /** Null means 24/7. */
  readonly calendar: CalendarDefinition | null;
  readonly earliest: Instant;
  readonly asOf: Instant;
  readonly from: Instant;
  readonly to: Instant;
  readonly periods: Float64Array;
}

const grids = new Map<string, NonNullable<ReturnType<typeof workGrid>>>();
/** Maximum number of cached grids; each takes some megabytes. */
const MAX_GRIDS = 8;

/** The 24/7 clock. */
const always: WorkClock = { kind: 0, start: 0, cellMs: 1, before: new Uint32Array(2), work: (at) => at };

/**
 * Creates the clock of a question over many issues: a grid if the calendar's shifts fit one, otherwise the calendar.
 */
export function createWorkClock({
  calendar: definition,
  earliest,
  asOf,
  from,
  to,
  periods,
}: ClockSpan): WorkClock {
  if (definition === null) return always;
  const calendar = calendarOf(definition);
  if (calendar.continuous) return always;
  const key = JSON.stringify(definition);
  // The first period begins before the first issue was created, by up to a year.
  const first = Math.min(earliest, asOf, periods.length > 1 ? (periods[0] ?? asOf) : asOf);
  // The last period ends after the as-of instant.
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
  if (grid === undefined) return calendarClock(calendar, () => anchor);
  const { from: start, cellMs, before } = grid;
  return { ...always, kind: 1, start, cellMs, before };
}

/** A clock that asks a calendar for the working time since an anchor, which must precede all instants. */
export function calendarClock(calendar: Calendar, anchor: () => Instant): WorkClock {
  if (calendar.continuous) return always;
  return { ...always, kind: 2, work: (at) => calendar.between(anchor(), at) };
}

/** Working time (ms) until an instant, from the clock's origin. */
export function workUntil(clock: WorkClock, instant: Instant): number {
  if (clock.kind === 0) return instant;
  return clock.kind === 2
    ? clock.work(instant)
    : workOnGrid(clock.before, clock.start, clock.cellMs, instant);
}

/**
 * Working time of a grid. It takes only numbers, so that loops over millions of visits are compiled the same regardless
 * of the other clocks that a thread has used.
 */
export function workOnGrid(before: Uint32Array, start: Instant, cellMs: number, instant: Instant): number {
  const passed = instant - start;
  const cell = Math.floor(passed / cellMs);
  const done = before[cell];
  return done * cellMs + ((before[cell + 1] ?? 0) - done) * (passed - cell * cellMs);
}
