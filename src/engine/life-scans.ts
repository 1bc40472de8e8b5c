import { type ColumnArrays, rowFlag, STATUS_CODE } from '../columns/column-arrays.ts';
import type { Instant } from '../model/issue.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import { type Calendar, calendarOf, normalHours } from '../time/calendar.ts';

/** What being in a status means for the work, as a number; `undefined`: nobody knows, or there is no status. */
export const categoryCode = { undefined: 0, todo: 1, progress: 2, done: 3 } as const;

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

/** Weeks that adjoin: the beginning of each, and the end of the last one. */
interface WeeksPlan extends ScanPlan {
  readonly bounds: readonly Instant[];
}

/** What the lives of issues come to in some weeks. All times are working ms. */
export interface WeeksFound extends ScanFound {
  /** Time of all issues by slot × week. */
  readonly within: Float64Array;
  /** The issues finished in one of the weeks: their places, the week (its index), and the cycle time (NaN: none). */
  readonly places: Float64Array;
  readonly weeks: Float64Array;
  readonly cycleMs: Float64Array;
  /** Whole time of these issues in each status that is not Done: the issue's index among them, the slot, the time. */
  readonly timeOf: Float64Array;
  readonly timeIn: Float64Array;
  readonly timeMs: Float64Array;
  /** How many issues were open, or finished, in the weeks. */
  readonly lived: number;
  readonly observed: ObservedSlots;
  /** Places of those of `rest` whose time in the weeks is not in `within` either. */
  readonly odd: Float64Array;
}

/** One pass for any number of weeks. */
export const weeksScan: Scan<WeeksPlan, WeeksFound> = {
  name: 'weeks',
  scan(columns, { rows, offset }, plan) {
    const { asOf, bounds, slots, categories } = plan;
    const { visitStart, visitStatus, statusAt, created, flags } = columns;
    const { between } = calendarIn(plan);
    const count = bounds.length - 1;
    const [begin = 0, end = 0] = [bounds[0], bounds[count]];
    const starts = Float64Array.from(bounds);
    const whole = Float64Array.from({ length: count }, (_, i) => between(starts[i] ?? 0, starts[i + 1] ?? 0));
    const untilNow = starts.map((start) => (start < asOf ? between(start, asOf) : 0));
    const within = new Float64Array(categories.length * count);
    const [places, weeks, cycleMs] = [new Numbers(), new Numbers(), new Numbers()];
    const [timeOf, timeIn, timeMs] = [new Numbers(), new Numbers(), new Numbers()];
    const [rest, odd] = [new Numbers(), new Numbers()];
    const observer = new StatusObserver(plan);
    const sums = new Float64Array(categories.length);
    const seen = new Uint8Array(categories.length);
    let lived = 0;

    /** Time between two instants, week by week. */
    const addWithin = (slot: number, from: Instant, until: Instant) => {
      let week = 0;
      while (week < count - 1 && (starts[week + 1] ?? 0) <= from) week += 1;
      let at = from;
      for (; week < count && at < until; week += 1) {
        const [start, next] = [starts[week] ?? 0, starts[week + 1] ?? 0];
        const index = slot * count + week;
        const isWhole = at === start;
        if (isWhole && until >= next) within[index] = (within[index] ?? 0) + (whole[week] ?? 0);
        else if (isWhole && until === asOf) within[index] = (within[index] ?? 0) + (untilNow[week] ?? 0);
        else within[index] = (within[index] ?? 0) + between(at, Math.min(until, next));
        at = next;
      }
    };

    /** Time in the weeks of the visits from `first` to `last`, which ends at `end`. Of unknown time nothing is known. */
    const addVisits = (first: number, last: number, lastEnd: Instant) => {
      let until = lastEnd;
      for (let visit = last; visit >= first && until > begin; visit -= 1) {
        const start = visitStart[visit] ?? 0;
        const slot = slotAt(columns, visit, slots);
        if (slot !== 0 && categories[slot] !== categoryCode.done && start < end && start < until) {
          addWithin(slot, Math.max(start, begin), Math.min(until, end));
        }
        until = start;
      }
    };

    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const last = visitAt(columns, row, asOf);
      const isClear = observer.observe(columns, row, last);
      const from = statusAt[row] ?? 0;
      const own = slotAt(columns, last, slots);
      if (!isClear || !speaks(columns, row, last) || shownSlot(columns, row, plan, own) !== own) {
        rest.push(offset + i);
        if (((flags[row] ?? 0) & rowFlag.odd) !== 0) odd.push(offset + i);
        else addVisits(from, last, asOf);
        continue;
      }
      // The last visit that is not Done: where an issue is done, its end is the finish.
      let work = last;
      if (categories[own] === categoryCode.done) {
        while (work >= from && categories[slotAt(columns, work, slots)] === categoryCode.done) work -= 1;
      }
      const isDone = work < last || work < from;
      const finish = isDone && work >= from ? (visitStart[work + 1] ?? 0) : Number.NaN;
      if ((created[row] ?? 0) < end && (!isDone || finish >= begin)) lived += 1;
      addVisits(from, work, isDone ? finish : asOf);
      if (!(finish >= begin && finish < end)) continue;
      let week = 0;
      while ((starts[week + 1] ?? 0) <= finish) week += 1;
      let progress = from;
      while (progress <= work && categories[slotAt(columns, progress, slots)] !== categoryCode.progress) {
        progress += 1;
      }
      const index = places.length;
      places.push(offset + i);
      weeks.push(week);
      cycleMs.push(progress > work ? Number.NaN : between(visitStart[progress] ?? 0, finish));
      for (let visit = from; visit <= work; visit += 1) {
        const slot = slots[(visitStatus[visit] ?? 0) & STATUS_CODE] ?? 0;
        seen[slot] = 1;
        sums[slot] = (sums[slot] ?? 0) + between(visitStart[visit] ?? 0, visitStart[visit + 1] ?? 0);
      }
      for (let visit = from; visit <= work; visit += 1) {
        const slot = slotAt(columns, visit, slots);
        if (seen[slot] === 0) continue;
        if (categories[slot] !== categoryCode.done) {
          timeOf.push(index);
          timeIn.push(slot);
          timeMs.push(sums[slot] ?? 0);
        }
        seen[slot] = 0;
        sums[slot] = 0;
      }
    }
    return {
      ...{ within, places: places.done(), weeks: weeks.done(), cycleMs: cycleMs.done() },
      ...{ timeOf: timeOf.done(), timeIn: timeIn.done(), timeMs: timeMs.done() },
      ...{ lived, observed: observer.observed(), rest: rest.done(), odd: odd.done() },
    };
  },
  join(parts) {
    const within = new Float64Array(parts[0]?.within.length ?? 0);
    for (const part of parts) for (const [i, ms] of part.within.entries()) within[i] = (within[i] ?? 0) + ms;
    let before = 0;
    const timeOf = parts.map((part) => {
      const shifted = part.timeOf.map((index) => index + before);
      before += part.places.length;
      return shifted;
    });
    return {
      within,
      places: joined(parts.map((part) => part.places)),
      weeks: joined(parts.map((part) => part.weeks)),
      cycleMs: joined(parts.map((part) => part.cycleMs)),
      timeOf: joined(timeOf),
      timeIn: joined(parts.map((part) => part.timeIn)),
      timeMs: joined(parts.map((part) => part.timeMs)),
      lived: parts.reduce((sum, part) => sum + part.lived, 0),
      observed: joinObserved(parts),
      rest: joined(parts.map((part) => part.rest)),
      odd: joined(parts.map((part) => part.odd)),
    };
  },
};

