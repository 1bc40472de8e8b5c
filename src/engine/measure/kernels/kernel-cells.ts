import { lengthened } from '../../columns/column-arrays.ts';
import type { MeasureSink } from '../../reports/measuring/report-type.ts';
import { type AmountBrackets, type AmountsFound, CellAmounts } from './cell-amounts.ts';
import type { KernelPlan } from './kernel-plan.ts';

/** The result of a kernel. A cell is a group and a key with at least one amount; lists have one entry per cell. */
export interface KernelCells {
  /** Number of the cell: group × keys + key. */
  readonly cells: Float64Array;
  /** Number of issues with an amount. */
  readonly counts: Uint32Array;
  /** The sum of the amounts is `sums` plus `lostSums`, which is exact for whole numbers. */
  readonly sums: Float64Array;
  readonly lostSums: Float64Array;
  readonly visits: Float64Array;
  /** Number of these issues that have unknown time. */
  readonly uncertain: Uint32Array;
  /** Bits of `KernelPlan.listed` of these issues. */
  readonly observed: Uint8Array;
  /** Index of the first of these issues among the rows, and the codes with which the cell came up in it. */
  readonly first: Uint32Array;
  readonly firstStatus: Uint32Array;
  /** The code of the assignee, or of the status that a transition leads to. */
  readonly firstOther: Uint32Array;
  /** Number of issues by group, instead of by cell, and of those with unknown time. */
  readonly issues: Uint32Array;
  readonly unknown: Uint32Array;
  /** Indexes of rows for which columns lack figures, so that the issues themselves are measured. */
  readonly fallback: Uint32Array;
  /**
   * Statuses that count although no key is about them, in four numbers each: code, first and last index among the rows
   * (with a fraction that increases with the index of the visit), and bits of `KernelPlan.listed`.
   */
  readonly others: Float64Array;
  /** The single amounts by cell; null if they are not needed. */
  readonly amounts: AmountsFound | null;
}

/** The lists of some cells, which are still to be filled. */
export function emptyCells(size: number) {
  return {
    cells: new Float64Array(size),
    counts: new Uint32Array(size),
    sums: new Float64Array(size),
    lostSums: new Float64Array(size),
    visits: new Float64Array(size),
    uncertain: new Uint32Array(size),
    observed: new Uint8Array(size),
    first: new Uint32Array(size),
    firstStatus: new Uint32Array(size),
    firstOther: new Uint32Array(size),
  };
}

/**
 * Adds up the amounts of cells: each is at the index of its number or, if many are possible, in order of appearance.
 */
export class CellAccumulator implements MeasureSink {
  readonly issues: Uint32Array<ArrayBuffer>;
  readonly unknown: Uint32Array<ArrayBuffer>;
  readonly #plan: KernelPlan;
  /** Null if each cell is at the index of its number. */
  readonly #index: NumberIndex | null;
  readonly #amounts: CellAmounts | null;
  #size: number;
  #numbers: Float64Array<ArrayBuffer>;
  /** Per cell: sum, visits, issues, and index + 1 of the issue that added last: all that each amount changes. */
  #facts: Float64Array<ArrayBuffer>;
  #settled: Float64Array<ArrayBuffer>;
  #lostSums: Float64Array<ArrayBuffer>;
  #uncertain: Uint32Array<ArrayBuffer>;
  #met: Uint32Array<ArrayBuffer>;
  /** Index + 1 of the first issue; 0 if the cell has not come up. */
  #first: Uint32Array<ArrayBuffer>;
  #firstStatus: Uint32Array<ArrayBuffer>;
  #firstOther: Uint32Array<ArrayBuffer>;
  /** Index + 1 of the visit that the last part belongs to. */
  #part: Uint32Array<ArrayBuffer>;
  /** By code of a status that counts without a key: index + 1 of its first and last row, and bits of `listed`. */
  readonly #others: Float64Array<ArrayBuffer>;
  #ordinal = 0;
  #base = 0;
  #bit = 0;
  #isUncertain = false;
  #group = 0;

  constructor(plan: KernelPlan, brackets: AmountBrackets | null) {
    const max = plan.groups * plan.keys;
    const isDirect = max <= MAX_DIRECT;
    const room = isDirect ? max : FIRST_CELLS;
    this.#plan = plan;
    this.issues = new Uint32Array(plan.groups);
    this.unknown = new Uint32Array(plan.groups);
    this.#index = isDirect ? null : new NumberIndex(max);
    this.#size = isDirect ? max : 0;
    this.#numbers = new Float64Array(isDirect ? 0 : room);
    this.#facts = new Float64Array(room * FACTS);
    this.#settled = new Float64Array(room);
    this.#lostSums = new Float64Array(room);
    this.#uncertain = new Uint32Array(room);
    this.#met = new Uint32Array(room);
    this.#first = new Uint32Array(room);
    this.#firstStatus = new Uint32Array(room);
    this.#firstOther = new Uint32Array(room);
    this.#part = new Uint32Array(room);
    this.#others = new Float64Array(3 * plan.counted.length);
    this.#amounts = brackets === null ? null : new CellAmounts(room, brackets);
    for (const [i, number] of (brackets?.cells ?? []).entries()) {
      const cell = this.#index === null ? number : this.#make(number, 0, 0);
      this.#amounts?.setBracket(cell, brackets?.low[i] ?? 0, brackets?.high[i] ?? 0);
    }
  }

