import type { Instant } from '../../model/issue.ts';
import { ABSENT, type ValueCodes } from '../columns/value-codes.ts';
import type { Visit } from './timeline.ts';
import { type WorkClock, workOnGrid, workUntil } from './work-clock.ts';

/** The time a question is about: up to `asOf`, from `from` on and before `to` (infinite: not trimmed). */
export interface VisitWindow {
  readonly asOf: Instant;
  readonly from: Instant;
  readonly to: Instant;
}

/** None of the visits. */
export const NONE = -1;

/**
 * The visits of one field of one issue that a question is about, as `timeline` and `trimVisits` give them, in arrays that
 * are used for one issue after the other: visit `i` has the value of `codes[i]` (`ABSENT`: nothing is known, `EMPTY`: no
 * value) and lasts from `bounds[i]` until `bounds[i + 1]`, until when `works[i]` and `works[i + 1]` ms of work were done.
 */
export class FieldVisits {
  count = 0;
  /** The last one is still open. */
  isOpen = false;
  bounds = new Float64Array(64);
  works = this.bounds;
  codes = new Uint32Array(64);
  /** Where the first one lies among those of all issues, so that visits of different issues have different numbers. */
  at = 0;
  /** The visit of which nothing is known; a history has at most one. `NONE`: all are known. */
  gap = NONE;
  /** The known visit that was under way when known time began again: when it began is not known. */
  underWay = NONE;
  /** The code of what the change came from with which known time begins again; `ABSENT` where it does not tell. */
  cameFrom = ABSENT;
  readonly #clock: WorkClock;
  readonly #window: VisitWindow;
  readonly #isTrimmed: boolean;

  constructor(window: VisitWindow, clock: WorkClock) {
    this.#clock = clock;
    this.#window = window;
    this.#isTrimmed = window.from !== Number.NEGATIVE_INFINITY || window.to !== Number.POSITIVE_INFINITY;
    if (clock.kind !== 0) this.works = new Float64Array(64);
  }

  /** When a visit began; null where that is not known. */
  since(visit: number): Instant | null {
    return visit === this.gap || visit === this.underWay ? null : (this.bounds[visit] ?? 0);
  }

  /** The visit the issue is in at the instant of the question; `NONE` where that is unknown or trimmed away. */
  get open(): number {
    const last = this.count - 1;
    return this.isOpen && this.codes[last] !== ABSENT ? last : NONE;
  }

  /** The working time of a visit, in ms. */
  ms(visit: number): number {
    return (this.works[visit + 1] ?? 0) - (this.works[visit] ?? 0);
  }

  /** Reads visits of a row of columns, all up to its last change; of rows with unknown time only `gap` is told. */
  loadRow(
    starts: Float64Array,
    codes: Uint32Array | Uint16Array,
    mask: number,
    at: number,
    length: number,
  ): void {
    if (length >= this.codes.length) this.#grow(length);
    const { asOf } = this.#window;
    const bounds = this.bounds;
    const own = this.codes;
    let count = 0;
    let gap = NONE;
    for (let i = 0; i < length; i += 1) {
      const start = starts[at + i] ?? 0;
      if (start > asOf) break;
      const code = (codes[at + i] ?? 0) & mask;
      if (code === ABSENT) {
        // Known time that ends as of the instant has nothing unknown behind it.
        if (start === asOf && i > 0) break;
        gap = i;
      }
      bounds[i] = start;
      own[i] = code;
      count += 1;
    }
    bounds[count] = asOf;
    this.at = at;
    this.count = count;
    this.gap = gap;
    this.isOpen = count > 0;
    if (this.#isTrimmed) this.#trim();
    if (this.#clock.kind !== 0) this.#work();
  }

  /** Takes visits of an issue that are trimmed already; their values get codes. */
  loadVisits(visits: readonly Visit[], values: ValueCodes): void {
    if (visits.length >= this.codes.length) this.#grow(visits.length);
    this.count = visits.length;
    this.gap = NONE;
    this.underWay = NONE;
    this.cameFrom = ABSENT;
    for (const [i, { value, known, begun, start, end, cameFrom }] of visits.entries()) {
      this.bounds[i] = start;
      this.bounds[i + 1] = end;
      this.codes[i] = known ? values.codeOf(value) : ABSENT;
      if (!known) this.gap = i;
      else if (!begun) this.underWay = i;
      if (cameFrom !== undefined) this.cameFrom = values.codeOf(cameFrom);
    }
    this.isOpen = visits.at(-1)?.open ?? false;
    if (this.#clock.kind !== 0) this.#work();
  }

  /** What reaches into the window is one stretch, for visits adjoin. */
  #trim(): void {
    const { bounds, codes, count } = this;
    const { from, to } = this.#window;
    let kept = 0;
    let first = NONE;
    let gap = NONE;
    let isOpen = false;
    for (let i = 0; i < count; i += 1) {
      const start = bounds[i] ?? 0;
      const end = bounds[i + 1] ?? 0;
      const reaches = end > from || (end === from && (i === count - 1 || start === end));
      if (!reaches || start >= to || from >= to) continue;
      if (first < 0) first = i;
      if (codes[i] === ABSENT) gap = kept;
      kept += 1;
      isOpen = i === count - 1 && end < to;
    }
    for (let i = 0; i < kept; i += 1) {
      bounds[i] = Math.max(bounds[first + i] ?? 0, from);
      codes[i] = codes[first + i] ?? 0;
    }
    if (kept > 0) bounds[kept] = Math.max(from, Math.min(bounds[first + kept] ?? 0, to));
    this.count = kept;
    this.gap = gap;
    this.isOpen = isOpen;
  }

  #work(): void {
    const { bounds, works, count } = this;
    const clock = this.#clock;
    const { kind, start, cellMs, before } = clock;
    for (let i = 0; i <= count; i += 1) {
      const instant = bounds[i] ?? 0;
      works[i] = kind === 1 ? workOnGrid(before, start, cellMs, instant) : workUntil(clock, instant);
    }
  }

  #grow(length: number): void {
    const size = 2 * length + 1;
    this.bounds = new Float64Array(size);
    this.works = this.#clock.kind === 0 ? this.bounds : new Float64Array(size);
    this.codes = new Uint32Array(size);
  }
}

/** The visits of one issue after the other, in the fields that a report type goes through; the others have none. */
export class VisitCursor {
  readonly statuses: FieldVisits;
  readonly assignees: FieldVisits;
  /** One for each history field of the question. */
  readonly histories: readonly FieldVisits[];
  /** How columns of history values are called, beside their value: `LISTED` or `UNLISTED`, as the status is. */
  naming = 0;
  readonly #clock: WorkClock;

  constructor(window: VisitWindow, clock: WorkClock, historyFields: number) {
    this.#clock = clock;
    this.statuses = new FieldVisits(window, clock);
    this.assignees = new FieldVisits(window, clock);
    this.histories = Array.from({ length: historyFields }, () => new FieldVisits(window, clock));
  }

  /** Working time until an instant, from the same beginning as that of all visits. */
  work(instant: Instant): number {
    return workUntil(this.#clock, instant);
  }
}