/** Whole lives. */
type LivesPlan = ScanPlan;

/** What whole lives of issues come to. All times are working ms. */
interface LivesFound extends ScanFound {
  /** How many issues are in a status of category Done. */
  readonly finished: number;
  /** The cycle times of those that have one, in lists. */
  readonly cycleMs: readonly Float64Array[];
  /** By slot of a status that is not Done: the time of each issue that was in it, in lists. */
  readonly times: readonly (readonly Float64Array[])[];
  readonly observed: ObservedSlots;
}

/** One pass for the cycle time and the time in each status of every issue. */
export const livesScan: Scan<LivesPlan, LivesFound> = {
  name: 'lives',
  scan(columns, { rows, offset }, plan) {
    const { asOf, slots, categories } = plan;
    const { visitStart, visitStatus, statusAt } = columns;
    const { between } = calendarIn(plan);
    const visited = new Uint16Array(categories.length);
    const cycleMs = new Numbers();
    const rest = new Numbers();
    const times = Array.from(categories, () => new Numbers());
    const observer = new StatusObserver(plan);
    const sums = new Float64Array(categories.length);
    const seen = new Uint8Array(categories.length);
    let finished = 0;
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const last = visitAt(columns, row, asOf);
      const isClear = observer.observe(columns, row, last);
      const from = statusAt[row] ?? 0;
      const own = slotAt(columns, last, slots);
      if (!isClear || !speaks(columns, row, last) || shownSlot(columns, row, plan, own) !== own) {
        rest.push(offset + i);
        continue;
      }
      let [work, progress, count] = [-1, -1, 0];
      for (let visit = from; visit <= last; visit += 1) {
        const slot = slots[(visitStatus[visit] ?? 0) & STATUS_CODE] ?? 0;
        const kind = categories[slot];
        if (kind === categoryCode.done) continue;
        work = visit;
        if (progress < 0 && kind === categoryCode.progress) progress = visit;
        const until = visit === last ? asOf : (visitStart[visit + 1] ?? 0);
        const ms = between(visitStart[visit] ?? 0, until);
        if (seen[slot] === 1) sums[slot] = (sums[slot] ?? 0) + ms;
        else {
          seen[slot] = 1;
          sums[slot] = ms;
          visited[count] = slot;
          count += 1;
        }
      }
      for (let index = 0; index < count; index += 1) {
        const slot = visited[index] ?? 0;
        times[slot]?.push(sums[slot] ?? 0);
        seen[slot] = 0;
      }
      if (categories[own] !== categoryCode.done) continue;
      finished += 1;
      if (progress >= 0) cycleMs.push(between(visitStart[progress] ?? 0, visitStart[work + 1] ?? 0));
    }
    return {
      ...{ finished, cycleMs: [cycleMs.done()], times: times.map((one) => [one.done()]) },
      ...{ observed: observer.observed(), rest: rest.done() },
    };
  },
  join(parts) {
    const slots = parts[0]?.times.length ?? 0;
    return {
      finished: parts.reduce((sum, part) => sum + part.finished, 0),
      cycleMs: parts.flatMap((part) => part.cycleMs),
      times: Array.from({ length: slots }, (_, slot) => parts.flatMap((part) => part.times[slot] ?? [])),
      observed: joinObserved(parts),
      rest: joined(parts.map((part) => part.rest)),
    };
  },
};