  /** The single amounts, if they are needed and each cell is at the index of its number; otherwise null. */
  get amountsByNumber(): CellAmounts | null {
    return this.#index === null ? this.#amounts : null;
  }

  /** Begins the issue at an index among the rows, with its bit of `listed`; the next amounts are its own. */
  begin(position: number, group: number, bit: number): void {
    this.#ordinal = position + 1;
    this.#group = group;
    this.#base = group * this.#plan.keys;
    this.#bit = bit;
    this.#isUncertain = false;
  }

  /** Ends the issue: all of its amounts have been added. */
  end(): void {
    this.#amounts?.endRow();
  }

  /** Marks part of the issue's time as unknown, before its amounts are added. */
  markUnknown(): void {
    this.#isUncertain = true;
    this.unknown[this.#group] = (this.unknown[this.#group] ?? 0) + 1;
  }

  /** Notes that the issue was in a status that counts although no key is about it. */
  observeStatus(code: number, visit: number): void {
    const others = this.#others;
    const at = this.#ordinal + visit / MAX_VISITS;
    const first = others[3 * code] ?? 0;
    if (first === 0 || at < first) others[3 * code] = at;
    if (at > (others[3 * code + 1] ?? 0)) others[3 * code + 1] = at;
    others[3 * code + 2] = (others[3 * code + 2] ?? 0) | this.#bit;
  }

  /** Adds an amount that consists of a number of visits. */
  add(key: number, amount: number, visits: number, status: number, other: number): void {
    const cell = this.#cellOf(key, status, other);
    const isFirst = this.#add(cell, amount, visits);
    if (isFirst) this.#meet(cell, status, other);
    this.#amounts?.add(cell, amount, isFirst);
  }

  /** Adds a part of a visit, which counts once per cell; the parts of a visit follow each other. */
  addPart(key: number, amount: number, visit: number, status: number, other: number): void {
    const cell = this.#cellOf(key, status, other);
    const isNew = this.#part[cell] !== visit + 1;
    this.#part[cell] = visit + 1;
    const isFirst = this.#add(cell, amount, isNew ? 1 : 0);
    if (isFirst) this.#meet(cell, status, other);
    this.#amounts?.add(cell, amount, isFirst);
  }

  observe(): void {
    // Rows with amounts that may be unknown are measured as issues, not by a kernel.
  }

  setState(): void {
    // Groups have no clock states.
  }

  #cellOf(key: number, status: number, other: number): number {
    const number = this.#base + key;
    if (this.#index !== null) {
      const cell = this.#index.find(number);
      return cell < 0 ? this.#make(number, status, other) : cell;
    }
    return number;
  }

  /** Adds an amount, and returns whether it is the issue's first in the cell. */
  #add(cell: number, amount: number, visits: number): boolean {
    const facts = this.#facts;
    const at = cell * FACTS;
    facts[at] += amount;
    facts[at + 1] += visits;
    if (facts[at + 3] === this.#ordinal) return false;
    facts[at + 3] = this.#ordinal;
    facts[at + 2] += 1;
    return true;
  }

