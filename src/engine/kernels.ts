import { type ColumnArrays, FIRST_VISIT, rowFlag, STATUS_CODE } from '../columns/issue-columns.ts';
import { ABSENT, FIRST_VALUE } from '../columns/value-codes.ts';
import type { Instant } from '../model/issue.ts';
import type { MultiVisitBehavior } from '../model/request.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import { calendarOf, workGrid } from '../time/calendar.ts';

/** What codes of a field count for: of code `c` the slots `slots[at[c]]` up to `slots[at[c + 1]]`. */
export interface CodeSlots {
  readonly at: Uint32Array;
  readonly slots: Uint32Array;
  /** How many slots there are. */
  readonly size: number;
}

/** A clock between statuses: by code of a status whether it is one of from (1), to (2) and paused in (4). */
export interface ClockSlots {
  readonly roles: Uint8Array;
  readonly from: 'creation' | 'first' | 'last';
  readonly to: 'first' | 'last';
}

/**
 * One question to a kernel, as plain data that a worker thread can be sent. A key is what an amount counts for: the slot
 * of a status, of an assignee, a metric; of two levels the first × `inner` + the second.
 */
export interface KernelPlan {
  readonly kernel:
    | 'status'
    | 'assignee'
    | 'assigneeStatus'
    | 'statusPeriod'
    | 'transition'
    | 'between'
    | 'age';
  /** Visits are counted, not their time. */
  readonly countsVisits: boolean;
  readonly asOf: Instant;
  readonly from: Instant;
  readonly to: Instant;
  /** Null: 24/7. */
  readonly calendar: CalendarDefinition | null;
  /** No issue of the rows was created before. */
  readonly earliest: Instant;
  readonly multiVisitBehavior: MultiVisitBehavior;
  readonly statuses: CodeSlots;
  readonly assignees: CodeSlots;
  /** By code of the status an issue is in: 2 where the known statuses speak of its site, else 1. */
  readonly vouched: Uint8Array;
  /** By code of a status: the bits of `vouched` of issues whose time there counts. */
  readonly counted: Uint8Array;
  /** Where periods begin, and where the last one ends. */
  readonly periods: Float64Array;
  readonly clocks: readonly ClockSlots[];
  /** How many keys there are at most, and how many on the second level. */
  readonly keys: number;
  readonly inner: number;
  /** How many groups there are; each has keys of its own. */
  readonly groups: number;
}

/** The rows of a question, in their order, and the group of each (null: all are of one). */
export interface KernelRows {
  readonly rows: Uint32Array;
  readonly groups: Uint32Array | null;
}

/** The group of a row whose group columns do not know. */
export const NO_GROUP = 0xffffffff;

/** What a kernel found, by cell: a group and a key with at least one amount. Lists are as long as there are cells. */
export interface KernelCells {
  /** Group × keys + key. */
  readonly cells: Float64Array;
  /** Issues with an amount. */
  readonly counts: Uint32Array;
  /** Their sum: both added up, which is exact for whole numbers. */
  readonly sums: Float64Array;
  readonly rests: Float64Array;
  readonly visits: Float64Array;
  /** Issues of these of whose time a part is unknown. */
  readonly uncertain: Uint32Array;
  /** Bits of `vouched` of these issues. */
  readonly met: Uint8Array;
  /** The first of these issues by its place among the rows, and the codes it had. */
  readonly first: Uint32Array;
  readonly firstStatus: Uint32Array;
  /** Of the assignee, or of the status a transition leads to. */
  readonly firstOther: Uint32Array;
  /** Issues by group, and those of whose time a part is unknown. */
  readonly issues: Uint32Array;
  readonly unknown: Uint32Array;
  /** Places among the rows of which columns cannot speak. */
  readonly asked: Uint32Array;
  /**
   * Statuses that count although no key is about them, four by four: code, the first and the last place among the rows,
   * with a fraction that is the greater the later the visit, and bits of `vouched`.
   */
  readonly others: Float64Array;
}

/** Where to put the amounts of each cell: they follow each other in `values` from `next` on, in order of the rows. */
export interface ValuePlaces {
  readonly cells: Float64Array;
  readonly next: Float64Array;
  readonly values: Float64Array;
}

/** A kernel over the rows of a question: some after the other, in order, then what was found. */
export interface Kernel {
  add(from: number, to: number): void;
  found(): KernelCells;
}

