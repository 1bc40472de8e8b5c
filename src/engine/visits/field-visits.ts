import type { FieldValue, Instant } from '../../model/issue.ts';
import { ABSENT, FIRST_VALUE } from '../columns/value-codes.ts';
import type { Visit } from './timeline.ts';
import { type WorkClock, workOnGrid, workUntil } from './work-clock.ts';

/** The time that a question is about: up to `asOf`, from `from` (included) to `to` (excluded); infinite if open. */
export interface VisitWindow {
  readonly asOf: Instant;
  readonly from: Instant;
  readonly to: Instant;
}

/** The index of a visit that does not exist. */
export const NONE = -1;

/**
 * The visits of one field of one issue, with the same values as `timeline` and `trimVisits`, in arrays that are reused
 * for the next issue. Visit `i` has the value with the code `codes[i]` (`ABSENT`: unknown, `EMPTY`: no value) and lasts
 * from `bounds[i]` until `bounds[i + 1]`; `works` has the working time (ms) until each bound.
 */
export class FieldVisits {
  count = 0;
  /** True if the last visit is still open. */
  isOpen = false;
  bounds = new Float64Array(64);
  works = this.bounds;
  codes = new Uint32Array(64);
  /** Index in the columns of the first visit, so that visits of different issues have different numbers. */
  at = 0;
  /** Index of the unknown visit, of which a history has at most one; `NONE` if all are known. */
  gap = NONE;
  /** Index of the visit under way when unknown time ended, whose start is unknown; `NONE` if there is none. */
  underWay = NONE;
  /** Code of the previous value in the first change after unknown time; `ABSENT` if there is none. */
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

  /** The instant at which a visit began; null if it is unknown. */
  since(visit: number): Instant | null {
    return visit === this.gap || visit === this.underWay ? null : this.bounds[visit];
  }

  /** Index of the visit at the as-of instant; `NONE` if it is unknown or trimmed away. */
  get open(): number {
    const last = this.count - 1;
    return this.isOpen && this.codes[last] !== ABSENT ? last : NONE;
  }

  /** The working time (ms) of a visit. */
  ms(visit: number): number {
    return this.works[visit + 1] - this.works[visit];
  }

  /**
   * Loads the visits of a row of columns, which reach to its last change. For unknown time it sets `gap`, but neither
   * `underWay` nor `cameFrom`.
   */
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
      const start = starts[at + i];
      if (start > asOf) break;
      const code = codes[at + i] & mask;
      if (code === ABSENT) {
        // Unknown time that begins at the as-of instant does not count after a known visit.
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

  /** Loads visits of an issue, which are trimmed already; their values get codes. */
  loadVisits(
    visits: readonly Visit[],
    values: { readonly codeOf: (value: FieldValue | null) => number },
  ): void {
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

  /** Trims the visits to the window; those that reach into it are consecutive, since visits adjoin. */
  #trim(): void {
    const { bounds, codes, count } = this;
    const { from, to } = this.#window;
    let left = 0;
    let first = NONE;
    let gap = NONE;
    let isOpen = false;
    for (let i = 0; i < count; i += 1) {
      const start = bounds[i];
      const end = bounds[i + 1];
      const reaches = end > from || (end === from && (i === count - 1 || start === end));
      if (!reaches || start >= to || from >= to) continue;
      if (first < 0) first = i;
      if (codes[i] === ABSENT) gap = left;
      left += 1;
      isOpen = i === count - 1 && end < to;
    }
    for (let i = 0; i < left; i += 1) {
      bounds[i] = Math.max(bounds[first + i], from);
      codes[i] = codes[first + i];
    }
    if (left > 0) bounds[left] = Math.max(from, Math.min(bounds[first + left], to));
    this.count = left;
    this.gap = gap;
    this.isOpen = isOpen;
  }

  #work(): void {
    const { bounds, works, count } = this;
    const clock = this.#clock;
    const { kind, start, cellMs, before } = clock;
    for (let i = 0; i <= count; i += 1) {
      const instant = bounds[i];
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
  /** With codes of `codeOfCauses`. */
  readonly blocked: FieldVisits;
  /** The bit that goes into a key with a history value: `LISTED` or `UNLISTED`, as the status is. */
  naming = 0;
  readonly #clock: WorkClock;

  constructor(window: VisitWindow, clock: WorkClock, historyFields: number) {
    this.#clock = clock;
    this.statuses = new FieldVisits(window, clock);
    this.assignees = new FieldVisits(window, clock);
    this.histories = Array.from({ length: historyFields }, () => new FieldVisits(window, clock));
    this.blocked = new FieldVisits(window, clock);
  }

  /** Working time until an instant, from the same beginning as that of all visits. */
  work(instant: Instant): number {
    return workUntil(this.#clock, instant);
  }
}

/**
 * Overlays the visits of assignees and of statuses: calls `take` for each stretch with one known assignee and one
 * status, in order, with the indexes of both visits. Both lists are in order and adjoin. A visit of 0 ms overlaps the
 * other field's visit at its instant.
 */
export function eachOverlap(
  { assignees, statuses }: VisitCursor,
  take: (assignee: number, status: number) => void,
): void {
  const { bounds: spans, codes: people, count } = assignees;
  const { bounds, codes } = statuses;
  let [i, j] = [0, 0];
  while (i < count && j < statuses.count) {
    const startA = spans[i];
    const endA = spans[i + 1];
    const startB = bounds[j];
    const endB = bounds[j + 1];
    const start = Math.max(startA, startB);
    const end = Math.min(endA, endB);
    const isMomentary = start === end && (startA === endA || startB === endB);
    const isKnown = people[i] !== ABSENT && codes[j] >= FIRST_VALUE;
    if (isKnown && (start < end || isMomentary)) take(i, j);
    // If both visits end at once, both move on, unless one field has a visit of 0 ms next, which must still overlap the
    // other.
    const isLastA = i + 1 >= count;
    const isLastB = j + 1 >= statuses.count;
    if (endA < endB || (endA === endB && !isLastA && isLastB && spans[i + 2] === endA)) i += 1;
    else if (endB < endA || (!isLastB && isLastA && bounds[j + 2] === endB)) j += 1;
    else {
      i += 1;
      j += 1;
    }
  }
}

/** The working time (ms) in which two visits overlap, found from `works`, which never decrease. */
export function overlapMs(a: FieldVisits, i: number, b: FieldVisits, j: number): number {
  return Math.min(a.works[i + 1], b.works[j + 1]) - Math.max(a.works[i], b.works[j]);
}
