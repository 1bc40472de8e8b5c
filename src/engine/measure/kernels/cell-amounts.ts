import { lengthened } from '../../columns/column-arrays.ts';
import { addSquare, carrySquares, SQUARE_PARTS } from '../statistics.ts';

/**
 * The range of amounts (`low` to `high`, both included) that a question keeps of each cell, by cell number. A cell that
 * is not in `cells` keeps all of its amounts, or none if `keepsOthers` is false: then only sums and squares are needed.
 */
export interface AmountBrackets {
  readonly cells: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly keepsOthers: boolean;
}

/** The single amounts of some cells, in the order of the cells. */
export interface AmountsFound {
  /** Sums of squares, in `SQUARE_PARTS` parts per cell. */
  readonly squares: Float64Array;
  /** Number of amounts below the cell's bracket, and within it. */
  readonly below: Uint32Array;
  readonly inside: Uint32Array;
  /**
   * The amounts within the brackets, in the order of the rows; a cell's are from its `starts` until that of the next
   * cell. A bracket of a single amount keeps none, since they are all equal.
   */
  readonly values: Float64Array<ArrayBuffer>;
  readonly starts: Float64Array;
}

/**
 * Numbers stored per cell: parts of the squares and of the sum, the bracket, the numbers of amounts below and within
 * it, and 1 if those within it are kept.
 */
const FACTS = 11;
const LOW = 4;
const HIGH = 5;
const BELOW = 6;
const INSIDE = 7;
const IS_KEPT = 8;
const SUM = 9;
const CARRIED = 10;

/** Multiples of this number are carried out of a sum, so that it stays exact. */
const CARRY = 2 ** 40;

/**
 * Collects the amount that each row has in each of its cells: adds up squares, counts the amounts below a bracket, and
 * keeps those within it. This way the median of a million durations is found among the few within a bracket around it.
 */
export class CellAmounts {
  readonly #default: readonly [low: number, high: number];
  #facts: Float64Array<ArrayBuffer>;
  #amounts: Float64Array<ArrayBuffer>;
  #rowCells: Uint32Array<ArrayBuffer>;
  #rowSize = 0;
  #keptCells: Uint32Array<ArrayBuffer>;
  #keptValues: Float64Array<ArrayBuffer>;
  #keptCount = 0;