  #meet(cell: number, status: number, other: number): void {
    if (this.#first[cell] === 0) this.#comesUp(cell, this.#ordinal, status, other);
    this.#met[cell] |= this.#bit;
    if (this.#isUncertain) this.#uncertain[cell] += 1;
  }

  /** Adds amounts that were summed elsewhere to a cell. */
  addSum(number: number, part: CellPart): void {
    const known = this.#index === null ? number : this.#index.find(number);
    const cell = known < 0 ? this.#make(number, part.status, part.other ?? 0) : known;
    const first = this.#first[cell];
    if (known < 0 || first === 0 || part.position + 1 < first) {
      this.#comesUp(cell, part.position + 1, part.status, part.other ?? 0);
    }
    const at = cell * FACTS;
    this.#facts[at + 1] += part.visits;
    this.#facts[at + 2] += part.count;
    this.#met[cell] |= part.bit;
    addExactly(this.#settled, this.#lostSums, cell, part.sum);
    this.#lostSums[cell] += part.lost;
  }

  /** Moves the sums of a block of rows to the total sums, with their rounding errors. */
  settle(): void {
    this.#amounts?.settle();
    for (let cell = 0; cell < this.#size; cell += 1) {
      const sum = this.#facts[cell * FACTS];
      if (sum === 0) continue;
      addExactly(this.#settled, this.#lostSums, cell, sum);
      this.#facts[cell * FACTS] = 0;
    }
  }

  found(fallback: Uint32Array): KernelCells {
    const others: number[] = [];
    for (let code = 0; 3 * code < this.#others.length; code += 1) {
      const [first = 0, last = 0, observed = 0] = this.#others.subarray(3 * code, 3 * code + 3);
      if (first > 0) others.push(code, first - 1, last - 1, observed);
    }
    const cells = this.#cameUp();
    const size = cells.length;
    const found = emptyCells(size);
    for (let i = 0; i < size; i += 1) {
      const cell = cells[i];
      found.cells[i] = this.#index === null ? cell : this.#numbers[cell];
      found.counts[i] = this.#facts[cell * FACTS + 2];
      found.sums[i] = this.#settled[cell];
      found.lostSums[i] = this.#lostSums[cell];
      found.visits[i] = this.#facts[cell * FACTS + 1];
      found.uncertain[i] = this.#uncertain[cell];
      found.observed[i] = this.#met[cell];
      found.first[i] = this.#first[cell] - 1;
      found.firstStatus[i] = this.#firstStatus[cell];
      found.firstOther[i] = this.#firstOther[cell];
    }
    const { issues, unknown } = this;
    const byGroup = { issues, unknown, fallback, others: Float64Array.from(others) };
    if (this.#amounts === null) return { ...found, ...byGroup, amounts: null };
    const { sums, lostSums, ...amounts } = this.#amounts.found(cells);
    return { ...found, sums, lostSums, ...byGroup, amounts };
  }

  #cameUp(): Uint32Array {
    const cells = new Uint32Array(this.#size);
    let count = 0;
    for (let cell = 0; cell < this.#size; cell += 1) {
      if (this.#first[cell] === 0) continue;
      cells[count] = cell;
      count += 1;
    }
    return cells.subarray(0, count);
  }

  #comesUp(cell: number, position: number, status: number, other: number): void {
    this.#first[cell] = position;
    this.#firstStatus[cell] = status;
    this.#firstOther[cell] = other;
  }

  #make(number: number, status: number, other: number): number {
    const cell = this.#size;
    this.#size += 1;
    if (cell === this.#numbers.length) this.#grow();
    this.#numbers[cell] = number;
    this.#comesUp(cell, this.#ordinal, status, other);
    this.#index?.add(number, cell);
    return cell;
  }

  #grow(): void {
    const room = 2 * this.#numbers.length;
    this.#numbers = lengthened(this.#numbers, room);
    this.#facts = lengthened(this.#facts, FACTS * room);
    this.#settled = lengthened(this.#settled, room);
    this.#lostSums = lengthened(this.#lostSums, room);
    this.#uncertain = lengthened(this.#uncertain, room);
    this.#met = lengthened(this.#met, room);
    this.#first = lengthened(this.#first, room);
    this.#firstStatus = lengthened(this.#firstStatus, room);
    this.#firstOther = lengthened(this.#firstOther, room);
    this.#part = lengthened(this.#part, room);
    this.#amounts?.grow();
  }
}

/** Maximum number of cells at the index of their number; they take some megabytes. */
const MAX_DIRECT = 2 ** 16;
const FIRST_CELLS = 64;
const FACTS = 4;
/** More than the number of visits of a row. */
const MAX_VISITS = 0x10000;

/** Adds a value with Neumaier's compensation: the rounding error of the sum at an index is added to `lostSums`. */
export function addExactly(sums: Float64Array, lostSums: Float64Array, at: number, value: number): void {
  const sum = sums[at];
  const next = sum + value;
  const lost = Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
  lostSums[at] += lost;
  sums[at] = next;
}

/** Amounts that are added to a cell at once. */
interface CellPart {
  readonly count: number;
  readonly visits: number;
  readonly sum: number;
  readonly lost: number;
  readonly bit: number;
  readonly position: number;
  readonly status: number;
  readonly other?: number;
}

/**
 * Maps numbers below `max` to others, such as array indexes: a table if `max` is small, otherwise open addressing.
 */
export class NumberIndex {
  /** The mapped number + 1; 0 if there is none. */
  #table: Int32Array;
  readonly #isDense: boolean;
  #numbers: Float64Array;
  #size = 0;

  constructor(max: number) {
    this.#isDense = max <= MAX_DENSE;
    this.#table = new Int32Array(this.#isDense ? max : 1024);
    this.#numbers = new Float64Array(this.#isDense ? 0 : 1024);
  }

  /** The mapped number; -1 if there is none. */
  find(number: number): number {
    if (this.#isDense) return this.#table[number] - 1;
    return (this.#table[this.#slotOf(number)] ?? 0) - 1;
  }

  add(number: number, other: number): void {
    if (this.#isDense) {
      this.#table[number] = other + 1;
      return;
    }
    if (2 * this.#size >= this.#table.length) this.#rehash();
    this.#size += 1;
    const slot = this.#slotOf(number);
    this.#table[slot] = other + 1;
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

/** Maximum size of a table: 16 MB. */
const MAX_DENSE = 2 ** 22;