/** Of the issues that are with somebody (`assignees`: 1 by code of `values('assignee')`), or of all (null). */
interface AgesPlan extends ScanPlan {
  readonly assignees: Uint8Array | null;
}

/** Open issues and how long they have been where they are, in order of places. */
export interface AgesFound extends ScanFound {
  readonly places: Float64Array;
  readonly since: Float64Array;
  /** Working ms. */
  readonly ages: Float64Array;
  readonly slots: Float64Array;
  /** The access class of each. */
  readonly classes: Float64Array;
  readonly observed: ObservedSlots;
}

/** One pass for the ages of open issues. */
export const agesScan: Scan<AgesPlan, AgesFound> = {
  name: 'ages',
  scan(columns, { rows, offset }, plan) {
    const { asOf, slots, categories, assignees } = plan;
    const { visitStart, accessClass } = columns;
    const { between } = calendarIn(plan);
    const [places, since, ages] = [new Numbers(), new Numbers(), new Numbers()];
    const [inSlots, classes, rest] = [new Numbers(), new Numbers(), new Numbers()];
    const observer = new StatusObserver(plan);
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const last = visitAt(columns, row, asOf);
      observer.observe(columns, row, last);
      const own = slotAt(columns, last, slots);
      const kind = categories[own] ?? categoryCode.undefined;
      if (
        !speaks(columns, row, last) ||
        kind === categoryCode.undefined ||
        shownSlot(columns, row, plan, own) !== own
      ) {
        rest.push(offset + i);
        continue;
      }
      if (kind === categoryCode.done) continue;
      if (assignees !== null && assignees[assigneeAt(columns, row, asOf)] !== 1) continue;
      const start = visitStart[last] ?? 0;
      places.push(offset + i);
      since.push(start);
      ages.push(between(start, asOf));
      inSlots.push(own);
      classes.push(accessClass[row] ?? 0);
    }
    return {
      ...{ places: places.done(), since: since.done(), ages: ages.done() },
      ...{ slots: inSlots.done(), classes: classes.done(), observed: observer.observed(), rest: rest.done() },
    };
  },
  join(parts) {
    return {
      places: joined(parts.map((part) => part.places)),
      since: joined(parts.map((part) => part.since)),
      ages: joined(parts.map((part) => part.ages)),
      slots: joined(parts.map((part) => part.slots)),
      classes: joined(parts.map((part) => part.classes)),
      observed: joinObserved(parts),
      rest: joined(parts.map((part) => part.rest)),
    };
  },
};

/** Visits that ended at an instant or later, up to `asOf`. */
interface EndedPlan extends ScanPlan {
  readonly since: Instant;
  /** By access class: 1 where its issues count. */
  readonly classes: Uint8Array;
}

/** Visits that ended, and of how many issues they are. */
export interface EndedFound extends ScanFound {
  /** The access class of the issue, the slot and the working ms of each visit. */
  readonly classes: Float64Array;
  readonly slots: Float64Array;
  readonly ms: Float64Array;
  /** How many issues they are of by access class. */
  readonly issues: Float64Array;
}

