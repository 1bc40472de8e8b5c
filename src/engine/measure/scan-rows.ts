import type { Instant, StatusCategory } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { type Calendar, calendarOf, normalHours } from '../../time/calendar.ts';
import { type ColumnArrays, rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';

/** What being in a status means for the work, as a number; `undefined`: nobody knows, or there is no status. */
export const categoryCode = { undefined: 0, todo: 1, progress: 2, done: 3 } as const;

/** The number of each category. */
export const codeOfCategory: Readonly<Record<StatusCategory, number>> = {
  Undefined: categoryCode.undefined,
  'To Do': categoryCode.todo,
  'In Progress': categoryCode.progress,
  Done: categoryCode.done,
};

/**
 * What a scan has to know of statuses. A slot is one status, whatever it was called at the time, from 1 on; slot 0 is
 * none.
 */
export interface StatusSlots {
  /** The slot by code of `values('status')`. */
  readonly slots: Uint16Array;
  /** One of `categoryCode` by slot. */
  readonly categories: Uint8Array;
  /** By code: 1 where the tracker's lists name the status as the issues in it do (`isVouched`). */
  readonly vouched: Uint8Array;
}

/** What all scans start from: as of when, in which calendar (null: every hour counts), over which statuses. */
export interface ScanPlan extends StatusSlots {
  readonly asOf: Instant;
  readonly calendar: CalendarDefinition | null;
}

/** Some rows, and the place of the first one among all that are scanned. */
export interface ScannedRows {
  readonly rows: Uint32Array;
  readonly offset: number;
}

/** A pass over rows: what parts of them come to, and what several parts come to. Pure, so that it can run anywhere. */
export interface Scan<Plan extends ScanPlan, Found extends ScanFound> {
  readonly name: string;
  scan(columns: ColumnArrays, part: ScannedRows, plan: Plan): Found;
  join(parts: readonly Found[]): Found;
}

/** The statuses that issues were in. */
export interface ObservedSlots {
  /** Codes in the order in which they were met, each slot once. */
  readonly codes: readonly number[];
  /** By slot: bit 1 where an issue was in it whose status the tracker's lists name as it does, bit 2 where another was. */
  readonly by: Uint8Array;
}

const VOUCHED = 1;
export const STRANGE = 2;

/** What every scan finds beside its figures. */
export interface ScanFound {
  /** Null where the scan does not look at all statuses. */
  readonly observed: ObservedSlots | null;
  /** Places of the issues for which columns cannot speak: they count in nothing but `observed`, and time within weeks. */
  readonly rest: Float64Array;
}

/** In which a plan counts time. */
export function calendarIn({ calendar }: ScanPlan): Calendar {
  return calendar === null ? normalHours : calendarOf(calendar);
}

/** The index of the last visit of a row that had begun by an instant; -1 of none. */
export function visitAt(columns: ColumnArrays, row: number, asOf: Instant): number {
  const from = columns.statusAt[row] ?? 0;
  let last = from + (columns.statusCount[row] ?? 0) - 1;
  while (last >= from && (columns.visitStart[last] ?? 0) > asOf) last -= 1;
  return last < from ? -1 : last;
}

/** Whether the visits of a row are all there is to know of the statuses: its history is whole. */
export function speaks({ flags }: ColumnArrays, row: number, last: number): boolean {
  return last >= 0 && ((flags[row] ?? 0) & (rowFlag.cut | rowFlag.odd | rowFlag.dead)) === 0;
}

/** The slot of a visit's status; 0 of none (-1). */
export function slotAt({ visitStatus }: ColumnArrays, visit: number, slots: Uint16Array): number {
  return visit < 0 ? 0 : (slots[(visitStatus[visit] ?? 0) & STATUS_CODE] ?? 0);
}

/**
 * The slot of the status that a row's issue is in, `last` being its last visit; -1 where columns do not speak for it. After
 * its last update the tracker shows where the issue is: what its visits say otherwise need not be so.
 */
export function ownSlot(
  columns: ColumnArrays,
  row: number,
  { asOf, slots }: Pick<ScanPlan, 'asOf' | 'slots'>,
  last: number,
): number {
  const own = slotAt(columns, last, slots);
  const { updated, fields } = columns;
  const shown = asOf < (updated[row] ?? 0) ? own : (slots[fields.status?.[row] ?? 0] ?? 0);
  return speaks(columns, row, last) && shown === own ? own : -1;
}

/** Beside `VOUCHED` and `STRANGE`: what being in the status means for the work is not known. */
const UNCLEAR = 4;

/** Notes the statuses that issues were in, as `observeColumns` does. */
export class StatusObserver {
  readonly #codes: number[] = [];
  readonly #by: Uint8Array;
  readonly #plan: StatusSlots;
  /** By code what is noted of it: there are many visits, and hardly ever anything new. */
  readonly #marks: Uint8Array;

  constructor(plan: StatusSlots) {
    const { slots, categories } = plan;
    this.#plan = plan;
    this.#by = new Uint8Array(categories.length);
    this.#marks = Uint8Array.from(slots, (slot) =>
      categories[slot] === categoryCode.undefined ? UNCLEAR : 0,
    );
  }

  /** Up to a visit of a row; whether what each of them means for the work is known. */
  observe({ statusAt, visitStatus, flags, fields }: ColumnArrays, row: number, last: number): boolean {
    // What the columns of odd issues say need not be so.
    if (((flags[row] ?? 0) & rowFlag.odd) !== 0) return false;
    const marks = this.#marks;
    const bit = this.#plan.vouched[fields.status?.[row] ?? 0] === 1 ? VOUCHED : STRANGE;
    const nothingNew = bit | UNCLEAR;
    let isClear = true;
    for (let visit = statusAt[row] ?? 0; visit <= last; visit += 1) {
      const code = (visitStatus[visit] ?? 0) & STATUS_CODE;
      const mark = marks[code] ?? UNCLEAR;
      if ((mark & nothingNew) === bit) continue;
      if ((mark & UNCLEAR) !== 0) isClear = false;
      if ((mark & bit) === 0) this.#note(code, bit);
    }
    return isClear;
  }

  observed(): ObservedSlots {
    return { codes: this.#codes, by: this.#by };
  }

  #note(code: number, bit: number): void {
    this.#marks[code] = (this.#marks[code] ?? 0) | bit;
    const slot = this.#plan.slots[code] ?? 0;
    if (slot === 0) return;
    const known = this.#by[slot] ?? 0;
    if (known === 0) this.#codes.push(code);
    this.#by[slot] = known | bit;
  }
}

/** Each code once for each part; `slots` are the same for all of them. */
export function joinObserved(parts: readonly { readonly observed: ObservedSlots }[]): ObservedSlots {
  const by = new Uint8Array(parts[0]?.observed.by.length ?? 0);
  for (const { observed } of parts)
    for (const [slot, bits] of observed.by.entries()) by[slot] = (by[slot] ?? 0) | bits;
  return { codes: [...new Set(parts.flatMap(({ observed }) => observed.codes))], by };
}

const FIRST_NUMBERS = 64;
const SHARED_FROM = 4_096;

/** Numbers that are added one by one, and read as one array. */
export class NumberList {
  #values = new Float64Array(FIRST_NUMBERS);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const more = new Float64Array(this.length * 2);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  /** Many of them in memory that threads share, so that nobody copies them. */
  done(): Float64Array {
    const isMany = this.length >= SHARED_FROM;
    const done = isMany
      ? new Float64Array(new SharedArrayBuffer(8 * this.length))
      : new Float64Array(this.length);
    done.set(this.#values.subarray(0, this.length));
    return done;
  }
}

/** One list after the other. */
export function joinNumbers(parts: readonly Float64Array[]): Float64Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