  constructor(room: number, { keepsOthers }: AmountBrackets) {
    const infinite = Number.POSITIVE_INFINITY;
    this.#default = [keepsOthers ? -infinite : infinite, infinite];
    this.#facts = new Float64Array(room * FACTS);
    this.#amounts = new Float64Array(room);
    this.#rowCells = new Uint32Array(room + 1);
    const { cells, values } = spare ?? {
      cells: new Uint32Array(FIRST_KEPT),
      values: new Float64Array(FIRST_KEPT),
    };
    spare = null;
    this.#keptCells = cells;
    this.#keptValues = values;
    for (let cell = 0; cell < room; cell += 1) this.setBracket(cell, ...this.#default);
  }

  setBracket(cell: number, low: number, high: number): void {
    const at = cell * FACTS;
    this.#facts[at + LOW] = low;
    this.#facts[at + HIGH] = high;
    this.#facts[at + IS_KEPT] = low === high ? 0 : 1;
  }

  /** Doubles the number of cells that there is memory for. */
  grow(): void {
    const before = this.#amounts.length;
    const room = 2 * before;
    this.#facts = lengthened(this.#facts, room * FACTS);
    this.#amounts = lengthened(this.#amounts, room);
    this.#rowCells = lengthened(this.#rowCells, room + 1);
    for (let cell = before; cell < room; cell += 1) this.setBracket(cell, ...this.#default);
  }

  /**
   * The current row's amounts by cell; only those of `rowCells` are valid. A caller that writes to both arrays itself
   * then calls `endRow` with the number of cells.
   */
  get amounts(): Float64Array {
    return this.#amounts;
  }

  /** The cells of the current row. */
  get rowCells(): Uint32Array {
    return this.#rowCells;
  }

  /** Adds a part of the current row's amount in a cell. */
  add(cell: number, amount: number, isFirst: boolean): void {
    if (!isFirst) {
      this.#amounts[cell] += amount;
      return;
    }
    this.#amounts[cell] = amount;
    this.#rowCells[this.#rowSize] = cell;
    this.#rowSize += 1;
  }

  /**
   * Ends the current row, which has amounts in `size` cells. The loop has no branches, because a processor cannot
   * predict on which side of a bracket an amount is.
   */
  endRow(size = this.#rowSize): void {
    this.#rowSize = 0;
    if (this.#keptCount + size >= this.#keptCells.length) this.#growKept();
    const facts = this.#facts;
    const amounts = this.#amounts;
    const rowCells = this.#rowCells;
    const keptCells = this.#keptCells;
    const keptValues = this.#keptValues;
    let keptCount = this.#keptCount;
    for (let i = 0; i < size; i += 1) {
      const cell = rowCells[i];
      const amount = amounts[cell];
      const at = cell * FACTS;
      addSquare(facts, at, amount);
      facts[at + SUM] += amount;
      const below = Number(amount < facts[at + LOW]);
      const inside = 1 - below - Number(amount > facts[at + HIGH]);
      facts[at + BELOW] += below;
      facts[at + INSIDE] += inside;
      keptCells[keptCount] = cell;
      keptValues[keptCount] = amount;
      keptCount += inside & facts[at + IS_KEPT];
    }
    this.#keptCount = keptCount;
  }

  #growKept(): void {
    const room = 2 * (this.#keptCells.length + this.#rowCells.length);
    this.#keptCells = lengthened(this.#keptCells, room);
    this.#keptValues = lengthened(this.#keptValues, room);
  }

  /** Carries large parts of the sums, so that more amounts can be added exactly. */
  settle(): void {
    const facts = this.#facts;
    for (let at = 0; at < facts.length; at += FACTS) {
      carrySquares(facts, at);
      const carried = Math.floor(facts[at + SUM] / CARRY) * CARRY;
      facts[at + SUM] -= carried;
      facts[at + CARRIED] += carried;
    }
  }

  /**
   * The amounts of some cells, and their sums: `sums` plus `lostSums`, which is exact for whole numbers. Nothing may be
   * added afterwards.
   */
  found(cells: Uint32Array): AmountsFound & Record<'sums' | 'lostSums', Float64Array> {
    const { length } = cells;
    const facts = this.#facts;
    const squares = new Float64Array(length * SQUARE_PARTS);
    const [sums, lostSums] = [new Float64Array(length), new Float64Array(length)];
    const [below, inside] = [new Uint32Array(length), new Uint32Array(length)];
    const starts = new Float64Array(length + 1);
    const next = new Float64Array(this.#amounts.length);
    for (let i = 0; i < length; i += 1) {
      const cell = cells[i];
      const at = cell * FACTS;
      for (let part = 0; part < SQUARE_PARTS; part += 1) squares[i * SQUARE_PARTS + part] = facts[at + part];
      sums[i] = facts[at + CARRIED];
      lostSums[i] = facts[at + SUM];
      below[i] = facts[at + BELOW];
      inside[i] = facts[at + INSIDE];
      next[cell] = starts[i];
      starts[i + 1] = starts[i] + inside[i] * facts[at + IS_KEPT];
    }
    const values = new Float64Array(this.#keptCount);
    for (let i = 0; i < this.#keptCount; i += 1) {
      const cell = this.#keptCells[i];
      const at = next[cell];
      values[at] = this.#keptValues[i];
      next[cell] = at + 1;
    }
    const isSmall = this.#keptCells.length <= MAX_SPARE;
    spare = isSmall ? { cells: this.#keptCells, values: this.#keptValues } : null;
    return { sums, lostSums, squares, below, inside, values, starts };
  }
}

const FIRST_KEPT = 4096;

/** Maximum number of kept amounts whose memory is reused: about 12 MB. */
const MAX_SPARE = 2 ** 20;

/** Memory for kept amounts of this thread's previous question, reused because a thread rarely collects garbage. */
let spare: { readonly cells: Uint32Array<ArrayBuffer>; readonly values: Float64Array<ArrayBuffer> } | null =
  null;
