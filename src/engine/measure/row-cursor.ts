import type { Instant, StatusCategory } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarOf, normalHours } from '../../time/calendar.ts';
import { type ColumnArrays, rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';

/** The categories of statuses as numbers; `undefined`: the category is unknown, or there is no status. */
export const categoryCode = { undefined: 0, todo: 1, progress: 2, done: 3 } as const;

/** The number of each category. */
export const codeOfCategory: Readonly<Record<StatusCategory, number>> = {
  Undefined: categoryCode.undefined,
  'To Do': categoryCode.todo,
  'In Progress': categoryCode.progress,
  Done: categoryCode.done,
};

/** The statuses of a scan. A slot is one status under all names it ever had, from 1 on; slot 0 is none. */
export interface StatusSlots {
  /** The slot by code of `values('status')`. */
  readonly slots: Uint16Array;
  /** One of `categoryCode` by slot. */
  readonly categories: Uint8Array;
  /** By code: 1 where the tracker's lists name the status as the issues in it do (`isListed`). */
  readonly listed: Uint8Array;
}

/** The instant and the calendar (null: 24/7) of a scan, and its statuses. */
export interface ScanPlan extends StatusSlots {
  readonly asOf: Instant;
  readonly calendar: CalendarDefinition | null;
}

/** The statuses that issues were in. */
export interface ObservedSlots {
  /** Codes in the order in which they were observed, each slot once. */
  readonly codes: readonly number[];
  /** By slot: `LISTED` where the tracker's lists name the status of an issue that was in it as the issue does, else `UNLISTED`. */
  readonly by: Uint8Array;
}

const LISTED = 1;
export const UNLISTED = 2;
/** Beside `LISTED` and `UNLISTED`, in the marks of codes: the category of the status is unknown. */
const UNCLEAR = 4;

/** Rows whose visits are not all there is to know of the statuses. */
export const SILENT = rowFlag.cut | rowFlag.odd | rowFlag.dead;

/** The status visits of one row after the other, up to an instant. Instants and durations (working time) are ms. */
export class RowCursor {
  readonly columns: ColumnArrays;
  /** Working ms between two instants. */
  readonly between: (from: Instant, until: Instant) => number;
  row = 0;
  asOf = 0;
  /** The first visit of the row. */
  from = 0;
  /** The last visit that had begun by the instant; one before `from` of none. */
  last = -1;
  /** The last visit of a status that is not Done (one before `from` of none), after `readWork`. */
  work = -1;
  /** The first visit of category In Progress; -1 of none, after `readWork`. */
  progress = -1;
  /** When a row that is Done left its last other status; NaN where it is not Done or never was anything else, after `readWork`. */
  finish = Number.NaN;
  /** The slots that the row was in and the time in each, the first `times` of both, after `readTimes`. */
  times = 0;
  readonly timeSlots: Uint16Array;
  readonly timeMs: Float64Array;

  // Arrays are members of their own because the methods below run for each visit.
  readonly #visitStart: Float64Array;
  readonly #visitStatus: Uint16Array;
  readonly #slots: Uint16Array;
  readonly #categories: Uint8Array;
  readonly #listed: Uint8Array;
  readonly #asOf: Instant;
  readonly #codes: number[] = [];
  readonly #by: Uint8Array;
  /** By code what is noted of it: there are many visits, and hardly ever anything new. */
  readonly #marks: Uint8Array;
  /** By slot: its index in `timeSlots`, and one more; 0: not there. */
  readonly #timeAt: Uint16Array;

  constructor(columns: ColumnArrays, plan: ScanPlan) {
    const { slots, categories, listed, asOf, calendar } = plan;
    this.columns = columns;
    this.#visitStart = columns.visitStart;
    this.#visitStatus = columns.visitStatus;
    this.#slots = slots;
    this.#categories = categories;
    this.#listed = listed;
    this.#asOf = asOf;
    this.between = (calendar === null ? normalHours : calendarOf(calendar)).between;
    this.timeSlots = new Uint16Array(categories.length);
    this.timeMs = new Float64Array(categories.length);
    this.#timeAt = new Uint16Array(categories.length);
    this.#by = new Uint8Array(categories.length);
    this.#marks = Uint8Array.from(slots, (slot) =>
      categories[slot] === categoryCode.undefined ? UNCLEAR : 0,
    );
  }

  /** Moves to a row, by default up to the instant of the plan. */
  seek(row: number, asOf = this.#asOf): void {
    const { statusAt, statusCount } = this.columns;
    const from = statusAt[row];
    let last = from + statusCount[row] - 1;
    while (last >= from && this.startAt(last) > asOf) last -= 1;
    this.row = row;
    this.asOf = asOf;
    this.from = from;
    this.last = last;
  }

  has(flags: number): boolean {
    return (this.columns.flags[this.row] & flags) !== 0;
  }

  /** The visits of the row are all there is to know of the statuses: its history is whole. */
  get speaks(): boolean {
    return this.last >= this.from && !this.has(SILENT);
  }

  slotAt(visit: number): number {
    return this.#slots[this.#visitStatus[visit] & STATUS_CODE] ?? 0;
  }

  categoryAt(visit: number): number {
    return this.#categories[this.slotAt(visit)] ?? 0;
  }

  /** When a visit began. */
  startAt(visit: number): Instant {
    return this.#visitStart[visit];
  }

  /** When a visit ended: with the next one, or at the instant. */
  endAt(visit: number): Instant {
    return visit === this.last ? this.asOf : this.startAt(visit + 1);
  }

  /**
   * The slot of the status that the issue is in; -1 where columns do not speak for it. After its last update the tracker
   * shows where the issue is, which its visits may contradict.
   */
  ownSlot(): number {
    if (!this.speaks) return -1;
    const own = this.slotAt(this.last);
    const { updated, fields } = this.columns;
    if (this.asOf < updated[this.row]) return own;
    return this.#slots[fields.status?.[this.row] ?? 0] === own ? own : -1;
  }

  /** Notes the statuses of the visits; true where the category of each is known. */
  observe(): boolean {
    // The columns of odd issues need not be right.
    if (this.has(rowFlag.odd)) return false;
    const marks = this.#marks;
    const visitStatus = this.#visitStatus;
    const { fields } = this.columns;
    const bit = this.#listed[fields.status?.[this.row] ?? 0] === 1 ? LISTED : UNLISTED;
    const nothingNew = bit | UNCLEAR;
    let isClear = true;
    for (let visit = this.from; visit <= this.last; visit += 1) {
      const code = visitStatus[visit] & STATUS_CODE;
      const mark = marks[code] ?? UNCLEAR;
      if ((mark & nothingNew) === bit) continue;
      if ((mark & UNCLEAR) !== 0) isClear = false;
      if ((mark & bit) === 0) this.#note(code, bit);
    }
    return isClear;
  }

  /** Reads `work`, `progress` and `finish`. */
  readWork(): void {
    let work = this.last;
    while (work >= this.from && this.categoryAt(work) === categoryCode.done) work -= 1;
    let progress = this.from;
    while (progress <= work && this.categoryAt(progress) !== categoryCode.progress) progress += 1;
    this.work = work;
    this.progress = progress > work ? -1 : progress;
    this.finish = work < this.last && work >= this.from ? this.startAt(work + 1) : Number.NaN;
  }

  /** From the first visit of category In Progress to the finish; NaN where there is none of them. */
  cycleMs(): number {
    return this.progress < 0 ? Number.NaN : this.between(this.startAt(this.progress), this.finish);
  }

  /** Reads `timeSlots` and `timeMs` of all visits up to one. */
  readTimes(until: number): void {
    const { timeSlots, timeMs } = this;
    const timeAt = this.#timeAt;
    let count = 0;
    let start = this.startAt(this.from);
    for (let visit = this.from; visit <= until; visit += 1) {
      const slot = this.slotAt(visit);
      const end = this.endAt(visit);
      const ms = this.between(start, end);
      start = end;
      const at = timeAt[slot] ?? 0;
      if (at > 0) timeMs[at - 1] += ms;
      else {
        timeSlots[count] = slot;
        timeMs[count] = ms;
        count += 1;
        timeAt[slot] = count;
      }
    }
    for (let i = 0; i < count; i += 1) timeAt[timeSlots[i]] = 0;
    this.times = count;
  }

  observed(): ObservedSlots {
    return { codes: this.#codes, by: this.#by };
  }

  #note(code: number, bit: number): void {
    this.#marks[code] = (this.#marks[code] ?? 0) | bit;
    const slot = this.#slots[code] ?? 0;
    if (slot === 0) return;
    const known = this.#by[slot] ?? 0;
    if (known === 0) this.#codes.push(code);
    this.#by[slot] = known | bit;
  }
}