/** Goes through rows and adds up what `plan` asks for; with `places` it writes the single amounts down instead. */
export function createKernel(
  arrays: ColumnArrays,
  { rows, groups }: KernelRows,
  plan: KernelPlan,
  places: ValuePlaces | null = null,
): Kernel {
  const clock = createClock(plan);
  const cells = new Cells(plan, places);
  const asked: number[] = [];
  const walk = walkerOf(arrays, plan, clock, cells);
  const plain =
    places === null && clock.kind < 2 && isPlain(plan) ? new PlainStatuses(arrays, plan, clock) : null;
  const blockRows = exactBlock(plan);
  const { flags, updated, fields } = arrays;
  const statusCodes = fields.status ?? new Uint32Array(arrays.rows);
  const { vouched } = plan;
  let inBlock = 0;
  let [start, end] = [0xffffffff, 0];
  return {
    add(from, to) {
      start = Math.min(start, from);
      end = to;
      for (let place = from; place < to; place += 1) {
        const row = rows[place] ?? 0;
        const group = groups === null ? 0 : (groups[place] ?? 0);
        const flag = flags[row] ?? 0;
        if (group === NO_GROUP || (flag !== 0 && !speaksFor(flag, updated[row] ?? 0, plan))) {
          asked.push(place);
          continue;
        }
        const bit = vouched[statusCodes[row] ?? 0] ?? 1;
        if (plain !== null && flag === 0) plain.add(row, group, bit);
        else {
          cells.begin(place, group, bit);
          walk(row);
        }
        cells.issues[group] = (cells.issues[group] ?? 0) + 1;
        inBlock += 1;
        if (inBlock === blockRows) {
          cells.settle();
          plain?.settle();
          inBlock = 0;
        }
      }
    },
    found() {
      cells.settle();
      plain?.settle();
      plain?.moveTo(
        cells,
        firstPlaces(arrays, { rows, groups }, plan, { start, end, all: asked.length > 0 }),
      );
      return cells.found(Uint32Array.from(asked));
    },
  };
}

/** Whether columns speak for a row with flags. */
function speaksFor(
  flag: number,
  updated: Instant,
  { kernel, asOf, multiVisitBehavior, countsVisits }: KernelPlan,
) {
  if ((flag & (rowFlag.odd | rowFlag.dead)) !== 0) return false;
  // Which visit of a cut history is the first, and when one began, only the issue says.
  if (kernel === 'between' || kernel === 'age') return false;
  return asOf >= updated && (multiVisitBehavior === 'total' || kernel !== 'status' || countsVisits);
}

/** So many amounts of whole milliseconds add up without a loss. */
function exactBlock({ asOf, earliest, countsVisits }: KernelPlan): number {
  const longest = countsVisits ? 0xffff : Math.max(1, asOf - earliest);
  return Math.max(1, Math.min(65_536, Math.floor(Number.MAX_SAFE_INTEGER / longest)));
}

/** Working time up to an instant: the clock, a grid, or whatever the calendar says. */
interface Clock {
  /** 0: every millisecond counts; 1: a grid; 2: `work`. */
  readonly kind: number;
  readonly start: number;
  readonly cellMs: number;
  readonly before: Uint32Array;
  readonly work: (instant: Instant) => number;
}

const grids = new Map<string, NonNullable<ReturnType<typeof workGrid>>>();
/** Some megabytes each. */
const MOST_GRIDS = 8;

