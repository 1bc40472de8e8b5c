import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarOf, normalHours } from '../../time/calendar.ts';
import { type Codes, type ColumnArrays, rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';
import {
  countsFinish,
  type FlowRows,
  flowIndex,
  isStartedCode,
  kindCode,
  needsTypeThen,
} from '../columns/flow-rows.ts';

/** The statuses of a scan. A slot is one status under all names it ever had, from 1 on; slot 0 is none. */
export interface StatusSlots {
  /** The slot by code of `values('status')`. */
  readonly slots: Uint16Array;
  /** By flow, one of `kindCode` by slot. */
  readonly kinds: readonly Uint8Array[];
  /** By code: 1 where the tracker's lists name the status as the issues in it do (`isListed`). */
  readonly listed: Uint8Array;
}

/** The instant and the calendar (null: 24/7) of a scan, and its statuses. */
export interface ScanPlan extends StatusSlots {
  readonly asOf: Instant;
  readonly calendar: CalendarDefinition | null;
  /** The flow of each row; null where all rows are of the first one, and all count. */
  readonly flows: FlowRows | null;
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
/** Beside `LISTED` and `UNLISTED`, in the marks of codes: the kind of the status is unknown. */
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
  /** By slot, one of `kindCode`, in the flow of the row. */
  kinds: Uint8Array;
  /** The row's issue is work of its flow. */
  counts = true;
  /** The index of the flow of the row. */
  flow = 0;
  /** Columns do not show the flow of the row at the instant. */
  isFlowUnknown = false;
  /** The last visit of a status that is not done (one before `from` of none), after `readWork`. */
  work = -1;
  /** The first visit of a started status; -1 of none, after `readWork`. */
  progress = -1;
  /** When a row that is done left its last other status; NaN where it is not done or never was anything else, after `readWork`. */
  ended = Number.NaN;
  /** The same; NaN also where that does not count as finished work. */
  finish = Number.NaN;
  /** The slots that the row was in and the time in each, the first `times` of both, after `readTimes`. */
  times = 0;
  readonly timeSlots: Uint16Array;
  readonly timeMs: Float64Array;

  // Arrays are members of their own because the methods below run for each row or visit, and columns that were sent to a thread
  // may be an object whose members take long to find.
  readonly #statusAt: Uint32Array;
  readonly #statusCount: Uint16Array;
  readonly #updated: Float64Array;
  readonly #rowFlags: Uint8Array;
  /** The code of the status that the tracker shows. */
  readonly #shown: Codes;
  readonly #visitStart: Float64Array;
  readonly #visitStatus: Uint16Array;
  readonly #slots: Uint16Array;
  readonly #kindsOf: readonly Uint8Array[];
  readonly #flows: FlowRows | null;
  readonly #listed: Uint8Array;
  readonly #asOf: Instant;
  readonly #codes: number[] = [];
  readonly #by: Uint8Array;
  /** By flow and code, what is noted of it: there are many visits, and hardly ever anything new. */
  readonly #marksOf: readonly Uint8Array[];
  /** By slot: its index in `timeSlots`, and one more; 0: not there. */
  readonly #timeAt: Uint16Array;

  constructor(columns: ColumnArrays, plan: ScanPlan) {
    const { slots, kinds, flows, listed, asOf, calendar } = plan;
    const slotCount = kinds[0]?.length ?? 0;
    this.columns = { ...columns, fields: { ...columns.fields } };
    this.#statusAt = columns.statusAt;
    this.#statusCount = columns.statusCount;
    this.#updated = columns.updated;
    this.#rowFlags = columns.flags;
    this.#shown = columns.fields.status ?? new Uint16Array(columns.rows);
    this.#visitStart = columns.visitStart;
    this.#visitStatus = columns.visitStatus;
    this.#slots = slots;
    this.#kindsOf = kinds;
    this.#flows = flows;
    this.kinds = kinds[0] ?? new Uint8Array();
    this.#listed = listed;
    this.#asOf = asOf;
    this.between = (calendar === null ? normalHours : calendarOf(calendar)).between;
    this.timeSlots = new Uint16Array(slotCount);
    this.timeMs = new Float64Array(slotCount);
    this.#timeAt = new Uint16Array(slotCount);
    this.#by = new Uint8Array(slotCount);
    this.#marksOf = kinds.map((own) =>
      Uint8Array.from(slots, (slot) => (own[slot] === kindCode.unknown ? UNCLEAR : 0)),
    );
  }

  /** Moves to a row, by default up to the instant of the plan. */
  seek(row: number, asOf = this.#asOf): void {
    const from = this.#statusAt[row];
    let last = from + this.#statusCount[row] - 1;
    // No visit begins after the last update, which takes less time to read than the beginning of a visit.
    if (this.#updated[row] > asOf) while (last >= from && this.startAt(last) > asOf) last -= 1;
    this.row = row;
    this.asOf = asOf;
    this.from = from;
    this.last = last;
    if (this.#flows !== null) this.#readFlow(this.#flows);
  }

  #readFlow(flows: FlowRows): void {
    this.isFlowUnknown = needsTypeThen(this.columns, flows, this.row, this.asOf);
    const index = this.isFlowUnknown ? -1 : flowIndex(this.columns, flows, this.row);
    this.flow = index < 0 ? 0 : flows.flows[index];
    this.counts = index < 0 || flows.counts[index] === 1;
    this.kinds = this.#kindsOf[this.flow] ?? this.kinds;
  }

  has(flags: number): boolean {
    return (this.#rowFlags[this.row] & flags) !== 0;
  }

  /** The visits of the row are all there is to know of the statuses: its history is whole. */
  get speaks(): boolean {
    return this.last >= this.from && !this.has(SILENT);
  }

  slotAt(visit: number): number {
    return this.#slots[this.#visitStatus[visit] & STATUS_CODE] ?? 0;
  }

  /** One of `kindCode`. */
  kindAt(visit: number): number {
    return this.kinds[this.slotAt(visit)] ?? kindCode.unknown;
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
   * shows where the issue is, which its visits may contradict; columns do not have the resolutions of before.
   */
  ownSlot(): number {
    if (!this.speaks || this.isFlowUnknown) return -1;
    const own = this.slotAt(this.last);
    if (this.asOf < this.#updated[this.row]) {
      const isDone = this.kinds[own] === kindCode.done;
      return isDone && this.#flows !== null && this.#flows.dropped !== null ? -1 : own;
    }
    return this.#slots[this.#shown[this.row]] === own ? own : -1;
  }

  /** Notes the statuses of the visits; true where the kind of each is known. */
  observe(): boolean {
    // The columns of odd issues need not be right.
    if (this.has(rowFlag.odd)) return false;
    const marks = this.#marksOf[this.flow] ?? this.#by;
    const visitStatus = this.#visitStatus;
    const bit = this.#listed[this.#shown[this.row]] === 1 ? LISTED : UNLISTED;
    const nothingNew = bit | UNCLEAR;
    let isClear = true;
    for (let visit = this.from; visit <= this.last; visit += 1) {
      const code = visitStatus[visit] & STATUS_CODE;
      const mark = marks[code] ?? UNCLEAR;
      if ((mark & nothingNew) === bit) continue;
      if ((mark & UNCLEAR) !== 0) isClear = false;
      if ((mark & bit) === 0) {
        marks[code] = mark | bit;
        this.#note(code, bit);
      }
    }
    return isClear;
  }

  /** Reads `work`, `progress` and `finish`. */
  readWork(): void {
    let work = this.last;
    while (work >= this.from && this.kindAt(work) === kindCode.done) work -= 1;
    let progress = this.from;
    while (progress <= work && !isStartedCode(this.kindAt(progress))) progress += 1;
    this.work = work;
    this.progress = progress > work ? -1 : progress;
    this.ended = work < this.last && work >= this.from ? this.startAt(work + 1) : Number.NaN;
    this.finish = this.countsFinish() ? this.ended : Number.NaN;
  }

  /** A finish of the issue counts as finished work. */
  countsFinish(): boolean {
    if (this.#flows === null) return true;
    return this.counts && countsFinish(this.columns, this.#flows, this.row, this.flow);
  }

  /** The cycle time: from the first started visit to the finish; NaN where there is none of them. */
  cycleMs(): number {
    return Number.isNaN(this.finish) ? Number.NaN : this.msSinceStart(this.work);
  }

  /**
   * From the first started visit to the end of a visit, without the time back in the queue where the clock of the flow
   * pauses; NaN where there is no started visit.
   */
  msSinceStart(until: number): number {
    if (this.progress < 0) return Number.NaN;
    const whole = this.between(this.startAt(this.progress), this.endAt(until));
    if (this.#flows?.pauses[this.flow] !== 1) return whole;
    let paused = 0;
    for (let visit = this.progress + 1; visit <= until; visit += 1) {
      if (this.kindAt(visit) === kindCode.queue)
        paused += this.between(this.startAt(visit), this.endAt(visit));
    }
    return whole - paused;
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
    const slot = this.#slots[code] ?? 0;
    if (slot === 0) return;
    const known = this.#by[slot] ?? 0;
    if (known === 0) this.#codes.push(code);
    this.#by[slot] = known | bit;
  }
}