/** One pass for the visits that ended lately. */
export const endedScan: Scan<EndedPlan, EndedFound> = {
  name: 'ended',
  scan(columns, { rows, offset }, plan) {
    const { asOf, since, slots } = plan;
    const { visitStart, statusAt, accessClass } = columns;
    const { between } = calendarIn(plan);
    const [classes, inSlots, ms, rest] = [new Numbers(), new Numbers(), new Numbers(), new Numbers()];
    const issues = new Float64Array(plan.classes.length);
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] ?? 0;
      const own = accessClass[row] ?? 0;
      if (plan.classes[own] !== 1) continue;
      const last = visitAt(columns, row, asOf);
      if (!speaks(columns, row, last)) {
        rest.push(offset + i);
        continue;
      }
      const from = statusAt[row] ?? 0;
      const before = ms.length;
      for (let visit = last - 1; visit >= from; visit -= 1) {
        const end = visitStart[visit + 1] ?? 0;
        if (end < since) break;
        const slot = slotAt(columns, visit, slots);
        if (slot === 0) continue;
        classes.push(own);
        inSlots.push(slot);
        ms.push(between(visitStart[visit] ?? 0, end));
      }
      if (ms.length > before) issues[own] = (issues[own] ?? 0) + 1;
    }
    return {
      ...{ classes: classes.done(), slots: inSlots.done(), ms: ms.done(), issues },
      ...{ observed: null, rest: rest.done() },
    };
  },
  join(parts) {
    const issues = new Float64Array(parts[0]?.issues.length ?? 0);
    for (const part of parts)
      for (const [i, count] of part.issues.entries()) issues[i] = (issues[i] ?? 0) + count;
    return {
      classes: joined(parts.map((part) => part.classes)),
      slots: joined(parts.map((part) => part.slots)),
      ms: joined(parts.map((part) => part.ms)),
      issues,
      observed: null,
      rest: joined(parts.map((part) => part.rest)),
    };
  },
};

/** All scans, for who is asked for one by its name. */
export const scans = [weeksScan, livesScan, agesScan, endedScan];

function calendarIn({ calendar }: ScanPlan): Calendar {
  return calendar === null ? normalHours : calendarOf(calendar);
}

/** The index of the last visit of a row that had begun by an instant; -1 of none. */
function visitAt(columns: ColumnArrays, row: number, asOf: Instant): number {
  const from = columns.statusAt[row] ?? 0;
  let last = from + (columns.statusCount[row] ?? 0) - 1;
  while (last >= from && (columns.visitStart[last] ?? 0) > asOf) last -= 1;
  return last < from ? -1 : last;
}

/** Whether the visits of a row are all there is to know of the issue's statuses: its history is whole. */
function speaks({ flags }: ColumnArrays, row: number, last: number): boolean {
  return last >= 0 && ((flags[row] ?? 0) & (rowFlag.cut | rowFlag.odd | rowFlag.dead)) === 0;
}

function slotAt({ visitStatus }: ColumnArrays, visit: number, slots: Uint16Array): number {
  return visit < 0 ? 0 : (slots[(visitStatus[visit] ?? 0) & STATUS_CODE] ?? 0);
}

/** The slot of the status the tracker shows; before its last update an issue is where its visits say (`own`). */
function shownSlot(
  { updated, fields }: ColumnArrays,
  row: number,
  { asOf, slots }: ScanPlan,
  own: number,
): number {
  return asOf < (updated[row] ?? 0) ? own : (slots[fields.status?.[row] ?? 0] ?? 0);
}

/** The code of whom a row's issue is with at an instant, its history being whole. */
function assigneeAt(columns: ColumnArrays, row: number, asOf: Instant): number {
  if (asOf >= (columns.updated[row] ?? 0)) return columns.fields.assignee?.[row] ?? 0;
  const from = columns.assigneeAt[row] ?? 0;
  let last = from + (columns.assigneeCount[row] ?? 0) - 1;
  while (last >= from && (columns.spanStart[last] ?? 0) > asOf) last -= 1;
  return last < from ? 0 : (columns.spanAssignee[last] ?? 0);
}

/** Beside `VOUCHED` and `STRANGE`: what being in the status means for the work is not known. */
const UNCLEAR = 4;

/** Notes the statuses that issues were in, as `observeColumns` does. */
class StatusObserver {
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
function joinObserved(parts: readonly { readonly observed: ObservedSlots }[]): ObservedSlots {
  const by = new Uint8Array(parts[0]?.observed.by.length ?? 0);
  for (const { observed } of parts)
    for (const [slot, bits] of observed.by.entries()) by[slot] = (by[slot] ?? 0) | bits;
  return { codes: [...new Set(parts.flatMap(({ observed }) => observed.codes))], by };
}

const FIRST_NUMBERS = 64;
const SHARED_FROM = 4_096;

/** Numbers that are added one by one, and read as one array. */
class Numbers {
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

function joined(parts: readonly Float64Array[]): Float64Array {
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