function createClock({ calendar: definition, earliest, asOf, from, to }: KernelPlan): Clock {
  const always = { kind: 0, start: 0, cellMs: 1, before: new Uint32Array(2), work: (at: Instant) => at };
  if (definition === null) return always;
  const calendar = calendarOf(definition);
  if (calendar.continuous) return always;
  const key = JSON.stringify(definition);
  const first = Math.min(earliest, asOf);
  let grid = grids.get(key);
  if (grid === undefined || grid.from > first || grid.until < asOf) {
    grid =
      workGrid(definition, Math.min(first, grid?.from ?? first), Math.max(asOf, grid?.until ?? asOf)) ??
      undefined;
    grids.delete(key);
    const [oldest] = grids.keys();
    if (grids.size >= MOST_GRIDS && oldest !== undefined) grids.delete(oldest);
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
function workUntil({ kind, start, cellMs, before, work }: Clock, instant: Instant): number {
  if (kind === 0) return instant;
  if (kind === 2) return work(instant);
  const passed = instant - start;
  const cell = Math.floor(passed / cellMs);
  const done = before[cell] ?? 0;
  return done * cellMs + ((before[cell + 1] ?? 0) - done) * (passed - cell * cellMs);
}

/** The cells that came up so far, dense or by hash, and what is in them. */
class Cells {
  readonly issues: Uint32Array<ArrayBuffer>;
  readonly unknown: Uint32Array<ArrayBuffer>;
  readonly #plan: KernelPlan;
  readonly #index: CellIndex;
  readonly #places: ValuePlaces | null;
  #size = 0;
  #cells = new Float64Array(FIRST_CELLS);
  #sums = new Float64Array(FIRST_CELLS);
  #settled = new Float64Array(FIRST_CELLS);
  #rests = new Float64Array(FIRST_CELLS);
  #counts = new Uint32Array(FIRST_CELLS);
  #visits = new Float64Array(FIRST_CELLS);
  #uncertain = new Uint32Array(FIRST_CELLS);
  #met = new Uint8Array(FIRST_CELLS);
  #first = new Uint32Array(FIRST_CELLS);
  #firstStatus = new Uint32Array(FIRST_CELLS);
  #firstOther = new Uint32Array(FIRST_CELLS);
  /** Place + 1 of the issue that added last, and the part of it. */
  #last = new Uint32Array(FIRST_CELLS);
  #part = new Uint32Array(FIRST_CELLS);
  /** By code of a status that counts although no key is about it: where it came up first and last, and `met`. */
  readonly #others: Float64Array<ArrayBuffer>;
  #place = 0;
  #base = 0;
  #bit = 0;
  #isUncertain = 0;
  #group = 0;

  constructor(plan: KernelPlan, places: ValuePlaces | null) {
    this.#plan = plan;
    this.#places = places;
    this.issues = new Uint32Array(plan.groups);
    this.unknown = new Uint32Array(plan.groups);
    this.#index = new CellIndex(plan.groups * plan.keys);
    this.#others = new Float64Array(plan.kernel === 'assignee' ? 3 * plan.vouched.length : 0);
    for (const cell of places?.cells ?? []) this.#make(cell, 0, 0);
  }

  /** The next amounts are of the issue at a place among the rows. */
  begin(place: number, group: number, bit: number): void {
    this.#place = place + 1;
    this.#group = group;
    this.#base = group * this.#plan.keys;
    this.#bit = bit;
    this.#isUncertain = 0;
  }

  get bit(): number {
    return this.#bit;
  }

  /** A part of the issue's time is unknown; said before its amounts are. */
  markUnknown(): void {
    this.#isUncertain = 1;
    this.unknown[this.#group] = (this.unknown[this.#group] ?? 0) + 1;
  }

  /** The issue was in a status that counts although no key is about it. */
  meetOther(code: number, visit: number): void {
    const others = this.#others;
    const at = this.#place + visit / MOST_VISITS;
    if (others[3 * code] === 0) others[3 * code] = at;
    others[3 * code + 1] = at;
    others[3 * code + 2] = (others[3 * code + 2] ?? 0) | this.#bit;
  }

  /** An amount made of so many visits. */
  add(key: number, amount: number, visits: number, status: number, other: number): void {
    const cell = this.#cellOf(key, amount, status, other);
    this.#visits[cell] = (this.#visits[cell] ?? 0) + visits;
  }

  /** A part of a visit, which counts once in its cell; parts of one visit come one after the other. */
  addPart(key: number, amount: number, visit: number, status: number, other: number): void {
    const cell = this.#cellOf(key, amount, status, other);
    if (this.#part[cell] === visit + 1) return;
    this.#part[cell] = visit + 1;
    this.#visits[cell] = (this.#visits[cell] ?? 0) + 1;
  }

  #cellOf(key: number, amount: number, status: number, other: number): number {
    const number = this.#base + key;
    let cell = this.#index.find(number);
    if (cell < 0) cell = this.#make(number, status, other);
    const places = this.#places;
    const isFirst = this.#last[cell] !== this.#place;
    this.#last[cell] = this.#place;
    if (places !== null) {
      const { next, values } = places;
      const at = next[cell] ?? 0;
      if (isFirst) {
        values[at] = amount;
        next[cell] = at + 1;
      } else values[at - 1] = (values[at - 1] ?? 0) + amount;
      return cell;
    }
    this.#sums[cell] = (this.#sums[cell] ?? 0) + amount;
    if (isFirst) {
      this.#counts[cell] = (this.#counts[cell] ?? 0) + 1;
      this.#uncertain[cell] = (this.#uncertain[cell] ?? 0) + this.#isUncertain;
      this.#met[cell] = (this.#met[cell] ?? 0) | this.#bit;
    }
    return cell;
  }

  /** Amounts of a cell that were added up elsewhere. */
  addSum(number: number, part: CellPart): void {
    const known = this.#index.find(number);
    const cell = known < 0 ? this.#make(number, part.status, 0) : known;
    if (known < 0 || part.place + 1 < (this.#first[cell] ?? 0)) {
      this.#first[cell] = part.place + 1;
      this.#firstStatus[cell] = part.status;
    }
    this.#counts[cell] = (this.#counts[cell] ?? 0) + part.count;
    this.#visits[cell] = (this.#visits[cell] ?? 0) + part.visits;
    this.#met[cell] = (this.#met[cell] ?? 0) | part.bit;
    addExactly(this.#settled, this.#rests, cell, part.sum);
    this.#rests[cell] = (this.#rests[cell] ?? 0) + part.rest;
  }

  /** Moves the sums of a block to those of all, with what is lost in doing so. */
  settle(): void {
    for (let cell = 0; cell < this.#size; cell += 1) {
      addExactly(this.#settled, this.#rests, cell, this.#sums[cell] ?? 0);
      this.#sums[cell] = 0;
    }
  }

  found(asked: Uint32Array): KernelCells {
    const size = this.#size;
    const others: number[] = [];
    for (let code = 0; 3 * code < this.#others.length; code += 1) {
      const [first = 0, last = 0, met = 0] = this.#others.subarray(3 * code, 3 * code + 3);
      if (first > 0) others.push(code, first - 1, last - 1, met);
    }
    return {
      cells: this.#cells.slice(0, size),
      counts: this.#counts.slice(0, size),
      sums: this.#settled.slice(0, size),
      rests: this.#rests.slice(0, size),
      visits: this.#visits.slice(0, size),
      uncertain: this.#uncertain.slice(0, size),
      met: this.#met.slice(0, size),
      first: this.#first.slice(0, size).map((place) => place - 1),
      firstStatus: this.#firstStatus.slice(0, size),
      firstOther: this.#firstOther.slice(0, size),
      issues: this.issues,
      unknown: this.unknown,
      asked,
      others: Float64Array.from(others),
    };
  }

  #make(number: number, status: number, other: number): number {
    const cell = this.#size;
    this.#size += 1;
    if (cell === this.#cells.length) this.#grow();
    this.#cells[cell] = number;
    this.#first[cell] = this.#place;
    this.#firstStatus[cell] = status;
    this.#firstOther[cell] = other;
    this.#index.add(number, cell);
    return cell;
  }

  #grow(): void {
    this.#cells = twice(this.#cells);
    this.#sums = twice(this.#sums);
    this.#settled = twice(this.#settled);
    this.#rests = twice(this.#rests);
    this.#visits = twice(this.#visits);
    this.#counts = twiceCounts(this.#counts);
    this.#uncertain = twiceCounts(this.#uncertain);
    this.#first = twiceCounts(this.#first);
    this.#firstStatus = twiceCounts(this.#firstStatus);
    this.#firstOther = twiceCounts(this.#firstOther);
    this.#last = twiceCounts(this.#last);
    this.#part = twiceCounts(this.#part);
    const met = new Uint8Array(2 * this.#met.length);
    met.set(this.#met);
    this.#met = met;
  }
}

const FIRST_CELLS = 64;
/** More than a row holds. */
const MOST_VISITS = 0x10000;

function twice(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

function twiceCounts(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

/** Neumaier's step: what the sum at an index loses goes to the rests. */
export function addExactly(sums: Float64Array, rests: Float64Array, at: number, value: number): void {
  const sum = sums[at] ?? 0;
  const next = sum + value;
  const lost = Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
  rests[at] = (rests[at] ?? 0) + lost;
  sums[at] = next;
}

/** What is added to a cell at one go. */
interface CellPart {
  readonly count: number;
  readonly visits: number;
  readonly sum: number;
  readonly rest: number;
  readonly bit: number;
  readonly place: number;
  readonly status: number;
}

/** Numbers of cells → where they are held: a table where there are few, else an open hash. */
class CellIndex {
  /** Cell + 1. */
  #table: Int32Array;
  readonly #isDense: boolean;
  #numbers: Float64Array;
  #size = 0;

  constructor(most: number) {
    this.#isDense = most <= MOST_DENSE;
    this.#table = new Int32Array(this.#isDense ? most : 1024);
    this.#numbers = new Float64Array(this.#isDense ? 0 : 1024);
  }

  /** -1 where there is none. */
  find(number: number): number {
    if (this.#isDense) return (this.#table[number] ?? 0) - 1;
    return (this.#table[this.#slotOf(number)] ?? 0) - 1;
  }

  add(number: number, cell: number): void {
    if (this.#isDense) {
      this.#table[number] = cell + 1;
      return;
    }
    if (2 * this.#size >= this.#table.length) this.#rehash();
    this.#size += 1;
    const slot = this.#slotOf(number);
    this.#table[slot] = cell + 1;
    this.#numbers[slot] = number;
  }

  #slotOf(number: number): number {
    const mask = this.#table.length - 1;
    const high = Math.floor(number / 0x100000000);
    const mixed = Math.imul((number | 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
    for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      if (this.#table[slot] === 0 || this.#numbers[slot] === number) return slot;
    }
  }

  #rehash(): void {
    const [table, numbers] = [this.#table, this.#numbers];
    this.#table = new Int32Array(2 * table.length);
    this.#numbers = new Float64Array(2 * table.length);
    for (const [slot, cell] of table.entries()) {
      if (cell === 0) continue;
      const free = this.#slotOf(numbers[slot] ?? 0);
      this.#table[free] = cell;
      this.#numbers[free] = numbers[slot] ?? 0;
    }
  }
}

/** 16 MB. */
const MOST_DENSE = 2 ** 22;

/** The visits of one field of one row that a question is about, with the working time up to their starts and ends. */
class RowVisits {
  count = 0;
  /** Something of the time is unknown. */
  hasUnknown = false;
  /** The last one is still open. */
  isOpen = false;
  starts = new Float64Array(64);
  ends = new Float64Array(64);
  startWork = new Float64Array(64);
  endWork = new Float64Array(64);
  codes = new Uint32Array(64);
  readonly #clock: Clock;
  readonly #asOf: Instant;
  readonly #from: Instant;
  readonly #to: Instant;

  constructor({ asOf, from, to }: KernelPlan, clock: Clock) {
    this.#clock = clock;
    this.#asOf = asOf;
    this.#from = from;
    this.#to = to;
  }

  /** As `timeline` and `trimVisits` give them. */
  load(
    starts: Float64Array,
    codes: Uint32Array | Uint16Array,
    mask: number,
    at: number,
    length: number,
  ): void {
    if (length > this.starts.length) this.#grow(length);
    const [asOf, from, to, clock] = [this.#asOf, this.#from, this.#to, this.#clock];
    let count = 0;
    let hasUnknown = false;
    let isOpen = false;
    let workedAt = Number.NaN;
    let worked = 0;
    for (let i = 0; i < length; i += 1) {
      let start = starts[at + i] ?? 0;
      if (start > asOf) break;
      const code = (codes[at + i] ?? 0) & mask;
      // Known time that ends as of the instant has nothing unknown behind it.
      if (code === ABSENT && start === asOf && i > 0) break;
      let end = asOf;
      let open = true;
      if (i + 1 < length) {
        const next = starts[at + i + 1] ?? 0;
        if (next <= asOf && !(next === asOf && ((codes[at + i + 1] ?? 0) & mask) === ABSENT)) {
          end = next;
          open = false;
        }
      }
      const reaches = end > from || (end === from && (open || start === end));
      if (!reaches || start >= to || from >= to) continue;
      open = open && end < to;
      if (start < from) start = from;
      if (end > to) end = to;
      if (workedAt !== start) worked = workUntil(clock, start);
      this.starts[count] = start;
      this.startWork[count] = worked;
      worked = workUntil(clock, end);
      workedAt = end;
      this.ends[count] = end;
      this.endWork[count] = worked;
      this.codes[count] = code;
      hasUnknown ||= code === ABSENT;
      isOpen = open;
      count += 1;
    }
    this.count = count;
    this.hasUnknown = hasUnknown;
    this.isOpen = isOpen;
  }

  #grow(length: number): void {
    const size = 2 * length;
    this.starts = new Float64Array(size);
    this.ends = new Float64Array(size);
    this.startWork = new Float64Array(size);
    this.endWork = new Float64Array(size);
    this.codes = new Uint32Array(size);
  }
}

type Walker = (row: number) => void;

function walkerOf(arrays: ColumnArrays, plan: KernelPlan, clock: Clock, cells: Cells): Walker {
  if (plan.kernel === 'assignee' || plan.kernel === 'assigneeStatus') {
    return walkAssignees(arrays, plan, clock, cells);
  }
  const visits = new RowVisits(plan, clock);
  const take = {
    status: plan.multiVisitBehavior === 'total' || plan.countsVisits ? takeStatuses : takeCombined,
    statusPeriod: takePeriods,
    transition: takeTransitions,
    between: takeClocks,
    age: takeAge,
  }[plan.kernel](visits, plan, clock, cells);
  const { visitStart, visitStatus, statusAt, statusCount } = arrays;
  return (row) => {
    visits.load(visitStart, visitStatus, STATUS_CODE, statusAt[row] ?? 0, statusCount[row] ?? 0);
    if (visits.hasUnknown) cells.markUnknown();
    take();
  };
}

/** What becomes of the visits of a row that were loaded. */
type Taker = (visits: RowVisits, plan: KernelPlan, clock: Clock, cells: Cells) => () => void;

const takeStatuses: Taker =
  (visits, { statuses, countsVisits }, _clock, cells) =>
  () => {
    const { at, slots } = statuses;
    const { count, codes, startWork, endWork } = visits;
    for (let i = 0; i < count; i += 1) {
      const code = codes[i] ?? 0;
      const amount = countsVisits ? 1 : (endWork[i] ?? 0) - (startWork[i] ?? 0);
      const end = at[code + 1] ?? 0;
      for (let slot = at[code] ?? 0; slot < end; slot += 1) cells.add(slots[slot] ?? 0, amount, 1, code, 0);
    }
  };

/** The first or last visit of each status, or the mean of them; a consolidated status is the sum of its members. */
const takeCombined: Taker = (visits, { statuses, multiVisitBehavior }, _clock, cells) => {
  const { at, slots, size } = statuses;
  const amounts = new Float64Array(size);
  const counts = new Uint32Array(size);
  const met: number[] = [];
  return () => {
    const { count, codes, startWork, endWork } = visits;
    met.length = 0;
    for (let i = 0; i < count; i += 1) {
      const code = codes[i] ?? 0;
      if (code < FIRST_VALUE) continue;
      const own = slots[at[code] ?? 0] ?? 0;
      const ms = (endWork[i] ?? 0) - (startWork[i] ?? 0);
      const before = counts[own] ?? 0;
      counts[own] = before + 1;
      if (before === 0) met.push(code);
      if (before === 0 || multiVisitBehavior === 'last') amounts[own] = ms;
      else if (multiVisitBehavior === 'average') amounts[own] = (amounts[own] ?? 0) + ms;
    }
    for (const code of met) {
      const own = slots[at[code] ?? 0] ?? 0;
      const visited = counts[own] ?? 0;
      const amount = (amounts[own] ?? 0) / (multiVisitBehavior === 'average' ? visited : 1);
      counts[own] = 0;
      const end = at[code + 1] ?? 0;
      for (let slot = at[code] ?? 0; slot < end; slot += 1) {
        cells.add(slots[slot] ?? 0, amount, visited, code, 0);
      }
    }
  };
};

/** As `cutByPeriods` cuts a visit. */
const takePeriods: Taker = (visits, { statuses, periods, inner }, clock, cells) => {
  const { at, slots } = statuses;
  const last = periods.length - 2;
  const works = periods.map((instant) => workUntil(clock, instant));
  const lastBeginningBy = (instant: Instant) => {
    let [low, high] = [0, last];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((periods[middle] ?? 0) <= instant) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return () => {
    const { count, codes, starts, ends, startWork, endWork } = visits;
    let period = -1;
    for (let i = 0; i < count; i += 1) {
      const code = codes[i] ?? 0;
      if (code < FIRST_VALUE) continue;
      const [start, end] = [starts[i] ?? 0, ends[i] ?? 0];
      if (period < 0) period = lastBeginningBy(start);
      else while (period < last && (periods[period + 1] ?? 0) <= start) period += 1;
      let worked = (periods[period] ?? 0) > start ? (works[period] ?? 0) : (startWork[i] ?? 0);
      const [begin, until] = [at[code] ?? 0, at[code + 1] ?? 0];
      for (;;) {
        const isLast = period === last || (periods[period + 1] ?? 0) >= end;
        const next = (periods[period + 1] ?? 0) >= end ? (endWork[i] ?? 0) : (works[period + 1] ?? 0);
        const amount = Math.max(0, next - worked);
        for (let slot = begin; slot < until; slot += 1) {
          cells.add((slots[slot] ?? 0) * inner + period, amount, 1, code, 0);
        }
        if (isLast) break;
        worked = next;
        period += 1;
      }
    }
  };
};

const takeTransitions: Taker =
  (visits, { statuses, inner }, _clock, cells) =>
  () => {
    const { at, slots } = statuses;
    const { count, codes } = visits;
    for (let i = 1; i < count; i += 1) {
      const [from, to] = [codes[i - 1] ?? 0, codes[i] ?? 0];
      if (from < FIRST_VALUE || to < FIRST_VALUE) continue;
      cells.add((slots[at[from] ?? 0] ?? 0) * inner + (slots[at[to] ?? 0] ?? 0), 1, 1, from, to);
    }
  };

/** As `betweenStatuses` has it of whole histories. */
const takeClocks: Taker =
  (visits, { clocks }, _clock, cells) =>
  () => {
    const { count, codes, startWork, endWork } = visits;
    for (const [key, { roles, from, to }] of clocks.entries()) {
      let start = from === 'creation' && count > 0 ? 0 : -1;
      for (let i = 0; from !== 'creation' && i < count; i += 1) {
        if (((roles[codes[i] ?? 0] ?? 0) & ROLE.from) === 0) continue;
        start = i;
        if (from === 'first') break;
      }
      if (start < 0) continue;
      let stop = count;
      for (let i = start; i < count; i += 1) {
        if (((roles[codes[i] ?? 0] ?? 0) & ROLE.to) === 0) continue;
        stop = i;
        if (to === 'first') break;
      }
      let ms = 0;
      for (let i = start; i < stop; i += 1) {
        if (((roles[codes[i] ?? 0] ?? 0) & ROLE.paused) === 0) ms += (endWork[i] ?? 0) - (startWork[i] ?? 0);
      }
      cells.add(key, ms, 0, 0, 0);
    }
  };

/** Bits of `ClockSlots.roles`. */
export const ROLE = { from: 1, to: 2, paused: 4 } as const;

const takeAge: Taker = (visits, _plan, _clock, cells) => () => {
  const { count, codes, isOpen, startWork, endWork } = visits;
  const last = count - 1;
  if (isOpen && codes[last] !== ABSENT) cells.add(0, (endWork[last] ?? 0) - (startWork[last] ?? 0), 1, 0, 0);
};

/** As `overlaps` lays assignees over statuses. */
function walkAssignees(arrays: ColumnArrays, plan: KernelPlan, clock: Clock, cells: Cells): Walker {
  const { visitStart, visitStatus, statusAt, statusCount } = arrays;
  const { spanStart, spanAssignee, assigneeAt, assigneeCount } = arrays;
  const { statuses, assignees, counted, inner } = plan;
  const byStatus = plan.kernel === 'assigneeStatus';
  const people = new RowVisits(plan, clock);
  const stays = new RowVisits(plan, clock);
  const take = (i: number, j: number, isFromPerson: boolean, isToPerson: boolean, span: number) => {
    const status = stays.codes[j] ?? 0;
    const person = people.codes[i] ?? 0;
    const ms = Math.max(
      0,
      ((isToPerson ? people.endWork[i] : stays.endWork[j]) ?? 0) -
        ((isFromPerson ? people.startWork[i] : stays.startWork[j]) ?? 0),
    );
    const [begin, end] = [assignees.at[person] ?? 0, assignees.at[person + 1] ?? 0];
    if (byStatus) {
      const [first, last] = [statuses.at[status] ?? 0, statuses.at[status + 1] ?? 0];
      const key = (assignees.slots[begin] ?? 0) * inner;
      for (let slot = first; slot < last; slot += 1) {
        cells.add(key + (statuses.slots[slot] ?? 0), ms, 1, status, person);
      }
      return;
    }
    if (((counted[status] ?? 0) & cells.bit) === 0) return;
    for (let slot = begin; slot < end; slot += 1) {
      cells.addPart(assignees.slots[slot] ?? 0, ms, span, status, person);
    }
  };
  return (row) => {
    const at = assigneeAt[row] ?? 0;
    stays.load(visitStart, visitStatus, STATUS_CODE, statusAt[row] ?? 0, statusCount[row] ?? 0);
    people.load(spanStart, spanAssignee, ASSIGNEE_CODE, at, assigneeCount[row] ?? 0);
    if (stays.hasUnknown || people.hasUnknown) cells.markUnknown();
    if (!byStatus) {
      for (let j = 0; j < stays.count; j += 1) {
        const code = stays.codes[j] ?? 0;
        if (code >= FIRST_VALUE) cells.meetOther(code, j);
      }
    }
    const { starts, ends, count } = people;
    let [i, j] = [0, 0];
    while (i < count && j < stays.count) {
      const [startA, endA] = [starts[i] ?? 0, ends[i] ?? 0];
      const [startB, endB] = [stays.starts[j] ?? 0, stays.ends[j] ?? 0];
      const start = Math.max(startA, startB);
      const end = Math.min(endA, endB);
      const isMomentary = start === end && (startA === endA || startB === endB);
      if (
        (start < end || isMomentary) &&
        people.codes[i] !== ABSENT &&
        (stays.codes[j] ?? 0) >= FIRST_VALUE
      ) {
        take(i, j, startA >= startB, endA <= endB, at + i);
      }
      if (endA < endB) i += 1;
      else if (endB < endA) j += 1;
      else {
        const [isLastA, isLastB] = [i + 1 >= count, j + 1 >= stays.count];
        if (!isLastA && ends[i + 1] === endA && isLastB) i += 1;
        else if (!isLastB && stays.ends[j + 1] === endB && isLastA) j += 1;
        else {
          i += 1;
          j += 1;
        }
      }
    }
  };
}

/** Assignees have no other bits; codes are far fewer. */
const ASSIGNEE_CODE = 0x7fffffff;

/** Whether all time counts, once, for the status alone: nearly every question, and the quickest. */
function isPlain({
  kernel,
  countsVisits,
  multiVisitBehavior,
  from,
  to,
  statuses,
  groups,
}: KernelPlan): boolean {
  const codes = statuses.at.length - 1;
  const isWhole = from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY;
  const isSingle = statuses.slots.length <= Math.max(0, codes - FIRST_VALUE);
  return (
    kernel === 'status' &&
    !countsVisits &&
    multiVisitBehavior === 'total' &&
    isWhole &&
    isSingle &&
    groups * 4 * codes <= MOST_PLAIN
  );
}

const MOST_PLAIN = 2 ** 20;

/**
 * Time in statuses of whole histories, added up by group, `vouched`, whether it is the issue's first visit there, and the
 * status' code: two additions a visit, and nothing to find out about it.
 */
class PlainStatuses {
  readonly #arrays: ColumnArrays;
  readonly #plan: KernelPlan;
  readonly #clock: Clock;
  readonly #codes: number;
  readonly #sums: Float64Array;
  readonly #settled: Float64Array;
  readonly #rests: Float64Array;
  readonly #visits: Uint32Array;

  constructor(arrays: ColumnArrays, plan: KernelPlan, clock: Clock) {
    this.#arrays = arrays;
    this.#plan = plan;
    this.#clock = clock;
    this.#codes = plan.statuses.at.length - 1;
    const size = plan.groups * 4 * this.#codes;
    this.#sums = new Float64Array(size);
    this.#settled = new Float64Array(size);
    this.#rests = new Float64Array(size);
    this.#visits = new Uint32Array(size);
  }

  add(row: number, group: number, bit: number): void {
    const { statusAt, statusCount } = this.#arrays;
    const at = statusAt[row] ?? 0;
    const base = (2 * group + bit - 1) * 2 * this.#codes;
    const end = at + (statusCount[row] ?? 0);
    if (this.#clock.kind === 0) this.#addAll(at, end, base);
    else this.#addWork(at, end, base);
  }

  #addAll(at: number, end: number, base: number): void {
    const { visitStart, visitStatus } = this.#arrays;
    const { asOf } = this.#plan;
    const [sums, visits, codes] = [this.#sums, this.#visits, this.#codes];
    let start = visitStart[at] ?? 0;
    if (at === end || start > asOf) return;
    let raw = visitStatus[at] ?? 0;
    for (let i = at + 1; i < end; i += 1) {
      const next = visitStart[i] ?? 0;
      if (next > asOf) break;
      const cell = base + (raw & STATUS_CODE) + (raw >>> FIRST_SHIFT) * codes;
      sums[cell] = (sums[cell] ?? 0) + (next - start);
      visits[cell] = (visits[cell] ?? 0) + 1;
      start = next;
      raw = visitStatus[i] ?? 0;
    }
    const cell = base + (raw & STATUS_CODE) + (raw >>> FIRST_SHIFT) * codes;
    sums[cell] = (sums[cell] ?? 0) + (asOf - start);
    visits[cell] = (visits[cell] ?? 0) + 1;
  }

  #addWork(at: number, end: number, base: number): void {
    const { visitStart, visitStatus } = this.#arrays;
    const { asOf } = this.#plan;
    const [sums, visits, codes, clock] = [this.#sums, this.#visits, this.#codes, this.#clock];
    const start = visitStart[at] ?? 0;
    if (at === end || start > asOf) return;
    let raw = visitStatus[at] ?? 0;
    let worked = workUntil(clock, start);
    for (let i = at + 1; i < end; i += 1) {
      const next = visitStart[i] ?? 0;
      if (next > asOf) break;
      const cell = base + (raw & STATUS_CODE) + (raw >>> FIRST_SHIFT) * codes;
      const until = workUntil(clock, next);
      sums[cell] = (sums[cell] ?? 0) + (until - worked);
      visits[cell] = (visits[cell] ?? 0) + 1;
      worked = until;
      raw = visitStatus[i] ?? 0;
    }
    const cell = base + (raw & STATUS_CODE) + (raw >>> FIRST_SHIFT) * codes;
    sums[cell] = (sums[cell] ?? 0) + (workUntil(clock, asOf) - worked);
    visits[cell] = (visits[cell] ?? 0) + 1;
  }

  settle(): void {
    for (let cell = 0; cell < this.#sums.length; cell += 1) {
      addExactly(this.#settled, this.#rests, cell, this.#sums[cell] ?? 0);
      this.#sums[cell] = 0;
    }
  }

  /** Adds all of it to the cells; `firstOf` gives the first place and code of a slot. */
  moveTo(cells: Cells, firstOf: (slots: ReadonlyMap<number, number>) => FirstPlaces): void {
    const { statuses, groups, keys } = this.#plan;
    const codes = this.#codes;
    /** The codes of each slot, or -1 where there are several. */
    const seen = new Map<number, number>();
    const slotOf = (code: number) => statuses.slots[statuses.at[code] ?? 0] ?? 0;
    for (let cell = 0; cell < this.#visits.length; cell += 1) {
      const code = cell % codes;
      if (this.#visits[cell] === 0 || code < FIRST_VALUE) continue;
      const slot = slotOf(code);
      const other = seen.get(slot);
      seen.set(slot, other === undefined || other === code ? code : -1);
    }
    const first = firstOf(seen);
    for (let part = 0; part < 2 * groups; part += 1) {
      for (let code = FIRST_VALUE; code < codes; code += 1) {
        for (const isFirst of [0, 1]) {
          const cell = (2 * part + isFirst) * codes + code;
          const visits = this.#visits[cell] ?? 0;
          if (visits === 0) continue;
          const slot = slotOf(code);
          const { place = 0, status = code } = first.get(slot) ?? {};
          cells.addSum((part >>> 1) * keys + slot, {
            ...{ count: isFirst === 1 ? visits : 0, visits, place, status, bit: (part & 1) + 1 },
            ...{ sum: this.#settled[cell] ?? 0, rest: this.#rests[cell] ?? 0 },
          });
        }
      }
    }
  }
}

const FIRST_SHIFT = Math.log2(FIRST_VISIT);

/** By slot: the place of the first row that was in one of its statuses, and the code. */
type FirstPlaces = ReadonlyMap<number, { readonly place: number; readonly status: number }>;

/**
 * Where each slot came up first. Only where one has several codes, or where `all` is asked for, is it looked for: a code
 * alone says what the slot is called.
 */
function firstPlaces(
  { flags, statusAt, statusCount, visitStart, visitStatus }: ColumnArrays,
  { rows, groups }: KernelRows,
  { statuses, asOf }: KernelPlan,
  { start, end, all }: { readonly start: number; readonly end: number; readonly all: boolean },
): (slots: ReadonlyMap<number, number>) => FirstPlaces {
  return (slots) => {
    const first = new Map<number, { place: number; status: number }>();
    const missing = new Set<number>();
    for (const [slot, status] of slots) {
      if (status < 0 || all) missing.add(slot);
      else first.set(slot, { place: start, status });
    }
    for (let place = start; place < end && missing.size > 0; place += 1) {
      const row = rows[place] ?? 0;
      if (flags[row] !== 0 || groups?.[place] === NO_GROUP) continue;
      const at = statusAt[row] ?? 0;
      for (let i = at; i < at + (statusCount[row] ?? 0) && (visitStart[i] ?? 0) <= asOf; i += 1) {
        const status = (visitStatus[i] ?? 0) & STATUS_CODE;
        if (status < FIRST_VALUE) continue;
        const slot = statuses.slots[statuses.at[status] ?? 0] ?? 0;
        if (missing.delete(slot)) first.set(slot, { place, status });
      }
    }
    return first;
  };
}
